/**
 * What `Compatible` says of two records of endpoints. The compiler checks this file: nothing is asserted at run time.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import { endpoint, reply, route } from "../../mod.ts";
import type { Compatible } from "../../src/client/mod.ts";
import { events, lines } from "../../src/events/mod.ts";
import { file, form, parts } from "../../src/body/mod.ts";
import { socket } from "../../src/sockets/mod.ts";
import type * as api from "../entry_points/client/client_api.ts";

const book = z.object({ id: z.string(), title: z.string(), kind: z.enum(["a", "b"]), tags: z.string().array() });
const draft = z.object({ title: z.string(), kind: z.enum(["a", "b"]), note: z.string().optional() });
const query = z.object({ limit: z.coerce.number().optional() });
const show = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: {} } });
const add = endpoint.post("/books", { request: { body: draft, query }, responses: { 201: { schema: book }, 400: {} } });
const v1 = { show, add };

/** A record with another endpoint `show`, and one with another `add`. */
type Shows<Shown extends object> = { readonly show: Shown; readonly add: typeof add };
type Adds<Added extends object> = { readonly show: typeof show; readonly add: Added };

export function harmlessChanges() {
  true satisfies Compatible<typeof v1, typeof v1>;
  true satisfies Compatible<typeof api, typeof api>;
  const more = { ...v1, more: endpoint.get("/more", { responses: { 204: {} } }) };
  true satisfies Compatible<typeof v1, typeof more>;
  const optionalInput = endpoint.post("/books", {
    request: {
      body: draft.extend({ extra: z.string().optional() }),
      query: query.extend({ page: z.string().optional() }),
    },
    responses: { 201: { schema: book.extend({ more: z.string() }) }, 400: {} },
  });
  true satisfies Compatible<typeof v1, Adds<typeof optionalInput>>;
  const wider = endpoint.post("/books", {
    request: { body: draft.partial().extend({ kind: z.string().optional() }) },
    responses: { 201: { schema: book } },
  });
  true satisfies Compatible<typeof v1, Adds<typeof wider>>;
  const examples = { emma: { id: "1", title: "Emma", kind: "a", tags: [] } } as const;
  const shown = endpoint.get("/books/:id", { responses: { 200: { schema: book, examples }, 404: {} } });
  true satisfies Compatible<typeof v1, Shows<typeof shown>>;
  const moved = endpoint.put("/v2/books/:id", { responses: { 200: { schema: book } } });
  true satisfies Compatible<typeof v1, Shows<typeof moved>>;
  const narrower = endpoint.get("/books/:id", { responses: { 200: { schema: book.extend({ kind: z.enum(["a"]) }) } } });
  true satisfies Compatible<typeof v1, Shows<typeof narrower>>;
  const implemented = route.on(show, { resolve: () => reply(404) });
  true satisfies Compatible<typeof v1, Shows<typeof implemented>>;
  true satisfies Compatible<{ readonly notAnEndpoint: string }, Record<never, never>>;
}

