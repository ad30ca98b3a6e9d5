import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { allow, type Context, deny, endpoint, reply, route, setup } from "../../../mod.ts";
import { decompressed, file, form, json, optional, parts } from "../../../src/body/mod.ts";
import { lines } from "../../../src/events/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { type Tool, tools } from "../../../src/tools/mod.ts";

const refused = { schema: z.object({ error: z.string() }) };
const note = z.object({ id: z.string(), text: z.string() });

const api = {
  listNotes: endpoint.get("/notes", {
    docs: { summary: "Lists the notes", description: "Lists the notes that contain a text" },
    request: {
      query: z.object({ text: z.string().optional(), tag: z.array(z.string()).optional() }),
      headers: z.object({ authorization: z.string() }),
      cookies: z.object({ session: z.string().optional() }),
    },
    responses: { 200: { schema: z.object({ notes: z.array(note) }) }, 400: refused, 401: refused },
  }),
  addNote: endpoint.post("/notes", {
    docs: { summary: "Adds a note" },
    request: { body: z.object({ text: z.string().min(1) }) },
    responses: { 201: { schema: note }, 400: refused, 401: refused },
  }),
  deleteNote: endpoint.delete("/shelves/:shelf/notes/:id", { responses: { 204: {}, 401: refused } }),
};

/** What the app received: method, url, content type, and whether the model has set a header. */
const received: string[] = [];

const signedIn = (c: Context) => {
  received.push(`${c.request.method} ${c.request.url.slice("http://localhost".length)}`);
  return c.request.headers.get("authorization") === "Bearer ada" ? allow() : deny(reply(401, { error: "Who?" }));
};

const app = setup({
  validator: standardSchema,
  handlers: [
    route.on(api.listNotes, {
      guards: [signedIn],
      resolve: (c) => c.input.ok ? reply(200, { notes: [] }) : reply(400, { error: "Invalid" }),
    }),
    route.on(api.addNote, {
      guards: [signedIn],
      resolve: (c) => c.input.ok ? reply(201, { id: "1", text: c.input.body.text }) : reply(400, { error: "Invalid" }),
    }),
    route.on(api.deleteNote, { guards: [signedIn], resolve: () => reply(204) }),
  ],
});

const headers = { authorization: "Bearer ada" };
const all = tools(api, { fetch: app.fetch, only: ["listNotes", "addNote", "deleteNote"] });
const byName = Object.fromEntries(all.map((tool) => [tool.name, tool]));

/** Calls a tool as the person who is signed in. */
const call = (name: string, args: object) => byName[name]?.call(args, { headers });

const isAny = (_value: unknown): _value is unknown => true;

/** A tool that responds with the body that it sends, whose body has this JSON Schema. */
const described = (schema: object, strict = false): Tool => {
  const add = endpoint.post("/x", { request: { body: isAny } });
  const echo = async (request: Request) =>
    new Response(await request.text(), { headers: { "content-type": "application/json" } });
  const [tool] = tools({ add }, { only: ["add"], fetch: echo, toJsonSchema: () => schema, strict });
  assert(tool !== undefined);
  return tool;
};

