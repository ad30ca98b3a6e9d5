/** Apps that are made of endpoints alone. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { toJsonSchema } from "@valibot/to-json-schema";
import "../standard_schema/arktype_jitless.ts";
import { type } from "arktype";
import fc from "fast-check";
import * as v from "valibot";
import { z } from "zod";
import { type Endpoint, endpoint, reply, route, setup } from "../../../mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { events, lines } from "../../../src/events/mod.ts";
import { file, form, parts } from "../../../src/body/mod.ts";
import { compose, cors } from "../../../src/hooks/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { negotiate } from "../../../src/testing/mock/negotiate.ts";
import { holdToEndpoints, mock } from "../../../src/testing/mod.ts";

const ORIGIN = "http://localhost";
const book = z.object({ id: z.string(), title: z.string().min(1) });
const emma = { id: "emma", title: "Emma" };
const persuasion = { id: "persuasion", title: "Persuasion" };
const missing = z.object({ code: z.literal("missing") });
const showBook = endpoint.get("/books/:id", {
  responses: { 200: { schema: book, examples: { emma, persuasion } }, 404: { schema: missing } },
});
const addBook = endpoint.post("/books", {
  request: { body: z.object({ title: z.string().trim().min(1) }) },
  responses: {
    201: { schema: book },
    400: {},
    409: { schema: z.object({ code: z.literal("taken"), id: z.string() }) },
  },
});

/** The status and the body of the response to GET. */
async function get(
  app: { fetch(request: Request): Response | Promise<Response> },
  path: string,
  headers: HeadersInit = {},
): Promise<readonly [status: number, body: string]> {
  const response = await app.fetch(new Request(ORIGIN + path, { headers }));
  return [response.status, await response.text()];
}

function post(path: string, body: BodyInit, headers: HeadersInit = {}): Request {
  return new Request(ORIGIN + path, { method: "POST", body, headers });
}

/** An endpoint for GET /x with these responses. */
const x = (responses: NonNullable<Endpoint["responses"]>): Endpoint => ({ method: "GET", path: "/x", responses });

