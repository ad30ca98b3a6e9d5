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
  type ListedAs,
  type Reply,
  reply,
  replyAs,
  type ReplyInit,
  route,
  type RouteResponses,
  type SentAs,
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
  const listed: Reply<Answer<200, string, ListedAs<"text/csv">>> = reply(200, text, CSV);
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
  // @ts-expect-error: the body of another media type
  route.get("/", { responses, resolve: (_c) => reply(200, text) });
  // @ts-expect-error: the body of another media type, without a parameter
  route.get("/", { responses, resolve: () => reply(200, text) });
  // @ts-expect-error: the body of JSON, as text
  route.get("/", { responses, resolve: (_c) => reply(200, body, CSV) });
  // @ts-expect-error: the body of JSON, as text, without a parameter
  route.get("/", { responses, resolve: () => reply(200, body, CSV) });
  // @ts-expect-error: the body of one media type of JSON, as another
  route.get("/", { responses, resolve: (_c) => reply(200, body, GRAPH) });
  // @ts-expect-error: the body of one media type of JSON, as another, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { data: "" }) });
  // @ts-expect-error: a media type that is not declared
  route.get("/", { responses, resolve: (_c) => reply(200, text, { contentType: "text/html" }) });
  // @ts-expect-error: a media type that is not declared, without a parameter
  route.get("/", { responses, resolve: () => reply(200, text, { contentType: "text/html" }) });
  // @ts-expect-error: a media type of another status
  route.get("/", { responses, resolve: (_c) => reply(200, text, { contentType: "text/plain" }) });
  // @ts-expect-error: a key that the schema lacks
  route.get("/", { responses, resolve: (_c) => reply(200, row) });
  // @ts-expect-error: a key that the schema lacks, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { ...row }) });
  // @ts-expect-error: a key of another media type
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "", data: "" }, GRAPH) });
  // @ts-expect-error: a required header is missing
  route.get("/", { responses, resolve: (_c) => reply(200, { data: "" }, { contentType: GRAPH.contentType }) });
  // @ts-expect-error: a required header is missing, without a parameter
  route.get("/", { responses, resolve: () => reply(200, { data: "" }, { contentType: GRAPH.contentType }) });
  // @ts-expect-error: a required header is missing, by replyAs
  route.get("/", { responses, resolve: (_c) => replyAs(GRAPH.contentType)(200, { data: "" }) });
  // @ts-expect-error: a header that is not declared
  route.get("/", { responses, resolve: (_c) => reply(200, { data: "" }, { ...GRAPH, headers: { etag: "", a: "" } }) });
  // @ts-expect-error: no body
  route.get("/", { responses, resolve: (_c) => reply(200) });
  // @ts-expect-error: a ready response
  route.get("/", { responses, resolve: (_c) => reply(200, new Response()) });
  // @ts-expect-error: a plain response
  route.get("/", { responses, resolve: () => new Response() });
  // @ts-expect-error: the body of one, whatever the media type
  route.get("/", { responses, resolve: (_c) => reply(200, text, csv) });
  // @ts-expect-error: the body of the other, whatever the media type
  route.get("/", { responses, resolve: (_c) => reply(200, body, csv) });
  // @ts-expect-error: the body of one, whatever the media type, without a parameter
  route.get("/", { responses, resolve: () => reply(200, text, csv) });
  // @ts-expect-error: the body of the other, whatever the media type, without a parameter
  route.get("/", { responses, resolve: () => reply(200, body, csv) });
  // @ts-expect-error: one of two media types
  route.get("/", { responses, resolve: (_c) => reply(200, text, { contentType: either }) });
  // @ts-expect-error: one of two media types, with either body
  route.get("/", { responses, resolve: (_c) => reply(200, isCsv ? text : body, { contentType: either }) });
  // @ts-expect-error: one of two media types, without a parameter
  route.get("/", { responses, resolve: () => reply(200, isCsv ? text : body, { contentType: either }) });
  // @ts-expect-error: one of two media types, by replyAs
  route.get("/", { responses, resolve: (_c) => replyAs(either)(200, text) });
  // @ts-expect-error: one of two media types, by replyAs, without a parameter
  route.get("/", { responses, resolve: () => replyAs(either)(200, text) });
  // @ts-expect-error: any media type
  route.get("/", { responses, resolve: (_c) => reply(200, text, any) });
  // @ts-expect-error: any media type, without a parameter
  route.get("/", { responses, resolve: () => reply(200, text, any) });
  // @ts-expect-error: any options
  route.get("/", { responses, resolve: (_c) => reply(200, body, wide) });
  // @ts-expect-error: any options, without a parameter
  route.get("/", { responses, resolve: () => reply(200, body, wide) });
  // @ts-expect-error: one of two statuses, whose media types differ
  route.get("/", { responses, resolve: (_c) => reply(isCsv ? 200 : 201, text, CSV) });
  // @ts-expect-error: one of two statuses, whose media types differ, without a parameter
  route.get("/", { responses, resolve: () => reply(isCsv ? 200 : 201, text, CSV) });
  // @ts-expect-error: one of two statuses, whose bodies differ
  route.get("/", { responses, resolve: (_c) => reply(isCsv ? 200 : 404, body) });
  // @ts-expect-error: one of two statuses, whose bodies differ, without a parameter
  route.get("/", { responses, resolve: () => reply(isCsv ? 200 : 404, body) });
  // @ts-expect-error: with an endpoint
  route.on(endpoint.get("/", { responses }), { resolve: () => reply(200, body, CSV) });
  const mixed = () => isCsv ? reply(200, text, CSV) : reply(200, text);
  // @ts-expect-error: what a function replies
  route.get("/", { responses, resolve: () => mixed() });
  const several = (status: 200 | 404) => reply(status, body);
  // @ts-expect-error: what a function replies with one of two statuses
  route.get("/", { responses, resolve: () => several(200) });
  const noted: Reply<Answer<200, { id: string }, SentAs<"text/csv">>> = reply(200, "" as never, CSV);
  // @ts-expect-error: the annotation of a variable
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
  // @ts-expect-error: a body where there is no schema
  route.get("/", { responses: page, resolve: (_c) => reply(200, text, { contentType: "text/html" }) });
  // @ts-expect-error: a body where there is no schema, without a parameter
  route.get("/", { responses: page, resolve: () => reply(200, text, { contentType: "text/html" }) });
  // @ts-expect-error: the body of the other
  route.get("/", { responses: page, resolve: (_c) => reply(200, row) });
  // @ts-expect-error: no body
  route.get("/", { responses: page, resolve: (_c) => reply(200) });
  // @ts-expect-error: no body, without a parameter
  route.get("/", { responses: page, resolve: () => reply(200) });
  // @ts-expect-error: a plain response
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
  // @ts-expect-error: the body of the default
  route.get("/", { responses: ranges, resolve: (_c) => reply(404, body) });
  // @ts-expect-error: the body of the default, without a parameter
  route.get("/", { responses: ranges, resolve: () => reply(404, body) });
  // @ts-expect-error: the body of the range
  route.get("/", { responses: ranges, resolve: (_c) => reply(500, { error: "" }) });
  // @ts-expect-error: a body with a status that has none
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
        // @ts-expect-error: a key that the schema lacks
        yield event("done", row);
        // @ts-expect-error: an event that is not declared
        yield event("other", { id: "" });
      }),
  });
  route.post("/", { responses: rpc, resolve: (_c) => replyLines(200, [{ error: "" }]) });
  route.post("/", { responses: rpc, resolve: (_c) => replyLines(isStream ? 200 : 201, [{ error: "" }]) });
  route.post("/", { responses: rpc, resolve: () => send(200) });
  route.post("/", { responses: rpc, resolve: (_c) => isStream ? replyLines(200, [{ error: "" }]) : reply(200, body) });
  // @ts-expect-error: the item of another
  route.post("/", { responses: rpc, resolve: (_c) => replyLines(200, [body]) });
  // @ts-expect-error: not streamed
  route.post("/", { responses: rpc, resolve: (_c) => reply(200, { error: "" }, { contentType: "application/jsonl" }) });
  const other = { 200: [{ schema: book }, lines(failed)] } as const;
  // @ts-expect-error: a stream that is not declared
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
  // @ts-expect-error: another media type
  route.get("/", { responses, guards: [() => deny(reply(404, text, CSV))], resolve });
  const listed = { 404: [{ schema: failed }, { schema: graph, contentType: GRAPH.contentType }], 204: {} } as const;
  // @ts-expect-error: the body of another media type
  route.get("/", { responses: listed, guards: [() => deny(reply(404, { data: "" }))], resolve });
  // @ts-expect-error: the body of another media type, as JSON
  route.get("/", { responses, guards: [denyInvalid(() => reply(404, text))], resolve });
  // @ts-expect-error: in a scope
  route.with({ responses, guards: [() => deny(reply(404, text))] });
  // @ts-expect-error: with an endpoint
  route.with({ guards: [() => deny(reply(404, text))] }).on(endpoint.get("/", { responses }), { resolve });
}

