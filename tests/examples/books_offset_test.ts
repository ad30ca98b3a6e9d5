import { assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { until } from "../support/until.ts";
import { granted } from "../support/granted.ts";
import { makeTempDirectory } from "../support/temp_directory.ts";
import { assertInvalid } from "./assert_invalid.ts";
import { describeServed } from "./describe_served.ts";
import { newestFirst } from "./seeded.ts";
import { serve } from "./serve.ts";

const total = newestFirst.length;

describeServed("examples/books_offset.ts", (served) => {
  const { request } = served;
  const list = async (query: string) => {
    const response = await request(`/books${query}`);
    assertEquals(response.status, 200, query);
    return await response.json();
  };

  it("books_offset.ts lists the window from offset to offset + limit, by default the newest 20", async () => {
    assertEquals(await list(""), {
      data: newestFirst.slice(0, 20),
      pagination: { total, limit: 20, offset: 0, hasMore: true },
    });
    for (const [limit, offset] of [[7, 3], [100, 50], [10, total - 11], [10, total - 10], [1, total - 1]] as const) {
      assertEquals(await list(`?limit=${limit}&offset=${offset}`), {
        data: newestFirst.slice(offset, offset + limit),
        pagination: { total, limit, offset, hasMore: offset + limit < total },
      });
    }
  });

  it("books_offset.ts responds to an offset beyond the last book with an empty page and the total", async () => {
    for (const offset of [total, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
      assertEquals(await list(`?offset=${offset}`), {
        data: [],
        pagination: { total, limit: 20, offset, hasMore: false },
      });
    }
  });

  it("books_offset.ts caps the limit at 100, and reports the capped limit", async () => {
    for (const limit of [100, 101, Number.MAX_SAFE_INTEGER]) {
      const { data, pagination } = await list(`?limit=${limit}`);
      assertEquals([data.length, pagination.limit, pagination.hasMore], [100, 100, true]);
    }
    // hasMore is computed with the capped limit, not with the requested one.
    assertEquals((await list(`?limit=1000&offset=${total - 101}`)).pagination.hasMore, true);
    assertEquals((await list(`?limit=1000&offset=${total - 100}`)).pagination.hasMore, false);
  });

  it("books_offset.ts responds with 400 to an offset that is not a whole number in digits, and to a limit below 1", async () => {
    for (const offset of ["", "-1", "1.5", "abc", "0x10", "9007199254740992"]) {
      await assertInvalid(await request(`/books?offset=${offset}`), "query.offset");
    }
    await assertInvalid(await request("/books?limit=0&offset=-1"), "query.limit", "query.offset");
  });
});

(granted("net", "read", "run", "write") ? it : it.skip)(
  "examples/books_offset.ts answers 500 as JSON where the database is broken, and says nothing about it",
  async () => {
    await using directory = await makeTempDirectory();
    const file = `${directory.path}/books.db`;
    const permissions = ["--allow-env=BOOKS_DB", `--allow-read=${file}`, `--allow-write=${file}`];
    await using served = await serve("examples/books_offset.ts", { permissions, env: { BOOKS_DB: file } });
    const db = new DatabaseSync(file);
    db.exec("DROP TABLE books");
    db.close();
    const response = await fetch(`${served.origin}/books`);
    assertEquals([response.status, await response.json()], [500, { error: "Internal server error" }]);
    await until(() => served.printed().includes("no such table: books"), served.printed);
  },
);