export function breakingChanges() {
  // @ts-expect-error at `satisfies`: add: the endpoint is gone
  true satisfies Compatible<typeof v1, { readonly show: typeof show }>;
  assertType<IsExact<Compatible<typeof v1, { show: typeof show }>, "add: the endpoint is gone">>(true);
  assertType<IsExact<Compatible<typeof v1, { show: 1; add: typeof add }>, "show: the endpoint is gone">>(true);
  assertType<
    IsExact<Compatible<typeof v1, Record<never, never>>, "add: the endpoint is gone" | "show: the endpoint is gone">
  >(true);

  const responses = { 201: { schema: book }, 400: {} } as const;
  const required = endpoint.post("/books", {
    request: { body: draft.extend({ extra: z.string() }), query },
    responses,
  });
  assertType<IsExact<Compatible<typeof v1, Adds<typeof required>>, "add: body.extra is required">>(true);
  const noLongerOptional = endpoint.post("/books", {
    request: { body: draft.extend({ note: z.string() }), query: query.required() },
    responses,
  });
  assertType<
    IsExact<
      Compatible<typeof v1, Adds<typeof noLongerOptional>>,
      "add: body.note is required" | "add: query is required"
    >
  >(true);
  const takesLess = endpoint.post("/books", {
    request: { body: draft.extend({ kind: z.enum(["a"]) }), query, headers: z.object({ "if-match": z.string() }) },
    responses,
  });
  assertType<
    IsExact<
      Compatible<typeof v1, Adds<typeof takesLess>>,
      'add: body.kind does not take "b"' | "add: headers is required"
    >
  >(true);
  const uploads = endpoint.post("/books", {
    request: { body: draft.pick({ title: true }), bodyReader: form },
    responses,
  });
  true satisfies Compatible<typeof v1, Adds<typeof uploads>>; // a client of `uploads` sends a form by itself

  // Parts that arrive one by one: fields and files.
  const photo = file({ maxBytes: 10 });
  const [kind, more] = [z.enum(["a", "b"]), file({ maxBytes: 10, optional: true })];
  const before = endpoint.post("/photos", { request: { body: parts({ kind, photo, more }) }, responses });
  const takesMore = endpoint.post("/photos", {
    request: { body: parts({ kind: z.string(), photo: more, more, note: z.string().optional() }) },
    responses,
  });
  true satisfies Compatible<Adds<typeof before>, Adds<typeof takesMore>>;
  const needsMore = endpoint.post("/photos", {
    request: { body: parts({ kind: z.enum(["a"]), photo, more: photo, title: z.string() }) },
    responses,
  });
  assertType<
    IsExact<
      Compatible<Adds<typeof before>, Adds<typeof needsMore>>,
      'add: body.kind does not take "b"' | "add: body.more is required" | "add: body.title is required"
    >
  >(true);
  const asField = endpoint.post("/photos", {
    request: { body: parts({ kind, photo: z.string(), more }) },
    responses,
  });
  // @ts-expect-error at `satisfies`: add: body.photo takes a field, and no file
  true satisfies Compatible<Adds<typeof before>, Adds<typeof asField>>;
  // @ts-expect-error at `satisfies`: add: body.photo takes a file, and no field
  true satisfies Compatible<Adds<typeof asField>, Adds<typeof before>>;
  const swapped = endpoint.post("/photos", {
    request: { body: parts({ kind: photo, photo: kind, more: z.string().optional() }) },
    responses,
  });
  // @ts-expect-error at `satisfies`: add: body.kind takes a file, and no field | add: body.more takes a field, and no
  //   file | add: body.photo takes a field, and no file
  true satisfies Compatible<Adds<typeof before>, Adds<typeof swapped>>;

  const renamed = endpoint.get("/books/:slug", { responses: { 200: { schema: book }, 404: {} } });
  assertType<IsExact<Compatible<typeof v1, Shows<typeof renamed>>, "show: params.slug is required">>(true);
  const lacksKey = endpoint.get("/books/:id", { responses: { 200: { schema: book.omit({ title: true }) }, 404: {} } });
  assertType<IsExact<Compatible<typeof v1, Shows<typeof lacksKey>>, "show: 200 body.title is gone">>(true);
  const newStatus = endpoint.get("/books/:id", { responses: { 200: { schema: book }, 404: {}, 410: {} } });
  assertType<IsExact<Compatible<typeof v1, Shows<typeof newStatus>>, "show: the status 410 is new">>(true);
  const changed = endpoint.get("/books/:id", {
    responses: {
      200: {
        schema: book.extend({
          kind: z.enum(["a", "b", "c"]),
          title: z.string().optional(),
          tags: z.array(z.int()),
        }),
      },
    },
  });
  assertType<
    IsExact<
      Compatible<typeof v1, Shows<typeof changed>>,
      | 'show: 200 body.kind may be "c"'
      | "show: 200 body.title may be absent"
      | "show: 200 body.tags[] may be a number"
    >
  >(true);
  const anyResponse = endpoint.get("/books/:id");
  // @ts-expect-error at `satisfies`: show: responses are no longer declared
  true satisfies Compatible<typeof v1, Shows<typeof anyResponse>>;
  // @ts-expect-error at `satisfies`: show: responses are declared, where there were none
  true satisfies Compatible<Shows<typeof anyResponse>, typeof v1>;
}

