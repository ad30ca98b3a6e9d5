import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { serve, type Served } from "./serve.ts";

(granted("net", "read", "run") ? describe : describe.skip)("examples/hello.ts", () => {
  let served: Served;
  before(async () => {
    served = await serve("examples/hello.ts");
  });
  after(() => served.stop());

  it("hello.ts greets by the decoded name, as plain text", async () => {
    for (const name of ["Ada", "Zoë", "a/b", "<script>"]) {
      const response = await fetch(`${served.origin}/hello/${encodeURIComponent(name)}`);
      assertEquals([response.status, await response.text()], [200, `Hello, ${name}!`]);
      assertEquals(response.headers.get("content-type"), "text/plain;charset=UTF-8");
    }
  });

  it("hello.ts responds with 404 without a body to every other request", async () => {
    for (
      const [method, path] of [["GET", "/"], ["GET", "/hello"], ["GET", "/hello/"], ["POST", "/hello/Ada"]] as const
    ) {
      const response = await fetch(served.origin + path, { method });
      assertEquals([response.status, await response.text()], [404, ""]);
    }
  });
});