describe("mock() on a request that does not say what it wants", () => {
  it("responds with the first example of the first success", async () => {
    assertEquals(await get(mock({ showBook }, { fc }), "/books/7"), [200, JSON.stringify(emma)]);
  });

  it("needs no fast-check if each response with a schema has examples", async () => {
    const api = { showBook: x({ 200: { schema: book, examples: { emma } }, 404: {} }) };
    assertEquals(await get(mock(api), "/x"), [200, JSON.stringify(emma)]);
  });

  it("generates a body that fits the schema, the same for the same request", async () => {
    const api = { list: endpoint.get("/books", { responses: { 200: { schema: z.array(book) } } }) };
    const [status, text] = await get(mock(api, { fc }), "/books?page=1");
    assertEquals(status, 200);
    assert(z.array(book).parse(JSON.parse(text)).length > 0);
    for (const request of ["/books?page=1", "https://example.com/books?page=1"]) {
      const response = await mock(api, { fc }).fetch(new Request(new URL(request, ORIGIN)));
      assertEquals(await response.text(), text);
    }
    assert((await get(mock(api, { fc }), "/books?page=2"))[1] !== text);
    assert((await get(mock(api, { fc, seed: 2 }), "/books?page=1"))[1] !== text);
  });

  it("generates by the body of a request, too", async () => {
    const find = endpoint.post("/find", {
      request: { body: z.object({ text: z.string() }) },
      responses: { 200: { schema: z.array(book) }, 400: {} },
    });
    const app = mock({ find }, { fc });
    const found = async (text: string) => await (await app.fetch(post("/find", JSON.stringify({ text })))).text();
    assertEquals(await found("a"), await found("a"));
    assert(await found("a") !== await found("b"));
  });

  it("takes parameters and valid input over into a generated body, where they fit", async () => {
    const responses = {
      200: { schema: z.object({ id: z.int(), of: z.string().max(3), kind: z.literal("a") }) },
      400: {},
    };
    const api = {
      addBook,
      update: endpoint.put("/things/:id/:kind", { request: { body: z.object({ of: z.string() }) }, responses }),
    };
    const app = mock(api, { fc });
    const added = await (await app.fetch(post("/books", JSON.stringify({ title: " Emma " })))).json();
    assertEquals(added.title, "Emma");
    const update = async (path: string, of: string) =>
      await (await app.fetch(new Request(ORIGIN + path, { method: "PUT", body: JSON.stringify({ of }) }))).json();
    assertEquals(await update("/things/7/a", "x"), { id: 7, of: "x", kind: "a" });
    const other = await update("/things/7/b", "long");
    assert(other.of !== "long");
    assertEquals([other.id, other.kind], [7, "a"]);
  });

  it("takes nothing over that JSON cannot have", async () => {
    const add = endpoint.post("/things", {
      request: { body: z.object({ count: z.string().transform(BigInt), tags: z.unknown(), name: z.string() }) },
      responses: { 201: { schema: z.object({ count: z.string(), tags: z.string(), name: z.string() }) } },
    });
    const { fetch } = mock({ add }, { fc });
    for (const depth of [1, 2000, 5000, 20_000, 50_000]) {
      const nested = "[".repeat(depth) + "]".repeat(depth);
      const response = await fetch(post("/things", `{"count":"7","tags":${nested},"name":"x"}`));
      const { count, tags, name } = await response.json();
      assertEquals([typeof count, typeof tags, name], ["string", "string", "x"]);
    }
  });

  it("responds with the first success, else a redirect, else default, else the first status", async () => {
    const ofKeys = (...keys: string[]) => get(mock({ it: x(Object.fromEntries(keys.map((key) => [key, {}]))) }), "/x");
    assertEquals((await ofKeys("404", "303", "204", "202"))[0], 202);
    assertEquals((await ofKeys("404", "2XX", "303"))[0], 200);
    assertEquals((await ofKeys("404", "303", "default"))[0], 303);
    assertEquals((await ofKeys("404", "default"))[0], 200);
    assertEquals((await ofKeys("5XX"))[0], 500);
  });

  it("responds with 404 where no endpoint is, and rejects where an endpoint declares no responses", async () => {
    const app = mock({ showBook, health: endpoint.get("/health"), title: "Books", none: undefined }, { fc });
    assertEquals(await get(app, "/authors"), [404, ""]);
    await assertRejects(
      () => get(app, "/health"),
      TypeError,
      "GET /health must declare responses: without them, nothing is known to respond with",
    );
  });

  it("sends no body with 204, and none to HEAD", async () => {
    const both = endpoint.on(["GET", "HEAD"], "/x", { responses: { 200: { schema: book, examples: { emma } } } });
    const app = mock({ both, remove: endpoint.delete("/x", { responses: { "2XX": { schema: missing } } }) }, { fc });
    const head = await app.fetch(new Request(`${ORIGIN}/x`, { method: "HEAD" }));
    assertEquals([head.status, head.headers.get("content-type"), head.body], [200, "application/json", null]);
    const init = { method: "DELETE", headers: { prefer: "status=204" } };
    const removed = await app.fetch(new Request(`${ORIGIN}/x`, init));
    assertEquals([removed.status, removed.headers.get("content-type"), removed.body], [204, null, null]);
  });

  it("takes an endpoint with two names once", async () => {
    const choose = { other: () => 404 as const };
    assertEquals((await get(mock({ showBook, other: showBook }, { fc, choose }), "/books/7"))[0], 404);
    assertEquals((await get(mock({ other: showBook, showBook }, { fc, choose }), "/books/7"))[0], 404);
  });
});

