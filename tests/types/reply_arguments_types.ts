/** What the arguments of `reply` may be: statuses, media types and headers that are declared. No function is called. */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import {
  allow,
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
  type SentAs,
} from "../../mod.ts";
import { createClient } from "../../src/client/mod.ts";
import { events, lines, replyEvents, replyLines } from "../../src/events/mod.ts";

const shown = z.object({ id: z.string() });
const failed = z.object({ error: z.string() });
const several = {
  200: { schema: shown },
  201: { schema: shown },
  202: { schema: z.string(), contentType: "text/plain" },
  203: { schema: z.string() },
  204: {},
  206: { schema: shown, headers: { etag: { required: true } } },
  207: {},
  403: { schema: failed },
  404: { schema: failed, contentType: "application/problem+json" },
  409: { schema: failed, contentType: "application/problem+json" },
  410: { schema: failed, headers: { "x-a": {} } },
  411: { schema: failed, headers: { "x-b": {} } },
} as const;
const problem = replyAs("application/problem+json");
const body = { id: "" };
const error = { error: "" };
const both = { id: "", error: "" };

export function oneOfSeveralStatuses(isAdmin: boolean, status: 200 | 403, either: typeof body | typeof error) {
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 200 : 201, body) });
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 200 : 201, { id: "" }) });
  route.get("/", { responses: several, resolve: () => reply(isAdmin ? 200 : 201, body) });
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 204 : 207) });
  route.get("/", { responses: several, resolve: (_c) => problem(isAdmin ? 404 : 409, error) });
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 410 : 411, error) });
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 200 : 206, body, { headers: { etag: "" } }) });
  // @ts-expect-error at `body`: This does not fit what is declared for 403: write one call for each
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 200 : 403, body) });
  // @ts-expect-error at `{ error: "" }`: This does not fit what is declared for 200: write one call for each
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 200 : 403, { error: "" }) });
  // @ts-expect-error at `both`: This does not fit what is declared for 200: write one call for each | This does not
  //   fit what is declared for 403: write one call for each
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 200 : 403, both) });
  // @ts-expect-error at `either`: This does not fit what is declared for 200: write one call for each | This does not
  //   fit what is declared for 403: write one call for each
  route.get("/", { responses: several, resolve: (_c) => reply(status, either) });
  // @ts-expect-error at `reply(status, body)`: return reply(status, body)
  route.get("/", { responses: several, resolve: () => reply(status, body) });
  // @ts-expect-error at `await Promise.resolve(body)`: This does not fit what is declared for 403: write one call for
  //   each
  route.get("/", { responses: several, resolve: async (_c) => reply(status, await Promise.resolve(body)) });
  // @ts-expect-error at `body`: This does not fit what is declared for 403: write one call for each
  route.on(endpoint.get("/", { responses: several }), { resolve: (_c) => reply(status, body) });
  // @ts-expect-error at `body`: This does not fit what is declared for 204: write one call for each
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 200 : 204, body) });
  // @ts-expect-error at `reply(isAdmin ? 200 : 204)`: This status is not declared, or it is declared with a body or
  //   with headers: reply(status, body, { headers })
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 200 : 204) });
  route.get("/", {
    responses: several,
    // @ts-expect-error at `{ contentType: "text/plain" }`: This does not fit what is declared for 203: write one call
    //   for each
    resolve: (_c) => reply(isAdmin ? 202 : 203, "", { contentType: "text/plain" }),
  });
  // @ts-expect-error at `""`: This does not fit what is declared for 202: write one call for each
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 202 : 203, "") });
  // @ts-expect-error at `error`: This does not fit what is declared for 403: write one call for each
  route.get("/", { responses: several, resolve: (_c) => problem(isAdmin ? 403 : 404, error) });
  route.get("/", {
    responses: several,
    // @ts-expect-error at `{ headers: { "x-a": "" } }`: This does not fit what is declared for 411: write one call for
    //   each
    resolve: (_c) => reply(isAdmin ? 410 : 411, error, { headers: { "x-a": "" } }),
  });
  // @ts-expect-error at `body`: This does not fit what is declared for 206: write one call for each
  route.get("/", { responses: several, resolve: (_c) => reply(isAdmin ? 200 : 206, body) });
  const shared = () => reply(status, body);
  // @ts-expect-error at `shared()`: return reply(status, body)
  route.get("/", { responses: several, resolve: () => shared() });
  const guard = (_c: Context) => deny(reply(isAdmin ? 200 : 206, body));
  // @ts-expect-error at `responses`: 206 is declared as application/json with headers: { "etag": ... }, and a guard
  //   denies as application/json
  route.get("/", { responses: several, guards: [guard], resolve: () => reply(204) });
}

