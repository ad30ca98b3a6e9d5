import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeServed } from "./describe_served.ts";
import { discard } from "./discard.ts";

describeServed("examples/method_not_allowed.ts", ({ request }) => {
  const EXCHANGES: readonly (readonly [method: string, path: string, status: number, allow: string | null])[] = [
    ["GET", "/books", 200, null],
    ["HEAD", "/books", 200, null],
    ["POST", "/books", 201, null],
    ["PUT", "/books", 405, "GET, HEAD, POST"],
    ["OPTIONS", "/books?x=/nope", 405, "GET, HEAD, POST"],
    ["GET", "/books/emma", 200, null],
    ["HEAD", "/books/emma", 405, "GET"],
    ["BREW", "/books/emma", 405, "GET"],
    ["DELETE", "/nope", 404, null],
  ];

  for (const [method, path, status, allow] of EXCHANGES) {
    it(`method_not_allowed.ts responds to ${method} ${path} with ${status}, and Allow is ${allow}`, async () => {
      const response = await request(path, { method }).then(discard);
      assertEquals([response.status, response.headers.get("allow")], [status, allow]);
    });
  }
});