describe("mock() on the header Prefer", () => {
  const app = mock({ showBook, addBook }, { fc });
  const ask = (prefer: string) => get(app, "/books/7", { prefer });

  it("sends the status that it names", async () => {
    for (
      const prefer of ["status=404", 'Status = "404"', "respond-async, wait=10, status=404", "wait=10; status=404"]
    ) {
      assertEquals(await ask(prefer), [404, '{"code":"missing"}'], prefer);
    }
  });

  it("reads code, as of other mock servers, as status", async () => {
    for (const prefer of ["code=404", 'Code = "404"', "wait=10; code=404"]) {
      assertEquals(await ask(prefer), [404, '{"code":"missing"}'], prefer);
    }
  });

  it("takes the first of a status that is repeated", async () => {
    for (const prefer of ["status=404, status=200", "code=404, status=200", "status=404, code=200"]) {
      assertEquals((await ask(prefer))[0], 404, prefer);
    }
    assertEquals(await ask("example=persuasion, example=emma"), [200, JSON.stringify(persuasion)]);
  });

  it("sends the example that it names, of any status", async () => {
    assertEquals(await ask("example=persuasion"), [200, JSON.stringify(persuasion)]);
    assertEquals(await ask("status=200, EXAMPLE=persuasion"), [200, JSON.stringify(persuasion)]);
    const api = { it: x({ 200: {}, 404: { schema: missing, examples: { gone: { code: "missing" } } } }) };
    assertEquals(await get(mock(api), "/x", { prefer: "example=gone" }), [404, '{"code":"missing"}']);
    const same = {
      it: x({ 404: { examples: { it: 1 }, schema: z.int() }, 409: { examples: { it: 2 }, schema: z.int() } }),
    };
    assertEquals(await get(mock(same), "/x", { prefer: "example=it" }), [404, "1"]);
  });

  it("sends any status of a range, and of default", async () => {
    const app = mock({ it: x({ 200: {}, "4XX": { schema: missing }, default: { schema: missing } }) }, { fc });
    assertEquals(await get(app, "/x", { prefer: "status=418" }), [418, '{"code":"missing"}']);
    assertEquals(await get(app, "/x", { prefer: "status=503" }), [503, '{"code":"missing"}']);
  });

  it("is an error if it names what no response has, whatever is declared", async () => {
    const app = mock({ it: x({ "2XX": {}, default: { schema: missing } }) }, { fc });
    for (const code of ["ok", "0", "150", "200.5", "600", "20000", "-200"]) {
      const error = await assertRejects(() => get(app, "/x", { prefer: `status=${code}` }), TypeError);
      const status = Number(code);
      assertEquals(error.message, `GET /x must declare the status ${status}: it declares 2XX, default`);
    }
    const chosen = mock({ it: x({ default: {} }) }, { choose: { it: () => 700 as 200 } });
    await assertRejects(() => get(chosen, "/x"), TypeError, "GET /x must declare the status 700");
  });

  it("is ignored if it names neither", async () => {
    assertEquals((await ask("return=minimal, wait=10, xcode=404, status"))[0], 200);
  });

  it("is an error if it names what is not declared", async () => {
    const cases = {
      "status=410": "GET /books/:id must declare the status 410: it declares 200, 404",
      "status=ok": "GET /books/:id must declare the status NaN: it declares 200, 404",
      "example=ulysses": "GET /books/:id must declare the example that is asked for: it declares emma, persuasion",
      "status=404, example=emma": "GET /books/:id must declare the example that is asked for: it declares none",
    };
    for (const [prefer, message] of Object.entries(cases)) {
      assertEquals((await assertRejects(() => ask(prefer), TypeError)).message, message);
    }
  });
});

describe("mock() with the option choose", () => {
  it("sends what a function chooses: a status, an example, or the default", async () => {
    const app = mock({ showBook }, {
      fc,
      choose: {
        showBook: ({ raw: { params: { id } } }) => id === "none" ? 404 : id === "emma" ? undefined : "persuasion",
      },
    });
    assertEquals((await get(app, "/books/none"))[0], 404);
    assertEquals(await get(app, "/books/emma"), [200, JSON.stringify(emma)]);
    assertEquals(await get(app, "/books/x"), [200, JSON.stringify(persuasion)]);
  });

  it("lets a request choose otherwise", async () => {
    const app = mock({ showBook }, { fc, choose: { showBook: () => 404 } });
    assertEquals(await get(app, "/books/x", { prefer: "status=200" }), [200, JSON.stringify(emma)]);
  });

  it("rejects a response that is not declared", async () => {
    const chosen = (choice: unknown) =>
      assertRejects(() => get(mock({ showBook }, { fc, choose: { showBook: () => choice as 404 } }), "/books/7"));
    assertEquals(
      [await chosen(410), await chosen("ulysses"), await chosen({ status: 404 })].map(String),
      [
        "TypeError: GET /books/:id must declare the status 410: it declares 200, 404",
        "TypeError: GET /books/:id must declare the example that is asked for: it declares emma, persuasion",
        "TypeError: Result of choose.showBook must be a status or the name of an example: received an object",
      ],
    );
  });
});