const row = { id: "" };
const streams = {
  200: lines(shown),
  201: lines(failed),
  202: lines(shown),
  203: lines(shown, { headers: { "x-total": { required: true } } }),
  206: events({ a: shown }),
  207: events({ a: failed }),
  208: events({ a: shown, b: z.string() }),
};

export function streamsOfSeveralStatuses(isAdmin: boolean) {
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 202, [row]) });
  route.get("/", {
    responses: streams,
    resolve: (_c) =>
      replyLines(isAdmin ? 200 : 202, function* (_signal, batch) {
        yield batch([row]);
        // @ts-expect-error at `[both]`: This does not fit what is declared for 200: write one call for each | This
        //   does not fit what is declared for 202: write one call for each
        yield batch([both]);
      }),
  });
  route.get("/", {
    responses: streams,
    resolve: (_c) =>
      replyEvents(isAdmin ? 206 : 208, function* (_signal, event) {
        yield event("a", row);
        // @ts-expect-error at `"b"`: Argument of type '"b"' is not assignable to parameter of type '"a"'.
        yield event("b", "");
      }),
  });
  // @ts-expect-error at `[row]`: This does not fit what is declared for 201: write one call for each
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 201, [row]) });
  // @ts-expect-error at `[both]`: This does not fit what is declared for 200: write one call for each | This does not
  //   fit what is declared for 201: write one call for each
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 201, [both]) });
  // @ts-expect-error at `replyLines(isAdmin ? 200 : 203, [row])`: Source has 0 element(s) but target requires 1.
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 203, [row]) });
  route.get("/", {
    responses: streams,
    resolve: (_c) =>
      replyEvents(isAdmin ? 206 : 207, function* (_signal, event) {
        // @ts-expect-error at `row`: This does not fit what is declared for 207: write one call for each
        yield event("a", row);
        // @ts-expect-error at `both`: This does not fit what is declared for 206: write one call for each | This does
        //   not fit what is declared for 207: write one call for each
        yield event("a", both);
      }),
  });
}

export function statusesWithoutABody() {
  const ranges = { "2XX": { schema: shown }, default: { schema: failed } };
  const optional = { 200: { schema: z.string().optional() }, 204: {} };
  const bare = () => reply(200);
  route.get("/", { responses: ranges, resolve: (_c) => reply(202, body) });
  route.get("/", { responses: ranges, resolve: (_c) => reply(404, error) });
  route.get("/", { responses: { "2XX": {}, default: {} }, resolve: () => Math.random() < 1 ? reply(204) : reply(404) });
  route.get("/", { responses: optional, resolve: (_c) => reply(200, "") });
  // @ts-expect-error at `204`: Argument of type '204' is not assignable to parameter of type '…'.
  route.get("/", { responses: ranges, resolve: (_c) => reply(204, body) });
  // @ts-expect-error at `reply(205, body)`: return reply(status, body)
  route.get("/", { responses: ranges, resolve: () => reply(205, body) });
  // @ts-expect-error at `304`: Argument of type '304' is not assignable to parameter of type '…'.
  route.get("/", { responses: ranges, resolve: (_c) => reply(304, error) });
  // A status that no handler can send.
  // @ts-expect-error at `100`: Argument of type '100' is not assignable to parameter of type 'RangeOf<2> | RangeOf<3> |
  //   RangeOf<4> | RangeOf<5>'.
  route.get("/", { responses: { default: {} }, resolve: (_c) => reply(100) });
  // A status that no handler can send, by its range.
  // @ts-expect-error at `reply(100)`: return reply(status, body)
  route.get("/", { responses: { "1XX": {} }, resolve: () => reply(100) });
  // @ts-expect-error at `reply(200)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  route.get("/", { responses: optional, resolve: (_c) => reply(200) });
  // @ts-expect-error at `bare()`: return reply(status, body)
  route.get("/", { responses: optional, resolve: () => bare() });
}

