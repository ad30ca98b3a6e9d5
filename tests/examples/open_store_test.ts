import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createSchema, DATABASE_URL } from "./postgres_schema.ts";
import { granted } from "../support/granted.ts";
import { makeTempDirectory } from "../support/temp_directory.ts";
import { serve, type ServeOptions } from "./serve.ts";

const BOTH = "--allow-env=DATABASE_URL,BOOKS_DB";
const MEMORY = "Store: memory, which is lost when this process ends";

(granted("net", "read", "run", "write") ? describe : describe.skip)("the store that examples/books.ts prints", () => {
  /** Starts an example and returns the line that names the store. */
  async function readStoreLine(options?: ServeOptions, example = "examples/books.ts"): Promise<string> {
    const served = await serve(example, options);
    await served.stop();
    const lines = served.printed().split("\n").filter((line) => line.includes("Store:"));
    assertEquals(lines.length, 1);
    return lines[0] ?? "";
  }

  it("the store that examples/books.ts prints stands below an address to open, which is printed first", async () => {
    for (
      const [file, page] of [["examples/books.ts", "/books?limit=3"], ["examples/books_docs.ts", "/docs"]] as const
    ) {
      await using served = await serve(file);
      // Deno itself names what it downloads, on a machine that has not run the example before.
      const [open = "", store = ""] = served.printed().split("\n").filter((line) => !line.startsWith("Download "));
      assertEquals(open, `Open ${served.origin}${page}`);
      assert(store.startsWith(MEMORY), store);
      const response = await fetch(open.replace("Open ", ""));
      assertEquals(response.status, 200, await response.text());
    }
  });

  const SET = { DATABASE_URL: "postgres://user:secret@127.0.0.1:1/books", BOOKS_DB: "books.db" };
  const UNSET = { DATABASE_URL: "", BOOKS_DB: "" };
  const IN_MEMORY: readonly (readonly [what: string, unread: string | undefined, options: ServeOptions])[] = [
    ["it may read neither variable", "DATABASE_URL and BOOKS_DB", {}],
    ["it may read neither, and both are set", "DATABASE_URL and BOOKS_DB", { env: SET }],
    ["it may not read BOOKS_DB", "BOOKS_DB", { permissions: ["--allow-env=DATABASE_URL"], env: UNSET }],
    ["it may not read DATABASE_URL", "DATABASE_URL", { permissions: ["--allow-env=BOOKS_DB"], env: UNSET }],
    ["it may read both, and neither is set", undefined, { permissions: [BOTH], env: UNSET }],
  ];

  for (const [what, unread, options] of IN_MEMORY) {
    it(`the store that examples/books.ts prints is memory if ${what}, with a warning of ${unread ?? "nothing"}`, async () => {
      const missing = unread?.replace(" and ", ",");
      const warning = unread && `. Warning: ${unread} not read, as --allow-env=${missing} is missing`;
      assertEquals(await readStoreLine(options), MEMORY + (warning ?? ""));
    });
  }

  it("the store that examples/books.ts prints is the file that BOOKS_DB names", async () => {
    await using directory = await makeTempDirectory();
    const file = `${directory.path}/books.db`;
    const permissions = [BOTH, `--allow-read=${file}`, `--allow-write=${file}`];
    const options = { permissions, env: { DATABASE_URL: "", BOOKS_DB: file } };
    assertEquals(await readStoreLine(options), `Store: the SQLite file ${file}`);
    assertEquals(await readStoreLine(options, "examples/books_offset.ts"), `Store: the SQLite file ${file}`);
  });

  (DATABASE_URL === undefined ? it.skip : it)("is host and database, without the password", async () => {
    const schema = await createSchema();
    try {
      const { host, pathname, password } = new URL(schema.url);
      const permissions = [BOTH, ...schema.permissions];
      const line = await readStoreLine({ permissions, env: { DATABASE_URL: schema.url, BOOKS_DB: "" } });
      assertEquals(line, `Store: PostgreSQL at ${host}${pathname}`);
      assert(!line.includes(password));
    } finally {
      await schema.drop();
    }
  });
});
