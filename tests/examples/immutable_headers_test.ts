import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { startServer } from "../support/server_process.ts";
import { granted } from "../support/granted.ts";
import { FLAGS } from "../support/flags.ts";

/** Examples that add headers in `onResponse`, with paths that answer 200, 400 and 404, and a header that all get. */
const EXAMPLES: readonly (readonly [file: string, header: string, paths: Readonly<Record<string, number>>])[] = [
  ["books.ts", "x-request-id", {
    "/books": 200,
    "/v1/books": 200,
    "/v1/books?limit=0": 400,
    "/v2/books/popular": 200,
    "/v2/books/popular?limit=0": 400,
    "/v1/nowhere": 404,
  }],
  ["versioning.ts", "vary", { "/books": 200, "/books?limit=0": 400 }],
  ["cors.ts", "vary", { "/books": 200, "/catalogue": 302, "/nowhere": 404 }],
  ["request_id.ts", "x-request-id", { "/hello": 200, "/nowhere": 404 }],
  ["problem_details.ts", "x-request-id", { "/books": 200, "/nowhere": 404 }],
];

const SERVE = ["serve", "--host=127.0.0.1", "--port=0", "--allow-read", ...FLAGS];

(granted("net", "read", "run") ? describe : describe.skip)("examples that add headers", () => {
  for (const [file, header, paths] of EXAMPLES) {
    it(`examples/${file} adds its headers to a response whose own are immutable`, async () => {
      const args = [...SERVE, "tests/examples/serve_immutable.ts", `../../examples/${file}`];
      await using served = await startServer(Deno.execPath(), args);
      for (const [path, status] of Object.entries(paths)) {
        const response = await fetch(served.origin + path, { redirect: "manual" });
        assertEquals([path, response.status, response.headers.has(header)], [path, status, true]);
        await response.body?.cancel();
      }
    });
  }
});
