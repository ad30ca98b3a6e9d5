import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { seed } from "../../examples/books/seed.ts";
import { granted, serve, type Served } from "./serve.ts";

const newestFirst = seed.books.toSorted((a, b) => a.createdAt < b.createdAt ? 1 : -1);

(granted("net", "read", "run") ? describe : describe.skip)("examples/books_search.ts", () => {
  let served: Served;
  before(async () => {
    served = await serve("examples/books_search.ts");
  });
  after(() => served.stop());
  const search = (filter: unknown, contentType = "application/json", method = "QUERY") => {
    const body = method === "GET" ? null : JSON.stringify(filter);
    return fetch(`${served.origin}/books`, { method, body, headers: { "content-type": contentType } });
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

  it("books_search.ts rejects another content type, invalid filters, large bodies and other methods", async () => {
    const other = await search({ authorIds: ["a"] }, "text/plain");
    assertEquals([other.status, other.headers.get("accept-query")], [415, "application/json"]);
    await other.body?.cancel();
    for (
      const filter of [{}, { authorIds: [] }, { authorIds: ["a"], limit: 101 }, { authorIds: Array(1001).fill("a") }]
    ) {
      const response = await search(filter);
      assertEquals([response.status, (await response.json()).error], [400, "Invalid input"]);
    }
    const large = await search({ authorIds: ["a".repeat(128 * 1024)] });
    assertEquals([large.status, await large.json()], [413, { error: "Body too large" }]);
    const wrong = await search({}, undefined, "GET");
    assertEquals([wrong.status, wrong.headers.get("allow")], [405, "QUERY"]);
    await wrong.body?.cancel();
  });
});
