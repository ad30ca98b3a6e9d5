import { assert, assertEquals, assertInstanceOf, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import "../standard_schema/arktype_jitless.ts";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import {
  deny,
  type Endpoint,
  endpoint,
  type Reply,
  reply,
  route,
  type RouteResponses,
  setup,
  type Validator,
} from "../../../mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { file, parts } from "../../../src/body/mod.ts";
import { lines, replyLines } from "../../../src/events/mod.ts";
import { ownPages } from "../../../src/session/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { type HoldOptions, holdToEndpoints } from "../../../src/testing/mod.ts";
import { request } from "../../support/request.ts";

const book = z.object({ title: z.string() });

/** An app with one route, held to what its endpoint declares. Its handler does not keep to it. */
function hold(responses: RouteResponses, response: () => Response, options?: HoldOptions) {
  const show = endpoint.on(["GET", "HEAD"], "/books/:id", { responses });
  const resolve = () => response() as Reply;
  return holdToEndpoints({ show }, setup({ handlers: [route.on(show.method, show.path, { resolve })] }), options);
}

/** What a held app answers. */
function answer(responses: RouteResponses, response: () => Response, options?: HoldOptions): Promise<Response> {
  return hold(responses, response, options).fetch(request("/books/1"));
}

/** The message for a response that is not as declared. */
async function fault(responses: RouteResponses, response: () => Response, options?: HoldOptions): Promise<string> {
  const { message } = await assertRejects(() => answer(responses, response, options), Error);
  return message.replace(" of GET,HEAD /books/:id", "");
}

const json = (body: unknown, init?: ResponseInit) => () => Response.json(body, init);

/** A body that never ends: it has these chunks, and then waits. */
function endless(...chunks: readonly string[]) {
  let cancelled = 0;
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => chunks.forEach((chunk) => controller.enqueue(new TextEncoder().encode(chunk))),
    cancel: () => void cancelled++,
  }, { highWaterMark: 0 });
  return { body, cancelled: () => cancelled };
}

describe("the status of a response", () => {
  it("is declared by itself, by its range, or by default", async () => {
    const responses = { 404: {}, "2XX": {}, default: {} };
    for (const status of [201, 404, 503]) {
      assertEquals((await answer(responses, () => new Response(null, { status }))).status, status);
    }
  });

  it("causes an error if it is not declared", async () => {
    const response = () => new Response(null, { status: 418 });
    assertEquals(
      await fault({ 200: {}, "5XX": {} }, response),
      "Response 418 must be declared: the endpoint declares 200, 5XX",
    );
    assertEquals(await fault({}, response), "Response 418 must be declared: the endpoint declares none");
  });

  it("is not found on the prototype of the responses", async () => {
    const responses = Object.create({ 418: {} });
    assert((await fault(responses, () => new Response(null, { status: 418 }))).includes("must be declared"));
  });

  it("is free if the endpoint declares no responses", async () => {
    const free = endpoint.get("/free");
    const response = new Response("as it is", { status: 418 });
    const app = setup({ handlers: [route.on(free, { resolve: () => response })] });
    assertStrictEquals(await holdToEndpoints({ free }, app).fetch(request("/free")), response);
  });
});

describe("the media type of a response", () => {
  it("is the declared one, with any parameters and letters", async () => {
    for (
      const [responses, type] of [
        [{ 200: { schema: book } }, "Application/JSON; charset=utf-8"],
        [{ 200: { contentType: "application/problem+json; charset=utf-8", schema: book } }, "application/problem+json"],
        [{ 200: { contentType: "application/json" } }, "application/json ; a=b"],
      ] as const
    ) {
      const response = await answer(responses, json({ title: "Emma" }, { headers: { "content-type": type } }));
      assertEquals(await response.json(), { title: "Emma" });
    }
  });

  it("causes an error if it is another one", async () => {
    assertEquals(
      await fault({ 200: { schema: book } }, json({ title: "Emma" }, { headers: { "content-type": "text/plain" } })),
      "Response 200 must be application/json: received text/plain",
    );
    assertEquals(
      await fault({ 200: { schema: book, contentType: "application/problem+json" } }, json({ title: "Emma" })),
      "Response 200 must be application/problem+json: received application/json",
    );
    assertEquals(
      await fault({ 200: { contentType: "image/png" } }, () => new Response(new Uint8Array(1))),
      "Response 200 must be image/png: received no content-type",
    );
  });
});