export function whatMayBeAnything(isOpen: boolean, type: string, number: number, texts: Record<string, string>) {
  const partial = { 403: { schema: failed.partial() }, 204: {} };
  const json = { 200: { schema: shown }, 403: { schema: failed }, 204: {} };
  // @ts-expect-error at `body`: 200 is declared as application/json, not as any string
  route.get("/", { responses: json, resolve: (_c) => replyAs(type)(200, body) });
  // @ts-expect-error at `body`: 200 is declared as application/json, not as any string
  route.get("/", { responses: json, resolve: (_c) => replyAs(type)(200, body, { statusText: "" }) });
  // @ts-expect-error at `contentType`: Type 'string' is not assignable to type '"application/json"'.
  route.get("/", { responses: json, resolve: (_c) => reply(200, body, { contentType: type }) });
  // @ts-expect-error at `number`: Argument of type 'number' is not assignable to parameter of type '200 | 204 | 403'.
  route.get("/", { responses: json, resolve: (_c) => reply(number, body) });
  // @ts-expect-error at `texts`: The schema has no key "${string}": name the keys to send, or add it to the schema
  route.get("/", { responses: partial, resolve: (_c) => reply(403, texts) });
  const denies = {
    number: (_c: Context) => isOpen ? allow() : deny(reply(number, error)),
    texts: (_c: Context) => isOpen ? allow() : deny(reply(403, texts)),
    type: (_c: Context) => isOpen ? allow() : deny(reply(403, error, { contentType: type })),
    known: (_c: Context) => isOpen ? allow() : deny(reply(403, error)),
  };
  // @ts-expect-error at `responses`: any number must be declared, with the body that a guard denies with
  route.get("/", { responses: json, guards: [denies.number], resolve: () => reply(204) });
  // @ts-expect-error at `responses`: any number must be declared, with the body that a guard denies with
  route.with({ guards: [denies.number] }).get("/", { responses: json, resolve: () => reply(204) });
  // @ts-expect-error at `endpoint.get("/", { responses: json })`: any number must be declared, with the body that a
  //   guard denies with
  route.on(endpoint.get("/", { responses: json }), { guards: [denies.number], resolve: () => reply(204) });
  // @ts-expect-error at `responses`: 403 is declared without a key of the body that a guard denies with: "any string"
  route.get("/", { responses: partial, guards: [denies.texts], resolve: () => reply(204) });
  // @ts-expect-error at `responses`: 403 is declared as application/json, and a guard denies as any string
  route.get("/", { responses: json, guards: [denies.type], resolve: () => reply(204) });
  route.get("/", { responses: json, guards: [denies.known], resolve: () => reply(204) });
}

const author = z.object({ name: z.string() });
const book = z.object({ id: z.string(), author: author.optional(), tags: z.array(author).optional() });
const aProblem = { schema: z.object({ title: z.string() }), contentType: "application/problem+json" } as const;
const responses = {
  200: { schema: book },
  201: { schema: book, headers: { location: { required: true, schema: z.url() }, "x-left": { schema: z.int() } } },
  202: { schema: z.string(), contentType: "text/plain" },
  204: {},
  303: { headers: { location: { required: true } } },
  404: aProblem,
  409: { ...aProblem, headers: { "retry-after": { required: true } } },
} as const;

interface Row {
  readonly id: string;
  readonly passwordHash: string;
}

