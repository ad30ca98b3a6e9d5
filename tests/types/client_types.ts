/**
 * What the compiler knows of a client. It checks this file: nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { type } from "arktype";
import * as v from "valibot";
import { z } from "zod";
import { type Answer, endpoint, type Reply, reply, route, type SentAs, type TypedEndpoint } from "../../mod.ts";
import { createClient, type Received } from "../../src/client/mod.ts";
import type { JsonOf } from "../../src/core/responses/json_of.ts";
import { bytes, decompressed, form, json, optional, text } from "../../src/body/mod.ts";
import * as api from "../entry_points/client/client_api.ts";

interface Book {
  id: string;
  title: string;
  added: string;
  tags?: string[];
}

const client = createClient(api);

export async function answers() {
  const shown = await client.showBook({ params: { id: 7 } });
  assertType<
    IsExact<
      typeof shown,
      Received<200, Book> | Received<404, { code: "missing" }> | Received<401, { code: "who" }>
    >
  >(true);
  if (shown.status === 200) {
    shown.body.added satisfies string;
    shown.body.tags satisfies string[] | undefined;
    shown.response.headers.get("etag");
  }
  // @ts-expect-error at `shown.status === 418`: This comparison appears to be unintentional because the types '200 |
  //   401 | 404' and '418' have no overlap.
  if (shown.status === 418) return;
  // @ts-expect-error at `title`: Property 'title' does not exist on type '{…'.
  shown.body.title;

  const made = await client.createBook({ body: { title: "Emma" } });
  switch (made.status) {
    case 201:
    case 400:
    case 401:
      break;
    default:
      made satisfies never;
  }

  const deleted = await client.deleteBook({ params: { id: "emma" } });
  if (deleted.status === 409) deleted.body.code satisfies "missing";
  if (deleted.status === 204) deleted.body satisfies undefined;

  (await client.health()) satisfies Response;
  const file = await client.file({ params: { "*": "a/b" } });
  if (file.status === 200) file.body satisfies string;
}

export async function bodiesOfHead() {
  const responses = { 200: { schema: z.object({ n: z.number() }) } };
  const heads = createClient({
    head: endpoint.head("/", { responses }),
    several: endpoint.on(["GET", "HEAD"], "/", { responses }),
    all: endpoint.all("/all", { responses }),
    other: endpoint.on(["GET", "QUERY"], "/", { responses }),
  });
  assertType<IsExact<Awaited<ReturnType<typeof heads.head>>, Received<200, undefined>>>(true);
  assertType<IsExact<Awaited<ReturnType<typeof heads.several>>, Received<200, { n: number } | undefined>>>(true);
  assertType<IsExact<Awaited<ReturnType<typeof heads.all>>, Received<200, { n: number } | undefined>>>(true);
  assertType<IsExact<Awaited<ReturnType<typeof heads.other>>, Received<200, { n: number }>>>(true);
  const method = "GET" as "GET" | "HEAD";
  const got = await heads.several({ method: "GET" });
  const headed = await heads.several({ method: "HEAD" });
  const either = await heads.several({ method });
  const found = await heads.all({ method: "PROPFIND" });
  const allHeaded = await heads.all({ method: "HEAD" });
  const any = await heads.all({ method: method as string });
  assertType<IsExact<typeof got, Received<200, { n: number }>>>(true);
  assertType<IsExact<typeof headed, Received<200, undefined>>>(true);
  assertType<IsExact<typeof either, Received<200, { n: number } | undefined>>>(true);
  assertType<IsExact<typeof found, Received<200, { n: number }>>>(true);
  assertType<IsExact<typeof allHeaded, Received<200, undefined>>>(true);
  assertType<IsExact<typeof any, Received<200, { n: number } | undefined>>>(true);
  // @ts-expect-error at `headed.body`: 'headed.body' is possibly 'undefined'.
  headed.body.n;
  // The body may be that of HEAD.
  // @ts-expect-error at `either.body`: 'either.body' is possibly 'undefined'.
  either.body.n;
  // @ts-expect-error at `heads`: Missing argument: { method: … }
  await heads.several();
  // @ts-expect-error at `{}`: Property 'method' is missing in type '{}' but required in type '{ readonly method:
  //   string; }'.
  await heads.all({});
  // @ts-expect-error at `body`: Object literal may only specify known properties, and 'body' does not exist in type '{
  //   readonly method: "GET"; } & CallInit'.
  await heads.several({ method: "GET", body: "x" });
  await heads.other({ method: "QUERY", body: "x" });
  // @ts-expect-error at `method`: Type '"PUT"' is not assignable to type '"GET" | "HEAD"'.
  await heads.several({ method: "PUT" });
  // The endpoint has only one.
  // @ts-expect-error at `method`: Object literal may only specify known properties, and 'method' does not exist in type
  //   'CallInit'.
  await heads.head({ method: "HEAD" });
}

export async function parts() {
  await client.listBooks();
  await client.listBooks({});
  await client.listBooks({ query: { limit: 5 } });
  await client.listBooks({ query: { after: undefined } });
  await client.searchBooks({ query: { q: 1, sort: "title" } });
  await client.searchBooks({
    query: { q: true, tag: ["a", 1] },
    signal: AbortSignal.timeout(1000),
    credentials: "omit",
  });
  await client.createBook({ body: { title: "Emma", year: 1815 }, headers: { "x-a": "b" } });
  await client.showBook({ params: { id: true }, headers: new Headers() });
  await client.whoami({ headers: { authorization: "Bearer ada", "x-trace": 1 }, cookies: { theme: "dark" } });
  await client.whoami({ headers: { authorization: "Bearer ada" }, cookies: { theme: "dark", seen: [1, 2] } });
  // @ts-expect-error at `{}`: Property 'params' is missing in type '{}' but required in type '{ readonly params: {
  //   readonly id: TextValue; }; }'.
  await client.showBook({});
  // @ts-expect-error at `client`: Missing argument: { params: … }
  await client.showBook();
  // @ts-expect-error at `ID`: Object literal may only specify known properties, but 'ID' does not exist in type '{
  //   readonly id: TextValue; }'. Did you mean to write 'id'?
  await client.showBook({ params: { ID: "" } });
  // @ts-expect-error at `{}`: Property 'body' is missing in type '{}' but required in type '{…'.
  await client.createBook({});
  // @ts-expect-error at `yaer`: Object literal may only specify known properties, and 'yaer' does not exist in type '{
  //   title: string; year?: number | undefined; }'.
  await client.createBook({ body: { title: "x", yaer: 1 } });
  // @ts-expect-error at `titel`: Object literal may only specify known properties, but 'titel' does not exist in type
  //   '{ title: string; year?: number | undefined; }'. Did you mean to write 'title'?
  await client.createBook({ body: { titel: "x" } });
  // @ts-expect-error at `title`: Type 'number' is not assignable to type 'string'.
  await client.createBook({ body: { title: 1 } });
  // @ts-expect-error at `body`: Object literal may only specify known properties, and 'body' does not exist in type '{
  //   readonly params: { readonly id: TextValue; }; } & CallInit'.
  await client.showBook({ params: { id: 1 }, body: "x" });
  // @ts-expect-error at `sort`: Type '"size"' is not assignable to type '"added" | "title" | undefined'.
  await client.searchBooks({ query: { q: "x", sort: "size" } });
  // @ts-expect-error at `page`: Object literal may only specify known properties, and 'page' does not exist in type
  //   '{…'.
  await client.searchBooks({ query: { q: "x", page: 2 } });
  // @ts-expect-error at `{}`: Property 'query' is missing in type '{}' but required in type '{…'.
  await client.searchBooks({});
  // @ts-expect-error at `theme`: Type '"blue"' is not assignable to type '"dark" | "light"'.
  await client.whoami({ headers: { authorization: "" }, cookies: { theme: "blue" } });
  // @ts-expect-error at `headers`: Property 'authorization' is missing in type '{}' but required in type '{…'.
  await client.whoami({ headers: {}, cookies: { theme: "dark" } });
  // @ts-expect-error at `"x-tarce"`: Object literal may only specify known properties, and '"x-tarce"' does not exist
  //   in type '{…'.
  await client.whoami({ headers: { authorization: "", "x-tarce": 1 }, cookies: { theme: "dark" } });
  // @ts-expect-error at `{ headers: { authorization: "" } }`: Property 'cookies' is missing in type '{ headers: {
  //   authorization: string; }; }' but required in type '{…'.
  await client.whoami({ headers: { authorization: "" } });
  // @ts-expect-error at `showBok`: Property 'showBok' does not exist on type 'Client<…'. Did you mean 'showBook'?
  await client.showBok({ params: { id: "" } });
  // @ts-expect-error at `book`: Type 'never' has no call signatures.
  client.book({});
}

export async function bodiesOfReaders() {
  const body = z.object({ title: z.string(), n: z.coerce.number().optional() });
  const responses = { 204: {} };
  const own = { contentTypes: ["a/b"], optional: true, read: () => Promise.resolve({ value: undefined }) } as const;
  const client = createClient({
    maybeJson: endpoint.post("/1", { request: { body: body.optional(), bodyReader: optional(json) }, responses }),
    maybeForm: endpoint.post("/2", { request: { body: body.optional(), bodyReader: optional(form) }, responses }),
    maybeOwn: endpoint.post("/3", { request: { body: body.optional(), bodyReader: own }, responses }),
    refused: endpoint.post("/4", { request: { body, bodyReader: optional(json) }, responses }),
    json: endpoint.post("/5", { request: { body, bodyReader: json }, responses }),
    text: endpoint.post("/6", { request: { body: z.enum(["a", "b"]), bodyReader: text }, responses }),
    number: endpoint.post("/7", { request: { body: z.coerce.number(), bodyReader: text }, responses }),
    bytes: endpoint.post("/8", { request: { body: z.any(), bodyReader: bytes }, responses }),
    compressed: endpoint.post("/9", {
      request: { body: body.optional(), bodyReader: optional(decompressed(json, { maxBodyBytes: 9 })) },
      responses,
    }),
  });
  const maybe = undefined as { title: string } | undefined;
  await client.maybeJson();
  await client.maybeJson({ body: maybe });
  await client.maybeForm({});
  await client.maybeForm({ body: { title: "Emma", n: 1 } });
  await client.maybeForm({ body: new FormData() });
  await client.maybeOwn({ body: "bytes" });
  await client.compressed();
  await client.compressed({ body: new Uint8Array() });
  // @ts-expect-error at `title`: Type 'number' is not assignable to type 'string'.
  await client.maybeJson({ body: { title: 1 } });
  // @ts-expect-error at `client`: Missing argument: { body: … }
  await client.refused();
  // @ts-expect-error at `title`: Object literal may only specify known properties, and 'title' does not exist in type
  //   '…'.
  await client.compressed({ body: { title: "Emma" } });
  await client.json({ body: { title: "Emma" } });
  // @ts-expect-error at `{}`: Property 'body' is missing in type '{}' but required in type '{ readonly body: { title:
  //   string; n?: unknown; }; }'.
  await client.json({});
  await client.text({ body: "a" });
  // @ts-expect-error at `body`: Type '"c"' is not assignable to type '"a" | "b"'.
  await client.text({ body: "c" });
  await client.number({ body: "7" });
  await client.bytes({ body: new Blob() });
}

export async function undefinedValues() {
  const maybe = undefined as string | undefined;
  const [exactly, required] = [type({ "a?": "string" }), type({ a: "string" })];
  const responses = { 204: {} };
  const optional = createClient({
    query: endpoint.get("/q", { request: { query: exactly }, responses }),
    headers: endpoint.get("/h", { request: { headers: exactly }, responses }),
    cookies: endpoint.get("/c", { request: { cookies: exactly }, responses }),
    zod: endpoint.get("/z", { request: { query: z.object({ a: z.string().exactOptional() }) }, responses }),
    form: endpoint.post("/f", { request: { body: exactly, bodyReader: form }, responses }),
    converted: endpoint.get("/l", { request: { query: z.object({ limit: z.coerce.number().default(1) }) }, responses }),
    convertedForm: endpoint.post("/n", {
      request: { body: z.object({ n: z.coerce.number().default(1) }), bodyReader: form },
      responses,
    }),
    needed: endpoint.get("/n", { request: { query: z.object({ limit: z.coerce.number() }) }, responses }),
    neededForm: endpoint.post("/m", {
      request: { body: z.object({ n: z.coerce.number() }), bodyReader: form },
      responses,
    }),
    required: endpoint.get("/r", { request: { query: required }, responses }),
    body: endpoint.post("/b", { request: { body: exactly }, responses }),
  });
  // Not sent, so an optional key takes it, also with `exactOptionalPropertyTypes`.
  await optional.query({ query: { a: maybe } });
  await optional.headers({ headers: { a: maybe } });
  await optional.cookies({ cookies: { a: maybe } });
  await optional.zod({ query: { a: maybe } });
  await optional.form({ body: { a: maybe } });
  // Whose input is unknown, such as that of a converting schema.
  await optional.converted({ query: { limit: maybe } });
  await optional.converted({ query: { limit: undefined } });
  await optional.convertedForm({ body: { n: maybe } });
  await optional.body({ body: {} });
  // @ts-expect-error at `a`: Type 'undefined' is not assignable to type 'TextValue'.
  await optional.required({ query: { a: maybe } });
  // A required key whose input is unknown.
  // @ts-expect-error at `limit`: Type 'undefined' is not assignable to type 'TextValue | readonly TextValue[]'.
  await optional.needed({ query: { limit: maybe } });
  // A required field whose input is unknown.
  // @ts-expect-error at `n`: Type 'undefined' is not assignable to type 'Blob | TextValue | readonly (…'.
  await optional.neededForm({ body: { n: maybe } });
  // @ts-expect-error at `limit`: Type '{}' is not assignable to type 'undefined'.
  await optional.converted({ query: { limit: {} } });
  // A JSON body is what its schema accepts.
  // @ts-expect-error at `body`: Type 'undefined' is not assignable to type 'string'.
  await optional.body({ body: { a: maybe } });
}

export async function headerValues(token?: string) {
  createClient(api, { headers: { authorization: token } });
  createClient(api, { headers: () => ({ authorization: token }) });
  createClient(api, { headers: () => token ? { authorization: token } : {} });
  createClient(api, { headers: async () => await Promise.resolve(token ? { authorization: token } : {}) });
  createClient(api, { headers: ({ name }) => name === "showBook" ? new Headers() : { "x-n": 1 } });
  createClient(api, { headers: () => [["authorization", "Bearer ada"]] });
  await client.health({ headers: { "if-none-match": token, "x-n": 1 } });
  // @ts-expect-error at `headers`: Type '{}' is not assignable to type 'TextValue | undefined'.
  createClient(api, { headers: () => ({ authorization: {} }) });
  // @ts-expect-error at `"x-n"`: Type 'null' is not assignable to type 'TextValue | undefined'.
  await client.health({ headers: { "x-n": null } });
}

export async function paramValues(id?: string) {
  const converted = createClient({
    coerced: endpoint.get("/a/:id", { request: { params: z.object({ id: z.coerce.number() }) }, responses: {} }),
    optional: endpoint.get("/b/:id", { request: { params: z.object({ id: z.string().optional() }) }, responses: {} }),
  });
  await converted.coerced({ params: { id: 7 } });
  await converted.optional({ params: { id: 7 } });
  // @ts-expect-error at `id`: Type 'number[]' is not assignable to type 'TextValue'.
  await converted.coerced({ params: { id: [1, 2] } });
  // A parameter is never absent.
  // @ts-expect-error at `id`: Type 'undefined' is not assignable to type 'TextValue'.
  await converted.optional({ params: { id } });
}

export async function mediaTypes() {
  const schema = z.object({ at: z.date() });
  const texts = createClient({
    xml: endpoint.get("/x", { responses: { 200: { schema, contentType: "application/xml" } } }),
    number: endpoint.get("/n", { responses: { 200: { schema: z.number(), contentType: "text/plain" } } }),
    literal: endpoint.get("/l", { responses: { 200: { schema: z.literal("ok"), contentType: "text/plain" } } }),
    problem: endpoint.get("/p", { responses: { 200: { schema, contentType: "application/problem+json" } } }),
    charset: endpoint.get("/c", { responses: { 200: { schema, contentType: "application/json; charset=utf-8" } } }),
    sequence: endpoint.get("/s", { responses: { 200: { schema, contentType: "application/json-seq" } } }),
    route: route.get("/r", {
      responses: { 200: { schema, contentType: "application/xml" } },
      resolve: () => new Response("<at/>") as Reply<Answer<200, string, SentAs<"application/xml">>>,
    }),
    head: endpoint.all("/h", { responses: { 200: { schema } } }),
  });
  // The client reads a body that is not JSON as text.
  assertType<IsExact<Awaited<ReturnType<typeof texts.xml>>["body"], string>>(true);
  assertType<IsExact<Awaited<ReturnType<typeof texts.number>>["body"], string>>(true);
  assertType<IsExact<Awaited<ReturnType<typeof texts.literal>>["body"], "ok">>(true);
  assertType<IsExact<Awaited<ReturnType<typeof texts.problem>>["body"], { at: string }>>(true);
  assertType<IsExact<Awaited<ReturnType<typeof texts.charset>>["body"], { at: string }>>(true);
  assertType<IsExact<Awaited<ReturnType<typeof texts.sequence>>["body"], string>>(true);
  assertType<IsExact<Awaited<ReturnType<typeof texts.route>>["body"], string>>(true);
  const { body } = await texts.head({ method: "head" });
  assertType<IsExact<typeof body, undefined>>(true);
}

export async function bodies() {
  const upload = z.object({ title: z.string(), year: z.coerce.number(), cover: z.file(), tags: z.array(z.string()) });
  const text = { contentTypes: ["text/plain"], read: (_: Request) => Promise.resolve({ value: "" }) };
  const bodies = createClient({
    form: endpoint.post("/form", { request: { body: upload, bodyReader: form }, responses: { 204: {} } }),
    text: endpoint.post("/text", { request: { body: z.string(), bodyReader: text }, responses: { 204: {} } }),
    raw: endpoint.put("/raw", { responses: { 204: {} } }),
    converted: endpoint.put("/c", { request: { body: z.object({ n: z.coerce.number<string>() }) }, responses: {} }),
    valibot: endpoint.put("/v", { request: { body: v.object({ n: v.optional(v.number()) }) }, responses: {} }),
    arktype: endpoint.put("/t", { request: { body: type({ "n?": "number" }) }, responses: {} }),
  });
  const cover = new File([], "cover.png");
  await bodies.form({ body: { title: "Emma", year: 1815, cover, tags: ["a"] } });
  await bodies.form({ body: new FormData() });
  await bodies.text({ body: "text" });
  await bodies.text({ body: new ReadableStream<Uint8Array>() });
  await bodies.raw({ body: new Uint8Array() });
  await bodies.raw();
  await bodies.converted({ body: { n: "1" } });
  await bodies.valibot({ body: {} });
  await bodies.arktype({ body: { n: 1 } });
  // @ts-expect-error at `titel`: Object literal may only specify known properties, and 'titel' does not exist in type
  //   '…'.
  await bodies.form({ body: { titel: "Emma", year: 1815, cover, tags: [] } });
  // @ts-expect-error at `cover`: Type 'string' is not assignable to type 'File'.
  await bodies.form({ body: { title: "Emma", year: 1815, cover: "cover.png", tags: [] } });
  // @ts-expect-error at `text`: Type 'string' is not assignable to type '() => Promise<string>'.
  await bodies.text({ body: { text: "" } });
  // @ts-expect-error at `text`: Type 'string' is not assignable to type '() => Promise<string>'.
  await bodies.raw({ body: { text: "" } });
  // The output of the schema, not its input.
  // @ts-expect-error at `n`: Type 'number' is not assignable to type 'string'.
  await bodies.converted({ body: { n: 1 } });
}

export async function routes() {
  const shown = route.get("/r/:id", {
    responses: { 200: { schema: z.object({ id: z.string() }) } },
    resolve: (c) => reply(200, { id: c.raw.params.id }),
  });
  const plain = route.get("/p/:id", { resolve: () => new Response() });
  // As the declarations of a package without its schema library.
  const byHand: TypedEndpoint<
    "GET",
    "/h/:id",
    { readonly headers: { "x-a": string; "x-b"?: string } },
    Answer<200, { at: Date }>
  > = endpoint.get("/h/:id", {
    request: { headers: z.object({ "x-a": z.string(), "x-b": z.string().exactOptional() }) },
    responses: { 200: { schema: z.object({ at: z.date() }) } },
  });
  const several = route.on(["GET", "HEAD"], "/s", {
    responses: { 200: { schema: z.object({ n: z.number() }) } },
    resolve: () => reply(200, { n: 1 }),
  });
  const client = createClient({ shown, plain, byHand, several });
  const got = await client.several({ method: "GET" });
  const headed = await client.several({ method: "HEAD" });
  assertType<IsExact<typeof got, Received<200, { n: number }>>>(true);
  assertType<IsExact<typeof headed, Received<200, undefined>>>(true);
  // @ts-expect-error at `method`: Type '"PUT"' is not assignable to type '"GET" | "HEAD"'.
  await client.several({ method: "PUT" });
  assertType<IsExact<Awaited<ReturnType<typeof client.shown>>, Received<200, { id: string }>>>(true);
  (await client.plain({ params: { id: 1 }, query: { a: [1] }, body: {}, cookies: { a: 1 } })) satisfies Response;
  const { body } = await client.byHand({ params: { id: 1 }, headers: { "x-a": 1 } });
  body.at satisfies string;
  // @ts-expect-error at `{ params: { id: 1 } }`: Property 'headers' is missing in type '{ params: { id: number; }; }'
  //   but required in type '{…'.
  await client.byHand({ params: { id: 1 } });

  const byName = createClient({} as Record<string, typeof plain>);
  (await byName["a"]?.()) satisfies Response | undefined;
}

interface Tree {
  readonly name: string;
  readonly children: readonly Tree[];
  readonly parent?: Tree;
}

export function jsonBodies() {
  assertType<IsExact<JsonOf<{ at: Date; readonly n?: number }>, { at: string; n?: number }>>(true);
  assertType<IsExact<JsonOf<{ a: string | undefined; b: number }>, { b: number; a?: string }>>(true);
  assertType<IsExact<JsonOf<{ a: undefined; f: () => void; [Symbol.iterator]: string }>, Record<never, never>>>(true);
  assertType<IsExact<JsonOf<[Date, undefined, (string | undefined)?]>, [string, null, (string | null)?]>>(true);
  assertType<IsExact<JsonOf<readonly (Date | null)[]>, (string | null)[]>>(true);
  assertType<IsExact<JsonOf<Map<string, string> | Set<string>>, Record<never, never>>>(true);
  assertType<IsExact<JsonOf<unknown>, unknown>>(true);
  assertType<IsExact<JsonOf<"a" | 1 | true | null>, "a" | 1 | true | null>>(true);
  assertType<IsExact<JsonOf<{ toJSON(): { at: Date } }>, { at: string }>>(true);
  assertType<IsExact<JsonOf<{ [key: string]: Date }>, { [key: string]: string }>>(true);
  const tree = {} as JsonOf<Tree>;
  tree.children[0]?.children[0]?.parent?.name satisfies string | undefined;
}

export async function anyJson(any: z.core.util.JSONType) {
  const responses = { 200: { schema: z.json() }, 201: { schema: z.object({ any: z.json() }) } };
  const answer = await createClient({ ask: endpoint.post("/", { request: { body: z.json() }, responses }) })
    .ask({ body: [1, { any: [null] }, any] });
  if (answer.status === 200) answer.body satisfies z.core.util.JSONType;
  if (answer.status === 201) answer.body.any satisfies z.core.util.JSONType;
}