describe("the headers of a response", () => {
  const headers = { etag: { required: true }, "X-Total": { required: true }, link: {}, age: { required: false } };

  it("include the required ones", async () => {
    const init = { headers: { ETag: '"1"', "x-total": "" } };
    assertEquals((await answer({ 200: { headers } }, () => new Response(null, init))).status, 200);
  });

  it("cause an error if a required one is missing", async () => {
    assertEquals(
      await fault({ 200: { headers } }, () => new Response(null, { headers: { etag: '"1"' } })),
      "Response 200 must have the required header X-Total",
    );
  });

  it("cause an error if another one is there, unless none are declared or an option names it", async () => {
    const sent = { "X-Total": "1", "content-type": "text/plain", "x-debug": "1", "X-Request-Id": "7" };
    const sending = () => new Response("text", { headers: sent });
    const declared = { 200: { headers: { "X-Total": { required: true } } } };
    assertEquals(
      await fault(declared, sending),
      "Response 200 must not have the headers x-debug, x-request-id: declare them, or add them to the option headers " +
        "if a hook or a guard sets them",
    );
    assertEquals(
      await fault(declared, sending, { headers: ["X-Debug"] }),
      "Response 200 must not have the header x-request-id: declare it, or add it to the option headers if a hook or a " +
        "guard sets it",
    );
    assertEquals((await answer(declared, sending, { headers: ["x-request-id", "x-debug"] })).status, 200);
    assertEquals((await answer({ 200: {} }, sending)).status, 200);
    assertEquals(
      await fault({ 200: { headers: {} } }, sending).then((text) => text.slice(0, 47)),
      "Response 200 must not have the headers x-debug,",
    );
    const stream = { 200: lines(z.number(), { headers: { etag: {} } }) };
    const streaming = (headers: object) => () => replyLines(200, [1], { headers: { ...headers } });
    assertEquals((await answer(stream, streaming({ etag: "1", "cache-control": "no-store" }))).status, 200);
    assertEquals(
      await fault(stream, streaming({ vary: "cookie" })).then((text) => text.slice(0, 42)),
      "Response 200 must not have the header vary",
    );
    assertThrows(() => hold(declared, sending, { headers: "x" as never }), TypeError, "must be an array of names");
  });
});

