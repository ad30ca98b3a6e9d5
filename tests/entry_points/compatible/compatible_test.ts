/** What `compatible` finds beside schemas: operations, parameters, bodies, responses, security, deprecation. */
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, type ResponseHeader } from "../../../mod.ts";
import { form } from "../../../src/body/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { compatible } from "../../../src/compatible/mod.ts";
import { assertLinear } from "../../support/count_work.ts";
import { documentOfOperation, documentWith, worstOf } from "./compare_documents.ts";

const ok = { responses: { 200: { description: "" } } };
const changesOf = (before: object, after: object) =>
  compatible(before, after).map(({ level, operation, what }) => `${level}: ${operation} ${what}`);
/** The changes of one operation. */
const ofOperation = (before: object, after: object, more: object = {}, others: object = more) =>
  compatible(documentOfOperation(before, more), documentOfOperation(after, others)).map(({ level, what }) =>
    `${level}: ${what}`
  );
const text = { type: "string" };
const json = (schema: unknown) => ({ content: { "application/json": { schema } } });

describe("compatible() on endpoints of this module", () => {
  const book = z.object({
    id: z.string(),
    title: z.string().max(50),
    kind: z.enum(["a", "b"]),
    n: z.int().optional(),
    who: z.string().nullable(),
  });
  const emma = { id: "1", title: "Emma", kind: "a", who: null } as const;
  const body = z.object({ title: z.string().max(50), kind: z.enum(["a", "b"]), note: z.string().optional() });
  const query = z.object({ limit: z.coerce.number().max(100).optional() });
  const etag = { etag: { required: true } };
  const list = (q: unknown, item: z.ZodType = book) =>
    endpoint.get("/books", { request: { query: q }, responses: { 200: { schema: z.array(item) } } });
  const show = (
    schema: unknown = book,
    headers: Record<string, ResponseHeader> = etag,
    path = "/books/:id",
    more: object = {},
  ) => endpoint.get(path, { ...more, responses: { 200: { schema, headers }, 404: {} } });
  const add = (input: unknown) =>
    endpoint.post("/books", { request: { body: input }, responses: { 201: { schema: book } } });
  const base = { list: list(query), show: show(), add: add(body) };
  const documentOf = (endpoints: object) =>
    openapi({ info: { title: "", version: "" }, endpoints, securitySchemes: { token: { type: "http" } } });

  const cases: readonly (readonly [name: string, breaks: boolean, after: object])[] = [
    ["nothing", false, base],
    ["an example is new", false, {
      ...base,
      show: endpoint.get("/books/:id", {
        responses: { 200: { schema: book, headers: etag, examples: { emma } }, 404: {} },
      }),
    }],
    ["an endpoint is removed", true, { show: base.show, add: base.add }],
    ["a path is another", true, { ...base, show: show(book, etag, "/book/:id") }],
    ["a parameter of a path has another name", false, { ...base, show: show(book, etag, "/books/:slug") }],
    ["an endpoint is new", false, { ...base, more: show(book, etag, "/more") }],
    ["a method is another", true, {
      ...base,
      add: endpoint.put("/books", { request: { body }, responses: { 201: { schema: book } } }),
    }],
    ["credentials are demanded", true, {
      ...base,
      show: show(book, etag, "/books/:id", { docs: { security: [{ token: [] }] } }),
    }],
    ["a query key is required", true, {
      ...base,
      list: list(z.object({ limit: z.coerce.number().max(100) }).required()),
    }],
    ["an optional query key is new", false, { ...base, list: list(query.extend({ tag: z.string().optional() })) }],
    ["a required query key is new", true, { ...base, list: list(query.extend({ tag: z.string() })) }],
    ["a required key of a body is new", true, { ...base, add: add(body.extend({ x: z.string() })) }],
    ["an optional key of a body is new", false, { ...base, add: add(body.extend({ x: z.string().optional() })) }],
    ["a key of a body with a default is new", false, {
      ...base,
      add: add(body.extend({ x: z.string().default("a") })),
    }],
    ["a key of a body is required", true, { ...base, add: add(body.required()) }],
    ["keys of a body are optional", false, { ...base, add: add(body.partial()) }],
    ["a value of a body is gone", true, { ...base, add: add(body.extend({ kind: z.enum(["a"]) })) }],
    ["a value of a body is new", false, { ...base, add: add(body.extend({ kind: z.enum(["a", "b", "c"]) })) }],
    ["a text of a body is shorter", true, { ...base, add: add(body.extend({ title: z.string().max(10) })) }],
    ["a text of a body is longer", false, { ...base, add: add(body.extend({ title: z.string().max(90) })) }],
    ["a text of a body has a pattern", true, {
      ...base,
      add: add(body.extend({ title: z.string().max(50).regex(/a/) })),
    }],
    ["a type of a body is another", true, { ...base, add: add(body.extend({ title: z.number() })) }],
    ["a type of a body is wider", false, {
      ...base,
      add: add(body.extend({ title: z.union([z.string(), z.number()]) })),
    }],
    ["a body is a form", true, {
      ...base,
      add: endpoint.post("/books", { request: { body, bodyReader: form }, responses: { 201: { schema: book } } }),
    }],
    ["a strict body lacks a key", true, {
      ...base,
      add: add(z.strictObject({ title: z.string().max(50), kind: z.enum(["a", "b"]) })),
    }],
    ["a key of a response is gone", true, { ...base, show: show(book.omit({ title: true })) }],
    ["a key of a response is new", false, { ...base, show: show(book.extend({ x: z.string() })) }],
    ["a key of a response is optional", true, {
      ...base,
      show: show(book.extend({ title: z.string().max(50).optional() })),
    }],
    ["a key of a response is required", false, { ...base, show: show(book.extend({ n: z.int() })) }],
    ["a key of a response may be null", true, {
      ...base,
      show: show(book.extend({ title: z.string().max(50).nullable() })),
    }],
    ["a key of a response is null no more", false, { ...base, show: show(book.extend({ who: z.string() })) }],
    ["a value of a response is new", true, { ...base, show: show(book.extend({ kind: z.enum(["a", "b", "c"]) })) }],
    ["a value of a response is gone", false, { ...base, show: show(book.extend({ kind: z.enum(["a"]) })) }],
    ["an integer of a response is a number", true, { ...base, show: show(book.extend({ n: z.number().optional() })) }],
    ["a key of an item is gone", true, { ...base, list: list(query, book.omit({ id: true })) }],
    ["a media type is another", true, {
      ...base,
      show: endpoint.get("/books/:id", {
        responses: { 200: { schema: book, headers: etag, contentType: "application/vnd.book" }, 404: {} },
      }),
    }],
    ["a required header is gone", true, { ...base, show: show(book, {}) }],
    ["a header is optional", true, { ...base, show: show(book, { etag: {} }) }],
    ["a status of success is new", true, {
      ...base,
      show: endpoint.get("/books/:id", { responses: { 200: { schema: book, headers: etag }, 202: {}, 404: {} } }),
    }],
    ["a status of an error is new", false, {
      ...base,
      show: endpoint.get("/books/:id", { responses: { 200: { schema: book, headers: etag }, 404: {}, 410: {} } }),
    }],
  ];
  for (const [name, breaks, after] of cases) {
    it(`${breaks ? "is breaking" : "is not breaking"} if ${name}`, () => {
      const changes = compatible(documentOf(base), documentOf(after));
      assertEquals(worstOf(changes) === "breaking", breaks, JSON.stringify(changes));
      if (name === "nothing" || name === "an example is new") assertEquals(changes, []);
    });
  }
});

