import { assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { until } from "../support/until.ts";
import { describeServed } from "./describe_served.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describeServed("examples/request_id.ts", (served) => {
  const { request } = served;

  it("request_id.ts adds a new id and the version to every response, whatever its status", async () => {
    const ids = new Set<string>();
    const expected: readonly [string, string, number][] = [
      ["GET", "/hello", 200],
      ["GET", "/closed", 403],
      ["GET", "/broken", 500],
      ["GET", "/nope", 404],
    ];
    for (const [method, path, status] of expected) {
      const response = await request(path, { method });
      await response.body?.cancel();
      assertEquals(response.status, status, `${method} ${path}`);
      const id = response.headers.get("x-request-id") ?? "";
      assertMatch(id, UUID);
      ids.add(id);
      assertEquals(response.headers.get("x-api-version"), "v1");
    }
    assertEquals(ids.size, expected.length);
  });

  it("request_id.ts passes the id of the response to the handler", async () => {
    const response = await request("/hello");
    assertEquals(await response.text(), `Hello, request ${response.headers.get("x-request-id")}`);
  });

  it("request_id.ts logs an error with the request id, and sends the client no details of the error", async () => {
    const response = await request("/broken");
    assertEquals(await response.text(), "Internal server error");
    const logged = `Request ${response.headers.get("x-request-id")} failed: Error: The disk is full`;
    // The log may arrive after the response.
    await until(() => served.printed().includes(logged), () => served.printed());
  });
});