export function listsThatAreWrong(type: string, list: { schema: typeof book }[]) {
  const csv = { schema: z.string(), contentType: "text/csv" } as const;
  endpoint.get("/", { responses: { 200: [csv] } });
  endpoint.get("/", { responses: { 200: [{ schema: book, description: "" }, csv], default: [{}, csv] } });
  // @ts-expect-error: empty
  endpoint.get("/", { responses: { 200: [] } });
  // @ts-expect-error: a media type twice
  endpoint.get("/", { responses: { 200: [csv, csv] } });
  // @ts-expect-error: JSON twice, once by default
  endpoint.get("/", { responses: { 200: [{ schema: book }, { schema: graph, contentType: "application/json" }] } });
  // @ts-expect-error: a media type twice, apart from its parameters and from case
  endpoint.get("/", { responses: { 200: [csv, { schema: z.string(), contentType: "Text/CSV; header=present" }] } });
  // @ts-expect-error: any media type
  endpoint.get("/", { responses: { 200: [csv, { schema: z.string(), contentType: type }] } });
  // @ts-expect-error: of any length
  endpoint.get("/", { responses: { 200: list } });
  // @ts-expect-error: a key that is unknown
  endpoint.get("/", { responses: { 200: [csv, { shema: book }] } });
  // @ts-expect-error: a status without a body
  endpoint.get("/", { responses: { 204: [{ description: "" }] } });
  // @ts-expect-error: not a schema
  endpoint.get("/", { responses: { 200: [csv, book] } });
  // @ts-expect-error: on a route
  route.get("/", { responses: { 200: [csv, csv] }, resolve: () => reply(200, "", CSV) });
  // @ts-expect-error: in a scope
  route.with({ responses: { "4XX": [csv, csv] } });
  // @ts-expect-error: an example that does not fit
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
    // @ts-expect-error: a media type that is not declared
    answer.contentType === "text/html";
    // @ts-expect-error: the body of one media type
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
  // @ts-expect-error: a new media type
  true satisfies Compatible<typeof one, typeof two>;
  // @ts-expect-error: a key is gone
  true satisfies Compatible<typeof longer, typeof two>;
}