describe("tools()", () => {
  it("makes a tool of each endpoint that only names, in the order of the record", () => {
    assertEquals(all.map(({ name, description }) => [name, description]), [
      ["listNotes", "Lists the notes that contain a text"],
      ["addNote", "Adds a note"],
      ["deleteNote", "DELETE /shelves/:shelf/notes/:id"],
    ]);
    assertEquals(tools(api, { fetch: app.fetch, only: ["addNote", "listNotes"] }).map(({ name }) => name), [
      "listNotes",
      "addNote",
    ]);
    assertEquals(tools(api, { fetch: app.fetch, only: [] }), []);
  });

  it("makes tools of all endpoints that only read, without only", () => {
    const { listNotes } = api;
    const reads = {
      listNotes,
      head: endpoint.head("/notes"),
      query: endpoint.on("QUERY", "/notes", { responses: { 204: {} } }),
      title: "Notes",
      schema: note,
    };
    const made = tools(reads, { fetch: app.fetch });
    assertEquals(made.map(({ name, annotations }) => [name, annotations.readOnlyHint]), [
      ["listNotes", true],
      ["head", true],
      ["query", true],
    ]);
  });

  it("rejects an endpoint that may write and is not named in only", () => {
    // @ts-expect-error at `{ fetch: app.fetch }`: Property 'only' is missing in type '{…' but required in type '{…'.
    assertThrows(() => tools(api, { fetch: app.fetch }), TypeError, 'endpoint "addNote" may write: name it in `only`');
  });

  it("rejects a name that is not an endpoint, a record within the record, and a misspelt option", () => {
    const { listNotes } = api;
    assertThrows(
      // @ts-expect-error at `"listNote"`: Type '"listNote"' is not assignable to type '"listNotes"'.
      () => tools({ listNotes }, { fetch: app.fetch, only: ["listNote"] }),
      TypeError,
      'Option only of tools names "listNote", which is not an endpoint',
    );
    assertThrows(
      // @ts-expect-error at `"toString"`: Type '"toString"' is not assignable to type '"listNotes"'.
      () => tools({ listNotes }, { fetch: app.fetch, only: ["toString"] }),
      TypeError,
      '"toString", which is not an endpoint',
    );
    assertThrows(
      () => tools({ listNotes, notes: { listNotes } }, { fetch: app.fetch }),
      TypeError,
      "Endpoints must be flat: write ...notes in place of notes",
    );
    const misspelt = { fetch: app.fetch, header: headers };
    assertThrows(() => tools({ listNotes }, misspelt), TypeError, "did you mean headers?");
  });

  it("rejects an endpoint with several methods, and one that streams", () => {
    const several = { any: endpoint.all("/x"), both: endpoint.on(["GET", "HEAD"], "/x") };
    assertThrows(() => tools(several, { fetch: app.fetch, only: ["any"] }), TypeError, '"any" must have one method');
    assertThrows(() => tools(several, { fetch: app.fetch, only: ["both"] }), TypeError, '"both" must have one method');
    const watch = endpoint.get("/x", { responses: { 200: lines(note) } });
    assertThrows(() => tools({ watch }, { fetch: app.fetch }), TypeError, 'endpoint "watch" streams');
  });

  it("describes the parts of a request that a model fills in, and no headers or cookies", () => {
    assertEquals(byName.listNotes?.inputSchema, {
      type: "object",
      properties: {
        query: {
          type: "object",
          properties: { text: { type: "string" }, tag: { type: "array", items: { type: "string" } } },
        },
      },
      required: [],
      additionalProperties: false,
    });
    assertEquals(byName.addNote?.inputSchema.required, ["body"]);
    assertEquals(byName.deleteNote?.inputSchema.properties, {
      params: {
        type: "object",
        properties: { shelf: { type: "string" }, id: { type: "string" } },
        required: ["shelf", "id"],
        additionalProperties: false,
      },
    });
  });

  it("describes a query as required if it has a required key, and params by their schema", () => {
    const find = endpoint.get("/books/:id", {
      request: { params: z.object({ id: z.uuid() }), query: z.object({ title: z.string() }) },
    });
    const [tool] = tools({ find }, { fetch: app.fetch });
    assertEquals(tool?.inputSchema.required, ["params", "query"]);
    const { params } = Object(tool?.inputSchema.properties);
    assertEquals(params.properties.id.format, "uuid");
    const title = z.object({ title: z.string() });
    const queries: readonly (readonly [z.ZodType, readonly string[]])[] = [
      [title.meta({ id: "Title" }), ["query"]],
      [z.union([title, z.object({ author: z.string() })]), ["query"]],
      [z.intersection(title, z.object({ author: z.string().optional() })), ["query"]],
      [z.union([title, z.object({ author: z.string().optional() })]), []],
      [title.partial(), []],
    ];
    for (const [query, required] of queries) {
      const search = endpoint.get("/books", { request: { query } });
      assertEquals(tools({ search }, { fetch: app.fetch })[0]?.inputSchema.required, required);
    }
  });

  it("describes a parameter by its schema alone, also if a reference or a union leads to it", () => {
    const id = z.object({ id: z.coerce.number<string>() });
    for (const params of [id, id.meta({ id: "Params" }), id.or(z.object({ id: z.literal("all") }))]) {
      const show = endpoint.get("/books/:id", { request: { params } });
      const other = endpoint.get("/shelves/:shelf/books/:id", { request: { params } });
      const [tool, more] = tools({ show, other }, { fetch: app.fetch });
      assertEquals(JSON.stringify(tool?.inputSchema).includes('"string"}'), false);
      assertEquals(JSON.stringify(more?.inputSchema).match(/"(?:id|shelf)":{"type":"string"}/g), [
        '"shelf":{"type":"string"}',
      ]);
    }
  });

  it("names the parameter of :name+ without the plus, and writes its slashes", async () => {
    const list = endpoint.get("/v2/:name+/tags", { responses: { 200: { schema: z.string() } } });
    const echo = route.on(list, { resolve: (c) => reply(200, c.raw.params.name) });
    const [tool] = tools({ list }, { fetch: setup({ handlers: [echo] }).fetch });
    assertEquals(Object(tool?.inputSchema.properties).params.required, ["name"]);
    assertEquals((await tool?.call({ params: { name: "a/b c" } }))?.body, "a/b c");
  });

  it("keeps the references of a schema that refers to itself", () => {
    const tree = z.object({
      name: z.string(),
      get children() {
        return z.array(tree);
      },
    });
    const find = endpoint.on("QUERY", "/trees", { request: { body: tree } });
    const [tool] = tools({ find }, { fetch: app.fetch });
    const { body } = Object(tool?.inputSchema.properties);
    assertEquals(body.properties.children.items, { $ref: "#/properties/body" });
  });

  it("describes the one success that is a JSON object", () => {
    assertEquals(Object.keys(Object(byName.listNotes?.outputSchema?.properties)), ["notes"]);
    assertEquals(byName.deleteNote?.outputSchema, undefined);
    const others = {
      list: endpoint.get("/list", { responses: { 200: { schema: z.array(note) } } }),
      text: endpoint.get("/text", { responses: { 200: { schema: z.string(), contentType: "text/plain" } } }),
      two: endpoint.get("/two", { responses: { 200: { schema: note }, 206: { schema: note } } }),
      any: endpoint.get("/any", { responses: { default: { schema: note } } }),
    };
    const described = tools(others, { fetch: app.fetch }).filter(({ outputSchema }) => outputSchema);
    assertEquals(described.map(({ name }) => name), ["any"]);
  });

  it("hints at what a method does", () => {
    assertEquals(all.map(({ annotations }) => annotations), [
      { title: "Lists the notes", readOnlyHint: true, destructiveHint: false, idempotentHint: true },
      { title: "Adds a note", readOnlyHint: false, destructiveHint: false, idempotentHint: false },
      { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    ]);
  });

  it("converts schemas of other libraries by toJsonSchema, and names the endpoint of one that it cannot convert", () => {
    const isText = (value: unknown): value is string => typeof value === "string";
    const find = endpoint.on("QUERY", "/books", { request: { body: isText } });
    const [tool] = tools({ find }, { fetch: app.fetch, toJsonSchema: () => ({ type: "string" }) });
    assertEquals(tool?.inputSchema.properties, { body: { type: "string" } });
    const message = 'The body of endpoint "find" has no JSON Schema: it has no "~standard".jsonSchema';
    assertThrows(() => tools({ find }, { fetch: app.fetch }), TypeError, message);
  });
});

describe("a tool", () => {
  it("returns the declared response, also of a guard that denies", async () => {
    assertEquals(await call("addNote", { body: { text: "Milk" } }), {
      status: 201,
      isError: false,
      body: { id: "1", text: "Milk" },
    });
    assertEquals(await call("addNote", { body: { text: "" } }), {
      status: 400,
      isError: true,
      body: { error: "Invalid" },
    });
    assertEquals(await byName.addNote?.call({ body: { text: "Milk" } }), {
      status: 401,
      isError: true,
      body: { error: "Who?" },
    });
    assertEquals(await call("deleteNote", { params: { shelf: "a", id: "1" } }), {
      status: 204,
      isError: false,
      body: undefined,
    });
  });

  it("encodes parameters and the query", async () => {
    received.length = 0;
    await call("deleteNote", { params: { shelf: "a/b", id: "?#" } });
    await call("listNotes", { query: { text: "a&b", tag: ["x", "y"] } });
    assertEquals(received, ["DELETE /shelves/a%2Fb/notes/%3F%23", "GET /notes?text=a%26b&tag=x&tag=y"]);
  });

  it("rejects a parameter that would change the path, and one that is missing", async () => {
    const cases = [
      [{ shelf: "..", id: "1" }, "must have no segment"],
      [{ shelf: "a" }, 'Argument params.id of endpoint "deleteNote" must be there: received nothing'],
      [undefined, 'Argument params of endpoint "deleteNote" must be there: received nothing'],
    ] as const;
    for (const [params, message] of cases) {
      await assertRejects(async () => await call("deleteNote", { ...params && { params } }), TypeError, message);
    }
  });

  it("rejects arguments of another shape than it declares, before anything is built of them", async () => {
    const api = {
      find: endpoint.get("/find/:id", {
        request: {
          params: z.object({ id: z.coerce.number<string>() }),
          query: z.object({
            limit: z.coerce.number<string>().optional(),
            tag: z.array(z.string()),
            kind: z.enum(["a", "b"]).optional(),
          }),
        },
      }),
      add: endpoint.post("/add", {
        request: {
          body: z.object({
            text: z.string(),
            parts: z.array(z.strictObject({ n: z.int() })).optional(),
            either: z.union([z.string(), z.object({ x: z.boolean() })]).optional(),
            tree: z.object({
              get next() {
                return z.lazy(() => z.object({ n: z.number() })).optional();
              },
            }).optional(),
          }),
        },
      }),
    };
    let calls = 0;
    const fetch = () => (calls++, new Response());
    const [find, add] = tools(api, { fetch, only: ["find", "add"] });
    const ok = { params: { id: "1" }, query: { tag: ["x"] } };
    for (const args of [ok, { params: { id: 1 }, query: { tag: [], limit: "5", kind: "a" } }]) await find?.call(args);
    await add?.call({ body: { text: "a", parts: [{ n: 1 }], either: { x: true }, more: undefined } });
    assertEquals(calls, 3);
    const wrong: readonly (readonly [typeof find, unknown, string])[] = [
      [find, null, 'Arguments of endpoint "find" must be an object: received null'],
      [find, [], "must be an object: received an array"],
      [find, "text", "must be an object: received a string"],
      [find, { ...ok, params: "1" }, 'Argument params of endpoint "find" must be an object: received a string'],
      [find, { ...ok, params: { id: {} } }, "Argument params.id of"],
      [find, { params: { id: "1" } }, "Argument query of"],
      [find, { ...ok, query: { tag: "x" } }, 'Argument query.tag of endpoint "find" must be a list: received a string'],
      [find, { ...ok, query: { tag: [{}] } }, "Argument query.tag.0 of"],
      [find, { ...ok, query: { tag: [], limit: [] } }, "Argument query.limit of"],
      [find, { ...ok, query: { tag: [], kind: "c" } }, 'must be one of "a", "b": received another value'],
      [add, {}, 'Argument body of endpoint "add" must be there: received nothing'],
      [add, { body: "{}" }, "Argument body of"],
      [add, { body: { text: 1 } }, 'Argument body.text of endpoint "add" must be a string: received a number'],
      [add, { body: { text: "a", parts: [{ n: 1.5 }] } }, "Argument body.parts.0.n of"],
      [add, { body: { text: "a", parts: [{ n: 1, m: 2 }] } }, "must have no key but n: received another one"],
      [add, { body: { text: "a", either: { x: "secret" } } }, "must be true or false: received a string"],
      [add, { body: { text: "a", either: 1 } }, "Argument body.either of"],
    ];
    for (const [tool, args, message] of wrong) {
      const error = await assertRejects(async () => await tool?.call(args as object), TypeError);
      assertEquals(error.message.includes(message) && !error.message.includes("secret"), true, error.message);
    }
    assertEquals(calls, 3);
  });

  it("has schemas of the strict subset, if it is asked to, and leaves out what a model says is null", async () => {
    const api = {
      add: endpoint.post("/add/:id", {
        request: {
          query: z.object({ limit: z.coerce.number<string>().default(20), tag: z.enum(["a", "b"]).optional() }),
          body: z.object({
            text: z.string().default("none"),
            note: z.string().nullable().optional(),
            kind: z.discriminatedUnion("k", [
              z.object({ k: z.literal("x"), n: z.int().optional() }),
              z.object({ k: z.literal("y") }),
            ]),
            both: z.intersection(z.object({ a: z.string() }), z.object({ b: z.string().optional() })),
          }),
        },
        responses: { 200: { schema: z.object({ seen: z.unknown().optional() }) } },
      }),
    };
    let seen: unknown;
    const fetch = async (request: Request) => {
      seen = [new URL(request.url).search, await request.json()];
      return Response.json({});
    };
    const [tool] = tools(api, { fetch, only: ["add"], strict: true });
    const text = JSON.stringify([tool?.inputSchema, tool?.outputSchema]);
    for (const keyword of ["oneOf", "allOf", "default", "propertyNames"]) {
      assertEquals(text.includes(`"${keyword}"`), false, keyword);
    }
    const check = (schema: unknown): void => {
      if (typeof schema !== "object" || schema === null) return;
      const { properties, required, additionalProperties }: Record<string, unknown> = { ...schema };
      if (typeof properties === "object" && properties !== null && !Array.isArray(properties)) {
        assertEquals([required, additionalProperties], [Object.keys(properties), false]);
      }
      for (const value of Object.values(schema)) check(value);
    };
    check([tool?.inputSchema, tool?.outputSchema]);
    await tool?.call({
      params: { id: "1" },
      query: { limit: null, tag: null },
      body: { text: null, note: null, kind: { k: "x", n: null }, both: { a: "a", b: null } },
    });
    assertEquals(seen, ["", { note: null, kind: { k: "x" }, both: { a: "a" } }]);
    const record = endpoint.post("/r", { request: { body: z.object({ a: z.record(z.string(), z.string()) }) } });
    assertThrows(
      () => tools({ record }, { fetch, only: ["record"], strict: true }),
      TypeError,
      'The arguments of endpoint "record" has an object with keys of any name at body.a, which strict schemas lack',
    );
  });

  it("writes any JSON Schema in the strict subset, with its references, unions and tuples", () => {
    const strictOf = (schema: object) => Object(described(schema, true).inputSchema.properties).body;
    const pair = { type: "object", properties: { a: true, b: { type: "string" } }, required: ["a"] };
    assertEquals(
      strictOf({
        allOf: [{ description: "Both" }, pair, { properties: { c: { $ref: "#/$defs/pair" } } }],
        $defs: { pair },
      }),
      {
        description: "Both",
        type: "object",
        properties: {
          a: true,
          b: { type: ["string", "null"] },
          c: { anyOf: [{ $ref: "#/properties/body/$defs/pair" }, { type: "null" }] },
        },
        required: ["a", "b", "c"],
        additionalProperties: false,
        $defs: {
          pair: {
            type: "object",
            properties: { a: true, b: { type: ["string", "null"] } },
            required: ["a", "b"],
            additionalProperties: false,
          },
        },
      },
    );
    const empty = { type: "object", properties: {}, required: [], additionalProperties: false };
    assertEquals(strictOf({ type: "array", items: { type: "object" }, contains: { type: "object" } }), {
      type: "array",
      items: empty,
      contains: empty,
    });
    assertEquals(strictOf({ type: "array", prefixItems: [{ type: "object" }, true], items: false }), {
      type: "array",
      prefixItems: [empty, true],
      items: false,
    });
    // An optional key that accepts null already remains as it is.
    const nullable = { anyOf: [{ type: "string", default: "" }, { type: "null" }] };
    assertEquals(strictOf({ type: "object", properties: { note: nullable } }).properties, {
      note: { anyOf: [{ type: "string" }, { type: "null" }] },
    });
  });

  it("names what has keys of any name, which the strict subset lacks", () => {
    const options = { fetch: app.fetch, only: ["show"], strict: true } as const;
    const show = endpoint.get("/x", { responses: { 200: { schema: z.record(z.string(), z.string()) } } });
    assertThrows(
      () => tools({ show }, options),
      TypeError,
      'The response of endpoint "show" has an object with keys of any name, which strict schemas lack',
    );
    for (const keys of [{ additionalProperties: true }, { patternProperties: { "^x": {} } }]) {
      const schema = { type: "array", items: { type: "object", ...keys } };
      assertThrows(() => described(schema, true), TypeError, "has an object with keys of any name at body.[], which");
    }
  });

  it("leaves out what a model says is null wherever a strict schema has made a key required", async () => {
    const text = { type: "string" };
    const tree: object = {
      type: "object",
      properties: { name: text, note: { type: ["string", "null"] }, next: { $ref: "#" } },
      required: ["note"],
    };
    const cases: readonly (readonly [object, unknown, unknown])[] = [
      [tree, { name: null, note: null, next: { name: "a", note: null, next: null } }, {
        note: null,
        next: { name: "a", note: null },
      }],
      [{ type: "array", items: tree }, [{ name: null, note: "a" }], [{ note: "a" }]],
      [{ type: "array", prefixItems: [text, tree], items: false }, ["a", { note: "b", name: null }], [
        "a",
        { note: "b" },
      ]],
      [{ type: "array" }, [null], [null]],
      [{ anyOf: [text, tree] }, { note: "a", name: null }, { note: "a" }],
      [{ type: "object", properties: { note: { anyOf: [text, { type: "null" }] } } }, { note: null }, { note: null }],
      [{ properties: { a: true } }, { a: null, more: null }, { more: null }],
    ];
    for (const [schema, body, sent] of cases) {
      const { body: received } = await described(schema, true).call({ body });
      assertEquals(received, sent, JSON.stringify(schema));
    }
  });

  it("compares each item of a tuple with the schema of its place, and all further ones with that of the rest", async () => {
    const { call } = described({
      type: "array",
      prefixItems: [{ type: "string" }, { type: "integer" }],
      items: { type: "boolean" },
    });
    for (const body of [[], ["a"], ["a", 1], ["a", 1, true, false]]) assertEquals((await call({ body })).body, body);
    await assertRejects(() => call({ body: [1] }), TypeError, "Argument body.0 of");
    await assertRejects(() => call({ body: ["a", "b"] }), TypeError, "Argument body.1 of");
    await assertRejects(() => call({ body: ["a", 1, true, "c"] }), TypeError, "Argument body.3 of");
  });

  it("compares the value of a key of any name, and does not take an inherited one for a key", async () => {
    const record = described({ type: "object", additionalProperties: { type: "integer" } });
    assertEquals((await record.call({ body: { a: 1, b: 2 } })).body, { a: 1, b: 2 });
    await assertRejects(() => record.call({ body: { a: 1, b: "2" } }), TypeError, "Argument body.b of");
    const named = described({ type: "object", required: ["toString", "__proto__"] });
    await assertRejects(() => named.call({ body: {} }), TypeError, "Argument body.toString of");
    const body = JSON.parse('{ "toString": 1 }');
    await assertRejects(() => named.call({ body }), TypeError, "Argument body.__proto__ of");
  });

  it("leaves to the app what is deeper than 32 levels, and what the schema says nothing about", async () => {
    const list: object = { type: "object", properties: { name: { type: "string" }, next: { $ref: "#" } } };
    const deep = (depth: number, end: object): object => depth === 0 ? end : { next: deep(depth - 1, end) };
    const call = (body: unknown, schema: object = list) => described(schema, true).call({ body });
    await assertRejects(() => call(deep(30, { name: 1 })), TypeError, "next.name of");
    assertEquals((await call(deep(40, { name: 1 }))).body, deep(40, { name: 1 }));
    assertEquals((await call(deep(40, { name: null }))).body, deep(40, { name: null }));
    assertEquals((await call([1, "a"], { type: "array" })).body, [1, "a"]);
    assertEquals((await call([1, "a"], { type: "array", items: [{ type: "string" }] })).body, [1, "a"]);
  });

  it("rejects what differs from one of several schemas that must all be met", async () => {
    const a = { type: "object", properties: { a: { type: "integer" } }, required: ["a"] };
    const { call } = described({ allOf: [a, { $ref: "#/$defs/b" }], $defs: { b: { required: ["b"] } } });
    assertEquals((await call({ body: { a: 1, b: null } })).body, { a: 1, b: null });
    await assertRejects(() => call({ body: { a: 1.5, b: 1 } }), TypeError, "body.a of");
    await assertRejects(() => call({ body: { a: 1 } }), TypeError, "body.b of");
  });

  it("takes texts for the numbers and truth values of a url, and no others", async () => {
    const find = endpoint.get("/find", {
      request: {
        query: z.object({ page: z.coerce.number<string>().int().optional(), all: z.coerce.boolean().optional() }),
      },
    });
    const [tool] = tools({ find }, { fetch: ({ url }) => new Response(new URL(url).search) });
    const call = async (query: object) => await tool?.call({ query });
    assertEquals((await call({ page: "2", all: "true" }))?.body, "?page=2&all=true");
    assertEquals((await call({ page: 2, all: true }))?.body, "?page=2&all=true");
    await assertRejects(() => call({ page: true }), TypeError, 'query.page of endpoint "find" must be a whole number');
    await assertRejects(() => call({ all: 1 }), TypeError, 'query.all of endpoint "find" must be true or false');
  });

  it("takes no headers or cookies of a model, nor a part that the endpoint does not have", async () => {
    received.length = 0;
    for (const key of ["headers", "cookies", "body", "method", "signal", "constructor"]) {
      const args = JSON.parse(`{ "query": {}, "${key}": { "authorization": "Bearer eve" } }`);
      await assertRejects(async () => await call("listNotes", args), TypeError, `does not take "${key}"`);
    }
    await assertRejects(async () => await call("listNotes", JSON.parse('{ "__proto__": {} }')), TypeError);
    assertEquals(received, []);
  });

  it("sends the headers of the options, over them those of the call, and the content type", async () => {
    const seen: string[] = [];
    const [tool] = tools({ addNote: api.addNote }, {
      baseUrl: new URL("https://api.example.com/v1/"),
      only: ["addNote"],
      headers: { authorization: "Bearer bob", "x-tenant": "1" },
      fetch: (request) => {
        seen.push(
          request.url,
          ...["authorization", "x-tenant", "content-type"].map((name) => `${request.headers.get(name)}`),
        );
        return Response.json({ id: "1", text: "" }, { status: 201 });
      },
    });
    await tool?.call({ body: { text: "Milk" } }, { headers });
    assertEquals(seen, ["https://api.example.com/v1/notes", "Bearer ada", "1", "application/json"]);
  });

  it("sends JSON to an endpoint that reads JSON, compressed or not", async () => {
    for (const bodyReader of [json, decompressed(json, { maxBodyBytes: 1024 })]) {
      const add = endpoint.post("/x", { request: { body: z.object({ text: z.string() }), bodyReader } });
      const [tool] = tools({ add }, {
        only: ["add"],
        fetch: async (request) => new Response(`${request.headers.get("content-type")} ${await request.text()}`),
      });
      const { body } = await tool?.call({ body: { text: "a" } }) ?? {};
      assertEquals(body, 'application/json {"text":"a"}');
    }
  });

  it("takes no body where the endpoint may have none, and sends none", async () => {
    const body = z.object({ text: z.string() }).optional();
    for (const bodyReader of [optional(json), optional(form)]) {
      const add = endpoint.post("/x", { request: { body, bodyReader } });
      const [tool] = tools({ add }, {
        only: ["add"],
        fetch: async (request) => new Response(`${request.headers.get("content-type")} ${await request.text()}`),
      });
      assertEquals(tool?.inputSchema.required, []);
      assertEquals((await tool?.call({}))?.body, "null ");
    }
  });

  it("sends a form to an endpoint that reads forms", async () => {
    const add = endpoint.post("/x", { request: { body: z.object({ text: z.string() }), bodyReader: form } });
    const [tool] = tools({ add }, {
      only: ["add"],
      fetch: async (request) => new Response((await request.formData()).get("text")),
    });
    assertEquals((await tool?.call({ body: { text: "Milk" } }))?.body, "Milk");
  });

  it("throws for an endpoint that takes a file, since arguments are JSON", () => {
    const photo = file({ maxBytes: 10, optional: true });
    const bodies = [
      { body: parts({ title: z.string(), photo }) },
      { body: z.object({ title: z.string(), photo: z.file() }), bodyReader: form },
      { body: z.object({ photo: z.array(z.file()) }), bodyReader: form },
    ];
    for (const request of bodies) {
      const add = endpoint.post("/x", { request: request as { body: typeof bodies[0]["body"] } });
      const { message } = assertThrows(() => tools({ add }, { only: ["add"], fetch }), TypeError);
      assertEquals(message, 'endpoint "add" takes the file "photo", and arguments are JSON: leave it out of `only`');
    }
    tools({ add: endpoint.post("/x", { request: { body: parts({ title: z.string() }) } }) }, { only: ["add"], fetch });
  });

  it("returns any of several media types, and rejects one that the endpoint does not declare", async () => {
    const csv = { schema: z.string(), contentType: "text/csv" } as const;
    const show = endpoint.get("/x", { responses: { 200: [{ schema: note }, csv] } });
    const call = (body: string, type: string) => {
      const response = new Response(body, { headers: { "content-type": type } });
      return tools({ show }, { fetch: () => response })[0]?.call({});
    };
    assertEquals((await call("id", "text/csv"))?.body, "id");
    assertEquals((await call('{"id":"1"}', "application/json"))?.body, { id: "1" });
    await assertRejects(async () => await call("<p>", "text/html"), Error, "status 200, or its media type");
    // There is no one schema of the output.
    assertEquals(tools({ show }, { fetch: () => new Response() })[0]?.outputSchema, undefined);
  });

  it("rejects a status that the endpoint does not declare, and follows no redirect", async () => {
    const { listNotes } = api;
    for (const status of [302, 500]) {
      const [tool] = tools({ listNotes }, { fetch: () => new Response(null, { status, headers: { location: "/" } }) });
      const message = `endpoint "listNotes" does not declare the status ${status}`;
      await assertRejects(async () => await tool?.call({}), Error, message);
    }
    const ranges = { find: endpoint.get("/x", { responses: { "4XX": {} } }), all: endpoint.get("/x") };
    const made = tools(ranges, { fetch: () => new Response("gone", { status: 410 }) });
    assertEquals(await Promise.all(made.map(async ({ call }) => (await call({})).status)), [410, 410]);
  });

  it("ends with the signal of the call", async () => {
    const { listNotes } = api;
    let calls = 0;
    const [tool] = tools({ listNotes }, {
      fetch: ({ signal }) => {
        calls++;
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      },
    });
    const controller = new AbortController();
    const result = tool?.call({}, { signal: controller.signal });
    controller.abort(new Error("stopped"));
    await assertRejects(async () => await result, Error, "stopped");
    await assertRejects(async () => await tool?.call({}, { signal: controller.signal }), Error, "stopped");
    assert(calls === 1, "the second call was sent");
  });
});