describe("the body of a response", () => {
  it("fits its schema, and is still to be read", async () => {
    const response = await answer({ 200: { schema: book } }, json({ title: "Emma" }));
    assertEquals(response.bodyUsed, false);
    assertEquals(await response.json(), { title: "Emma" });
  });

  it("causes an error if it does not fit its schema", async () => {
    const list = z.object({ books: z.array(z.object({ title: z.string("a title is a string") })), total: z.int("no") });
    const error = await assertRejects(() => answer({ 200: { schema: list } }, json({ books: [{ title: 1 }] })), Error);
    assertEquals(
      error.message,
      "Response 200 of GET,HEAD /books/:id must fit its schema: books: 0: title: a title is a string; total: no",
    );
    assertEquals((error.cause as { ok: boolean }).ok, false);
    assertEquals(
      await fault({ 200: { schema: z.string("a string, please") } }, json(1)),
      "Response 200 must fit its schema: a string, please",
    );
  });

  it("causes an error if it is not JSON, without its text", async () => {
    for (const text of ["", "<h1>secret</h1>"]) {
      const response = () => new Response(text, { headers: { "content-type": "application/json" } });
      const error = await assertRejects(() => answer({ 200: { schema: book } }, response), Error);
      assertEquals(
        error.message,
        "Response 200 of GET,HEAD /books/:id must be JSON: received a body that is not",
      );
      assertEquals(error.cause, undefined);
    }
  });

  it("causes an error if it has a key that its schema does not have, at any depth", async () => {
    const nested = z.object({ books: z.array(book), owner: z.object({ name: z.string() }).optional() });
    for (
      const [schema, body, key] of [
        [book, { title: "Emma", isbn: "1" }, "isbn"],
        [nested, { books: [{ title: "Emma" }, { title: "Ulysses", isbn: 1 }] }, "books.1.isbn"],
        [nested, { books: [], owner: { name: "Ada", password: null } }, "owner.password"],
        [v.object({ title: v.string() }), { title: "Emma", isbn: "1" }, "isbn"],
        [type({ title: "string", "+": "delete" }), { title: "Emma", isbn: "1" }, "isbn"],
        [z.array(book), [{ title: "Emma", toString: 1 }], "0.toString"],
        [book, JSON.parse('{"title":"Emma","__proto__":1}'), "__proto__"],
        [book, { title: "Emma", constructor: 1 }, "constructor"],
      ] as const
    ) {
      const message = `Response 200 must not have the key ${key}: its schema does not have it`;
      assertEquals(await fault({ 200: { schema } }, json(body)), message);
    }
  });

  it("may have keys that its schema allows, and values that its schema makes something else of", async () => {
    const entries = z.object({ a: z.string() }).transform((value) => new Map(Object.entries(value)));
    for (
      const [schema, body] of [
        [z.looseObject({ title: z.string() }), { title: "Emma", isbn: "1" }],
        [type({ title: "string" }), { title: "Emma", isbn: "1" }],
        [z.record(z.string(), z.int()), { a: 1, b: 2 }],
        [z.object({ at: z.coerce.date(), entries }), { at: "2026-01-01", entries: { a: "1" } }],
        [z.object({ ids: z.array(z.int()).transform((ids) => new Set(ids)) }), { ids: [1, 2] }],
        [z.object({ none: z.null(), list: z.array(z.unknown()) }), { none: null, list: [null, [1], { a: 1 }] }],
        [z.array(z.string()).transform(([first]) => first), ["a", "b"]],
        [z.object({ a: z.int() }).transform(() => undefined), { a: 1 }],
      ] as const
    ) {
      assertEquals(await (await answer({ 200: { schema } }, json(body))).json(), body);
    }
  });

  it("fits the schema of a Date if it has the text that JSON makes of it, also within a union", async () => {
    const at = z.object({ at: z.date(), text: z.iso.datetime(), list: z.array(z.date()) });
    const now = new Date();
    const sent = { at: now, text: now.toISOString(), list: [now, now] };
    for (
      const [schema, body] of [
        [at, sent],
        [z.date(), now],
        [z.object({ toString: z.array(at) }), { toString: [sent] }],
        [z.union([z.object({ at: z.date() }), z.object({ n: z.int() })]), { at: now }],
        [type({ at: "Date", "until?": "Date" }), { at: now }],
        [v.object({ at: v.date() }), { at: now }],
      ] as const
    ) {
      assertEquals(await (await answer({ 200: { schema } }, json(body))).text(), JSON.stringify(body));
    }
    const wrong = { 200: { schema: z.strictObject({ at: z.date(), n: z.int(), text: z.iso.datetime() }) } };
    assertEquals(
      await fault(wrong, json({ at: now, n: "1", text: now })),
      "Response 200 must fit its schema: n: Invalid input: expected number, received string",
    );
    assertEquals(
      await fault(wrong, json({ at: "today", n: 1, text: now })),
      "Response 200 must fit its schema: at: Invalid input: expected date, received string",
    );
    assertEquals(
      await fault(wrong, json({ at: "2026-99-01T00:00:00Z", n: 1, text: now })),
      "Response 200 must fit its schema: at: Invalid input: expected date, received string",
    );
    const deep = JSON.parse(`${"[".repeat(100)}"${now.toISOString()}"${"]".repeat(100)}`);
    assertEquals(
      await fault({ 200: { schema: z.int() } }, json(deep)),
      await fault({ 200: { schema: z.int() } }, json([])),
    );
    const texts = { 200: { schema: z.strictObject({ text: z.iso.datetime(), n: z.int() }) } };
    assertEquals(
      await fault(texts, json({ text: now, n: 1, more: true })),
      'Response 200 must fit its schema: Unrecognized key: "more"',
    );
  });

  it("is a string for its schema if its media type is not JSON", async () => {
    const responses = { 200: { schema: z.templateLiteral(["id,", z.string()]), contentType: "text/csv" } };
    const csv = (text: string) => () => new Response(text, { headers: { "content-type": "text/csv" } });
    assertEquals(await (await answer(responses, csv("id,title"))).text(), "id,title");
    assert((await fault(responses, csv("title"))).startsWith("Response 200 must fit its schema: "));
    const sequence = { "content-type": "application/json-seq" };
    const sent = await answer(
      { 200: { schema: z.string(), contentType: sequence["content-type"] } },
      () => new Response("\x1e[1]\n", { headers: sequence }),
    );
    assertEquals(await sent.text(), "\x1e[1]\n");
  });

  it("causes an error if it is JSON without a schema", async () => {
    for (const type of ["application/json", "application/problem+json; charset=utf-8"]) {
      const response = json({ error: "No such book" }, { status: 404, headers: { "content-type": type } });
      assertEquals(
        await fault({ "4XX": {} }, response),
        "Response 404 must declare the schema of its body: received JSON",
      );
    }
    const none = () => new Response(null, { headers: { "content-type": "application/json" } });
    assertEquals((await answer({ 200: {} }, none)).body, null);
    assertEquals(
      await fault({ 200: { schema: book } }, none),
      "Response 200 must be JSON: received a body that is not",
    );
  });

  it("is not read if it is a file: it has no schema, and a declared media type or any but JSON", async () => {
    for (const responses of [{ 200: { contentType: "image/png" } }, { 200: { description: "A PNG" } }]) {
      const { body, cancelled } = endless("PNG");
      const response = new Response(body, { headers: { "content-type": "image/png" } });
      assertStrictEquals(await answer(responses, () => response), response);
      assertEquals([response.bodyUsed, body.locked, cancelled()], [false, false, 0]);
    }
    for (const response of [new Response("text"), new Response(new Uint8Array(1))]) {
      assertStrictEquals(await answer({ 200: {} }, () => response), response);
    }
  });
});

