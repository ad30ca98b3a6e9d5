/** The versions of the books example, over HTTP. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { seed } from "../../examples/books/seed.ts";
import { granted } from "../support/granted.ts";
import { serve, type Served } from "./serve.ts";

const suite = granted("net", "read", "run") ? describe : describe.skip;

const newestFirst = seed.books.toSorted((a, b) => a.createdAt < b.createdAt ? 1 : -1);
const authors = new Map(seed.authors.map((author) => [author.id, author]));
const inV2 = newestFirst.map(({ id, title, authorId, createdAt }) => (
  { id, title, createdAt, author: authors.get(authorId) ?? null }
));
const top = inV2.filter(({ id }) => seed.top.includes(id));

const DEPRECATION_HEADERS = ["deprecation", "sunset", "link"];

let served: Served;
const start = async () => {
  served = await serve("examples/books.ts");
};
const stop = () => served.stop();
const request = (path: string, options?: RequestInit) => fetch(served.origin + path, options);

suite("GET /v1/books", () => {
  before(start);
  after(stop);

  it("GET /v1/books lists books with their authorId, by limit and cursor", async () => {
    const first = await read("/v1/books?limit=2");
    assertEquals(first.data, newestFirst.slice(0, 2));
    assertEquals(first.pagination, { limit: 2, nextCursor: newestFirst[1]?.createdAt, hasMore: true });
    const second = await read(`/v1/books?limit=2&cursor=${first.pagination.nextCursor}`);
    assertEquals(second.data, newestFirst.slice(2, 4));
    assertEquals((await read("/v1/books")).data.length, 20);
    assertEquals((await read("/v1/books?limit=1000")).pagination.limit, 100);
  });

  it("GET /v1/books has the deprecation headers, like every response below /v1", async () => {
    for (const path of ["/v1/books", "/v1/books?limit=0", "/v1/books/emma", "/v1/", "/v1", "/v1/nope?x=/v2/books"]) {
      const { headers } = await discard(request(path));
      assertDeprecated(headers);
      assertEquals(headers.get("x-api-version"), "v1", path);
    }
    assertDeprecated((await discard(request("/v1/books", { method: "POST" }))).headers);
  });
});

suite("GET /v2/books", () => {
  before(start);
  after(stop);

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
    const created = await (await request("/books", { method: "POST", body })).json();
    const { data: [newest] } = await read("/v2/books?limit=1");
    const { authorId: _, ...others } = created;
    assertEquals(newest, { ...others, author: { id: "jane-austen", name: "Jane Austen" } });
    await discard(request(`/books/${created.id}`, { method: "DELETE" }));
  });

  it("GET /v2/books has its version and no deprecation headers, whatever the status", async () => {
    for (const path of ["/v2/books", "/v2/books/top", "/v2/books/emma", "/v2/books?limit=0", "/v2/nope", "/v2"]) {
      const { headers } = await discard(request(path));
      assertNotDeprecated(headers);
      assertEquals(headers.get("x-api-version"), "v2", path);
    }
  });
});

suite("GET /v2/books/top and /v2/books/popular", () => {
  before(start);
  after(stop);

  it("GET /v2/books/top and /v2/books/popular list the same books, page by page", async () => {
    for (const path of ["/v2/books/top", "/v2/books/popular"]) {
      const first = await read(path);
      assertEquals(first.data, top.slice(0, 20));
      const second = await read(`${path}?cursor=${first.pagination.nextCursor}`);
      assertEquals(second.data, top.slice(20));
      assertEquals(second.pagination, { limit: 20, nextCursor: null, hasMore: false });
    }
    assert(top.length > 20 && top.length < inV2.length / 2);
    assertEquals(top.length, seed.top.length);
  });

  it("GET /v2/books/top and /v2/books/popular differ in their headers: only popular is deprecated, also on a 400", async () => {
    for (const query of ["", "?limit=3", "?limit=0"]) {
      assertDeprecated((await discard(request(`/v2/books/popular${query}`))).headers);
      assertNotDeprecated((await discard(request(`/v2/books/top${query}`))).headers);
    }
  });
});

suite("GET /v2/books/:id", () => {
  before(start);
  after(stop);

  it("GET /v2/books/:id has the old field author_name beside its replacement author.name", async () => {
    const book = await (await request("/v2/books/emma")).json();
    assertEquals(book, { ...inV2.find(({ id }) => id === "emma"), author_name: "Jane Austen" });
    assertEquals(book.author_name, book.author.name);
  });

  it("GET /v2/books/:id has null in both fields if the author is unknown", async () => {
    const { author, author_name } = await (await request("/v2/books/the-death-ship")).json();
    assertEquals([author, author_name], [null, null]);
  });
});

suite("a path without version", () => {
  before(start);
  after(stop);

  it("a path without version has no version header and no deprecation headers", async () => {
    for (
      const path of ["/books", "/books/emma", "/", "/v10/books", "/v3/books", "/V1/books", "/books/v1/", "//v1/books"]
    ) {
      const { headers } = await discard(request(path));
      assertNotDeprecated(headers);
      assertEquals(headers.get("x-api-version"), null, path);
    }
  });
});

// deno-lint-ignore no-explicit-any -- JSON
async function read(path: string): Promise<any> {
  const response = await request(path);
  assertEquals(response.status, 200);
  const body = await response.json();
  assertEquals(Object.keys(body), ["data", "pagination"]);
  return body;
}

async function discard(responding: Promise<Response>): Promise<Response> {
  const response = await responding;
  await response.body?.cancel();
  return response;
}

function assertDeprecated(headers: Headers): void {
  const [deprecation, sunset] = [headers.get("deprecation") ?? "", headers.get("sunset") ?? ""];
  for (const date of [deprecation, sunset]) assertEquals(new Date(date).toUTCString(), date);
  assert(Date.parse(deprecation) < Date.now() && Date.parse(deprecation) < Date.parse(sunset));
  assertMatch(headers.get("link") ?? "", /^<https:\/\/[^>]+>; rel="deprecation"$/);
}

function assertNotDeprecated(headers: Headers): void {
  for (const name of DEPRECATION_HEADERS) assertEquals(headers.get(name), null);
}