export function mediaTypes() {
  const inJson = { contentType: "application/problem+json" } as const;
  route.get("/", { responses, resolve: () => reply(404, { title: "" }, inJson) });
  route.get("/", {
    responses,
    resolve: (_c) => reply(404, { title: "" }, { contentType: "application/problem+json" }),
  });
  route.get("/", { responses, resolve: () => problem(404, { title: "" }) });
  route.get("/", { responses, resolve: () => reply(202, "hello", { contentType: "text/plain" }) });
  route.get("/", { responses, resolve: (_c) => replyAs("text/plain")(202, "hello") });
  // @ts-expect-error at `{ title: "" }`: Write reply(404, body, { contentType: "application/problem+json" })
  route.get("/", { responses, resolve: (_c) => reply(404, { title: "" }) });
  // @ts-expect-error at `reply(404, { title: "" })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(404, { title: "" }) });
  // @ts-expect-error at `"hello"`: Write reply(202, body, { contentType: "text/plain" })
  route.get("/", { responses, resolve: (_c) => reply(202, "hello") });
  // @ts-expect-error at `contentType`: Type '"application/json"' is not assignable to type
  //   '"application/problem+json"'.
  route.get("/", { responses, resolve: (_c) => reply(404, { title: "" }, { contentType: "application/json" }) });
  // @ts-expect-error at `{ id: "" }`: 200 is declared as application/json, not as application/problem+json
  route.get("/", { responses, resolve: (_c) => problem(200, { id: "" }) });
  // @ts-expect-error at `5`: Argument of type 'number' is not assignable to parameter of type 'string'.
  route.get("/", { responses, resolve: (_c) => reply(202, 5, { contentType: "text/plain" }) });
  // @ts-expect-error at `{ a: 1 }`: The body must be a string, since text/plain is not JSON
  reply(200, { a: 1 }, { contentType: "text/plain" });
  // Headers are not a way around.
  // @ts-expect-error at `"content-type"`: Write contentType beside headers, not in it
  reply(404, { title: "" }, { headers: { "content-type": "application/problem+json" } });
  // Headers are not a way around, in a declaration.
  // @ts-expect-error at `"content-type"`: Type '{}' is not assignable to type 'undefined'.
  endpoint.get("/", { responses: { 200: { headers: { "content-type": {} } } } });
  const missing = () => reply(404, { title: "" });
  // @ts-expect-error at `missing()`: return reply(status, body)
  route.get("/", { responses, resolve: () => missing() });
  const asJson = (c: Context) => c.request.url ? allow() : deny(reply(404, { title: "" }));
  // @ts-expect-error at `responses`: 404 is declared as application/problem+json, and a guard denies as
  //   application/json
  route.get("/", { responses, guards: [asJson], resolve: () => reply(204) });
  // @ts-expect-error at `responses`: 404 is declared as application/problem+json, and a guard denies as
  //   application/json
  route.get("/", { responses, guards: [denyInvalid(() => reply(404, { title: "" }))], resolve: () => reply(204) });
  const asProblem = (c: Context) => c.request.url ? allow() : deny(problem(404, { title: "" }));
  route.get("/", { responses, guards: [asProblem], resolve: () => reply(204) });
  assertType<
    IsExact<ReturnType<typeof missing>, Reply<Answer<404, { readonly title: "" }>>>
  >(true);
  const ready = new Response() as Reply<Answer<404, { title: string }, SentAs<"application/problem+json">>>;
  route.get("/", { responses, resolve: () => ready });
  // Several media types: a string, of which no value is known.
  const several = { 200: { schema: book, contentType: "application/json" as string } };
  route.get("/", { responses: several, resolve: () => reply(200, { id: "" }, { contentType: "application/b+json" }) });
}

/** Under `exactOptionalPropertyTypes`, too. */
export function optionsThatAreUndefined(
  given: { [name: string]: string } | undefined,
  some: { etag: string } | undefined,
  csv: { contentType?: "text/csv" },
  wide: ReplyInit,
) {
  const open = {
    200: { schema: author },
    201: { schema: author, headers: { etag: {} } },
    202: { schema: author, headers: { etag: { required: true } } },
    203: { schema: z.string(), contentType: "text/csv" },
    206: { schema: z.string() },
    404: aProblem,
  } as const;
  const body = { name: "" };
  const shared = (title: string, headers?: { [name: string]: string }, statusText?: string) =>
    reply(404, { title }, { contentType: "application/problem+json", headers, statusText });
  route.get("/", { responses: open, resolve: () => shared("") });
  route.get("/", { responses: open, resolve: (_c) => reply(200, body, { headers: given, contentType: undefined }) });
  route.get("/", { responses: open, resolve: () => reply(200, body, { headers: given, statusText: undefined }) });
  route.get("/", { responses: open, resolve: (_c) => reply(201, body, { headers: some }) });
  route.get("/", { responses: open, resolve: () => reply(201, body, { headers: some }) });
  route.get("/", { responses: open, resolve: () => problem(404, { title: "" }, { headers: given }) });
  allow({}, { headers: given });
  createClient({}, { baseUrl: undefined, fetch: undefined, headers: undefined, validator: undefined });
  // @ts-expect-error at `headers`: Type 'undefined' is not assignable to type '{ readonly etag: HeaderValue; }'.
  route.get("/", { responses: open, resolve: (_c) => reply(202, body, { headers: some }) });
  // @ts-expect-error at `reply(202, body, { headers: some })`: return reply(status, body)
  route.get("/", { responses: open, resolve: () => reply(202, body, { headers: some }) });
  // @ts-expect-error at `csv`: Property 'contentType' is optional in type '{ contentType?: "text/csv"; }' but required
  //   in type '{ readonly contentType: "text/csv"; }'.
  route.get("/", { responses: open, resolve: (_c) => reply(203, "", csv) });
  // @ts-expect-error at `csv`: Type '"text/csv"' is not assignable to type '"application/json"'.
  route.get("/", { responses: open, resolve: (_c) => reply(206, "", csv) });
  // @ts-expect-error at `reply(206, "", csv)`: return reply(status, body)
  route.get("/", { responses: open, resolve: () => reply(206, "", csv) });
  // @ts-expect-error at `reply(206, "", wide)`: return reply(status, body)
  route.get("/", { responses: open, resolve: () => reply(206, "", wide) });

  // One error at the mistake, and none at the routes that return the reply.
  const wrong = (title: string) =>
    // @ts-expect-error at `title`: Type '{}' is not assignable to type 'HeaderValue | undefined'.
    reply(404, { title }, { contentType: "application/problem+json", headers: { title: {} } });
  route.get("/", { responses: open, resolve: () => wrong("") });
  // @ts-expect-error at `title`: Type '{}' is not assignable to type 'HeaderValue | undefined'.
  const wrongProblem = (title: string) => problem(404, { title }, { headers: { title: {} } });
  route.get("/", { responses: open, resolve: () => wrongProblem("") });
}