export function otherParts() {
  const tagged = { show: endpoint.get("/x", { responses: { 204: { headers: { etag: { required: true } } } } }) };
  const untagged = { show: endpoint.get("/x", { responses: { 204: { headers: { etag: {} } } } }) };
  assertType<IsExact<Compatible<typeof tagged, typeof untagged>, "show: 204 headers.etag may be absent">>(true);
  true satisfies Compatible<typeof untagged, typeof tagged>;

  const numbers = { watch: endpoint.get("/x", { responses: { 200: lines(z.object({ at: z.int() })) } }) };
  const texts = { watch: endpoint.get("/x", { responses: { 200: lines(z.object({ at: z.string() })) } }) };
  // @ts-expect-error at `satisfies`: watch: 200 line.at may be a string
  true satisfies Compatible<typeof numbers, typeof texts>;
  const one = { watch: endpoint.get("/x", { responses: { 200: events({ left: z.int() }) } }) };
  const two = { watch: endpoint.get("/x", { responses: { 200: events({ left: z.int(), sold: z.int() }) } }) };
  // Clients do not expect the event `sold`.
  // @ts-expect-error at `satisfies`: watch: 200 event sold is new
  true satisfies Compatible<typeof one, typeof two>;
  true satisfies Compatible<typeof two, typeof one>;

  const both = { call: endpoint.on(["PUT", "PATCH"], "/x", { responses: { 204: {} } }) };
  const put = { call: endpoint.on(["PUT"], "/x", { responses: { 204: {} } }) };
  assertType<IsExact<Compatible<typeof both, typeof put>, 'call: method does not take "PATCH"'>>(true);
  true satisfies Compatible<typeof put, typeof both>;
  const single = { call: endpoint.put("/x", { responses: { 204: {} } }) };
  const patch = { call: endpoint.patch("/x", { responses: { 204: {} } }) };
  assertType<IsExact<Compatible<typeof both, typeof single>, "call: there is one method, where there were several">>(
    true,
  );
  true satisfies Compatible<typeof single, typeof patch>;
  assertType<IsExact<Compatible<typeof put, Partial<typeof put>>, "call: the endpoint may be absent">>(true);
  true satisfies Compatible<Partial<typeof put>, typeof put>;
}