describe("compatible() on operations", () => {
  it("matches paths by their shape, and methods of OpenAPI 3.2, too", () => {
    const before = documentWith({
      "/a/{id}": { get: { ...ok, parameters: [{ name: "id", in: "path", required: true, schema: text }] }, query: ok },
      "/b": { additionalOperations: { LINK: ok, COPY: ok } },
      "x-internal": { get: ok },
    });
    const after = documentWith({
      "/a/{name}": {
        get: { ...ok, parameters: [{ name: "name", in: "path", required: true, schema: { type: "integer" } }] },
      },
      "/b": { additionalOperations: { LINK: ok }, head: ok },
    });
    assertEquals(changesOf(before, after), [
      'breaking: GET /a/{id} path parameter "name": type was string, is integer',
      "breaking: QUERY /a/{id} is removed",
      "breaking: COPY /b is removed",
      "safe: HEAD /b is new",
    ]);
  });

  it("reads a part of a path that no parameter describes as any text", () => {
    const inPath = (path: string, ...parameters: readonly object[]) =>
      documentWith({ [path]: { get: ok, parameters } });
    const id = (schema: object) => ({ name: "id", in: "path", required: true, schema });
    // A parameter that the path does not have may come and go.
    assertEquals(changesOf(inPath("/a/{no}", id(text)), inPath("/a/{id}", id(text))), []);
    assertEquals(changesOf(inPath("/a"), inPath("/a", id(text))), []);
    assertEquals(changesOf(inPath("/a", id(text)), inPath("/a", id({ type: "null" }))), [
      'breaking: GET /a path parameter "id": type was string, is null',
    ]);
    assertEquals(changesOf(inPath("/a/{id}"), inPath("/a/{id}", id({ type: "integer" }))), [
      'breaking: GET /a/{id} path parameter "id": type was string, is integer',
    ]);
    assertEquals(changesOf(inPath("/a/{id}", id({ type: "integer" })), inPath("/a/{id}")), [
      'safe: GET /a/{id} path parameter "id": may be any text now',
    ]);
  });

  it("follows references to path items, parameters, bodies, responses and headers", () => {
    const components = (schema: object) => ({
      pathItems: {
        P: {
          get: {
            parameters: [{ $ref: "#/components/parameters/A" }],
            requestBody: { $ref: "#/components/requestBodies/B" },
            responses: { 200: { $ref: "#/components/responses/C" } },
          },
        },
      },
      parameters: { A: { name: "a", in: "query", schema } },
      requestBodies: { B: json(schema) },
      responses: { C: { ...json(schema), headers: { D: { $ref: "#/components/headers/D" } } } },
      headers: { D: { schema } },
    });
    const documentOf = (schema: object) =>
      documentWith({ "/": { $ref: "#/components/pathItems/P" } }, { components: components(schema) });
    assertEquals(changesOf(documentOf(text), documentOf({ type: "null" })), [
      'breaking: GET / query parameter "a": type was string, is null',
      "breaking: GET / request body: type was string, is null",
      "breaking: GET / response 200: type was string, is null",
      'breaking: GET / header "d" of response 200: type was string, is null',
    ]);
  });

  it("finds another operationId, since generated clients have it", () => {
    assertEquals(ofOperation({ operationId: "a" }, { operationId: "b" }), [
      'risky: operationId was "a", is "b": generated clients have it as a name',
    ]);
    assertEquals(ofOperation({}, { operationId: "b" }), []);
  });

  it("finds servers that are gone", () => {
    const of = (...urls: readonly string[]) => documentWith({}, { servers: urls.map((url) => ({ url })) });
    assertEquals(compatible(of("/a", "/b"), of("/b", "/c")), [{
      level: "risky",
      operation: "",
      at: "/servers/0",
      what: 'server "/a" is removed',
    }]);
    assertEquals(compatible(of("https://a.example/"), of("https://a.example")), []);
    // Without servers, paths start at the root.
    assertEquals(compatible(documentWith({}), of("https://a.example")), []);
    assertEquals(changesOf(documentWith({}), of("/c")), ['risky:  server "/" is removed']);
    assertEquals(changesOf(documentWith({}), of("https://a.example/v2")), ['risky:  server "/" is removed']);
  });

  it("knows the same url by another entry, with variables or without", () => {
    const of = (...servers: readonly object[]) => documentWith({}, { servers });
    const regions = (...all: readonly string[]) => ({
      url: "https://{region}.example",
      variables: { region: { default: all[0], enum: all } },
    });
    const [eu, us] = [{ url: "https://eu.example" }, { url: "https://us.example/" }];
    assertEquals(changesOf(of(regions("eu", "us")), of(us, eu)), []);
    assertEquals(changesOf(of(eu), of(regions("us", "eu"))), []);
    assertEquals(changesOf(of(regions("eu", "us")), of(regions("us"))), [
      'risky:  server "https://eu.example" is removed',
    ]);
    const free = (usual: string) => ({ url: "https://{region}.example", variables: { region: { default: usual } } });
    assertEquals(changesOf(of(free("eu")), of(free("us"))), []);
    assertEquals(changesOf(of(eu), of(free("eu"))), []);
    assertEquals(changesOf(of(free("eu")), of(eu)), ['risky:  server "https://{region}.example" is removed']);
    const many = Object.fromEntries(Array.from("abcdefgh", (name) => [name, { default: "0", enum: ["0", "1", "2"] }]));
    const all = { url: `https://${Object.keys(many).map((name) => `{${name}}`).join(".")}`, variables: many };
    assertEquals(changesOf(of(all), of(all)), []);
  });

  it("ignores parameters that OpenAPI ignores: the headers Accept, Content-Type and Authorization", () => {
    const of = (...names: readonly string[]) =>
      documentWith({
        "/x": {
          get: {
            parameters: names.map((name) => ({ name, in: "header", required: true, schema: { type: "string" } })),
          },
        },
      });
    assertEquals(changesOf(of(), of("Accept", "content-type", "AUTHORIZATION")), []);
    assertEquals(changesOf(of("Accept"), of()), []);
    assertEquals(changesOf(of(), of("X-Accept")).length, 1);
  });

  it("compares an enum of integers with a range of them", () => {
    const of = (schema: object) =>
      documentWith({
        "/x": {
          get: {
            parameters: [{ name: "n", in: "query", schema }],
            responses: { 200: { description: "", content: { "application/json": { schema } } } },
          },
        },
      });
    const listed = { type: "integer", enum: [1, 2, 3] };
    const range = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum });
    assertEquals(changesOf(of(listed), of(range(1, 3))), []);
    assertEquals(changesOf(of(range(1, 3)), of(listed)), []);
    assertEquals(changesOf(of(listed), of({ ...range(1, 3), multipleOf: 1.5 })).length > 0, true);
    assertEquals(changesOf(of(listed), of(range(1, 4))).length, 2);
    assertEquals(changesOf(of(range(1, 4)), of(listed)).length, 2);
    assertEquals(changesOf(of(listed), of({ type: "integer", minimum: 1 })).length > 0, true);
    assertEquals(changesOf(of(listed), of({ type: "number", minimum: 1, maximum: 3 })).length > 0, true);
    assertEquals(changesOf(of(listed), of(range(1, 100_000))).length > 0, true);
  });

  it("finds servers of a path or an operation that are gone", () => {
    const servers = (url: string) => ({ servers: [{ url }] });
    const of = (item: object, more: object = {}) => documentWith({ "/x": { ...item, get: { ...ok, ...more } } });
    const changed = compatible(of(servers("/a"), servers("/b")), of(servers("/b")));
    assertEquals(changed, []);
    assertEquals(compatible(of(servers("/a")), of({}, servers("/b"))), [{
      level: "risky",
      operation: "GET /x",
      at: "/paths/~1x/servers/0",
      what: 'server "/a" is removed',
    }]);
    assertEquals(changesOf(of({}), of({}, servers("/b"))), ['risky: GET /x server "/" is removed']);
  });

  it("points at places that one of the documents has", () => {
    const of = (status: string, name: string, schema: object) =>
      documentOfOperation({
        responses: { [status]: { ...json(schema), headers: { [name]: { schema } } }, "x-note": {} },
      });
    const [before, after] = [of("default", "X-A", text), of("default", "x-a", { type: "integer" })];
    assertEquals(compatible(before, after).map(({ at }) => at), [
      "/paths/~1x/post/responses/default/content/application~1json/schema",
      "/paths/~1x/post/responses/default/headers/x-a/schema",
    ]);
    assertEquals(
      compatible(before, documentOfOperation({ responses: { default: {} } })).at(-1)?.at,
      [
        "/paths/~1x/post/responses/default/headers/X-A",
      ].join(),
    );
    assertEquals(ofOperation({}, { responses: { 204: { description: "" }, "x-note": {} } }), []);
  });

  it("names one change for each place after 30,000, with the worst level", () => {
    const keys = (more: object) =>
      Object.fromEntries(Array.from({ length: 310 }, (_, n) => [`k${n}`, { ...text, ...more }]));
    const documentOf = (more: object) => {
      const Book = { properties: keys(more), required: ["k1"] };
      const get = { responses: { 200: json({ $ref: "#/components/schemas/Book" }) } };
      const same = { responses: { 200: json({ $ref: "#/components/schemas/Same" }) } };
      return documentWith(
        Object.fromEntries(
          Array.from({ length: 110 }, (_, n) => [`/p${n}`, { get, ...(n === 109 ? { put: same } : {}) }]),
        ),
        { components: { schemas: { Book, Same: { allOf: [text, more === undefined ? {} : { type: "string" }] } } } },
      );
    };
    const changes = compatible(documentOf({ maxLength: 5 }), documentOf({}));
    assertEquals(changes.length < 31_000, true, `${changes.length}`);
    assertEquals(changes.at(-1), {
      level: "breaking",
      operation: "GET /p109",
      at: "/paths/~1p109/get/responses/200/content/application~1json/schema",
      what: "response 200: has changed, too: there are too many changes to list each",
    });
  });

  it("compares 500 operations by one look at each schema that they share", () => {
    const documentOf = (length: number, more: object) =>
      documentWith(
        Object.fromEntries(
          Array.from(
            { length },
            (_, n) => [`/p${n}`, { get: { responses: { 200: json({ $ref: "#/components/schemas/Book" }) } } }],
          ),
        ),
        {
          components: {
            schemas: {
              Book: {
                properties: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, { ...text, ...more }])),
              },
            },
          },
        },
      );
    assertLinear(
      (length) => assertEquals(compatible(documentOf(length, {}), documentOf(length, { title: "A" })), []),
      100,
    );
    assertEquals(compatible(documentOf(500, {}), documentOf(500, { minLength: 1 })).length, 25_000);
  });
});