export function headers(etag: string | undefined) {
  const location = "/books/1";
  const made = { 200: { schema: book, headers: { etag: {} } } };
  route.get("/", { responses, resolve: () => reply(201, { id: "" }, { headers: { location, "x-left": 1 } }) });
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location } }) });
  route.get("/", { responses, resolve: () => reply(303, undefined, { headers: { location } }) });
  // A ready response has its own headers.
  route.get("/", { responses, resolve: () => reply(303, Response.redirect("http://localhost/", 303)) });
  route.get("/", { responses, resolve: () => problem(409, { title: "" }, { headers: { "retry-after": 1 } }) });
  route.get("/", { responses: made, resolve: (_c) => reply(200, { id: "" }, { headers: { etag } }) });
  route.get("/", { responses: made, resolve: () => reply(200, { id: "" }) });
  // A status without declared headers has any.
  route.get("/", { responses, resolve: (_c) => reply(200, { id: "" }, { headers: { "x-any": true } }) });
  // @ts-expect-error at `{ id: "" }`: Write reply(201, body, { headers: { "location": ... } })
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }) });
  // @ts-expect-error at `reply(201, { id: "" })`: return reply(status, body)
  route.get("/", { responses, resolve: () => reply(201, { id: "" }) });
  // @ts-expect-error at `headers`: Property 'location' is missing in type '{ "x-left": number; }' but required in type
  //   '{…'.
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { "x-left": 1 } }) });
  // @ts-expect-error at `location`: Type 'undefined' is not assignable to type 'string'.
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location: etag } }) });
  // @ts-expect-error at `"x-lfet"`: The response declares no header "x-lfet": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location, "x-lfet": 1 } }) });
  // @ts-expect-error at `"X-Left"`: The response declares the header "x-left": write its name so
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location, "X-Left": 1 } }) });
  // @ts-expect-error at `"x-left"`: Type 'string' is not assignable to type 'number'.
  route.get("/", { responses, resolve: (_c) => reply(201, { id: "" }, { headers: { location, "x-left": "one" } }) });
  // @ts-expect-error at `reply(303)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  route.get("/", { responses, resolve: (_c) => reply(303) });
  // @ts-expect-error at `"x-any"`: Type '{}' is not assignable to type 'HeaderValue | undefined'.
  reply(204, undefined, { headers: { "x-any": {} } });
  const late = () => problem(409, { title: "" });
  // @ts-expect-error at `late()`: return reply(status, body)
  route.get("/", { responses, resolve: () => late() });
  const guard = (c: Context) => c.request.url ? allow() : deny(problem(409, { title: "" }));
  // @ts-expect-error at `responses`: 409 is declared as application/problem+json with headers: { "retry-after": ... },
  //   and a guard denies as application/problem+json
  route.get("/", { responses, guards: [guard], resolve: () => reply(204) });
}

