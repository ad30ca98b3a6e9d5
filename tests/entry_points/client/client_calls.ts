/** Calls of a client that have the same answers in process and over HTTP. */
import { assert, assertEquals, assertRejects, assertStrictEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { allow, type App, type Context, deny, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { type ClientOptions, createClient } from "../../../src/client/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import * as api from "./client_api.ts";

interface Book {
  readonly id: string;
  readonly title: string;
  readonly added: Date;
  readonly tags?: readonly string[];
}

/** Serves the endpoints of `client_api.ts`. */
export function createApp(): App {
  const books = new Map<string, Book>([["emma", { id: "emma", title: "Emma", added: new Date(0), tags: ["classic"] }]]);
  const authenticated = (c: Context) =>
    c.request.headers.has("authorization") ? allow({ user: "ada" }) : deny(reply(401, { code: "who" }));
  const valid = denyInvalid(({ issues }) =>
    reply(400, { code: "invalid", issues: issues.map(({ path, message }) => ({ path, message })) })
  );
  const signedIn = route.with({ guards: [authenticated] });
  return setup({
    validator: standardSchema,
    handlers: [
      signedIn.on(api.showBook, {
        resolve: ({ raw }) => {
          const book = books.get(raw.params.id);
          return book ? reply(200, book) : reply(404, { code: "missing" });
        },
      }),
      signedIn.on(api.listBooks, {
        guards: [valid],
        resolve: ({ input }) => reply(200, [...books.values()].slice(0, input.query.limit)),
      }),
      signedIn.on(api.searchBooks, {
        guards: [valid],
        resolve: ({ input }) => reply(200, [...books.values()].filter(({ title }) => title === input.query.q)),
      }),
      signedIn.on(api.createBook, {
        guards: [valid],
        resolve: ({ input: { body: { title } } }) => {
          const book: Book = { id: title.toLowerCase(), title, added: new Date(0) };
          books.set(book.id, book);
          return reply(201, book, { headers: { location: `/v1/books/${book.id}` } });
        },
      }),
      signedIn.on(api.deleteBook, {
        resolve: ({ raw }) => books.delete(raw.params.id) ? reply(204) : reply(404, { code: "missing" }),
      }),
      route.on(api.whoami, { resolve: ({ raw }) => reply(200, { ...raw.headers, ...raw.cookies }) }),
      route.on(api.health, { resolve: () => new Response("ok") }),
      route.on(api.file, {
        resolve: ({ raw }) =>
          raw.params["*"] === "" ? reply(404) : reply(200, raw.params["*"], { contentType: "text/plain" }),
      }),
      route.on(api.both, { resolve: () => reply(204) }),
    ],
  });
}

/** The tests of a client of the app, however its requests travel. */
export function testCalls(optionsOf: () => ClientOptions): void {
  const create = () => createClient(api, { ...optionsOf(), headers: { authorization: "Bearer ada" } });

  it("has a function for each endpoint, and for nothing else", () => {
    const endpoints = Object.keys(api).filter((name) => name !== "book");
    assertEquals(Object.keys(create()).toSorted(), endpoints.toSorted());
  });

  it("returns the declared responses, told apart by status, with the body as JSON", async () => {
    const client = create();
    const shown = await client.showBook({ params: { id: "emma" } });
    assert(shown.status === 200);
    assertEquals(shown.body, { id: "emma", title: "Emma", added: "1970-01-01T00:00:00.000Z", tags: ["classic"] });
    const other = await client.showBook({ params: { id: "a/b c?#%" } });
    assert(other.status === 404);
    assertEquals(other.body, { code: "missing" });
    const stranger = await createClient(api, optionsOf()).showBook({ params: { id: 7 } });
    assertEquals([stranger.status, stranger.body], [401, { code: "who" }]);
  });

  it("sends a JSON body, and gives the response with its headers", async () => {
    const client = create();
    const made = await client.createBook({ body: { title: "Ulysses" } });
    assertEquals([made.status, made.response.headers.get("location")], [201, "/v1/books/ulysses"]);
    const invalid = await client.createBook({ body: { title: 1 as never } });
    assertEquals(invalid.status, 400);
    const deleted = await client.deleteBook({ params: { id: "ulysses" } });
    assertEquals([deleted.status, deleted.body], [204, undefined]);
    const again = await client.deleteBook({ params: { id: "ulysses" } });
    assertEquals([again.status, again.body], [404, { code: "missing" }]);
  });

  it("sends the query: numbers as strings, arrays as repeated keys, undefined not at all", async () => {
    const client = create();
    const none = await client.listBooks({ query: { limit: 0, after: undefined } });
    assertEquals(none.body, []);
    const all = await client.listBooks();
    assert(all.status === 200);
    assertEquals(all.body.length, 1);
    const found = await client.searchBooks({ query: { q: "Emma", tag: ["a", 1] } });
    assert(found.status === 200);
    assertEquals(found.body.length, 1);
  });

  it("sends headers and cookies", async () => {
    const client = createClient(api, optionsOf());
    const { body } = await client.whoami({
      headers: { authorization: "Bearer ada", "x-trace": 7 },
      cookies: { theme: "dark", seen: [1, 2] },
    });
    const { authorization, "x-trace": trace, theme, seen } = Object(body);
    assertEquals([authorization, trace, theme, seen], ["Bearer ada", "7", "dark", ["1", "2"]]);
  });

  it("returns the plain response of an endpoint without responses", async () => {
    assertEquals(await (await create().health()).text(), "ok");
  });

  it("keeps the slashes of a wildcard, and reads what is not JSON as text", async () => {
    const found = await create().file({ params: { "*": "a/ü c?.txt" } });
    assertEquals([found.status, found.body], [200, "a/ü c?.txt"]);
    const empty = await create().file({ params: { "*": "" } });
    assertEquals([empty.status, empty.body], [404, undefined]);
  });

  it("sends the method that is given for an endpoint with several", async () => {
    const head = await create().both({ method: "HEAD" });
    const get = await create().both({ method: "GET" });
    assertEquals([head.status, get.status], [204, 204]);
  });

  it("rejects with the reason of a signal that is aborted before", async () => {
    const reason = new Error("Enough");
    const error = await assertRejects(() => create().health({ signal: AbortSignal.abort(reason) }));
    assertStrictEquals(error, reason);
  });
}