describe("compatible() on parameters", () => {
  const query = (more: object) => ({ parameters: [{ name: "q", in: "query", schema: text, ...more }] });
  const place = 'query parameter "q"';

  it("finds what is new, required, gone, or written in another way", () => {
    const cases: readonly (readonly [before: object, after: object, ...changes: readonly string[]])[] = [
      [{}, query({}), `safe: ${place}: is new`],
      [{}, query({ required: true }), `breaking: ${place}: is new and required`],
      [query({}), query({ required: true }), `breaking: ${place}: is required now`],
      [query({ required: true }), query({}), `safe: ${place}: is optional now`],
      [query({}), {}, `risky: ${place}: is removed, and no longer read`],
      [query({ deprecated: true, "x-sunset": "2020-01-01" }), {}, `safe: ${place}: is removed, and no longer read`],
      [query({ in: "header" }), query({ in: "header", name: "Q" })],
      [
        query({ in: "header" }),
        query({}),
        'risky: header "q": is removed, and no longer read',
        `safe: ${place}: is new`,
      ],
      [
        query({ schema: { type: "array" } }),
        query({ schema: { type: "array" }, explode: false }),
        `risky: ${place}: is written in another way`,
      ],
      [query({}), query({ style: "form", explode: true })],
      [
        query({ in: "cookie" }),
        query({ in: "cookie", style: "simple" }),
        'risky: cookie "q": is written in another way',
      ],
      [query({ allowEmptyValue: true }), query({}), `risky: ${place}: may no longer be empty`],
      [query({ schema: { type: "integer" } }), query({}), `safe: ${place}: may be any text now`],
      [query({}), query({ schema: { type: "integer" } }), `breaking: ${place}: type was string, is integer`],
      [
        query({ schema: { type: "integer" } }),
        query({ schema: { type: "array", items: text } }),
        `risky: ${place}: is a list now`,
        `safe: ${place}: may be any text now`,
      ],
      [
        query({ schema: { type: "integer" } }),
        query({ schema: { type: "array", items: { type: "boolean" } } }),
        `risky: ${place}: is a list now`,
        `breaking: ${place}: type was integer, is boolean`,
      ],
      [query({ schema: { ...text, maxLength: 5 } }), query({}), `safe: ${place}: maxLength was 5, is gone`],
      // Values are text in a url.
      [query({ schema: { type: ["string", "integer"] } }), query({})],
      [
        query({ schema: { type: ["string", "integer"] } }),
        query({ schema: { ...text, maxLength: 5 } }),
        `breaking: ${place}: integer is no longer allowed`,
        `breaking: ${place}: maxLength is new: 5`,
      ],
      [query({ schema: { type: "boolean" } }), query({ schema: { ...text, enum: ["true", "false"] } })],
      [
        query({ schema: { enum: [1, 2] } }),
        query({ schema: { enum: ["2", "3"] } }),
        `breaking: ${place}: 1 is no longer allowed`,
        `safe: ${place}: 3 is allowed now`,
      ],
      [
        query({ schema: { type: "integer" } }),
        query({ schema: { ...text, pattern: "^[0-9]+$" } }),
        `risky: ${place}: type was integer, is string`,
      ],
      [
        query({ schema: { type: "integer" } }),
        query({ schema: { ...text, format: "date" } }),
        `breaking: ${place}: type was integer, is string`,
      ],
      [
        query({ schema: { type: "integer" } }),
        query({ schema: { ...text, enum: ["a"] } }),
        `breaking: ${place}: type was integer, is string`,
      ],
      [query({ schema: { type: ["integer", "null"] } }), query({ schema: { type: "integer" } })],
      [query({ schema: { type: "integer" } }), query({ schema: { type: "integer" }, explode: false })],
      [
        query({ schema: undefined }),
        query({}),
        `breaking: ${place}: object or array is no longer allowed`,
      ],
      [
        query({ schema: undefined, ...json(text) }),
        query({ schema: undefined, ...json({ type: "null" }) }),
        `breaking: ${place}: type was string, is null`,
      ],
      [query({}), query({ schema: undefined, ...json(text) }), `risky: ${place}: is written in another way`],
      [{ parameters: [{ name: "q" }, null, 1] }, { parameters: "none" }],
    ];
    for (const [before, after, ...changes] of cases) {
      assertEquals(ofOperation(before, after), changes, JSON.stringify(after));
    }
  });

  it("reads those of the path item, which those of an operation replace", () => {
    const item = (...parameters: readonly object[]) =>
      documentWith({ "/x": { parameters, get: ok, post: { ...ok, ...query({}) } } });
    const [changed = fail()] = compatible(
      item({ name: "q", in: "query", schema: text }),
      item({ name: "q", in: "query", schema: { type: "null" } }),
    );
    assertEquals([changed.operation, changed.at], ["GET /x", "/paths/~1x/parameters/0/schema"]);
  });
});

