import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { seed } from "../../examples/books/seed.ts";
import { describeServed } from "./describe_served.ts";
import { newestFirst } from "./seeded.ts";

describeServed("examples/books_search.ts", (served) => {
  const search = (filter: unknown, contentType = "application/json") => {
    const body = JSON.stringify(filter);
    return served.request("/books", { method: "QUERY", body, headers: { "content-type": contentType } });
  };

  it("books_search.ts finds the books of a thousand authors, more than a url could name", async () => {
    const known = seed.authors.map(({ id }) => id);
    const authorIds = [...Array.from({ length: 1000 - known.length }, (_, index) => `nobody-${index}`), ...known];
    assert(JSON.stringify(authorIds).length > 10_000);
    const expected = newestFirst.filter(({ authorId }) => known.includes(authorId));
    const found = [];
    let cursor: string | undefined;
    do {
      const response = await search({ authorIds, limit: 100, cursor });
      assertEquals(response.status, 200);
      const { data, pagination } = await response.json();
      found.push(...data);
      cursor = pagination.nextCursor ?? undefined;
    } while (cursor !== undefined);
    assertEquals(found, expected);
  });

  it("books_search.ts finds the books of one author, and none of an unknown one", async () => {
    const { authorId = "" } = seed.books[0] ?? {};
    const expected = newestFirst.filter((book) => book.authorId === authorId).slice(0, 20);
    assertEquals((await (await search({ authorIds: [authorId] })).json()).data, expected);
    assertEquals(await (await search({ authorIds: ["nobody"] })).json(), {
      data: [],
      pagination: { limit: 20, nextCursor: null, hasMore: false },
    });
  });

  it("books_search.ts rejects another content type with 415, and more than a thousand authors with 400", async () => {
    const other = await search({ authorIds: ["a"] }, "text/plain");
    assertEquals([other.status, other.headers.get("accept-query")], [415, "application/json"]);
    assertEquals(await other.json(), { error: "Send application/json" });
    for (const authorIds of [[], Array(1001).fill("a")]) {
      const response = await search({ authorIds });
      assertEquals([response.status, (await response.json()).error], [400, "Invalid input"]);
    }
    const large = await search({ authorIds: ["a".repeat(128 * 1024)] });
    assertEquals([large.status, await large.json()], [413, { error: "Body too large" }]);
  });
});