describe("an event stream", () => {
  const stream = (...events: readonly string[]) => {
    const { body, cancelled } = endless(...events);
    return { cancelled, response: new Response(body, { headers: { "content-type": "text/event-stream" } }) };
  };

  it("is passed on at once, unread", async () => {
    for (const schema of [undefined, z.string()]) {
      const { response, cancelled } = stream("data: 1\n\n");
      const responses = { 200: { contentType: "text/event-stream", ...schema !== undefined && { schema } } };
      assertStrictEquals(await answer(responses, () => response), response);
      assertEquals([response.body?.locked, cancelled()], [false, 0]);
      await response.body?.cancel();
      assertEquals(cancelled(), 1);
    }
  });

  it("or another stream of items has the media type that is declared", async () => {
    const declared = lines(z.array(z.int()));
    const other = () => new Response(null, { headers: { "content-type": "text/html" } });
    assertEquals(
      await fault({ 200: declared }, other),
      "Response 200 must be application/jsonl: received text/html",
    );
  });

  it("causes an error at once if another media type is declared, and ends", async () => {
    const { response, cancelled } = stream();
    assert((await fault({ 200: { schema: book } }, () => response)).includes("received text/event-stream"));
    assertEquals(cancelled(), 1);
  });
});

describe("a response to HEAD", () => {
  const head = (responses: RouteResponses, response: () => Response) =>
    hold(responses, response).fetch(request("/books/1", { method: "HEAD" }));

  it("may have a body or none: servers drop it", async () => {
    const responses = { 200: { schema: book }, 404: {} };
    for (const response of [json({ title: 1 }), () => new Response(null), json("no", { status: 404 })]) {
      assertEquals((await head(responses, response)).bodyUsed, false);
    }
  });

  it("has a declared status, its required headers, and no other media type than the declared one", async () => {
    await assertRejects(() => head({ 200: {} }, json(1, { status: 202 })), Error, "must be declared");
    const headers = { etag: { required: true } };
    await assertRejects(
      () => head({ 200: { headers } }, () => new Response(null)),
      Error,
      "must have the required header etag",
    );
    const other = json("text", { headers: { "content-type": "text/plain" } });
    await assertRejects(() => head({ 200: { schema: book } }, other), Error, "must be application/json: received text");
  });

  it("is held to the endpoint for GET if there is none for HEAD", async () => {
    const show = endpoint.get("/books/:id", { responses: { 204: {} } });
    const held = holdToEndpoints(
      { show },
      setup({
        handlers: [route.on(["GET", "HEAD"], show.path, { resolve: () => new Response(null, { status: 204 }) })],
      }),
    );
    assertEquals((await held.fetch(request("/books/1", { method: "HEAD" }))).status, 204);
    await assertRejects(
      () => held.fetch(request("/books/1", { method: "POST" })),
      Error,
      "POST /books/1 has no endpoint",
    );
  });
});