describe("compatible() on bodies", () => {
  const body = (types: object, required = true) => ({ requestBody: { required, content: types } });
  const responses = (types: object, more: object = {}) => ({ responses: { 200: { content: types, ...more } } });
  const any = { "application/json": {} };

  it("finds what is new, required or gone", () => {
    assertEquals(ofOperation({}, body(any)), ["breaking: request body: is new and required"]);
    assertEquals(ofOperation({}, body(any, false)), ["safe: request body: is new"]);
    assertEquals(ofOperation(body(any), {}), ["breaking: request body: is removed"]);
    assertEquals(ofOperation(body(any, false), body(any)), ["breaking: request body: is required now"]);
    assertEquals(ofOperation(body(any), body(any, false)), ["safe: request body: is optional now"]);
    assertEquals(ofOperation(responses(any), { responses: { 200: {} } }), [
      "breaking: response 200: has no body any more",
    ]);
    assertEquals(ofOperation({ responses: { 200: {} } }, responses(any)), [
      "safe: response 200: media type application/json is new",
    ]);
  });

  it("compares media types, ranges of them and parameters", () => {
    const types = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));
    const cases: readonly (readonly [before: object, after: object, inRequest: string, inResponse: string])[] = [
      [types("a/b"), types("A/B"), "none", "none"],
      [types("a/b"), types("a/c"), "breaking", "breaking"],
      [types("a/b"), types("a/b", "a/c"), "safe", "safe"],
      [types("a/b"), types("a/*"), "none", "breaking"],
      [types("a/*"), types("a/b"), "breaking", "none"],
      [types("*/*"), types("a/b"), "breaking", "none"],
      [types("a/b"), types("a/b; c=d"), "risky", "risky"],
      [types("a/b;c=d"), types("a/b; c=d"), "none", "none"],
      // A client may read any JSON, or only what is called `application/json`.
      [types("application/json"), types("application/problem+json"), "breaking", "risky"],
      [types("application/problem+json"), types("application/json"), "breaking", "breaking"],
      [types("application/json", "a/b+json"), types("a/b+json"), "breaking", "breaking"],
      [types("text/xml"), types("a/b+xml; c=d"), "breaking", "risky"],
      [types("a/json"), types("a/b+xml"), "breaking", "breaking"],
    ];
    for (const [before, after, inRequest, inResponse] of cases) {
      const found = [body, responses].map((documentOf) =>
        worstOf(compatible(documentOfOperation(documentOf(before)), documentOfOperation(documentOf(after))))
      );
      assertEquals(found, [inRequest, inResponse], JSON.stringify([before, after]));
    }
  });

  it("compares the media types of the files of a form, and their length in bytes", () => {
    const form = (
      photo: readonly [types: string | undefined, maxLength: number],
      side: (types: object) => object = body,
    ) => {
      const [contentType, maxLength] = photo;
      const properties = { photo: { type: "string", format: "binary", maxLength } };
      const encoding = contentType === undefined ? {} : { encoding: { photo: { contentType } } };
      return side({ "multipart/form-data": { schema: { type: "object", properties }, ...encoding } });
    };
    const cases: readonly (readonly [Parameters<typeof form>[0], Parameters<typeof form>[0], readonly string[]])[] = [
      [["image/png", 10], ["image/png", 10], []],
      [["image/png, image/gif", 10], ["image/gif, image/png", 10], []],
      [["image/png", 10], ["image/*", 20], [
        "safe: request body, photo: maxLength was 10, is 20",
        "safe: request body, photo: media type image/* is new",
      ]],
      [["image/*, text/csv", 10], ["image/png,text/csv", 5], [
        "breaking: request body, photo: maxLength was 10, is 5",
        "breaking: request body, photo: media type image/* is removed",
      ]],
      [["image/png", 10], [undefined, 10], ["safe: request body, photo: any media type is accepted now"]],
      [[undefined, 10], ["image/png", 10], ["risky: request body, photo: only image/png is accepted now"]],
    ];
    for (const [before, after, expected] of cases) assertEquals(ofOperation(form(before), form(after)), expected);
    assertEquals(ofOperation(form(["a/b", 10], responses), form(["a/c", 10], responses)), [
      "risky: response 200, photo: encoding has changed",
    ]);
    // A new file is a new property, and nothing else.
    const without = body({ "multipart/form-data": { schema: { type: "object", properties: {} } } });
    assertEquals(ofOperation(without, form(["image/png", 10])).filter((text) => text.includes("media type")), []);
  });

  it("tells a part of a form that becomes a file, or is one no more", () => {
    const form = (photo: object, contentType?: string) => {
      const schema = { type: "object", properties: { photo } };
      const encoding = contentType === undefined ? {} : { encoding: { photo: { contentType } } };
      return body({ "multipart/form-data": { schema, ...encoding } });
    };
    const file = { type: "string", format: "binary" };
    const [isFile, isField] = ["is a file now, and no field", "is a field now, and no file"];
    const cases: readonly (readonly [before: object, after: object, expected: string])[] = [
      [form({ type: "string" }), form(file), isFile],
      [form(file), form({ type: ["string", "null"] }), isField],
      [form(file, "image/png"), form({ type: "integer" }), isField],
      [form({ type: "array", items: file }), form({ type: "array", items: { type: "string" } }), isField],
      [form({ type: "string", contentMediaType: "application/octet-stream" }), form({ type: "boolean" }), isField],
      [form(file), form({ type: "array", items: file }), ""],
      // These may be files, as OpenAPI 3.1 describes them.
      [form(file), form({}), ""],
      [form(file), form({ type: "string", contentMediaType: "image/png" }), ""],
      [form(file), form({ type: "string", contentEncoding: "base64" }), ""],
      [form(file), form({ type: "string", format: "byte" }), ""],
      [form(file), form({ type: "string" }, "image/png"), ""],
      [form(file), form({ $ref: "#/components/schemas/unknown" }), ""],
    ];
    for (const [before, after, expected] of cases) {
      const found = ofOperation(before, after).filter((text) => / is a (file|field) now/.test(text));
      const told = expected === "" ? [] : [`breaking: request body, photo: ${expected}`];
      assertEquals(found, told, JSON.stringify([before, after]));
    }
  });

  it("compares schemas, those of the items of a stream, and encodings", () => {
    const media = (type: string, more: object) => ({ [type]: more });
    assertEquals(ofOperation(body(any), body(media("application/json", { schema: text }))), [
      "breaking: request body: has a schema now",
    ]);
    assertEquals(ofOperation(responses(any), responses(media("application/json", { schema: text }))), [
      "safe: response 200: has a schema now",
    ]);
    assertEquals(ofOperation(body(media("application/json", { schema: text })), body(any)), [
      "safe: request body: has no schema any more",
    ]);
    assertEquals(
      ofOperation(
        responses(media("application/json", { schema: text })),
        responses(media("application/json", { schema: true })),
      ),
      ["risky: response 200: has no schema any more"],
    );
    assertEquals(
      ofOperation(
        responses(media("text/event-stream", { itemSchema: text })),
        responses(media("text/event-stream", { itemSchema: { type: "null" } })),
      ),
      ["breaking: response 200, each item: type was string, is null"],
    );
    assertEquals(ofOperation(body(media("a/b", {})), body(media("a/b", { encoding: { a: { style: "form" } } }))), [
      "risky: request body, a: encoding has changed",
    ]);
    // XML has no types.
    assertEquals(
      ofOperation(
        body(media("application/xml", { schema: text })),
        body(media("application/xml", { schema: { type: "number" } })),
      ),
      ["breaking: request body: type was string, is number"],
    );
    for (const type of ["application/xml", "multipart/form-data", "application/x-www-form-urlencoded"]) {
      assertEquals(
        ofOperation(body(media(type, { schema: { type: "number" } })), body(media(type, { schema: text }))),
        ["risky: request body: may be any text now"],
        type,
      );
    }
    // OpenAPI 3.1 has this media type in place of the format of OpenAPI 3.0.
    const file = (schema: object) => body(media("multipart/form-data", { schema: { properties: { file: schema } } }));
    assertEquals(
      ofOperation(
        file({ ...text, format: "binary" }),
        file({ ...text, contentMediaType: "application/octet-stream" }),
      ),
      [],
    );
    const components = (schema: object) => ({ components: { mediaTypes: { M: { schema } } } });
    assertEquals(
      ofOperation(
        body({ "application/json": { $ref: "#/components/mediaTypes/M" } }),
        body({ "application/json": { $ref: "#/components/mediaTypes/M" } }),
        components(text),
        components({ type: "null" }),
      ),
      ["breaking: request body: type was string, is null"],
    );
    const atXml = (schema: object) => documentWith({ "/xml": { post: { ...ok, ...body(media("a/b", { schema })) } } });
    assertEquals(worstOf(compatible(atXml(text), atXml({ type: "number" }))), "breaking");
    assertEquals(
      ofOperation(
        body(media("a/b+xml", { schema: text })),
        body(media("a/b+xml", { schema: { type: ["string", "null"] } })),
      ),
      ["safe: request body: null is allowed now"],
    );
    const two = { "application/json": { schema: text }, "text/plain": {} };
    assertEquals(ofOperation(body(two), body({ ...two, "application/json": { schema: { type: "null" } } })), [
      "breaking: request body (application/json): type was string, is null",
    ]);
  });
});