/** Each change of what a client receives has a message that names it. */
export function changesOfResponses() {
  const csv = { schema: z.string(), contentType: "text/csv" } as const;
  const html = { schema: z.string(), contentType: "text/html" } as const;
  const small = z.object({ id: z.string(), kind: z.enum(["a", "b"]), at: z.object({ x: z.int() }).nullish() });
  const lacksKind = small.omit({ kind: true });
  const before = endpoint.get("/", { responses: { 200: { schema: small } } });
  const listed = endpoint.get("/", { responses: { 200: [{ schema: small }, csv] } });
  type Changes<Before, After> = Compatible<{ readonly show: Before }, { readonly show: After }>;

  const values = endpoint.get("/", {
    responses: { 200: { schema: small.extend({ kind: z.enum(["a", "b", "c", "d"]) }) } },
  });
  // @ts-expect-error at `satisfies`: show: 200 body.kind may be "c" | show: 200 body.kind may be "d"
  true satisfies Changes<typeof before, typeof values>;
  const types = endpoint.get("/", {
    responses: { 200: { schema: small.extend({ id: z.union([z.int(), z.array(z.string())]) }) } },
  });
  // @ts-expect-error at `satisfies`: show: 200 body.id may be a list | show: 200 body.id may be a number
  true satisfies Changes<typeof before, typeof types>;
  const below = endpoint.get("/", {
    responses: { 200: { schema: small.extend({ at: z.object({ x: z.int().nullable() }).nullish() }) } },
  });
  // @ts-expect-error at `satisfies`: show: 200 body.at.x may be null
  true satisfies Changes<typeof before, typeof below>;
  const list = endpoint.get("/", { responses: { 200: { schema: z.array(small) } } });
  // @ts-expect-error at `satisfies`: show: 200 body may be a list
  true satisfies Changes<typeof before, typeof list>;
  // @ts-expect-error at `satisfies`: show: 200 body may be an object
  true satisfies Changes<typeof list, typeof before>;
  const nothing = endpoint.get("/", { responses: { 200: {} } });
  // @ts-expect-error at `satisfies`: show: 200 body may be absent
  true satisfies Changes<typeof before, typeof nothing>;

  // A key that is gone is named where a status has several media types, and where a body may be null, too.
  const lacking = endpoint.get("/", { responses: { 200: [{ schema: lacksKind }, csv] } });
  // @ts-expect-error at `satisfies`: show: 200 application/json body.kind is gone
  true satisfies Changes<typeof listed, typeof lacking>;
  // @ts-expect-error at `satisfies`: show: 200 body.kind is gone | show: the media type text/csv of 200 is new
  true satisfies Changes<typeof before, typeof lacking>;
  const nullable = endpoint.get("/", { responses: { 200: { schema: small.nullable() } } });
  const nullableLacking = endpoint.get("/", { responses: { 200: { schema: lacksKind.nullable() } } });
  // @ts-expect-error at `satisfies`: show: 200 body.kind is gone
  true satisfies Changes<typeof nullable, typeof nullableLacking>;
  // @ts-expect-error at `satisfies`: show: 200 body may be null
  true satisfies Changes<typeof before, typeof nullable>;

  // @ts-expect-error at `satisfies`: show: the media type text/csv of 200 is new
  true satisfies Changes<typeof before, typeof listed>;
  const other = endpoint.get("/", { responses: { 200: [{ schema: small }, html] } });
  // @ts-expect-error at `satisfies`: show: the media type text/html of 200 is new
  true satisfies Changes<typeof listed, typeof other>;
  const onlyCsv = endpoint.get("/", { responses: { 200: [csv] } });
  true satisfies Changes<typeof listed, typeof onlyCsv>;
  // @ts-expect-error at `satisfies`: show: 200 is declared with one media type, where there were several
  true satisfies Changes<typeof listed, typeof before>;
  const oneListed = endpoint.get("/", { responses: { 200: [csv] } });
  const notListed = endpoint.get("/", { responses: { 200: csv } });
  // @ts-expect-error at `satisfies`: show: the contentType may be any string
  true satisfies Changes<typeof oneListed, typeof notListed>;
  const otherListed = endpoint.get("/", { responses: { 200: [html] } });
  // @ts-expect-error at `satisfies`: show: the media type text/html of 200 is new
  true satisfies Changes<typeof oneListed, typeof otherListed>;

  // Members of a union are told apart by their literals.
  const [a, b] = [z.object({ kind: z.literal("a"), x: z.string() }), z.object({ kind: z.literal("b"), y: z.string() })];
  const either = endpoint.get("/", { responses: { 200: { schema: z.union([a, b]) } } });
  const changed = endpoint.get("/", {
    responses: { 200: { schema: z.union([a, b.omit({ y: true }), z.object({ kind: z.literal("c") })]) } },
  });
  // @ts-expect-error at `satisfies`: show: 200 body may be an object with kind: "c" | show: 200 body.y is gone
  true satisfies Changes<typeof either, typeof changed>;
  const record = endpoint.get("/", { responses: { 200: { schema: z.record(z.string(), z.string()) } } });
  const numbers = endpoint.get("/", { responses: { 200: { schema: z.record(z.string(), z.int()) } } });
  // @ts-expect-error at `satisfies`: show: 200 body.${string} may be a number
  true satisfies Changes<typeof record, typeof numbers>;

  const anything = endpoint.get("/", { responses: { 200: { schema: z.unknown() } } });
  // @ts-expect-error at `satisfies`: show: 200 body may be anything
  true satisfies Changes<typeof before, typeof anything>;
  // Without a literal in each, objects are not compared key by key.
  const [x, y] = [z.object({ x: z.string() }), z.object({ y: z.string() })];
  const xOrY = endpoint.get("/", { responses: { 200: { schema: z.union([x, y]) } } });
  // @ts-expect-error at `satisfies`: show: 200 body may be another object
  true satisfies Changes<typeof xOrY, typeof before>;
  const pair = endpoint.get("/", { responses: { 200: { schema: z.tuple([z.string(), z.string()]) } } });
  const texts = endpoint.get("/", { responses: { 200: { schema: z.array(z.string()) } } });
  // @ts-expect-error at `satisfies`: show: 200 body has another type
  true satisfies Changes<typeof pair, typeof texts>;
  const others = endpoint.get("/", { responses: { 200: { schema: lacksKind.catchall(z.int()) } } });
  const noOthers = endpoint.get("/", { responses: { 200: { schema: lacksKind } } });
  // @ts-expect-error at `satisfies`: show: 200 body has another type
  true satisfies Changes<typeof others, typeof noOthers>;

  const range = endpoint.get("/", { responses: { 200: { schema: small }, "4XX": {} } });
  // @ts-expect-error at `satisfies`: show: the range 4XX is new
  true satisfies Changes<typeof before, typeof range>;
  const byDefault = endpoint.get("/", { responses: { 200: { schema: small }, default: {} } });
  // @ts-expect-error at `satisfies`: show: the default response is new
  true satisfies Changes<typeof before, typeof byDefault>;
  const headers = endpoint.get("/", { responses: { 204: { headers: { etag: { required: true } } } } });
  const lost = endpoint.get("/", { responses: { 204: {} } });
  // @ts-expect-error at `satisfies`: show: 204 headers.etag is gone
  true satisfies Changes<typeof headers, typeof lost>;

  const twoEvents = endpoint.get("/", { responses: { 200: events({ left: small, sold: z.int() }) } });
  const otherEvents = endpoint.get("/", { responses: { 200: events({ left: lacksKind, sold: z.string() }) } });
  // @ts-expect-error at `satisfies`: show: 200 event left.kind is gone | show: 200 event sold may be a string
  true satisfies Changes<typeof twoEvents, typeof otherEvents>;
  const streamed = endpoint.get("/", { responses: { 200: lines(small) } });
  // @ts-expect-error at `satisfies`: show: 200 body is a stream of other items
  true satisfies Changes<typeof streamed, typeof twoEvents>;
  // @ts-expect-error at `satisfies`: show: 200 body is a stream of other items
  true satisfies Changes<typeof twoEvents, typeof streamed>;
  // @ts-expect-error at `satisfies`: show: 200 body is a stream
  true satisfies Changes<typeof before, typeof streamed>;
  // @ts-expect-error at `satisfies`: show: 200 body is no longer a stream
  true satisfies Changes<typeof streamed, typeof before>;
}

