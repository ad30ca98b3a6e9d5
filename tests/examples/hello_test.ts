import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeServed } from "./describe_served.ts";

describeServed("examples/hello.ts", (served) => {
  it("hello.ts greets by the decoded name, as plain text", async () => {
    for (const name of ["Ada", "Zoë", "a/b", "<script>"]) {
      const response = await served.request(`/hello/${encodeURIComponent(name)}`);
      assertEquals([response.status, await response.text()], [200, `Hello, ${name}!`]);
      assertEquals(response.headers.get("content-type"), "text/plain;charset=UTF-8");
    }
  });

  it("hello.ts responds with 404 without a body to every other request", async () => {
    for (
      const [method, path] of [["GET", "/"], ["GET", "/hello"], ["GET", "/hello/"], ["POST", "/hello/Ada"]] as const
    ) {
      const response = await served.request(path, { method });
      assertEquals([response.status, await response.text()], [404, ""]);
    }
  });
});
