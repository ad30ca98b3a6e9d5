import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeServed } from "./describe_served.ts";

describeServed("examples/method_not_allowed.ts", (served) => {
  const exchange = async (method: string, path: string) => {
    const { status, headers, body } = await served.request(path, { method });
    await body?.cancel();
    return [status, headers.get("allow")];
  };

  it("method_not_allowed.ts responds with 405 and the methods that have a route at the path", async () => {
    for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS", "BREW", "get2"]) {
      assertEquals(await exchange(method, "/books"), [405, "GET, HEAD, POST"]);
      assertEquals(await exchange(method, "/books/emma"), [405, "GET"]);
    }
    assertEquals(await exchange("HEAD", "/books/emma"), [405, "GET"]);
    assertEquals(await exchange("DELETE", "/books?x=/nope"), [405, "GET, HEAD, POST"]);
  });

  it("method_not_allowed.ts does not change the response of a route that matches", async () => {
    assertEquals(await exchange("GET", "/books"), [200, null]);
    assertEquals(await exchange("HEAD", "/books"), [200, null]);
    assertEquals(await exchange("POST", "/books"), [201, null]);
    assertEquals(await exchange("GET", "/books/emma"), [200, null]);
  });

  it("method_not_allowed.ts responds with 404 when the path has no route at all", async () => {
    for (const method of ["GET", "DELETE", "OPTIONS"]) assertEquals(await exchange(method, "/nope"), [404, null]);
  });

  it("method_not_allowed.ts responds with 404 to a request with an invalid Host header", async () => {
    const { hostname, port } = new URL(served.origin);
    using connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(new TextEncoder().encode("PUT /books HTTP/1.1\r\nHost: h/x\r\nConnection: close\r\n\r\n"));
    const [head = ""] = (await new Response(connection.readable).text()).split("\r\n\r\n");
    assertEquals([head.includes(" 404 "), /allow:/i.test(head)], [true, false]);
  });
});