describe("compatible() on responses", () => {
  const of = (...statuses: readonly string[]) => ({
    responses: Object.fromEntries(statuses.map((status) => [status, {}])),
  });

  it("finds statuses that clients do not know, and those that are gone", () => {
    assertEquals(ofOperation(of("200"), of("200", "201")), [
      "breaking: response 201: is new, and clients do not know it",
    ]);
    assertEquals(ofOperation(of("200"), of("200", "404", "default")), [
      "risky: response 404: is new",
      "risky: response default: is new",
    ]);
    const ranges = of("200", "2xx", "default");
    assertEquals(ofOperation(ranges, of("200", "201", "500")), [
      "safe: response 2xx: is no longer sent",
      "safe: response default: is no longer sent",
    ]);
    assertEquals(ofOperation(of("2XX"), of("404")), [
      "risky: response 404: is new",
      "risky: response 2XX: is no longer sent",
    ]);
    assertEquals(ofOperation(of("200", "404"), of("2XX")), [
      "breaking: response 2XX: is new, and clients do not know it",
      "safe: response 404: is no longer sent",
    ]);
    assertEquals(ofOperation(of("200", "201"), of("201")), ["risky: response 200: is no longer sent"]);
  });

  it("compares a status with the range that describes it", () => {
    const before = { responses: { "2XX": json(text) } };
    const after = { responses: { 200: json({ type: "null" }), "2XX": json(text) } };
    assertEquals(ofOperation(before, after), ["breaking: response 200: type was string, is null"]);
    assertEquals(ofOperation(after, before), ["breaking: response 200: type was null, is string"]);
  });

  it("compares headers, whose names have no case", () => {
    const headers = (value: object) => ({ responses: { 200: { headers: value } } });
    assertEquals(ofOperation(headers({ ETag: { required: true } }), headers({ etag: {} })), [
      'breaking: header "etag" of response 200: is optional now',
    ]);
    assertEquals(ofOperation(headers({ a: {} }), headers({ a: { required: true }, b: {} })), [
      'safe: header "a" of response 200: is required now',
      'safe: header "b" of response 200: is new',
    ]);
    assertEquals(ofOperation(headers({ a: {}, b: { required: true } }), headers({})), [
      'risky: header "a" of response 200: is removed',
      'breaking: header "b" of response 200: is removed',
    ]);
    assertEquals(ofOperation(headers({ a: { schema: text } }), headers({ a: {} })), [
      'breaking: header "a" of response 200: null or object or array is allowed now',
    ]);
    const written = headers({ a: json(text) });
    assertEquals(ofOperation(written, headers({ a: json({ type: "null" }) })), [
      'breaking: header "a" of response 200: type was string, is null',
    ]);
    for (const other of [headers({ a: { schema: text } }), headers({ a: { explode: true } })]) {
      assertEquals(ofOperation(written, other), ['risky: header "a" of response 200: is written in another way']);
    }
    // A number is text in a header, but not every text is a number.
    const [any, integer] = [headers({ a: { schema: text } }), headers({ a: { schema: { type: "integer" } } })];
    assertEquals(ofOperation(any, integer), [
      'safe: header "a" of response 200: type was string, is integer',
    ]);
    assertEquals(ofOperation(integer, any), ['breaking: header "a" of response 200: type was integer, is string']);
    const day = headers({ a: { schema: { ...text, format: "date-time" } } });
    assertEquals(ofOperation(day, integer), ['breaking: header "a" of response 200: type was string, is integer']);
    assertEquals(ofOperation(any, headers({ a: { schema: { type: "null" } } })), [
      'breaking: header "a" of response 200: type was string, is null',
    ]);
  });
});

