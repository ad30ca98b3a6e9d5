/**
 * One status with several media types: which replies fit a list of responses, and what a client receives. The compiler
 * checks this file: nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import {
  type Answer,
  type Context,
  deny,
  denyInvalid,
  endpoint,
  type Reply,
  reply,
  replyAs,
  type ReplyInit,
  route,
  type RouteResponses,
  type SentAs,
  type SentAsOneOf,
} from "../../mod.ts";
import { type Compatible, createClient, type Received, type ReceivedAs } from "../../src/client/mod.ts";
import { events, lines, replyEvents, replyLines } from "../../src/events/mod.ts";

const book = z.object({ id: z.string() });
const graph = z.object({ data: z.string() });
const failed = z.object({ error: z.string() });
const responses = {
  200: [
    { schema: book },
    { schema: z.string(), contentType: "text/csv" },
    { schema: graph, contentType: "application/graphql-response+json", headers: { etag: { required: true } } },
  ],
  201: { schema: book },
  204: {},
  404: [{ schema: failed }, { schema: z.string(), contentType: "text/plain" }],
} as const;
const row = { id: "", hash: "" };
const body = { id: "" };
const text = "" as string;
const CSV = { contentType: "text/csv" } as const;
const GRAPH = { contentType: "application/graphql-response+json", headers: { etag: "" } } as const;

export function repliesThatFit(isCsv: boolean, isFound: boolean) {
  route.get("/", { responses, resolve: (_c) => reply(200, body) });
  route.get("/", { responses, resolve: () => reply(200, { id: "" }) });
  route.get("/", { responses, resolve: (_c) => reply(200, text, CSV) });
  route.get("/", { responses, resolve: () => reply(200, text, { contentType: "text/csv" }) });
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "" }, { contentType: "application/json" }) });
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "" }, { headers: { "x-any": 1 } }) });
  route.get("/", { responses, resolve: (_c) => reply(200, { data: "" }, GRAPH) });
  route.get("/", { responses, resolve: () => reply(200, { data: "" }, GRAPH) });
  route.get("/", { responses, resolve: (_c) => reply(200, { data: "" }, { ...GRAPH, statusText: "Fine" }) });
  route.get("/", { responses, resolve: (_c) => replyAs("text/csv")(200, text) });
  route.get("/", { responses, resolve: () => replyAs("text/csv")(200, text) });
  route.get("/", {
    responses,
    resolve: (_c) => replyAs("application/graphql-response+json")(200, { data: "" }, { headers: { etag: "" } }),
  });
  route.get("/", { responses, resolve: (_c) => isCsv ? reply(200, text, CSV) : reply(200, body) });
  route.get("/", {
    responses,
    resolve: async (_c) => isCsv ? reply(200, text, CSV) : await Promise.resolve(reply(204)),
  });
  route.get("/", {
    responses,
    resolve: () => isFound ? reply(200, body) : reply(404, text, { contentType: "text/plain" }),
  });
  route.get("/", { responses, resolve: (_c) => reply(isFound ? 200 : 201, body) });
  route.get("/", { responses, resolve: () => reply(isFound ? 200 : 201, body) });
  route.on(endpoint.get("/", { responses }), { resolve: () => reply(200, text, CSV) });
  const shared = () => isCsv ? reply(200, text, CSV) : reply(200, body);
  route.get("/", { responses, resolve: () => shared() });
  const several = (status: 200 | 201) => reply(status, body);
  route.get("/", { responses, resolve: () => several(200) });
  const generic = <Status extends 200 | 201>(status: Status) => reply(status, body);
  route.get("/", { responses, resolve: () => generic(200) });
  const noted: Reply<Answer<200, string, SentAs<"text/csv">> | Answer<200, { id: string }>> = shared();
  route.get("/", { responses, resolve: () => noted });
  const listed: Reply<Answer<200, string, SentAsOneOf<"text/csv">>> = reply(200, text, CSV);
  route.get("/", { responses, resolve: () => listed });
  const cast = new Response() as Reply<Answer<200, string, SentAs<"text/csv">>>;
  route.get("/", { responses, resolve: () => cast });
  assertType<
    IsExact<
      ReturnType<typeof several>,
      Reply<Answer<200, { id: string }> | Answer<201, { id: string }>>
    >
  >(true);
}

export function repliesThatDoNotFit(
  isCsv: boolean,
  csv: { contentType?: "text/csv" },
  wide: ReplyInit,
  either: "text/csv" | "application/json",
  any: { contentType: string },
) {
  // @ts-expect-error at `text`: Argument of type 'string' is not assignable to parameter of type '{ id: string; }'.
  route.get("/", { responses, resolve: (_c) => reply(200, text) });
  // @ts-expect-error at `reply(200, text)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, text) });
  // @ts-expect-error at `body`: Argument of type '{ id: string; }' is not assignable to parameter of type 'string'.
  route.get("/", { responses, resolve: (_c) => reply(200, body, CSV) });
  // @ts-expect-error at `reply(200, body, CSV)`: return reply(status, body)
  //   at `body`: The body must be a string, since text/csv is not JSON
  route.get("/", { responses, resolve: () => reply(200, body, CSV) });
  // @ts-expect-error at `body`: Property 'data' is missing in type '{ id: string; }' but required in type '{ readonly
  //   data: string; }'.
  route.get("/", { responses, resolve: (_c) => reply(200, body, GRAPH) });
  // @ts-expect-error at `reply(200, { data: "" })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { data: "" }) });
  // @ts-expect-error at `contentType`: Type '"text/html"' is not assignable to type '…'.
  route.get("/", { responses, resolve: (_c) => reply(200, text, { contentType: "text/html" }) });
  // @ts-expect-error at `reply(200, text, { contentType: "text/ht…`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, text, { contentType: "text/html" }) });
  // @ts-expect-error at `contentType`: Type '"text/plain"' is not assignable to type '…'.
  route.get("/", { responses, resolve: (_c) => reply(200, text, { contentType: "text/plain" }) });
  // @ts-expect-error at `row`: The schema has no key "hash": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, row) });
  // @ts-expect-error at `reply(200, { ...row })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { ...row }) });
  // @ts-expect-error at `id`: The schema has no key "id": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "", data: "" }, GRAPH) });
  // @ts-expect-error at `{ contentType: GRAPH.contentType }`: Property 'headers' is missing in type '{ contentType:
  //   "application/graphql-response+json"; }' but required in type '{ readonly headers: { readonly etag: HeaderValue;
  //   }; }'.
  route.get("/", { responses, resolve: (_c) => reply(200, { data: "" }, { contentType: GRAPH.contentType }) });
  // @ts-expect-error at `reply(200, { data: "" }, { contentType:…`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, { data: "" }, { contentType: GRAPH.contentType }) });
  // @ts-expect-error at `{ data: "" }`: Write reply(200, body, { contentType: "application/graphql-response+json",
  //   headers: { "etag": ... } })
  route.get("/", { responses, resolve: (_c) => replyAs(GRAPH.contentType)(200, { data: "" }) });
  // @ts-expect-error at `a`: The response declares no header "a": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(200, { data: "" }, { ...GRAPH, headers: { etag: "", a: "" } }) });
  // @ts-expect-error at `reply(200)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  route.get("/", { responses, resolve: (_c) => reply(200) });
  // @ts-expect-error at `new Response()`: Property 'id' is missing in type 'Response' but required in type '{ readonly
  //   id: string; }'.
  route.get("/", { responses, resolve: (_c) => reply(200, new Response()) });
  // @ts-expect-error at `new Response()`: return reply(status, body)
  route.get("/", { responses, resolve: () => new Response() });
  // @ts-expect-error at `text`: This does not fit what is declared for 200 as application/json: write one call for each
  route.get("/", { responses, resolve: (_c) => reply(200, text, csv) });
  // @ts-expect-error at `body`: This does not fit what is declared for 200 as text/csv: write one call for each
  route.get("/", { responses, resolve: (_c) => reply(200, body, csv) });
  // @ts-expect-error at `reply(200, text, csv)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, text, csv) });
  // @ts-expect-error at `reply(200, body, csv)`: return reply(status, body)
  //   at `body`: The body must be a string, since application/json is not JSON | The body must be a string, since
  //   text/csv is not JSON
  route.get("/", { responses, resolve: () => reply(200, body, csv) });
  // @ts-expect-error at `text`: This does not fit what is declared for 200 as application/json: write one call for each
  route.get("/", { responses, resolve: (_c) => reply(200, text, { contentType: either }) });
  // @ts-expect-error at `isCsv ? text : body`: This does not fit what is declared for 200 as application/json: write
  //   one call for each | This does not fit what is declared for 200 as text/csv: write one call for each
  route.get("/", { responses, resolve: (_c) => reply(200, isCsv ? text : body, { contentType: either }) });
  // @ts-expect-error at `reply(200, isCsv ? text : body, { conten…`: return reply(status, body)
  //   at `isCsv ? text : body`: The body must be a string, since application/json is not JSON | The body must be a
  //   string, since text/csv is not JSON
  route.get("/", { responses, resolve: () => reply(200, isCsv ? text : body, { contentType: either }) });
  // @ts-expect-error at `text`: This does not fit what is declared for 200 as application/json: write one call for each
  route.get("/", { responses, resolve: (_c) => replyAs(either)(200, text) });
  // @ts-expect-error at `replyAs(either)(200, text)`: return reply(status, body)
  route.get("/", { responses, resolve: () => replyAs(either)(200, text) });
  // @ts-expect-error at `any`: Type 'string' is not assignable to type '"application/graphql-response+json"'.
  route.get("/", { responses, resolve: (_c) => reply(200, text, any) });
  // @ts-expect-error at `reply(200, text, any)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, text, any) });
  // @ts-expect-error at `wide`: Type 'string' is not assignable to type '"application/json"'.
  route.get("/", { responses, resolve: (_c) => reply(200, body, wide) });
  // @ts-expect-error at `reply(200, body, wide)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(200, body, wide) });
  // @ts-expect-error at `text`: This does not fit what is declared for 201: write one call for each
  route.get("/", { responses, resolve: (_c) => reply(isCsv ? 200 : 201, text, CSV) });
  // @ts-expect-error at `reply(isCsv ? 200 : 201, text, CSV)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(isCsv ? 200 : 201, text, CSV) });
  // @ts-expect-error at `body`: This does not fit what is declared for 404: write one call for each
  route.get("/", { responses, resolve: (_c) => reply(isCsv ? 200 : 404, body) });
  // @ts-expect-error at `reply(isCsv ? 200 : 404, body)`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(isCsv ? 200 : 404, body) });
  // @ts-expect-error at `body`: Argument of type '{ id: string; }' is not assignable to parameter of type 'string'.
  route.on(endpoint.get("/", { responses }), { resolve: () => reply(200, body, CSV) });
  const mixed = () => isCsv ? reply(200, text, CSV) : reply(200, text);
  // @ts-expect-error at `mixed()`: return reply(status, body)
  route.get("/", { responses, resolve: () => mixed() });
  const several = (status: 200 | 404) => reply(status, body);
  // @ts-expect-error at `several(200)`: return reply(status, body)
  route.get("/", { responses, resolve: () => several(200) });
  const noted: Reply<Answer<200, { id: string }, SentAs<"text/csv">>> = reply(200, "" as never, CSV);
  // @ts-expect-error at `noted`: return reply(status, body)
  route.get("/", { responses, resolve: () => noted });
}

export function bodiesThatFitEachMediaType(either: "text/csv" | "application/json", csv: { contentType?: "text/csv" }) {
  const both = { 200: [{ schema: z.string() }, { schema: z.string(), contentType: "text/csv" }] } as const;
  route.get("/", { responses: both, resolve: (_c) => reply(200, text, { contentType: either }) });
  route.get("/", { responses: both, resolve: () => reply(200, text, { contentType: either }) });
  route.get("/", { responses: both, resolve: (_c) => reply(200, text, csv) });
  route.get("/", { responses: both, resolve: () => reply(200, text, csv) });
}

export function entriesWithoutASchema(ready: Response) {
  const page = { 200: [{ schema: book }, { contentType: "text/html" }] } as const;
  route.get("/", { responses: page, resolve: (_c) => reply(200, body) });
  route.get("/", { responses: page, resolve: (_c) => reply(200, ready) });
  route.get("/", { responses: page, resolve: () => reply(200, ready) });
  route.get("/", { responses: page, resolve: () => ready.ok ? reply(200, ready) : reply(200, body) });
  // @ts-expect-error at `text`: This response has no schema, so no body: declare one, or write undefined in place of
  //   the body
  route.get("/", { responses: page, resolve: (_c) => reply(200, text, { contentType: "text/html" }) });
  // @ts-expect-error at `reply(200, text, { contentType: "text/ht…`: return reply(status, body)
  route.get("/", { responses: page, resolve: () => reply(200, text, { contentType: "text/html" }) });
  // @ts-expect-error at `row`: The schema has no key "hash": name the keys to send, or add it to the schema
  route.get("/", { responses: page, resolve: (_c) => reply(200, row) });
  // @ts-expect-error at `reply(200)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  route.get("/", { responses: page, resolve: (_c) => reply(200) });
  // @ts-expect-error at `reply(200)`: return reply(status, body)
  route.get("/", { responses: page, resolve: () => reply(200) });
  // @ts-expect-error at `ready`: return reply(status, body)
  route.get("/", { responses: page, resolve: () => ready });
}

export function rangesAndDefault() {
  const problem = { schema: failed, contentType: "application/problem+json" } as const;
  const ranges = { 200: {}, "4XX": [{ schema: failed }, problem], default: [{ schema: book }, problem] } as const;
  const asProblem = replyAs("application/problem+json");
  route.get("/", { responses: ranges, resolve: (_c) => reply(404, { error: "" }) });
  route.get("/", { responses: ranges, resolve: () => asProblem(409, { error: "" }) });
  route.get("/", { responses: ranges, resolve: (_c) => asProblem(500, { error: "" }) });
  route.get("/", { responses: ranges, resolve: () => reply(500, body) });
  route.get("/", { responses: ranges, resolve: (_c) => reply(Math.random() < 1 ? 404 : 409, { error: "" }) });
  route.get("/", { responses: ranges, resolve: () => reply(Math.random() < 1 ? 404 : 409, { error: "" }) });
  // @ts-expect-error at `body`: Property 'error' is missing in type '{ id: string; }' but required in type '{ readonly
  //   error: string; }'.
  route.get("/", { responses: ranges, resolve: (_c) => reply(404, body) });
  // @ts-expect-error at `reply(404, body)`: return reply(status, body)
  route.get("/", { responses: ranges, resolve: () => reply(404, body) });
  // @ts-expect-error at `error`: Object literal may only specify known properties, and 'error' does not exist in type
  //   '{ readonly id: string; }'.
  route.get("/", { responses: ranges, resolve: (_c) => reply(500, { error: "" }) });
  // @ts-expect-error at `204`: Argument of type '204' is not assignable to parameter of type '…'.
  route.get("/", { responses: ranges, resolve: (_c) => reply(204, body) });
}

export function streams(isStream: boolean) {
  const rpc = { 200: [{ schema: book }, events({ done: book }), lines(failed)], 201: lines(failed) } as const;
  const send = (status: 200 | 201) => replyLines(status, [{ error: "" }]);
  route.post("/", { responses: rpc, resolve: (_c) => reply(200, body) });
  route.post("/", {
    responses: rpc,
    resolve: (_c) =>
      replyEvents(200, function* (_signal, event) {
        yield event("done", { id: "" });
        // @ts-expect-error at `row`: The schema has no key "hash": name the keys to send, or add it to the schema
        yield event("done", row);
        // @ts-expect-error at `"other"`: Argument of type '"other"' is not assignable to parameter of type '"done"'.
        yield event("other", { id: "" });
      }),
  });
  route.post("/", { responses: rpc, resolve: (_c) => replyLines(200, [{ error: "" }]) });
  route.post("/", { responses: rpc, resolve: (_c) => replyLines(isStream ? 200 : 201, [{ error: "" }]) });
  route.post("/", { responses: rpc, resolve: () => send(200) });
  route.post("/", { responses: rpc, resolve: (_c) => isStream ? replyLines(200, [{ error: "" }]) : reply(200, body) });
  // @ts-expect-error at `[body]`: Property 'error' is missing in type '{ id: string; }' but required in type '{
  //   readonly error: string; }'.
  route.post("/", { responses: rpc, resolve: (_c) => replyLines(200, [body]) });
  // @ts-expect-error at `error`: Object literal may only specify known properties, and 'error' does not exist in type
  //   '{…'.
  route.post("/", { responses: rpc, resolve: (_c) => reply(200, { error: "" }, { contentType: "application/jsonl" }) });
  const other = { 200: [{ schema: book }, lines(failed)] } as const;
  // @ts-expect-error at `200`: Argument of type '200' is not assignable to parameter of type 'never'.
  route.post("/", { responses: other, resolve: (_c) => replyEvents(200, () => []) });
}

export function denials(isText: boolean) {
  const asText = (_c: Context) => deny(reply(404, text, { contentType: "text/plain" }));
  const asJson = (_c: Context) => deny(reply(404, { error: "" }));
  const either = (_c: Context) => isText ? asText(_c) : asJson(_c);
  const resolve = () => reply(204);
  route.get("/", { responses, guards: [asText, asJson, either], resolve });
  route.get("/", { responses, guards: [denyInvalid(() => reply(404, { error: "" }))], resolve });
  route.with({ responses, guards: [asText] }).get("/", { responses: {}, resolve });
  route.with({ guards: [asText] }).on(endpoint.get("/", { responses }), { resolve });
  // @ts-expect-error at `responses`: 404 is declared as text/plain, and a guard denies as text/csv | 404 is declared
  //   with another body than a guard denies with: if other routes have the guard, declare its body here, else change
  //   the guard
  route.get("/", { responses, guards: [() => deny(reply(404, text, CSV))], resolve });
  const listed = { 404: [{ schema: failed }, { schema: graph, contentType: GRAPH.contentType }], 204: {} } as const;
  // @ts-expect-error at `responses`: 404 is declared with another body than a guard denies with: if other routes have
  //   the guard, declare its body here, else change the guard
  route.get("/", { responses: listed, guards: [() => deny(reply(404, { data: "" }))], resolve });
  // @ts-expect-error at `responses`: 404 is declared with another body than a guard denies with: if other routes have
  //   the guard, declare its body here, else change the guard
  route.get("/", { responses, guards: [denyInvalid(() => reply(404, text))], resolve });
  // @ts-expect-error at `responses`: 404 is declared with another body than a guard denies with: if other routes have
  //   the guard, declare its body here, else change the guard
  route.with({ responses, guards: [() => deny(reply(404, text))] });
  // @ts-expect-error at `endpoint.get("/", { responses })`: 404 is declared with another body than a guard denies with:
  //   if other routes have the guard, declare its body here, else change the guard
  route.with({ guards: [() => deny(reply(404, text))] }).on(endpoint.get("/", { responses }), { resolve });
}

export function listsThatAreWrong(type: string, list: { schema: typeof book }[]) {
  const csv = { schema: z.string(), contentType: "text/csv" } as const;
  endpoint.get("/", { responses: { 200: [csv] } });
  endpoint.get("/", { responses: { 200: [{ schema: book, description: "" }, csv], default: [{}, csv] } });
  // @ts-expect-error at `200`: An empty list: write a response, or {}
  endpoint.get("/", { responses: { 200: [] } });
  // @ts-expect-error at `200`: Two responses of a list have the media type text/csv: give each another contentType
  endpoint.get("/", { responses: { 200: [csv, csv] } });
  // @ts-expect-error at `200`: Two responses of a list have the media type application/json: give each another
  //   contentType
  endpoint.get("/", { responses: { 200: [{ schema: book }, { schema: graph, contentType: "application/json" }] } });
  // A media type twice, apart from its parameters and from case.
  // @ts-expect-error at `200`: Two responses of a list have the media type text/csv: give each another contentType
  endpoint.get("/", { responses: { 200: [csv, { schema: z.string(), contentType: "Text/CSV; header=present" }] } });
  // @ts-expect-error at `200`: The media type is any string: write as const after the response that has it
  endpoint.get("/", { responses: { 200: [csv, { schema: z.string(), contentType: type }] } });
  // @ts-expect-error at `200`: A list whose length is not known: write as const after it
  endpoint.get("/", { responses: { 200: list } });
  // @ts-expect-error at `shema`: Unknown key: a response has schema, description, contentType, headers and examples
  endpoint.get("/", { responses: { 200: [csv, { shema: book }] } });
  // @ts-expect-error at `204`: A response with this status has no body: write {}, not a list
  endpoint.get("/", { responses: { 204: [{ description: "" }] } });
  // @ts-expect-error at `book`: This is a bare schema: write { schema: … } around it
  endpoint.get("/", { responses: { 200: [csv, book] } });
  // @ts-expect-error at `200`: Two responses of a list have the media type text/csv: give each another contentType
  route.get("/", { responses: { 200: [csv, csv] }, resolve: () => reply(200, "", CSV) });
  // @ts-expect-error at `"4XX"`: Two responses of a list have the media type text/csv: give each another contentType
  route.with({ responses: { "4XX": [csv, csv] } });
  // @ts-expect-error at `200`: The example must fit the schema: id
  endpoint.get("/", { responses: { 200: [{ schema: book, examples: { one: { id: 1 } } }, csv] } });
  const some: RouteResponses = { 200: [csv, { schema: book }] };
  endpoint.get("/", { responses: some });
}

export async function whatAClientReceives() {
  const stream = [{ schema: book }, events({ done: book })] as const;
  const client = createClient({
    show: endpoint.get("/", { responses }),
    page: endpoint.get("/", { responses: { 200: [{ schema: book }, { contentType: "text/html" }] } }),
    rpc: endpoint.post("/", { responses: { 200: stream } }),
    head: endpoint.head("/", { responses }),
  });
  const answer = await client.show();
  if (answer.status === 200) {
    if (answer.contentType === "text/csv") answer.body.toUpperCase();
    else if (answer.contentType === "application/json") answer.body.id.toUpperCase();
    else assertType<IsExact<typeof answer.headers, { readonly etag: string }>>(true);
    // @ts-expect-error at `answer.contentType === "text/html"`: This comparison appears to be unintentional because the
    //   types '…' and '"text/html"' have no overlap.
    answer.contentType === "text/html";
    // @ts-expect-error at `id`: Property 'id' does not exist on type 'string | { data: string; } | { id: string; }'.
    answer.body.id;
  }
  assertType<
    IsExact<
      Extract<typeof answer, { readonly status: 404 }>,
      ReceivedAs<404, "application/json", { error: string }> | ReceivedAs<404, "text/plain", string>
    >
  >(true);
  assertType<IsExact<Extract<typeof answer, { readonly status: 201 }>, Received<201, { id: string }>>>(true);
  const page = await client.page();
  if (page.contentType === "text/html") assertType<IsExact<typeof page.body, undefined>>(true);
  const rpc = await client.rpc();
  if (rpc.contentType === "application/json") rpc.body.id.toUpperCase();
  else for await (const { data } of rpc.body) data.id.toUpperCase();
  assertType<IsExact<Awaited<ReturnType<typeof client.head>>["body"], undefined>>(true);
}

export function changesThatBreakClients() {
  const csv = { schema: z.string(), contentType: "text/csv" } as const;
  const one = { show: endpoint.get("/", { responses: { 200: [{ schema: book }] } }) };
  const two = { show: endpoint.get("/", { responses: { 200: [{ schema: book }, csv] } }) };
  const longer = { show: endpoint.get("/", { responses: { 200: [{ schema: book.extend({ a: z.string() }) }, csv] } }) };
  true satisfies Compatible<typeof two, typeof two>;
  true satisfies Compatible<typeof two, typeof one>;
  true satisfies Compatible<typeof two, typeof longer>;
  // @ts-expect-error at `satisfies`: show: the media type text/csv of 200 is new
  true satisfies Compatible<typeof one, typeof two>;
  // @ts-expect-error at `satisfies`: show: 200 application/json body.a is gone
  true satisfies Compatible<typeof longer, typeof two>;
}

/** What a handler returns that is no reply: the message says what to return. */
export function whatIsNoReply() {
  const responses = { 200: { schema: z.object({ id: z.string() }) }, 404: {} };
  const shown = endpoint.get("/shown", { responses });
  const body = { id: "1" };
  // @ts-expect-error at `body`: Type '{ id: string; }' is not assignable to type 'MustReturn<…'.
  route.get("/1", { responses, resolve: () => body });
  // @ts-expect-error at `({ id: "1" })`: Type '{ id: string; }' is not assignable to type 'MustReturn<…'.
  route.get("/2", { responses, resolve: () => ({ id: "1" }) });
  // @ts-expect-error at `await Promise.resolve(body)`: return reply(status, body)
  route.get("/3", { responses, resolve: async () => await Promise.resolve(body) });
  // @ts-expect-error at `Response.json(body)`: return reply(status, body)
  route.get("/4", { responses, resolve: () => Response.json(body) });
  // @ts-expect-error at `await Promise.resolve(Response.json(body…`: return reply(status, body)
  route.get("/5", { responses, resolve: async () => await Promise.resolve(Response.json(body)) });
  // @ts-expect-error at `c.request.body ? reply(404) : body`: Type '{ id: string; }' is not assignable to type
  //   'MustReturn<…'.
  route.get("/6", { responses, resolve: (c) => c.request.body ? reply(404) : body });
  // @ts-expect-error at `c.request.body ? reply(404) : undefined`: Type 'undefined' is not assignable to type
  //   'MustReturn<…'.
  route.get("/7", { responses, resolve: (c) => c.request.body ? reply(404) : undefined });
  // @ts-expect-error at `"text"`: Type 'string' is not assignable to type 'MustReturn<…'.
  route.get("/8", { responses, resolve: () => "text" });
  // @ts-expect-error at `body`: Type '{ id: string; }' is not assignable to type 'MustReturn<…'.
  route.on(shown, { resolve: () => body });
  // @ts-expect-error at `Response.json(body)`: return reply(status, body)
  route.on(shown, { resolve: () => Response.json(body) });
  // @ts-expect-error at `reply(200)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  route.on(shown, { resolve: () => reply(200) });
  // @ts-expect-error at `reply(403)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  route.on(shown, { resolve: () => reply(403) });
  route.on(shown, { resolve: (c) => c.request.body ? reply(200, body) : reply(404) });
  route.on(shown, { resolve: (c): Reply<Answer<404, undefined>> => (c.request.body, reply(404)) });
}