/** Each change of what a client sends has a message that names it. */
export function changesOfRequests() {
  const responses = { 204: {} } as const;
  const kinds = endpoint.post("/", {
    request: {
      body: z.object({ kind: z.enum(["a", "b", "c"]), note: z.string().nullable(), tags: z.array(z.string()) }),
    },
    responses,
  });
  const fewer = endpoint.post("/", {
    request: { body: z.object({ kind: z.enum(["a"]), note: z.string(), tags: z.array(z.int()) }) },
    responses,
  });
  type Changes<Before, After> = Compatible<{ readonly put: Before }, { readonly put: After }>;
  // @ts-expect-error at `satisfies`: put: body.kind does not take "b" | put: body.kind does not take "c" | put:
  //   body.note does not take null | put: body.tags[] does not take a string
  true satisfies Changes<typeof kinds, typeof fewer>;
  const noList = endpoint.post("/", { request: { body: z.object({ tags: z.string() }) }, responses });
  // @ts-expect-error at `satisfies`: put: body.tags does not take a list
  true satisfies Changes<typeof kinds, typeof noList>;
  const [a, b] = [z.object({ kind: z.literal("a"), x: z.string() }), z.object({ kind: z.literal("b") })];
  const either = endpoint.post("/", { request: { body: z.union([a, b]) }, responses });
  const one = endpoint.post("/", { request: { body: a }, responses });
  // @ts-expect-error at `satisfies`: put: body does not take an object with kind: "b"
  true satisfies Changes<typeof either, typeof one>;
  const more = endpoint.post("/", { request: { body: z.union([a.extend({ y: z.string() }), b]) }, responses });
  // @ts-expect-error at `satisfies`: put: body.y is required
  true satisfies Changes<typeof either, typeof more>;
  const list = endpoint.post("/", { request: { body: z.array(a) }, responses });
  // @ts-expect-error at `satisfies`: put: body does not take an object with kind: "a"
  true satisfies Changes<typeof one, typeof list>;
  // Without a literal in each, objects are not compared key by key.
  const [x, y] = [z.object({ x: z.string() }), z.object({ y: z.string() })];
  const onlyX = endpoint.post("/", { request: { body: x }, responses });
  const other = endpoint.post("/", { request: { body: z.union([x.extend({ z: z.string() }), y]) }, responses });
  // @ts-expect-error at `satisfies`: put: body takes less
  true satisfies Changes<typeof onlyX, typeof other>;
  const large = endpoint.post("/", { request: { body: z.object({ x: z.bigint() }) }, responses });
  // @ts-expect-error at `satisfies`: put: body.x does not take a bigint
  true satisfies Changes<typeof large, typeof onlyX>;
  const anyText = endpoint.get("/", { request: { query: z.object({ sort: z.string() }) }, responses });
  const oneText = endpoint.get("/", { request: { query: z.object({ sort: z.enum(["asc"]) }) }, responses });
  // @ts-expect-error at `satisfies`: put: query.sort does not take every text
  true satisfies Changes<typeof anyText, typeof oneText>;
  // Also where a call needs no argument.
  const twoTexts = endpoint.get("/", {
    request: { query: z.object({ sort: z.enum(["asc", "desc"]).optional() }) },
    responses,
  });
  const optionalText = endpoint.get("/", {
    request: { query: z.object({ sort: z.enum(["asc"]).optional() }) },
    responses,
  });
  // @ts-expect-error at `satisfies`: put: query.sort does not take "desc"
  true satisfies Changes<typeof twoTexts, typeof optionalText>;
  // @ts-expect-error at `satisfies`: put: query.sort does not take every text
  true satisfies Changes<typeof anyText, typeof optionalText>;
  const texts = endpoint.post("/", { request: { body: z.array(z.string()) }, responses });
  const pair = endpoint.post("/", { request: { body: z.tuple([z.string(), z.string()]) }, responses });
  // @ts-expect-error at `satisfies`: put: body takes less
  true satisfies Changes<typeof texts, typeof pair>;
  const unknown = endpoint.post("/", { request: { body: z.unknown() }, responses });
  // @ts-expect-error at `satisfies`: put: body takes less
  true satisfies Changes<typeof unknown, typeof texts>;
  const symbol = endpoint.post("/", { request: { body: z.object({ x: z.custom<symbol>() }) }, responses });
  // @ts-expect-error at `satisfies`: put: body.x does not take another value
  true satisfies Changes<typeof symbol, typeof onlyX>;
  const noBody = endpoint.post("/", { responses });
  // @ts-expect-error at `satisfies`: put: body takes less
  true satisfies Changes<typeof onlyX, typeof noBody>;
  // Deep within, a message does not say which value.
  const deep = <Value extends z.ZodType>(value: Value) => {
    const inner = z.object({ d: z.object({ e: z.object({ f: value }) }) });
    return z.object({ a: z.object({ b: z.object({ c: inner }) }) });
  };
  const deepTexts = endpoint.post("/", { request: { body: deep(z.string()) }, responses });
  const deepKinds = endpoint.post("/", { request: { body: deep(z.enum(["a"])) }, responses });
  // @ts-expect-error at `satisfies`: put: body.a.b.c.d.e takes less
  true satisfies Changes<typeof deepTexts, typeof deepKinds>;

  // A field of a form is a text, a file, or either.
  const textOrFile = z.object({ x: z.union([z.string(), z.instanceof(File)]) });
  const field = endpoint.post("/", { request: { body: textOrFile, bodyReader: form }, responses });
  const text = endpoint.post("/", { request: { body: x, bodyReader: form }, responses });
  // @ts-expect-error at `satisfies`: put: body.x does not take a file
  true satisfies Changes<typeof field, typeof text>;
  const [anyFile, signedFile] = [z.instanceof(File), z.custom<File & { readonly signature: string }>()];
  const photo = endpoint.post("/", { request: { body: z.object({ x: anyFile }), bodyReader: form }, responses });
  const signed = endpoint.post("/", { request: { body: z.object({ x: signedFile }), bodyReader: form }, responses });
  // @ts-expect-error at `satisfies`: put: body.x takes less
  true satisfies Changes<typeof photo, typeof signed>;
}

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
}
interface TreeOfNumbers {
  readonly name: number;
  readonly children: readonly TreeOfNumbers[];
}