export function headersThatAreNotDeclared(either: { location: string } | { location: string; "x-other": string }) {
  const body = { id: "" };
  const later = Promise.resolve(body);
  const location = "/books/1";
  const other = { "x-other": "1" };
  const given = { location, "x-other": "1" };
  const init = { headers: given };
  const late = { "retry-after": 1, "x-other": "1" };
  const open = { 200: { schema: book, headers: { etag: {} } }, 201: {}, "4XX": { headers: { etag: {} } }, default: {} };
  // @ts-expect-error at `"x-other"`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, "x-other": "1" } }) });
  // @ts-expect-error at `reply(201, body, { headers: { location,…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, "x-other": "1" } }) });
  // @ts-expect-error at `reply(201, await later, { headers: { loc…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: async () => reply(201, await later, { headers: { location, ...other } }) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: given }) });
  // @ts-expect-error at `reply(201, body, { headers: given })`: declare each header, or leave it out: Type '"x-other"'
  //   is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => reply(201, body, { headers: given }) });
  // @ts-expect-error at `init`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, init) });
  // @ts-expect-error at `reply(201, body, init)`: declare each header, or leave it out: Type '"x-other"' is not
  //   assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => reply(201, body, init) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, ...other } }) });
  // @ts-expect-error at `reply(201, body, { headers: { location,…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, ...other } }) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: either }) });
  // @ts-expect-error at `reply(201, body, { headers: either })`: declare each header, or leave it out
  route.get("/", { responses, resolve: () => reply(201, body, { headers: either }) });
  // @ts-expect-error at `reply(303, undefined, { headers: given }…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"location"'.
  route.get("/", { responses, resolve: () => reply(303, undefined, { headers: given }) });
  const shown = () => reply(201, body, { headers: { location, "x-other": "1" } });
  // @ts-expect-error at `shown()`: declare each header, or leave it out: Type '"x-other"' is not assignable to type
  //   '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => shown() });
  // @ts-expect-error at `shown()`: declare each header, or leave it out: Type '"x-other"' is not assignable to type
  //   '"location" | "x-left"'.
  route.get("/", { responses, resolve: (_c) => shown() });
  // @ts-expect-error at `location ? reply(200, body) : shown()`: declare each header, or leave it out: Type '"x-other"'
  //   is not assignable to type '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => location ? reply(200, body) : shown() });
  route.get("/", {
    responses,
    // @ts-expect-error at `resolve`: declare each header, or leave it out: Type '"x-other"' is not assignable to type
    //   '"location" | "x-left"'.
    resolve: async () => {
      if (await Promise.resolve(location)) return reply(201, body, { headers: given });
      return reply(204);
    },
  });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => problem(409, { title: "" }, { headers: late }) });
  // @ts-expect-error at `problem(409, { title: "" }, { headers: l…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"retry-after"'.
  route.get("/", { responses, resolve: () => problem(409, { title: "" }, { headers: late }) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.on(endpoint.get("/", { responses }), { resolve: () => reply(201, body, { headers: given }) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses: open, resolve: (_c) => reply(200, body, { headers: { etag: "", ...other } }) });
  // @ts-expect-error at `reply(200, body, { headers: { etag: "",…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"etag"'.
  route.get("/", { responses: open, resolve: () => reply(200, body, { headers: { etag: "", ...other } }) });
  // @ts-expect-error at `reply(404, undefined, { headers: { etag:…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"etag"'.
  route.get("/", { responses: open, resolve: () => reply(404, undefined, { headers: { etag: "", ...other } }) });
  // @ts-expect-error at `reply(201, body, { headers: { location,…`: declare each header, or leave it out: Type
  //   '"Location"' is not assignable to type '"location" | "x-left"'. Did you mean '"location"'?
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, Location: "" } }) });
  const guard = (c: Context) => c.request.url ? allow() : deny(problem(409, { title: "" }, { headers: late }));
  // @ts-expect-error at `responses`: 409 is declared without a header that a guard denies with: "x-other"
  route.get("/", { responses, guards: [guard], resolve: () => reply(204) });
  const whole = denyInvalid(() => problem(409, { title: "" }, { headers: late }));
  // @ts-expect-error at `responses`: 409 is declared without a header that a guard denies with: "x-other"
  route.get("/", { responses, guards: [whole], resolve: () => reply(204) });
  // @ts-expect-error at `endpoint.get("/", { responses })`: 409 is declared without a header that a guard denies with:
  //   "x-other"
  route.on(endpoint.get("/", { responses }), { guards: [guard], resolve: () => reply(204) });
}