describe("the fetch of a held app", () => {
  it("rejects a request that no endpoint matches, without its query", async () => {
    const held = hold({ 204: {} }, () => new Response(null, { status: 204 }));
    const { message } = await assertRejects(() => held.fetch(request("/books?token=secret")), Error);
    assertEquals(message, "GET /books has no endpoint");
  });

  it("finds the endpoint of a request as the app finds its route", async () => {
    const api = {
      one: endpoint.get("/books/:id", { responses: { 200: { contentType: "text/one" } } }),
      top: endpoint.get("/books/top", { responses: { 200: { contentType: "text/top" } } }),
      rest: endpoint.all("/*", { responses: { 200: { contentType: "text/rest" } } }),
    };
    const app = setup({
      handlers: Object.values(api).map((at) =>
        route.on(at.method, at.path, {
          resolve: ({ route: { path } }) =>
            new Response("", {
              headers: { "content-type": { "/books/:id": "text/one", "/books/top": "text/top" }[path] ?? "text/rest" },
            }),
        })
      ),
    });
    const held = holdToEndpoints(api, app);
    for (const path of ["/books/7", "/books/top", "/books/a%2Fb", "/a//b"]) {
      assertEquals((await held.fetch(request(path, { method: "GET" }))).status, 200);
    }
    assertEquals((await held.fetch(request("/books/7", { method: "PUT" }))).headers.get("content-type"), "text/rest");
    assertEquals(held.unseen(), []);
  });

  it("leaves it to the app which urls it trusts", async () => {
    const file = endpoint.get("/files/*", { responses: { 204: {} } });
    const handlers = [route.on(file, { resolve: () => reply(204) })];
    const upwards = () => request("/files/..%2fa");
    const trusting = holdToEndpoints({ file }, setup({ handlers, trustUrl: true }));
    assertEquals((await trusting.fetch(upwards())).status, 204);
    const { fetch } = holdToEndpoints({ file }, setup({ handlers }));
    await assertRejects(() => fetch(upwards()), Error, "Response 404 of GET /files/* must be declared");
  });

  it("passes extra arguments to the app, and errors of the app on", async () => {
    const boom = new Error("boom");
    const fail = endpoint.get("/fail", { responses: { 204: {} } });
    const app = setup({
      handlers: [route.on(fail, {
        resolve: (_c, env: { readonly healthy: boolean }) => {
          if (!env.healthy) throw boom;
          return reply(204);
        },
      })],
    });
    const held = holdToEndpoints({ fail }, app);
    assertEquals((await held.fetch(request("/fail"), { healthy: true })).status, 204);
    assertStrictEquals(await assertRejects(() => held.fetch(request("/fail"), { healthy: false })), boom);
    // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
    assertInstanceOf(await assertRejects(() => held.fetch(request("/fail"))), TypeError);
  });

  it("needs no `this`, and is one for a client", async () => {
    const show = endpoint.get("/books/:id", { responses: { 200: { schema: book } } });
    const app = setup({ handlers: [route.on(show, { resolve: () => reply(200, { title: "Emma" }) })] });
    const { fetch } = holdToEndpoints({ show }, app);
    const { body } = await createClient({ show }, { fetch }).show({ params: { id: 1 } });
    assertEquals(body, { title: "Emma" });
  });

  it("does not see what the app has read of its options later", async () => {
    const app = { fetch: () => new Response(null, { status: 204 }) as Response | Promise<Response> };
    const held = holdToEndpoints({ a: endpoint.get("/a", { responses: { 204: {} } }) }, app);
    assertEquals((await held.fetch(request("/a"))).status, 204);
  });
});

describe("unseen()", () => {
  const api = {
    show: endpoint.get("/books/:id", { responses: { 200: {}, 404: {}, "5XX": {}, default: {} } }),
    remove: endpoint.on(["DELETE", "PURGE"], "/books/:id", { responses: { 204: {} } }),
  };
  const app = { fetch: ({ url }: Request) => new Response(null, { status: Number(url.slice(-3)) }) };

  it("lists the declared responses that no test has seen, in the order of the endpoints", async () => {
    const held = holdToEndpoints(api, app);
    assertEquals(held.unseen(), [
      "GET /books/:id 200",
      "GET /books/:id 404",
      "GET /books/:id 5XX",
      "GET /books/:id default",
      "DELETE,PURGE /books/:id 204",
    ]);
    await held.fetch(request("/books/404"));
    await held.fetch(request("/books/503"));
    await held.fetch(request("/books/503"));
    assertEquals(held.unseen(), ["GET /books/:id 200", "GET /books/:id default", "DELETE,PURGE /books/:id 204"]);
    await held.fetch(request("/books/418"));
    await held.fetch(request("/books/204", { method: "PURGE" }));
    assertEquals(held.unseen(), ["GET /books/:id 200"]);
    await held.fetch(request("/books/200"));
    assertEquals(held.unseen(), []);
  });

  it("does not count a response that is not as declared, and is counted for each held app", async () => {
    const held = holdToEndpoints({ show: api.show }, { fetch: () => Response.json("a body") });
    await assertRejects(() => held.fetch(request("/books/1")), Error, "must declare the schema");
    assertEquals(held.unseen().length, 4);
    assertEquals(holdToEndpoints({ show: api.show }, app).unseen().length, 4);
  });

  it("does not list what only a scope declares", () => {
    const missing = { description: "Missing" };
    const scope = endpoint.with({ responses: { 401: {}, 429: {}, 404: missing } })
      .with({ prefix: "/v1", responses: { 500: {} } });
    const declared = {
      own: scope.get("/own", { responses: { 200: {}, 404: { description: "No such book" } } }),
      none: scope.get("/none"),
      route: route.with({ responses: { 401: {} } }).get("/route", {
        responses: { 204: {} },
        resolve: () => reply(204),
      }),
      implemented: route.on(scope.get("/implemented", { responses: { 204: {} } }), { resolve: () => reply(204) }),
    };
    assertEquals(holdToEndpoints(declared, app).unseen(), [
      "GET /v1/own 200",
      "GET /v1/own 404",
      "GET /route 204",
      "GET /v1/implemented 204",
    ]);
  });

  it("holds the app to what a scope declares, too", async () => {
    const held = holdToEndpoints({ a: endpoint.with({ responses: { 401: {} } }).get("/:status") }, app);
    assertEquals((await held.fetch(request("/401"))).status, 401);
    await assertRejects(() => held.fetch(request("/403")), Error, "must be declared: the endpoint declares 401");
  });
});

