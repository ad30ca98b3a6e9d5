/** The versions of the books example, over HTTP. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { seed } from "../../examples/books/seed.ts";
import { describeServed } from "./describe_served.ts";
import { discard } from "./discard.ts";
import { inV2, newestFirst } from "./seeded.ts";

const top = inV2.filter(({ id }) => seed.top.includes(id));

describeServed("the versions of examples/books.ts", ({ request }) => {
  // deno-lint-ignore no-explicit-any -- JSON
  async function read(path: string): Promise<any> {
    const response = await request(path);
    assertEquals(response.status, 200);
    return await response.json();
  }

  it("GET /v1/books lists books with their authorId, by limit and cursor", async () => {
    const { data, pagination } = await read("/v1/books?limit=2");
    assertEquals(data, newestFirst.slice(0, 2));
    assertEquals((await read(`/v1/books?limit=2&cursor=${pagination.nextCursor}`)).data, newestFirst.slice(2, 4));
  });

  it("GET /v2/books lists books with their author, or null if the author is unknown", async () => {
    const seen = [];
    for (let cursor = ""; seen.length < inV2.length;) {
      const { data, pagination } = await read(`/v2/books?limit=50${cursor}`);
      seen.push(...data);
      cursor = `&cursor=${pagination.nextCursor}`;
    }
    assertEquals(seen, inV2);
    assertEquals(inV2.filter(({ author }) => author === null).length, 5);
  });

  it("GET /v2/books shows a new book with its author", async () => {
    const body = JSON.stringify({ title: "Lady Susan", authorId: "jane-austen" });
    const { authorId: _, ...created } = await (await request("/books", { method: "POST", body })).json();
    const { data } = await read("/v2/books?limit=1");
    assertEquals(data, [{ ...created, author: { id: "jane-austen", name: "Jane Austen" } }]);
    await request(`/books/${created.id}`, { method: "DELETE" }).then(discard);
  });

  it("GET /v2/books/top and /v2/books/popular list the same books, page by page", async () => {
    assert(top.length > 20 && top.length < inV2.length / 2);
    assertEquals(top.length, seed.top.length);
    for (const path of ["/v2/books/top", "/v2/books/popular"]) {
      const first = await read(path);
      assertEquals(first.data, top.slice(0, 20));
      assertEquals(await read(`${path}?cursor=${first.pagination.nextCursor}`), {
        data: top.slice(20),
        pagination: { limit: 20, nextCursor: null, hasMore: false },
      });
    }
  });

  it("GET /v2/books/:id has the old field author_name beside author.name, both null if the author is unknown", async () => {
    const emma = inV2.find(({ id }) => id === "emma");
    assertEquals(await read("/v2/books/emma"), { ...emma, author_name: "Jane Austen" });
    const { author, author_name } = await read("/v2/books/the-death-ship");
    assertEquals([author, author_name], [null, null]);
  });

  const VERSIONS: readonly (readonly [version: string | null, isDeprecated: boolean, paths: readonly string[]])[] = [
    ["v1", true, ["/v1/books", "/v1/books?limit=0", "/v1/books/emma", "/v1/", "/v1", "/v1/nope?x=/v2/books"]],
    ["v2", false, ["/v2/books", "/v2/books/top", "/v2/books/emma", "/v2/books?limit=0", "/v2/nope", "/v2"]],
    ["v2", true, ["/v2/books/popular", "/v2/books/popular?limit=3", "/v2/books/popular?limit=0"]],
    [null, false, ["/books", "/books/emma", "/", "/v10/books", "/v3/books", "/V1/books", "/books/v1/", "//v1/books"]],
  ];

  it("a response has the version of its path, and says what is deprecated: /v1, and /v2/books/popular, whatever the status", async () => {
    for (const [version, isDeprecated, paths] of VERSIONS) {
      for (const path of paths) {
        const { headers } = await request(path).then(discard);
        assertEquals([path, headers.get("x-api-version")], [path, version]);
        if (isDeprecated) assertDeprecated(headers);
        else for (const name of ["deprecation", "sunset", "link"]) assertEquals(headers.get(name), null);
      }
    }
  });
}, "examples/books.ts");

function assertDeprecated(headers: Headers): void {
  const [deprecation, sunset] = [headers.get("deprecation") ?? "", headers.get("sunset") ?? ""];
  for (const date of [deprecation, sunset]) assertEquals(new Date(date).toUTCString(), date);
  assert(Date.parse(deprecation) < Date.now() && Date.parse(deprecation) < Date.parse(sunset));
  assertMatch(headers.get("link") ?? "", /^<https:\/\/[^>]+>; rel="deprecation"$/);
}