describe("mock() on a body whose parts arrive one by one", () => {
  const upload = parts({ title: z.string().min(2), photo: file({ contentTypes: ["image/*"], maxBytes: 10 }) });
  const photo = z.object({ id: z.string(), title: z.string() });
  const api = {
    addPhoto: endpoint.post("/photos", {
      request: { body: upload },
      responses: { 201: { schema: photo }, 400: {}, 409: {}, 413: {}, 415: {} },
    }),
  };
  const png = (length: number, type = "image/png") => new File(["x".repeat(length)], "a.png", { type });

  it("responds to a client that uploads, with the fields that the response has, too", async () => {
    const held = holdToEndpoints(api, mock(api, { fc }));
    const { addPhoto } = createClient(api, { fetch: held.fetch });
    const answer = await addPhoto({ body: { title: "Emma", photo: png(10) } });
    assertEquals([answer.status, answer.status === 201 && answer.body.title], [201, "Emma"]);
    const conflict = await addPhoto({ body: { title: "Emma", photo: png(10) }, headers: { prefer: "status=409" } });
    assertEquals(conflict.status, 409);
  });

  it("responds as declared if a part is not as it must be, or the form is none", async () => {
    const { fetch } = mock(api, { fc });
    const { addPhoto } = createClient(api, { fetch });
    const statusOf = async (title: string, photo: File) => (await addPhoto({ body: { title, photo } })).status;
    assertEquals(await statusOf("E", png(1)), 400);
    assertEquals(await statusOf("Emma", png(11)), 413);
    assertEquals(await statusOf("x".repeat(100_000), png(1)), 413);
    assertEquals(await statusOf("Emma", png(1, "text/plain")), 415);
    assertEquals((await fetch(post("/photos", "{}"))).status, 415);
    const cutOff = post("/photos", "--b\r\n", { "content-type": "multipart/form-data; boundary=b" });
    assertEquals((await fetch(cutOff)).status, 400);
  });
});

describe("mock() on invalid input", () => {
  const body = z.object({ title: z.string() });
  const ofKeys = (...keys: string[]) => {
    const responses = Object.fromEntries(keys.map((key) => [key, {}]));
    const request = { body, bodyReader: form, maxBodyBytes: 40 };
    const app = mock({
      json: { method: "POST", path: "/json", request: { body, maxBodyBytes: 40 }, responses },
      form: { method: "POST", path: "/form", request, responses },
    });
    return {
      json: async (body: string, prefer = "", headers = {}) =>
        (await app.fetch(post("/json", body, { prefer, ...headers }))).status,
      form: async (body: BodyInit, headers = {}) => (await app.fetch(post("/form", body, headers))).status,
    };
  };

  it("responds as declared for it: 413 and 415 where they are the reason, 400 for broken JSON, else 422, else 400", async () => {
    const { json, form } = ofKeys("201", "400", "413", "415", "422");
    assertEquals(await json('{"title":1}'), 422);
    assertEquals(await json('{"title":'), 400);
    assertEquals(await json(JSON.stringify({ title: "x".repeat(40) })), 413);
    assertEquals(await form("title"), 415);
    assertEquals(await json("{", "", { "content-encoding": "br" }), 415);
    assertEquals(await form("--", { "content-type": "multipart/form-data; boundary=b" }), 400);
    assertEquals(await json('{"title":"Emma"}'), 201);
    const two = ofKeys("201", "400");
    assertEquals(await two.json('{"title":1}'), 400);
    assertEquals(await two.json(JSON.stringify({ title: "x".repeat(40) })), 400);
    assertEquals(await ofKeys("201", "422").json('{"title":'), 422);
  });

  it("responds with 400 if that is declared by a range or by default", async () => {
    assertEquals(await ofKeys("201", "4XX").json("{}"), 400);
    assertEquals(await ofKeys("201", "default").json("{}"), 400);
    assertEquals(await ofKeys("201", "422", "default").json("{}"), 422);
  });

  it("never responds with a success, whatever a request asks for, but with any failure that it asks for", async () => {
    const { json } = ofKeys("201", "303", "400", "409");
    assertEquals(await json("{}", "status=201"), 400);
    assertEquals(await json("{}", "status=303"), 400);
    assertEquals(await json("{}", "status=409"), 409);
    assertEquals(await ofKeys("201", "400", "422").json("{}", "status=400"), 400);
  });

  it("is an error if no response is declared for it", async () => {
    const error = await assertRejects(() => ofKeys("201", "404").json('{"title":1}'), TypeError);
    assertEquals(
      error.message,
      "POST /json must declare 400 or 422 for invalid input (of the body): it declares 201, 404",
    );
  });

  it("is found in params, query, headers and cookies, too", async () => {
    const find = endpoint.get("/books/:id", {
      request: {
        params: z.object({ id: z.string().regex(/^\d+$/) }),
        query: z.object({ q: z.string() }),
        headers: z.object({ "x-a": z.string() }),
        cookies: z.object({ theme: z.enum(["dark"]) }),
      },
      responses: { 204: {}, 400: {} },
    });
    const app = mock({ find });
    const headers = { "x-a": "1", cookie: "theme=dark" };
    assertEquals((await get(app, "/books/7?q=a", headers))[0], 204);
    assertEquals((await get(app, "/books/x?q=a", headers))[0], 400);
    assertEquals((await get(app, "/books/7", headers))[0], 400);
    assertEquals((await get(app, "/books/7?q=a", { cookie: "theme=dark" }))[0], 400);
    assertEquals((await get(app, "/books/7?q=a", { "x-a": "1", cookie: "theme=light" }))[0], 400);
  });
});