describe("unprotected()", () => {
  const token = { docs: { security: [{ token: [] }] } };
  const api = {
    open: endpoint.get("/open", token),
    denied: endpoint.get("/denied/:id/*", token),
    forbidden: endpoint.on(["PUT", "DELETE"], "/forbidden/:id", token),
    missing: endpoint.with(token).on(["GET", "POST"], "/missing/:id"),
    any: endpoint.all("/any", { docs: { security: [{ token: [] }, { key: [] }] } }),
    optional: endpoint.get("/optional", { docs: { security: [{ token: [] }, {}] } }),
    explicit: endpoint.with(token).get("/explicit", { docs: { security: [] } }),
    undocumented: endpoint.get("/undocumented", { docs: { summary: "Free" } }),
  };
  const statuses: Readonly<Record<string, number>> = { denied: 401, forbidden: 403, missing: 404 };

  it("lists the endpoints that document a token and respond without one", async () => {
    const sent: string[] = [];
    const held = holdToEndpoints(api, {
      fetch(request) {
        const { pathname, search } = new URL(request.url);
        sent.push(`${request.method} ${pathname}${search} ${[...request.headers].length} ${request.body}`);
        return new Response(null, { status: statuses[pathname.split("/")[1] ?? ""] ?? 204 });
      },
    });
    assertEquals(await held.unprotected(), [
      "GET /open 204",
      "GET /missing/:id 404",
      "POST /missing/:id 404",
      "ALL /any 204",
    ]);
    assertEquals(sent, [
      "GET /open 2 null",
      "GET /denied/0/0 2 null",
      "PUT /forbidden/0 2 null",
      "DELETE /forbidden/0 2 null",
      "GET /missing/0 2 null",
      "POST /missing/0 2 null",
      "GET /any 2 null",
    ]);
  });

  it("does not take a guard against forged requests for protection: its probe is a page of the app", async () => {
    const ownPage = ownPages({ origins: [], refuse: () => reply(403, "Cross-site request") });
    const write = endpoint.put("/notes/:id", token);
    const open = route.on(write, { guards: [ownPage], resolve: () => reply(204) });
    assertEquals(await holdToEndpoints({ write }, setup({ handlers: [open] })).unprotected(), ["PUT /notes/:id 204"]);
    const signedIn = () => deny(reply(401, "Sign in"));
    const closed = route.on(write, { guards: [ownPage, signedIn], resolve: () => reply(204) });
    assertEquals(await holdToEndpoints({ write }, setup({ handlers: [closed] })).unprotected(), []);
  });

  it("is not about the responses that are declared, which it leaves unseen", async () => {
    const open = endpoint.get("/open", { ...token, responses: { 204: {} } });
    const held = holdToEndpoints({ open }, { fetch: () => new Response(null, { status: 204 }) });
    assertEquals(await held.unprotected(), ["GET /open 204"]);
    assertEquals(held.unseen(), ["GET /open 204"]);
  });

  it("ends the bodies that it gets, and passes extra arguments to the app", async () => {
    const { body, cancelled } = endless("data: 1\n\n");
    const seen: unknown[] = [];
    const held = holdToEndpoints({ open: api.open }, {
      fetch(_request: Request, ...extra: [env: string, ctx: number]) {
        seen.push(...extra);
        return Promise.resolve(new Response(body));
      },
    });
    assertEquals(await held.unprotected("env", 1), ["GET /open 200"]);
    assertEquals([seen, cancelled()], [["env", 1], 1]);
  });

  it("goes on after a body that fails when it ends", async () => {
    const resolve = () =>
      new Response(
        new ReadableStream({
          cancel() {
            throw new Error("The source has failed");
          },
        }),
      );
    const app = setup({ handlers: [route.get("/open", { docs: { security: [{ token: [] }] }, resolve })] });
    const open = endpoint.get("/open", { docs: { security: [{ token: [] }] }, responses: { 204: {} } });
    const held = holdToEndpoints({ open }, app);
    assertEquals(await held.unprotected(), ["GET /open 200"]);
    await assertRejects(async () => await held.fetch(new Request("http://localhost/open")), Error, "204");
  });

  it("sends one segment as the value of :name+, and holds to the endpoint with it", async () => {
    const list = endpoint.get("/v2/:name+/tags/:tag", { ...token, responses: { 200: { schema: z.string() } } });
    const handlers = [route.get(list.path, { resolve: (c) => Response.json(c.raw.params) })];
    const held = holdToEndpoints({ list }, setup({ handlers }));
    assertEquals(await held.unprotected(), ["GET /v2/:name+/tags/:tag 200"]);
    const error = await assertRejects(() => held.fetch(request("/v2/a/b/tags/1")), Error);
    assertEquals(error.message.startsWith("Response 200 of GET /v2/:name+/tags/:tag"), true, error.message);
  });

  it("finds a route whose guard is missing", async () => {
    const members = endpoint.with(token);
    const two = { read: members.get("/books"), write: members.post("/books") };
    const denied = () => ({ deny: new Response(null, { status: 401 }) });
    const app = setup({
      handlers: [
        route.on(two.read, { guards: [denied], resolve: () => new Response("books") }),
        route.on(two.write, { resolve: () => new Response("written") }),
      ],
    });
    assertEquals(await holdToEndpoints(two, app).unprotected(), ["POST /books 200"]);
  });
});