describe("compatible() on security", () => {
  const schemes = (securitySchemes: object) => ({ components: { securitySchemes } });
  const demand = (...security: readonly object[]) => ({ security });

  it("finds credentials that no longer suffice", () => {
    const cases: readonly (readonly [before: object, after: object, ...changes: readonly string[]])[] = [
      [{}, demand()],
      [{}, demand({})],
      [demand({ a: [] }), demand({ a: [] }, { b: [] }), "safe: security: b suffices now"],
      [demand({ a: [] }, { b: [] }), demand({ a: [] }), "breaking: security: b no longer suffices, a is demanded"],
      [demand({ a: [] }), demand({ a: [], b: [] }), "breaking: security: a no longer suffices, a with b is demanded"],
      [
        demand({ a: ["x"] }),
        demand({ a: ["x", "y"] }),
        "breaking: security: a (x) no longer suffices, a (x, y) is demanded",
      ],
      [demand({ a: ["x", "y"] }), demand({ a: ["x"] }), "safe: security: a (x) suffices now"],
      [demand({ a: [] }), {}, "safe: security: a request without credentials suffices now"],
      [{}, demand({ a: [] }), "breaking: security: a request without credentials no longer suffices, a is demanded"],
    ];
    for (const [before, after, ...changes] of cases) {
      assertEquals(ofOperation(before, after), changes, JSON.stringify(after));
    }
  });

  it("reads the security of the document, and finds schemes that have changed", () => {
    const token = { security: [{ token: [] }] };
    assertEquals(ofOperation({}, {}, {}, token), [
      "breaking: security: a request without credentials no longer suffices, token is demanded",
    ]);
    const http = { type: "http", scheme: "bearer" };
    const changed = (after: object) =>
      ofOperation({}, {}, { ...token, ...schemes({ token: http }) }, { ...token, ...schemes({ token: after }) });
    assertEquals(changed({ ...http, description: "A", bearerFormat: "JWT" }), []);
    assertEquals(changed({ type: "apiKey", in: "header", name: "a" }), [
      'breaking: security scheme "token" has changed',
    ]);
    assertEquals(ofOperation({}, {}, schemes({ token: http }), schemes({ token: {} })), []);
    assertEquals(changed({}), []);
  });

  it("tells schemes apart by what a request carries", () => {
    const flow = (more: object = {}) => ({
      type: "oauth2",
      flows: { a: { tokenUrl: "/a", scopes: { r: "" }, ...more } },
    });
    const bearer = { type: "http", scheme: "bearer" };
    const key = (name: string, where = "header") => ({ type: "apiKey", in: where, name });
    const risky = 'risky: security scheme "b" has changed';
    const lost = ["breaking: security: a no longer suffices, b is demanded", "safe: security: b suffices now"];
    const cases: readonly (readonly [before: object, after: object, ...changes: readonly string[]])[] = [
      [bearer, bearer],
      [bearer, { type: "http", scheme: "Bearer" }],
      [key("X-Key"), key("x-key")],
      [key("k", "query"), key("K", "query"), ...lost],
      [key("k"), key("k", "query"), ...lost],
      [bearer, { type: "http", scheme: "basic" }, ...lost],
      [flow(), flow({ scopes: { r: "Reads" } })],
      [flow(), flow({ tokenUrl: "/b" }), risky],
      [flow(), flow({ scopes: {} }), risky],
      [flow(), bearer, risky],
      [{ type: "openIdConnect", openIdConnectUrl: "/a" }, flow(), risky],
      // How such a key is written is not known.
      [key("Authorization"), bearer, ...lost],
    ];
    for (const [before, after, ...changes] of cases) {
      const [x, y] = [{ security: [{ a: [] }] }, { security: [{ b: [] }] }];
      assertEquals(ofOperation(x, y, schemes({ a: before }), schemes({ b: after })), changes, JSON.stringify(after));
    }
    // Another scheme that is there too, or that was, is not this one with a new name.
    const [user, admin] = [{ security: [{ user: [] }] }, { security: [{ admin: [] }] }];
    const [one, two] = [schemes({ user: bearer }), schemes({ user: bearer, admin: bearer })];
    for (const [before, after] of [[two, two], [one, two], [two, schemes({ admin: bearer })]] as const) {
      assertEquals(ofOperation(user, admin, before, after), [
        "breaking: security: user no longer suffices, admin is demanded",
        "safe: security: admin suffices now",
      ]);
    }
    const shared = { security: [{ token: [] }] };
    assertEquals(ofOperation(shared, shared, schemes({ token: key("Authorization") }), schemes({ token: bearer })), [
      'risky: security scheme "token" has changed',
    ]);
    assertEquals(
      ofOperation(
        shared,
        shared,
        schemes({ token: bearer }),
        schemes({ token: { $ref: "#/components/securitySchemes/b" } }),
      ),
      [],
    );
  });
});