export function headersThatFit(
  known: { location: string } | { location: string; "x-left": number },
  record: Record<string, string>,
  none: undefined,
) {
  const body = { id: "" };
  const location = "/books/1";
  const other = { "x-other": "1" };
  const open = { 200: { schema: book }, 201: { headers: { etag: {} } }, "4XX": {}, default: { headers: { etag: {} } } };
  type Given<Headers> = Reply<Answer<201, z.infer<typeof book>, SentAs<"application/json", Headers>>>;
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: known }) });
  route.get("/", { responses, resolve: () => reply(201, body, { headers: known }) });
  // One that is undefined is not sent.
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, "x-other": undefined } }) });
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, "x-left": none, no: none } }) });
  // The names of a record are not known.
  route.get("/", { responses, resolve: (_c) => reply(201, body, { headers: { location, ...record } }) });
  route.get("/", { responses, resolve: () => reply(201, body, { headers: { location, ...record } }) });
  route.get("/", { responses: open, resolve: () => reply(201, undefined, { headers: record }) });
  // A status without declared headers has any.
  route.get("/", { responses: open, resolve: () => reply(200, body, { headers: other }) });
  route.get("/", { responses: open, resolve: (_c) => reply(200, body, { headers: new Headers(other) }) });
  route.get("/", { responses: open, resolve: () => reply(200, body, { headers: [["link", "a"], ["link", "b"]] }) });
  route.get("/", { responses: open, resolve: () => reply(404, undefined, { headers: other }) });
  const guard = (c: Context) =>
    c.request.url ? allow() : deny(reply(429, undefined, { headers: { "retry-after": 1 } }));
  route.get("/", { responses: open, guards: [guard], resolve: () => reply(200, body) });
  // Those of a guard that lets the request continue are not those of the reply.
  route.get("/", { responses: open, guards: [() => allow({}, { headers: other })], resolve: () => reply(201) });
  // A reply that a function declares.
  const located = (): Given<{ location: string }> => reply(201, body, { headers: { location } });
  route.get("/", { responses, resolve: () => located() });
  route.get("/", { responses: { 201: { schema: book } }, resolve: () => located() });
  route.get("/", {
    responses: { 201: { schema: book, headers: { location: { required: true } } } },
    resolve: () => located(),
  });
  // @ts-expect-error at `etag`: The response declares no header "etag": declare it, or leave it out
  const tagged = (): Given<{ location: string }> => reply(201, body, { headers: { location, etag: "" } });
  const both = (): Given<{ location: string; etag?: string }> => reply(201, body, { headers: { location } });
  // The function may send a header that is not declared.
  // @ts-expect-error at `both()`: declare each header, or leave it out: Type '"etag"' is not assignable to type
  //   '"location" | "x-left"'.
  route.get("/", { responses, resolve: () => both() });
  return tagged;
}

export async function headersThatAClientReceives() {
  const answer = await createClient({ add: endpoint.post("/", { responses }) }).add();
  if (answer.status === 201) {
    assertType<IsExact<typeof answer.headers.location, string>>(true);
    assertType<IsExact<typeof answer.headers["x-left"], string | undefined>>(true);
    // @ts-expect-error at `etag`: Property 'etag' does not exist on type 'ReceivedHeaders<…'.
    answer.headers.etag;
    // @ts-expect-error at `get`: Property 'get' does not exist on type 'ReceivedHeaders<…'.
    answer.headers.get("location");
  }
  // @ts-expect-error at `location`: Property 'location' does not exist on type 'Record<never, never>'.
  if (answer.status === 200) answer.headers.location;
}

/** Without `as const` in a variable, `required` may be any boolean. The header must be sent, too. */
export async function headersInAVariable() {
  const headers = { location: { required: true }, etag: { required: false as const } };
  const moved = { 201: { headers } };
  route.get("/", { responses: moved, resolve: (_c) => reply(201, undefined, { headers: { location: "/1" } }) });
  // @ts-expect-error at `reply(201)`: This status is not declared, or it is declared with a body or with headers:
  //   reply(status, body, { headers })
  route.get("/", { responses: moved, resolve: (_c) => reply(201) });
  const answer = await createClient({ add: endpoint.post("/", { responses: moved }) }).add();
  assertType<IsExact<typeof answer.headers.location, string>>(true);
  assertType<IsExact<typeof answer.headers.etag, string | undefined>>(true);
}

/** Statuses as enums of libraries have them. TypeScript accepts any number as a member of an enum. */
declare enum Status {
  Ok = 200,
  NoContent = 204,
  Unauthorized = 401,
  Gone = 410,
}

/** A status that may be absent is not declared. */
export function statusesThatMayBeAbsent(id: string, some: { 404?: { schema: typeof author }; 410?: typeof aProblem }) {
  const maybe = { 200: { schema: author }, 204: {}, ...some };
  route.get("/", { responses: maybe, resolve: () => id ? reply(200, { name: id }) : reply(204) });
  route.get("/", { responses: { ...maybe, 404: {} }, resolve: () => reply(404) });
  // @ts-expect-error at `reply(404)`: This status may be absent: declare it without a condition
  route.get("/", { responses: maybe, resolve: () => reply(404) });
  // @ts-expect-error at `reply(404, { name: id })`: This status may be absent: declare it without a condition
  route.get("/", { responses: maybe, resolve: () => reply(404, { name: id }) });
  // @ts-expect-error at `problem(410, { title: "Gone" })`: This status may be absent: declare it without a condition
  route.get("/", { responses: maybe, resolve: () => problem(410, { title: "Gone" }) });
}