interface Tree {
  name: string;
  children: Tree[];
}

describe("what mock() sends", () => {
  const tree: z.ZodType<Tree> = z.object({
    name: z.string(),
    get children() {
      return z.array(tree);
    },
  });
  const api = {
    showBook,
    addBook,
    tree: endpoint.get("/tree", { responses: { 200: { schema: tree } } }),
    chat: endpoint.get("/chat", {
      responses: { 200: events({ token: z.object({ text: z.string() }), message: z.int(), done: z.null() }), 429: {} },
    }),
    ticks: endpoint.get("/ticks", { responses: { 200: events(z.object({ at: z.iso.datetime() })) } }),
    rows: endpoint.get("/rows", { responses: { 200: lines(book, { headers: { etag: { required: true } } }) } }),
    csv: endpoint.get("/csv", {
      responses: { 200: { schema: z.string().startsWith("id"), contentType: "text/csv", examples: { one: "id\n1" } } },
    }),
    text: endpoint.get("/text", { responses: { 200: { schema: z.string().min(3), contentType: "text/plain" } } }),
    picture: endpoint.get("/picture", { responses: { 200: { contentType: "image/png" }, 304: {} } }),
    any: endpoint.get("/any", { responses: { 200: { contentType: "application/json" } } }),
    problem: endpoint.get("/problem", {
      responses: {
        200: {},
        "4XX": { schema: z.object({ title: z.string(), status: z.int() }), contentType: "application/problem+json" },
        default: { schema: z.object({ code: z.enum(["a", "b"]) }) },
      },
    }),
    headers: endpoint.post("/headers", {
      responses: {
        201: {
          schema: book,
          headers: {
            "Location": { required: true },
            "x-total": { schema: z.int().min(1).max(9), required: true },
            "etag": {},
            "x-note": {},
            "Content-Encoding": {},
          },
        },
        303: { headers: { location: { required: true } } },
      },
    }),
    formats: endpoint.get("/formats", {
      responses: {
        200: {
          schema: z.object({
            at: z.iso.datetime(),
            day: z.iso.date(),
            mail: z.email(),
            id: z.uuid(),
            url: z.url(),
            code: z.string().regex(/^[A-Z]{3}-\d{2}$/),
            n: z.number().min(0).max(1),
            step: z.int().multipleOf(5),
            pair: z.tuple([z.string(), z.int()]),
            map: z.record(z.string(), z.int()),
            shape: z.discriminatedUnion("kind", [
              z.object({ kind: z.literal("a"), a: z.int() }),
              z.object({ kind: z.literal("b"), b: z.string() }),
            ]),
            note: z.string().nullable().optional(),
            set: z.array(z.enum(["a", "b", "c"])).min(2).max(2),
          }),
        },
      },
    }),
  };

  it("is every declared response, as its endpoint declares it", async () => {
    const app = mock(api, { fc });
    const held = holdToEndpoints(api, app);
    for (const { method, path, responses } of app.routes) {
      for (const key of Object.keys(responses ?? {})) {
        const status = Number(key === "default" ? 500 : key.replace("XX", "00"));
        const url = ORIGIN + path.replace(":id", "7");
        const body = method === "POST" ? JSON.stringify({ title: "Emma" }) : null;
        const response = await held.fetch(
          new Request(url, { method: `${method}`, body, headers: { prefer: `status=${status}` } }),
        );
        assertEquals(response.status, status);
        await response.text();
      }
    }
    assertEquals(held.unseen(), []);
  });

  it("is generated within bounds for a schema that contains itself", async () => {
    for (let page = 0; page < 20; page++) {
      const [, text] = await get(mock(api, { fc }), `/tree?page=${page}`);
      tree.parse(JSON.parse(text));
      assert(text.length < 100_000);
    }
  });

  it("is a stream with each event once, or with three lines", async () => {
    const client = createClient(api, { fetch: mock(api, { fc }).fetch });
    const chat = await client.chat();
    assert(chat.status === 200);
    const names: string[] = [];
    for await (const { event } of chat.body) names.push(event);
    assertEquals(names, ["token", "message", "done"]);
    const rows = await client.rows();
    const titles: string[] = [];
    for await (const { title } of rows.body) titles.push(title);
    assertEquals([titles.length, new Set(titles).size > 1], [3, true]);
    const room = mock({ room: { ...x({ 200: events({ said: z.object({ id: z.string() }) }) }), path: "/rooms/:id" } }, {
      fc,
    });
    assert(!(await get(room, "/rooms/7"))[1].includes('"7"'), "an item takes nothing over");
    const [, text] = await get(mock(api, { fc }), "/ticks");
    assertEquals([text.startsWith('data: {"at":'), text.endsWith("}\n\n"), text.includes("event:")], [
      true,
      true,
      false,
    ]);
  });

  it("has the declared headers, but none that says how the body is encoded", async () => {
    const { status, headers } = await mock(api, { fc }).fetch(post("/headers", ""));
    const total = headers.get("x-total");
    assertEquals([...headers], [
      ["content-type", "application/json"],
      ["etag", '"mock"'],
      ["location", "/"],
      ["x-note", "mock"],
      ["x-total", total ?? ""],
    ]);
    assertEquals([status, Number(total) >= 1 && Number(total) <= 9], [201, true]);
  });

  it("has a body of the declared media type, also without a schema", async () => {
    const app = mock(api, { fc });
    const sent = async (path: string, headers: HeadersInit = {}) => {
      const response = await app.fetch(new Request(ORIGIN + path, { headers }));
      return [response.headers.get("content-type"), await response.text()];
    };
    assertEquals(await sent("/csv"), ["text/csv", "id\n1"]);
    assertEquals(await sent("/picture"), ["image/png", "mock"]);
    assertEquals(await sent("/any"), ["application/json", "{}"]);
    assertEquals((await sent("/problem", { prefer: "status=404" }))[0], "application/problem+json");
  });

  it("is bytes where the schema is of a file", async () => {
    const file = { schema: z.file().mime("image/gif"), contentType: "image/gif" };
    const response = await mock({ it: x({ 200: file }) }, { fc }).fetch(new Request(`${ORIGIN}/x`));
    assertEquals(response.headers.get("content-type"), "image/gif");
    assert((await response.text()).startsWith("GIF89a"));
  });

  it("is a text where JSON makes one of a Date, and may come from any library", async () => {
    const api = {
      zod: endpoint.get("/zod", {
        responses: { 200: { schema: z.object({ at: z.date(), on: z.iso.datetime(), id: z.string() }) } },
      }),
      valibot: endpoint.get("/valibot", {
        responses: { 200: { schema: v.object({ n: v.pipe(v.number(), v.minValue(3)) }) } },
      }),
      arktype: endpoint.get("/arktype", { responses: { 200: { schema: type({ n: "number > 3" }) } } }),
    };
    const app = mock(api, {
      fc,
      toJsonSchema: (schema, typeMode) =>
        Object(schema).kind === "schema" ? toJsonSchema(schema as v.GenericSchema, { typeMode }) : undefined,
    });
    const { at } = JSON.parse((await get(app, "/zod"))[1]);
    assertEquals(new Date(at).toISOString(), at);
    assert(JSON.parse((await get(app, "/valibot"))[1]).n >= 3);
    assert(JSON.parse((await get(app, "/arktype"))[1]).n > 3);
  });

  it("is an error if no generated value fits the schema", async () => {
    const api = { it: x({ 200: { schema: z.string().refine((text) => text === "open sesame") } }) };
    await assertRejects(
      () => get(mock(api, { fc }), "/x"),
      TypeError,
      "response 200 of GET /x must have examples: no generated value fits its schema",
    );
  });

  it("is not made of names that every object has", async () => {
    const api = {
      toString: x({ 200: { schema: missing, examples: { it: { code: "missing" } } } }),
      constructor: endpoint.get("/:constructor", {
        responses: { 200: { schema: z.object({ toString: z.string() }) } },
      }),
    };
    const app = mock(api, { fc });
    assertEquals(await get(app, "/x"), [200, '{"code":"missing"}']);
    assertEquals(typeof JSON.parse((await get(app, "/y"))[1]).toString, "string");
    await assertRejects(
      () => get(app, "/x", { prefer: "example=constructor" }),
      TypeError,
      "the example that is asked for",
    );
  });
});