describe("the endpoints of holdToEndpoints()", () => {
  const app = { fetch: () => new Response(null, { status: 204 }) };
  const a = endpoint.get("/a", { responses: { 204: {} } });
  const refusal = (endpoints: unknown) =>
    assertThrows(() => holdToEndpoints(endpoints as object, app), TypeError).message;

  it("may stand beside anything else in a module, under several names, and be routes", () => {
    const module = {
      ...{ a, again: a, default: { book }, book, LIMIT: 20, none: undefined, nothing: null, list: [a], show: () => a },
      ...{
        path: { path: "/x" },
        method: { method: "GET" },
        odd: { path: 1, method: "GET" },
        [Symbol.toStringTag]: "Module",
      },
      served: route.post("/a", { responses: { 200: {} }, resolve: () => reply(200) }),
    };
    assertEquals(holdToEndpoints(module, app).unseen(), ["GET /a 204", "POST /a 200"]);
  });

  it("cause an error if there are none", () => {
    for (const endpoints of [{}, { book }, { default: { book } }]) {
      assertEquals(refusal(endpoints), "Argument endpoints of holdToEndpoints must contain an endpoint: received none");
    }
    for (const [endpoints, received] of [[undefined, "undefined"], [[a], "an array"], ["api", "a string"]] as const) {
      assertEquals(
        refusal(endpoints),
        `Argument endpoints of holdToEndpoints must be an object of endpoints: received ${received}`,
      );
    }
  });

  it("cause an error if a value contains others, which would not be checked", () => {
    assertEquals(
      refusal({ a, books: { a } }),
      "Argument endpoints of holdToEndpoints must be flat: write ...books in place of books",
    );
  });

  it("cause an error if two match the same requests, or if one breaks the grammar", () => {
    assertEquals(
      refusal({ a, b: endpoint.get("/a") }),
      assertThrows(
        () => setup({ handlers: ["/a", "/a"].map((path) => route.get(path, { resolve: app.fetch })) }),
        TypeError,
      )
        .message,
    );
    assertEquals(refusal({ b: { method: "GET", path: "b" } }), 'Path of route GET "b" must start with "/": write "/b"');
    assertEquals(
      refusal({ b: { method: "get", path: "/b" } }),
      assertThrows(() => setup({ handlers: [route.on("get", "/b", { resolve: app.fetch })] }), TypeError).message,
    );
  });
});