export function statusesOfAnEnum(id: string, row: Row, status: Status, some: number) {
  const named = { [Status.Ok]: { schema: z.object({ id: z.string() }) }, [Status.NoContent]: {} };
  const numbered = { 200: { schema: z.object({ id: z.string() }) }, 204: {} };
  const showBook = endpoint.get("/books/:id", { responses: named });
  route.get("/", { responses: named, resolve: () => id ? reply(Status.Ok, { id }) : reply(204) });
  route.get("/", { responses: named, resolve: () => id ? reply(200, { id }) : reply(Status.NoContent) });
  route.get("/", { responses: numbered, resolve: () => id ? reply(Status.Ok, { id }) : reply(Status.NoContent) });
  route.on(showBook, { resolve: () => reply(Status.Ok, { id }) });
  route.get("/", { responses: { ...named, default: {} }, resolve: () => id ? reply(200, { id }) : reply(500) });
  // @ts-expect-error at `reply(Status.Gone)`: return reply(status, body)
  route.get("/", { responses: named, resolve: () => reply(Status.Gone) });
  // @ts-expect-error at `reply(Status.Ok, row)`: return reply(status, body)
  route.get("/", { responses: named, resolve: () => reply(Status.Ok, row) });
  // @ts-expect-error at `reply(200, row)`: return reply(status, body)
  route.get("/", { responses: named, resolve: () => reply(200, row) });
  // @ts-expect-error at `row`: The schema has no key "passwordHash": name the keys to send, or add it to the schema
  route.on(showBook, { resolve: () => reply(Status.Ok, row) });
  // @ts-expect-error at `reply(Status.Ok, { id: 1 })`: return reply(status, body)
  route.get("/", { responses: named, resolve: () => reply(Status.Ok, { id: 1 }) });
  // @ts-expect-error at `reply(Status.Ok)`: return reply(status, body)
  route.get("/", { responses: { ...named, default: {} }, resolve: () => reply(Status.Ok) });
  // @ts-expect-error at `reply(status, { id })`: return reply(status, body)
  route.get("/", { responses: named, resolve: () => reply(status, { id }) });
  // @ts-expect-error at `reply(some, { id })`: return reply(status, body)
  route.get("/", { responses: named, resolve: () => reply(some, { id }) });
  const signedIn = () => id ? allow() : deny(reply(Status.Unauthorized));
  const denied = { ...named, [Status.Unauthorized]: {} };
  route.get("/", { responses: denied, guards: [signedIn], resolve: () => reply(200, { id }) });
  // @ts-expect-error at `responses`: 401 must be declared, with the body that a guard denies with
  route.get("/", { responses: named, guards: [signedIn], resolve: () => reply(200, { id }) });
  const asRoute = route.get("/books/:id", { responses: named, resolve: () => reply(200, { id }) });
  return [createClient({ showBook }), createClient({ showBook: asRoute })].map(async (client) => {
    const answer = await client.showBook({ params: { id } });
    assertType<IsExact<typeof answer.status, 200 | 204>>(true);
    return answer.status === 200 ? answer.body.id : answer.body;
  });
}

/** Ranges of media types, and one of several types. */
export function ranges() {
  const text = endpoint.get("/text", { responses: { 200: { schema: z.string(), contentType: "text/*" } } });
  route.on(text, { resolve: (_c) => reply(200, "", { contentType: "text/csv" }) });
  route.on(text, { resolve: (_c) => replyAs("text/html; charset=utf-8")(200, "") });
  // @ts-expect-error at `contentType`: Type '"image/png"' is not assignable to type '`text/${string}`'.
  route.on(text, { resolve: (_c) => reply(200, "", { contentType: "image/png" }) });
  // @ts-expect-error at `""`: Write reply(200, body, { contentType: "text/*" })
  route.on(text, { resolve: (_c) => reply(200, "") });
  // @ts-expect-error at `""`: 200 is declared as text/*, not as image/png
  route.on(text, { resolve: (_c) => replyAs("image/png")(200, "") });
  const several = endpoint.get("/several", {
    responses: {
      200: [{ schema: z.string(), contentType: "text/csv" }, { schema: z.string(), contentType: "text/html" }],
    },
  });
  const either = Math.random() > 0.5 ? "text/csv" : "text/html";
  route.on(several, { resolve: (_c) => replyAs(either)(200, "") });
  const other = endpoint.get("/other", {
    responses: {
      200: [{ schema: z.string(), contentType: "text/csv" }, { schema: z.object({}), contentType: "a/json" }],
    },
  });
  const one = Math.random() > 0.5 ? "text/csv" : "a/json";
  // @ts-expect-error at `""`: This does not fit what is declared for 200 as a/json: write one call for each
  route.on(other, { resolve: (_c) => replyAs(one)(200, "") });
}
