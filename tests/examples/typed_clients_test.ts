import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { run } from "../slow/runtimes/programs.ts";
import { callBooks, TOLD_OF_BOOKS } from "./call_books.ts";
import { granted } from "../support/granted.ts";
import { serve } from "./serve.ts";
import { FLAGS } from "../support/flags.ts";

(granted("net", "read", "run") ? describe : describe.skip)("a typed client of examples/books.ts", () => {
  it("is told what the endpoints declare, in process", async () => {
    const printed = await run(Deno.execPath(), ["run", "--no-prompt", ...FLAGS, "tests/examples/books_in_process.ts"]);
    assertEquals(JSON.parse(printed.trim().split("\n").at(-1) ?? ""), TOLD_OF_BOOKS);
  });

  it("is told the same over HTTP", async () => {
    await using served = await serve("examples/books.ts");
    assertEquals(await callBooks({ baseUrl: served.origin }), TOLD_OF_BOOKS);
  });
});