describe("compatible() on what is deprecated", () => {
  const until = (day?: string) => ({ deprecated: true, ...(day === undefined ? {} : { "x-sunset": day }) });
  const removed = (before: object, today?: string | Date) =>
    compatible(documentOfOperation(before), documentWith({}), today === undefined ? {} : { today }).map((
      { level, what },
    ) => `${level}: ${what}`);

  it("accepts a removal from its day on, which is risky before", () => {
    const old = until("2027-01-01");
    assertEquals(removed(old, "2026-12-31"), ["risky: is removed, and was deprecated until 2027-01-01"]);
    assertEquals(removed(old, "2027-01-01"), ["safe: is removed, and was deprecated until 2027-01-01"]);
    assertEquals(removed(old, new Date("2028-01-01")), ["safe: is removed, and was deprecated until 2027-01-01"]);
    assertEquals(removed(until("2001-01-01")), ["safe: is removed, and was deprecated until 2001-01-01"]);
    assertEquals(removed(until(), "2099-01-01"), ["risky: is removed, and was deprecated"]);
    assertEquals(removed(until("soon"), "2099-01-01"), ["risky: is removed, and was deprecated until soon"]);
    assertEquals(removed({ "x-sunset": "2001-01-01" }), ["breaking: is removed"]);
    // A parser of YAML makes a date of it.
    assertEquals(removed({ deprecated: true, "x-sunset": new Date("2001-01-01") }), [
      "safe: is removed, and was deprecated until 2001-01-01",
    ]);
  });

  it("accepts the removal of a property and of a header likewise", () => {
    const response = (properties: object, headers: object) => ({
      responses: { 200: { ...json({ properties, required: Object.keys(properties) }), headers } },
    });
    const before = documentOfOperation(
      response({ a: until("2027-01-01") }, { b: { required: true, ...until("2027-01-01") } }),
    );
    const after = documentOfOperation(response({}, {}));
    const levels = (today: string) => compatible(before, after, { today }).map(({ level }) => level);
    assertEquals(levels("2026-01-01"), ["risky", "risky"]);
    assertEquals(levels("2027-01-01"), ["safe", "safe"]);
  });

  it("says what is deprecated, and until when", () => {
    assertEquals(ofOperation({}, until()), ["safe: is deprecated"]);
    assertEquals(ofOperation({}, until("2027-01-01")), ['risky: is deprecated, until "2027-01-01"']);
    assertEquals(ofOperation(until("2027-01-01"), {}), ["safe: is no longer deprecated"]);
    assertEquals(ofOperation(until("2027-01-01"), until("2027-01-01")), []);
    assertEquals(ofOperation(until("2027-01-01"), until("2028-01-01")), [
      "safe: was deprecated until 2027-01-01, is until 2028-01-01",
    ]);
    assertEquals(ofOperation(until("2027-01-01"), until("2026-01-01")), [
      "risky: was deprecated until 2027-01-01, is until 2026-01-01",
    ]);
    assertEquals(ofOperation(until(), until("2027-01-01")), [
      "risky: was deprecated until a day not named, is until 2027-01-01",
    ]);
    assertEquals(ofOperation(until("2027-01-01"), until()), [
      "risky: was deprecated until 2027-01-01, is until a day not named",
    ]);
  });

  it("knows the day of an endpoint from its docs", () => {
    const old = endpoint.get("/old", { docs: { deprecated: { sunset: "2027-01-01" } } });
    const info = { title: "", version: "" };
    const [before, after] = [openapi({ info, endpoints: { old } }), openapi({ info, endpoints: {} })];
    assertEquals(compatible(before, after, { today: "2027-01-01" }).map(({ level }) => level), ["safe"]);
  });
});