export function schemasThatReferToThemselves() {
  const tree: z.ZodType<Tree> = z.any();
  const numbered: z.ZodType<TreeOfNumbers> = z.any();
  const before = { tree: endpoint.put("/tree", { request: { body: tree }, responses: { 200: { schema: tree } } }) };
  const after = {
    tree: endpoint.put("/tree", { request: { body: numbered }, responses: { 200: { schema: numbered } } }),
  };
  true satisfies Compatible<typeof before, typeof before>;
  // @ts-expect-error at `satisfies`: tree: 200 body.children[].children[].children has another type | tree: 200
  //   body.children[].children[].name has another type | tree: 200 body.children[].name may be a number | tree: 200
  //   body.name may be a number
  true satisfies Compatible<typeof before, typeof after>;
}

export function sockets() {
  const refusals = { 426: {} };
  const said = z.object({ text: z.string(), at: z.date(), by: z.string().optional() });
  const say = z.object({ text: z.string() });
  const leave = z.undefined();
  const before = {
    room: endpoint.get("/room", {
      responses: { 101: socket({ client: { say, leave }, server: { said, moved: z.null() } }), ...refusals },
    }),
  };
  true satisfies Compatible<typeof before, typeof before>;
  // Clients skip messages that they do not know.
  const more = {
    room: endpoint.get("/room", {
      responses: {
        101: socket({
          client: { say: say.extend({ tag: z.string().optional() }), leave: leave.or(z.string()), other: z.null() },
          server: { said: said.extend({ id: z.string() }), other: z.null() },
        }),
        ...refusals,
      },
    }),
  };
  true satisfies Compatible<typeof before, typeof more>;
  const less = {
    room: endpoint.get("/room", {
      responses: {
        101: socket({
          client: { say: say.extend({ tag: z.string() }) },
          server: { said: z.object({ at: z.number(), by: z.string() }), moved: z.string() },
        }),
        ...refusals,
      },
    }),
  };
  // @ts-expect-error at `satisfies`: room: 101 client leave is gone | room: 101 client say.tag is required | room: 101
  //   server moved may be a string | room: 101 server said.at may be a number | room: 101 server said.text is gone
  true satisfies Compatible<typeof before, typeof less>;
  const plain = { room: endpoint.get("/room", { responses: { 200: { schema: z.string() }, ...refusals } }) };
  // @ts-expect-error at `satisfies`: room: the socket is gone | room: the status 200 is new
  true satisfies Compatible<typeof before, typeof plain>;
  // @ts-expect-error at `satisfies`: room: the status 101 is new
  true satisfies Compatible<typeof plain, typeof before>;
}