describe("the app and the options of holdToEndpoints()", () => {
  const app = { fetch: () => Response.json({ title: "Emma" }) };
  const show = endpoint.get("/a", { responses: { 200: { schema: book }, 404: {} } });
  const refusal = (given: unknown, options?: unknown, at: Endpoint = show) =>
    assertThrows(() => holdToEndpoints({ at }, given as typeof app, options as HoldOptions), TypeError).message;

  it("cause an error if they have the wrong shape", () => {
    for (const given of [undefined, null, {}, { fetch: "url" }]) {
      assert(
        refusal(given).startsWith(
          "Argument app of holdToEndpoints must be an app: an object with a function fetch: received ",
        ),
      );
    }
    assertEquals(refusal(app, null), "Options of holdToEndpoints must be an object: received null");
    assertEquals(
      refusal(app, { validater: standardSchema }),
      'Option "validater" of holdToEndpoints is unknown: did you mean validator?',
    );
    assertEquals(
      refusal(app, { validator: undefined }),
      'Option "validator" of holdToEndpoints is undefined. If you import it, break the import cycle',
    );
    assertEquals(
      refusal(app, { validator: {} }),
      "Option validator must be a validator, such as standardSchema of @fw/core/standard-schema: received an object",
    );
  });

  it("cause an error if nothing can validate a schema", () => {
    const own = { own: true };
    const rule = "Schema of response 200 of GET /a must be one the validator accepts: received ";
    for (
      const [schema, received] of [[own, "an object"], [null, "null"], [{ "~standard": {} }, "an object"]] as const
    ) {
      const at = endpoint.get("/a", { responses: { 200: { schema } } });
      assertEquals(refusal(app, {}, at), rule + received);
      assertEquals(refusal(app, { validator: standardSchema }, at), rule + received);
    }
  });

  it("may have a validator, which then validates all schemas", async () => {
    const asked: unknown[][] = [];
    const validator: Validator = {
      accepts: (schema, part) => schema === book && part === "body",
      validate(...args) {
        asked.push(args);
        return { ok: false, issues: [{ part: "body", path: ["title"], message: "no" }] };
      },
    };
    const held = holdToEndpoints({ show }, app, { validator });
    await assertRejects(() => held.fetch(request("/a")), Error, "must fit its schema: title: no");
    assertEquals(asked, [[book, { title: "Emma" }, "body", { method: "GET", path: "/a" }]]);
    const validate = new (class {
      #body = { ok: true as const, value: { title: "" } };
      validate() {
        return this.#body;
      }
    })();
    assertEquals((await holdToEndpoints({ show }, app, { validator: validate }).fetch(request("/a"))).status, 200);
  });

  it("may have schemas of several libraries, asynchronous ones too, without a validator", async () => {
    const taken = v.pipeAsync(v.string(), v.checkAsync((title) => Promise.resolve(title === "Emma"), "another title"));
    const schema = v.objectAsync({ title: taken });
    assertEquals(await (await answer({ 200: { schema } }, json({ title: "Emma" }))).json(), { title: "Emma" });
    assertEquals(
      await fault({ 200: { schema } }, json({ title: "Ulysses" })),
      "Response 200 must fit its schema: title: another title",
    );
    const plain = {
      "~standard": { validate: () => ({ issues: [{ message: "at the root" }] }) },
    };
    assertEquals(await fault({ 200: { schema: plain } }, json(1)), "Response 200 must fit its schema: at the root");
  });
});

describe("holdToEndpoints() of an endpoint whose parts arrive one by one", () => {
  const upload = parts({ photo: file({ maxBytes: 100_000 }) });
  const add = endpoint.post("/photos", { request: { body: upload }, responses: { 201: { schema: z.int() }, 400: {} } });

  it("passes the parts on as they arrive, and holds the response to what is declared", async () => {
    let size: unknown = 0;
    const app = setup({
      validator: standardSchema,
      handlers: [route.post("/photos", {
        request: { body: upload },
        resolve: async ({ input }) => {
          for await (const part of input.ok ? input.body : []) {
            if (!part.issues) size = (await new Response(part.stream).arrayBuffer()).byteLength;
          }
          return Response.json(size, { status: 201 });
        },
      })],
    });
    const held = holdToEndpoints({ add }, app);
    const client = createClient({ add }, { fetch: held.fetch });
    assertEquals((await client.add({ body: { photo: new Blob(["x".repeat(90_000)]) } })).body, 90_000);
    assertEquals(held.unseen(), ["POST /photos 400"]);
    const wrong = holdToEndpoints({ add }, { fetch: async (request) => (await app.fetch(request), new Response()) });
    await assertRejects(
      () => createClient({ add }, { fetch: wrong.fetch }).add({ body: { photo: new Blob(["x"]) } }),
      Error,
      "Response 200 of POST /photos must be declared",
    );
  });
});
