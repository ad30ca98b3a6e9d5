/** Typed clients of the examples on Bun and Node.js, over HTTP. */
import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { BUN, bundle, findProgram, run } from "./programs.ts";
import { TOLD_OF_BOOKS } from "../../examples/call_books.ts";
import { TOLD_OF_PICTURES } from "../../examples/call_pictures.ts";
import { granted } from "../../support/granted.ts";
import { serve } from "../../examples/serve.ts";

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)("a typed client", () => {
  let directory = "";
  let program = "";
  before(async () => {
    directory = await Deno.makeTempDir();
    program = await bundle("tests/slow/runtimes/client_program.ts", directory);
  });
  after(() => Deno.remove(directory, { recursive: true }));

  for (const [runtime, find] of [["Bun", () => findProgram(BUN, "bun")], ["Node.js", () => "node"]] as const) {
    it(`is told what the endpoints of examples/books.ts declare, on ${runtime}`, async () => {
      await using served = await serve("examples/books.ts");
      assertEquals(JSON.parse(await run(await find(), [program, "books", served.origin])), TOLD_OF_BOOKS);
    });

    it(`is told what the endpoints of examples/service declare, on ${runtime}`, async () => {
      const permissions = [`--allow-read=${directory}`, `--allow-write=${directory}`];
      const options = { permissions, env: { DATA: `${directory}/${runtime}`, DATABASE_URL: "" } };
      await using served = await serve("examples/service/main.ts", options);
      assertEquals(JSON.parse(await run(await find(), [program, "pictures", served.origin])), TOLD_OF_PICTURES);
    });
  }
});
