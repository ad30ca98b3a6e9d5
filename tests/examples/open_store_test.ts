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
  async function readStoreLine(options?: ServeOptions, file = "examples/books.ts"): Promise<string> {
    const served = await serve(file, options);
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

  it("the store that examples/books.ts prints is memory, with a warning if it may read neither variable", async () => {
    const warning = "Warning: DATABASE_URL and BOOKS_DB not read, as --allow-env=DATABASE_URL,BOOKS_DB is missing";
    const env = { DATABASE_URL: "postgres://user:secret@127.0.0.1:1/books", BOOKS_DB: "books.db" };
    assertEquals(await readStoreLine(), `${MEMORY}. ${warning}`);
    assertEquals(await readStoreLine({ env }), `${MEMORY}. ${warning}`);
    assertEquals(await readStoreLine({}, "examples/books_offset.ts"), `${MEMORY}. ${warning}`);
  });

  it("the store that examples/books.ts prints is memory, with a warning if it may read only one of the variables", async () => {
    const warnings = [["DATABASE_URL", "BOOKS_DB"], ["BOOKS_DB", "DATABASE_URL"]] as const;
    for (const [readable, unread] of warnings) {
      const line = await readStoreLine({ permissions: [`--allow-env=${readable}`], env: { [readable]: "" } });
      assertEquals(line, `${MEMORY}. Warning: ${unread} not read, as --allow-env=${unread} is missing`);
    }
  });

  it("the store that examples/books.ts prints is memory, without a warning, if it may read both variables and neither is set", async () => {
    assertEquals(await readStoreLine({ permissions: [BOTH], env: { DATABASE_URL: "", BOOKS_DB: "" } }), MEMORY);
  });

  it("the store that examples/books.ts prints is the file that BOOKS_DB names", async () => {
    await using directory = await makeTempDirectory();
    const file = `${directory.path}/books.db`;
    const permissions = [BOTH, `--allow-read=${file}`, `--allow-write=${file}`];
    const line = await readStoreLine({ permissions, env: { DATABASE_URL: "", BOOKS_DB: file } });
    assertEquals(line, `Store: the SQLite file ${file}`);
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