describe("compatible() on webhooks and callbacks", () => {
  const sent = (schema: object, response: object = {}, more: object = {}) => ({
    post: { requestBody: json(schema), responses: { 200: response }, ...more },
  });
  const few = { enum: ["a"] };
  const many = { enum: ["a", "b"] };

  it("reads what the API sends as a response, and what it receives as a request", () => {
    const of = (item: object) => documentWith({}, { webhooks: { added: item } });
    assertEquals(changesOf(of(sent(few)), of(sent(many))), ['breaking: POST added body: "b" is allowed now']);
    assertEquals(changesOf(of(sent(few, json(many))), of(sent(few, json(few)))), [
      'breaking: POST added response 200: "b" is no longer allowed',
    ]);
    assertEquals(changesOf(of(sent(few)), documentWith({})), ["breaking: POST added is removed"]);
    assertEquals(changesOf(documentWith({}), of(sent(few))), ["safe: POST added is new"]);
    assertEquals(
      changesOf(of(sent(few)), of({ post: { ...sent(few).post, responses: {}, parameters: [{ name: "a" }] } })),
      [
        "risky: POST added response 200: is no longer expected",
        "risky: POST added parameters have changed",
      ],
    );
    assertEquals(
      changesOf(of(sent(few)), of({ post: { ...sent(few).post, requestBody: { ...json(few), required: true } } })),
      ["risky: POST added body: required has changed"],
    );
    assertEquals(changesOf(of(sent(few)), of(sent(few, {}, { deprecated: true, security: [{ a: [] }] }))), [
      "safe: POST added is deprecated",
      "risky: POST added security has changed",
    ]);
  });

  it("reads callbacks likewise", () => {
    const of = (callbacks: object) => ({ callbacks: { done: callbacks } });
    assertEquals(ofOperation(of({ "{$url}": sent(few) }), of({ "{$url}": sent(many) })), [
      'breaking: callback POST {$url}, body: "b" is allowed now',
    ]);
    const change = { callbacks: { done: { $ref: "#/components/callbacks/A" } } };
    const components = (schema: object) => ({ components: { callbacks: { A: { "{$url}": sent(schema) } } } });
    assertEquals(ofOperation(change, change, components(few), components(many)), [
      'breaking: callback POST {$url}, body: "b" is allowed now',
    ]);
    assertEquals(ofOperation({}, of({ "{$url}": sent(few) })), ["safe: callback POST {$url} is new"]);
    assertEquals(ofOperation(of({ "{$url}": sent(few) }), {}), ["breaking: callback POST {$url} is removed"]);
  });
});

describe("the arguments of compatible()", () => {
  const refusal = (...args: Parameters<typeof compatible>) =>
    assertThrows(() => compatible(...args), TypeError).message;
  const rule = (name: string) =>
    `Argument ${name} of compatible must be an OpenAPI document of version 3.0, 3.1 or 3.2, or an AsyncAPI document of version 3.0: received `;
  const some = documentWith({});

  it("are rejected if they are no OpenAPI documents", () => {
    assertEquals(refusal(undefined, some), `${rule("before")}undefined`);
    assertEquals(refusal(some, [some]), `${rule("after")}an array`);
    assertEquals(refusal(some, "{}"), `${rule("after")}a string. Parse it first, by JSON.parse`);
    assertEquals(refusal(some, {}), `${rule("after")}one whose key "openapi" is undefined`);
    assertEquals(refusal({ swagger: "2.0" }, some), `${rule("before")}one whose key "swagger" is "2.0"`);
    assertEquals(refusal({ openapi: "4.0.0" }, some), `${rule("before")}one whose key "openapi" is "4.0.0"`);
    assertEquals(refusal({ openapi: 3.1 }, some), `${rule("before")}one whose key "openapi" is a number`);
  });

  it("are rejected with a bigint, which is no JSON", () => {
    const document = documentOfOperation({ "x-limit": 10n });
    assertThrows(() => compatible(document, document), TypeError, "received one with a bigint. Write a number");
  });

  it("are rejected if a document contains itself, or is too deep", () => {
    const loop: Record<string, unknown> = { openapi: "3.1.0" };
    loop.paths = loop;
    assertEquals(refusal(loop, some), `${rule("before")}one that is nested more than 500 levels deep`);
    let deep: object = {};
    for (let level = 0; level < 100_000; level++) deep = { items: deep };
    assertEquals(refusal(some, documentWith({ deep })), `${rule("after")}one that is nested more than 500 levels deep`);
  });

  it("are accepted if an object stands in several places", () => {
    const shared = json(text);
    assertEquals(
      compatible(
        documentOfOperation({ requestBody: shared, responses: { 200: shared } }),
        documentOfOperation({ requestBody: shared, responses: { 200: shared } }),
      ),
      [],
    );
  });

  it("are rejected with an unknown option, and with a day that is none", () => {
    assertEquals(
      refusal(some, some, { day: "2026-01-01" } as object),
      'Option "day" of compatible is unknown: did you mean today?'.replace(
        "did you mean today?",
        "the options are today",
      ),
    );
    const day = 'Option today of compatible must be a date, or a string such as "2026-11-25": received ';
    assertEquals(refusal(some, some, { today: "soon" }), `${day}"soon"`);
    assertEquals(refusal(some, some, { today: new Date(NaN) }), `${day}an object`);
    assertEquals(refusal(some, some, { today: 5 } as object), `${day}a number`);
  });

  it("may have any value in any place: nothing throws", () => {
    const odd = [null, 1, "x", [], [null], [{ a: 1 }], { $ref: "#" }, { $ref: 1 }, true];
    for (const value of odd) {
      for (const key of ["paths", "components", "security", "servers", "webhooks"]) {
        compatible(documentWith({}, { [key]: value }), documentWith({}, { [key]: odd }));
      }
      for (
        const key of ["parameters", "requestBody", "responses", "security", "callbacks", "operationId", "deprecated"]
      ) {
        compatible(documentOfOperation({ [key]: value }), documentOfOperation({ [key]: { a: value } }));
      }
      const schema = Object.fromEntries(
        ["type", "enum", "properties", "required", "items", "allOf", "anyOf", "minimum", "pattern"].map((
          key,
        ) => [key, value]),
      );
      compatible(
        documentOfOperation({ requestBody: json(schema) }),
        documentOfOperation({ requestBody: json({ allOf: [schema, text] }) }),
      );
    }
  });

  it("are left as they are", () => {
    const document = documentOfOperation({ requestBody: json(text) });
    const before = JSON.stringify(document);
    compatible(document, documentOfOperation({ requestBody: json({ type: "null" }) }));
    assertEquals(JSON.stringify(document), before);
  });
});

function fail(): never {
  throw new Error("nothing has changed");
}