describe("mock() on a status with several media types", () => {
  const csv = { schema: z.string(), contentType: "text/csv", examples: { rows: "id,title" } } as const;
  const formats = endpoint.get("/x", {
    responses: {
      200: [{ schema: book, examples: { emma } }, csv, { contentType: "text/html; charset=utf-8" }],
      404: [{ schema: missing }, { schema: z.object({ title: z.string() }), contentType: "application/problem+json" }],
    },
  });
  const sent = async (responses: Endpoint["responses"], headers: HeadersInit = {}) => {
    const app = mock({ formats: { ...formats, responses: { ...formats.responses, ...responses } } }, { fc });
    const response = await app.fetch(new Request(`${ORIGIN}/x`, { headers }));
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  const json = [200, "application/json", JSON.stringify(emma)];

  it("sends the one that a client prefers by Accept, else the first", async () => {
    assertEquals(await sent({}), json);
    assertEquals(await sent({}, { accept: "text/csv" }), [200, "text/csv", "id,title"]);
    assertEquals(await sent({}, { accept: "text/html, */*;q=0.1" }), [200, "text/html; charset=utf-8", "mock"]);
    const problem = await sent({}, { accept: "application/problem+json", prefer: "status=404" });
    assertEquals(problem.slice(0, 2), [404, "application/problem+json"]);
  });

  it("sends the declared 406 if a client accepts none of them, else the first", async () => {
    assertEquals(await sent({ 406: {} }, { accept: "image/png" }), [406, null, ""]);
    assertEquals(await sent({}, { accept: "image/png" }), json);
  });

  it("sends the one that has the example", async () => {
    assertEquals(await sent({}, { prefer: "example=rows" }), [200, "text/csv", "id,title"]);
    assertEquals(await sent({}, { prefer: "example=emma", accept: "text/csv, */*;q=0.1" }), json);
  });

  it("sends the only one whatever is accepted", async () => {
    assertEquals(await sent({ 200: csv, 406: {} }, { accept: "application/json" }), [200, "text/csv", "id,title"]);
  });

  it("sends each as its endpoint declares it", async () => {
    const held = holdToEndpoints({ formats }, mock({ formats }, { fc }));
    for (const [status, responses] of Object.entries(formats.responses ?? {})) {
      for (const { contentType = "application/json" } of [responses].flat()) {
        const headers = { prefer: `status=${status}`, accept: contentType };
        await (await held.fetch(new Request(`${ORIGIN}/x`, { headers }))).text();
      }
    }
    assertEquals(held.unseen(), []);
  });
});

describe("what a client prefers", () => {
  const offers = ["application/json", "text/csv; charset=utf-8", "Text/HTML"].map((contentType) => ({ contentType }));
  const preferred = (accept: string | null) => negotiate(offers, accept)?.contentType;

  it("is the first that there is, if it accepts all", () => {
    for (const accept of [null, "*/*", "application/*", "*/*;q=0.1", "text/plain, */*;q=0.5"]) {
      assertEquals(preferred(accept), "application/json", `${accept}`);
    }
  });

  it("is what it accepts with the highest quality, by the most specific range", () => {
    assertEquals(preferred("text/csv"), "text/csv; charset=utf-8");
    assertEquals(preferred("text/*, */*;q=0.5"), "text/csv; charset=utf-8");
    assertEquals(preferred("TEXT/html, application/json; q=0.9"), "Text/HTML");
    assertEquals(preferred("text/csv;q=0.2,text/*;q=0.8,*/*;q=0.1"), "Text/HTML");
    assertEquals(preferred("text/csv; header=present; q=0.9, */*; q=0.1"), "text/csv; charset=utf-8");
    assertEquals(preferred("*/*, application/json;q=0"), "text/csv; charset=utf-8");
    assertEquals(preferred("text/csv;q=0.5;level=1, text/html;q=0.8;level=2"), "Text/HTML");
  });

  it("is nothing, if it accepts none", () => {
    assertEquals(preferred("image/png"), undefined);
    assertEquals(preferred("*/*;q=0"), undefined);
    assertEquals(negotiate([], "*/*"), undefined);
  });

  it("may be no body", () => {
    assertEquals(negotiate([{ contentType: undefined }, ...offers], "text/csv"), { contentType: undefined });
  });
});

describe("the routes of mock()", () => {
  it("can stand beside routes and hooks of your own", async () => {
    const own = route.on(addBook, { resolve: () => reply(409, { code: "taken", id: "1" }) });
    const app = setup({
      endpoints: { showBook, addBook },
      validator: standardSchema,
      handlers: [own, ...mock({ showBook }, { fc }).routes],
      ...compose(cors({ origins: ["https://example.com"] })),
    });
    assertEquals((await app.fetch(post("/books", "{}"))).status, 409);
    const response = await app.fetch(new Request(`${ORIGIN}/books/7`, { headers: { origin: "https://example.com" } }));
    assertEquals([response.status, response.headers.get("access-control-allow-origin")], [200, "https://example.com"]);
  });

  it("may be made of routes: their guards and handlers do not run", async () => {
    const own = route.get("/own", {
      responses: { 204: {}, 401: {} },
      guards: [() => ({ deny: reply(401) })],
      resolve: () => reply(401),
    });
    assertEquals((await get(mock({ own }), "/own"))[0], 204);
  });
});

describe("the options of mock()", () => {
  const rejects = (endpoints: object, options: object, message: string) =>
    assertEquals(assertThrows(() => mock(endpoints, options), TypeError).message, message);

  it("are rejected if they are wrong", () => {
    rejects([], {}, "Argument endpoints of mock must be an object of endpoints: received an array");
    rejects({ title: "Books" }, {}, "Argument endpoints of mock must contain an endpoint: received none");
    rejects(
      { showBook, authors: { showBook } },
      {},
      "Argument endpoints of mock must be flat: write ...authors in place of authors",
    );
    rejects({}, { sed: 1 }, 'Option "sed" of mock is unknown: did you mean seed?');
    rejects({}, { fc: {} }, 'Option fc must be the module fast-check: import fc from "fast-check": received an object');
    rejects({}, { fc: null }, 'Option fc must be the module fast-check: import fc from "fast-check": received null');
    rejects(
      { it: { method: "GET", path: "/x", responses: { 200: null } } },
      {},
      "response 200 of GET /x must be an object: received null",
    );
    rejects({}, { seed: 0.5 }, "Option seed must be a whole number: received a number");
    rejects({}, { toJsonSchema: 1 }, "Option toJsonSchema must be a function: received a number");
    rejects(
      { showBook },
      { fc, choose: { showBok: () => 404 } },
      'Option "showBok" of choose of mock is unknown: did you mean showBook?',
    );
    rejects(
      { showBook },
      { fc, choose: { showBook: 404 } },
      "Option choose.showBook must be a function: received a number",
    );
    rejects(
      { showBook },
      { fc, validator: { validate: "" } },
      "Option validator must be a validator, such as standardSchema of @fw/core/standard-schema: received an object",
    );
  });

  it("must have what generates a body that no example gives", () => {
    rejects(
      { addBook },
      {},
      "response 201 of POST /books must have examples, or mock the option fc, which generates values: " +
        'import fc from "fast-check"',
    );
    rejects(
      { it: x({ 200: { schema: (value: unknown) => value === 1 } }) },
      { fc },
      "Schema of response 200 of GET /x must be expressible as JSON Schema, or the response have examples: " +
        'it has no "~standard".jsonSchema, and there is no toJsonSchema that knows it',
    );
    rejects(
      { it: x({ 200: { schema: book, examples: [] as never } }) },
      { fc },
      "Option examples of response 200 of GET /x must be an object of bodies by name: received an array",
    );
  });
});
