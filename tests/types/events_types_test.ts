/**
 * Streams: what handlers may send and clients receive. The compiler checks this file: nothing is asserted at run time, and no
 * function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import { endpoint, reply, route } from "../../mod.ts";
import { createClient, type EventStream, type ReceivedEvent } from "../../src/client/mod.ts";
import { events, lines, replyEvents, replyLines, resume } from "../../src/events/mod.ts";

const token = z.object({ text: z.string(), at: z.date().optional(), tags: z.array(z.string()).optional() });
const row = z.object({ id: z.int(), at: z.date() });
const withTotal = { headers: { "x-total": { required: true }, etag: {} } } as const;
const responses = {
  200: events({ token, done: z.object({ n: z.number() }) }),
  202: lines(row),
  203: events(z.int()),
  206: events(z.int(), withTotal),
  207: lines(z.int(), withTotal),
  404: { schema: z.object({ code: z.literal("missing") }) },
};
const api = { read: endpoint.get("/read", { responses }), both: endpoint.on(["GET", "HEAD"], "/both", { responses }) };
const stored: { readonly text: string; readonly tags: readonly string[] } = { text: "", tags: [] };
const secret = { text: "", password: "x" };
const both = { text: "", n: 1 };
const secretRow = { id: 1, at: new Date(), password: "x" };

export function declaredStreams() {
  route.on(api.read, {
    resolve: (c) => {
      if (c.request.headers.has("x")) return reply(404, { code: "missing" });
      return replyEvents(200, async function* (signal, event) {
        signal.throwIfAborted();
        yield event("token", { text: "", at: new Date(), tags: ["a"] }, { id: "1" });
        yield event("token", await Promise.resolve(stored));
        yield event("done", { n: 1 });
      }, { heartbeat: 15, retry: 1, onError: () => {}, signal: c.request.signal, headers: { "x-any": 1 } });
    },
  });
  route.get("/", {
    responses,
    resolve: () =>
      replyEvents(203, function* (_signal, event) {
        yield event("message", 1);
      }),
  });
  route.get("/", {
    responses,
    resolve: (_c) =>
      replyEvents(206, function* (_signal, event) {
        yield event("message", 1);
      }, { headers: { "x-total": 7, etag: undefined } }),
  });
  const some = () =>
    replyEvents(200, function* (_signal, event) {
      yield event("done", { n: 1 });
    });
  route.get("/", { responses, resolve: () => some() });
  const rows = [{ id: 1, at: new Date() }] as const;
  route.get("/", { responses, resolve: () => replyLines(202, rows) });
  route.get("/", {
    responses,
    resolve: (_c) =>
      replyLines(202, async function* (_signal, batch) {
        yield { id: 1, at: new Date() };
        yield batch(await Promise.resolve(rows));
      }),
  });
  const allRows = () =>
    replyLines(202, function* (_signal, batch) {
      yield batch([{ id: 1, at: new Date() }]);
    });
  route.get("/", { responses, resolve: () => allRows() });
}

export function mistakes(name: "token" | "done", one: "token") {
  route.get("/", {
    responses,
    resolve: (_c) =>
      replyEvents(200, function* (_signal, event) {
        yield event(one, { text: "" });
        // @ts-expect-error: the data of one of two events
        yield event(name, { text: "" });
        // @ts-expect-error: the keys of both events
        yield event(name, both);
      }),
  });
  route.get("/", {
    responses,
    resolve: (_c) =>
      replyEvents(200, function* (_signal, event) {
        // @ts-expect-error: a name that is not declared
        yield event("tokn", { text: "" });
        // @ts-expect-error: the data of another event
        yield event("done", { text: "" });
        // @ts-expect-error: a misspelt key
        yield event("token", { txt: "" });
        // @ts-expect-error: a key that the schema lacks, in a variable
        yield event("token", secret);
      }),
  });
  // @ts-expect-error: a plain object, whose keys nothing would check
  route.get("/", { responses, resolve: (_c) => replyEvents(200, () => [{ event: "done", data: { n: 1 } }]) });
  // @ts-expect-error: a status that is not declared
  route.get("/", { responses, resolve: (_c) => replyEvents(201, (_signal: AbortSignal) => []) });
  // @ts-expect-error: a status that is no stream
  route.get("/", { responses, resolve: (_c) => replyEvents(404, (_signal: AbortSignal) => []) });
  // @ts-expect-error: events where lines are declared
  route.get("/", { responses, resolve: (_c) => replyEvents(202, (_signal: AbortSignal) => []) });
  // @ts-expect-error: lines where events are declared
  route.get("/", { responses, resolve: (_c) => replyLines(200, [{ id: 1, at: new Date() }]) });
  // @ts-expect-error: reply in place of replyLines
  route.get("/", { responses, resolve: (_c) => reply(202, [{ id: 1, at: new Date() }]) });
  // @ts-expect-error: a required header is missing
  route.get("/", { responses, resolve: (_c) => replyEvents(206, (_signal) => []) });
  // @ts-expect-error: a required header is missing among the headers
  route.get("/", { responses, resolve: (_c) => replyEvents(206, (_signal) => [], { headers: { etag: "1" } }) });
  // @ts-expect-error: a misspelt key
  route.get("/", { responses, resolve: (_c) => replyLines(202, [{ idd: 1, at: new Date() }]) });
  // @ts-expect-error: a key that the schema lacks, in a variable
  route.get("/", { responses, resolve: (_c) => replyLines(202, [secretRow]) });
  route.get("/", {
    responses,
    resolve: (_c) =>
      replyLines(202, function* (_signal, batch) {
        // @ts-expect-error: a key that the schema lacks, in a batch
        yield batch([secretRow]);
      }),
  });
  const leaks = () =>
    replyEvents(200, function* (_signal, event) {
      yield event("token", secret);
    });
  // @ts-expect-error: a key that the schema lacks, in the reply of a function
  route.get("/", { responses, resolve: () => leaks() });
  const others = () =>
    replyEvents(200, function* (_signal, event) {
      yield event("done", { n: "1" });
    });
  // @ts-expect-error: other data, in the reply of a function
  route.get("/", { responses, resolve: () => others() });
  const leakedRows = () => replyLines(202, [secretRow]);
  // @ts-expect-error: a key that the schema lacks, in the reply of a function
  route.get("/", { responses, resolve: () => leakedRows() });
  // @ts-expect-error: a batch that no batch() has made
  route.get("/", { responses, resolve: (_c) => replyLines(202, [[{ id: 1, at: new Date() }]]) });
}

export function headersOfStreams(ids: readonly number[]) {
  const headers = { "x-total": 7, "x-other": 1 };
  const numbers = (signal: AbortSignal) => replyLines(207, ids, { headers: { "x-total": 7, etag: "" }, signal });
  const others = () => replyLines(207, ids, { headers });
  route.get("/", {
    responses,
    resolve: () =>
      replyEvents(206, function* (_signal, event) {
        yield event("message", 1);
      }, { headers: { "x-total": 7 }, onError: (error) => console.error(error) }),
  });
  route.get("/", { responses, resolve: () => replyLines(207, ids, { headers: { "x-total": 7 } }) });
  route.get("/", { responses, resolve: (c) => replyLines(207, ids, { headers: { "x-total": c.request.url } }) });
  route.get("/", { responses, resolve: (c) => numbers(c.request.signal) });
  // A status without declared headers has any.
  route.get("/", { responses, resolve: () => replyLines(202, [], { headers }) });
  // An option may be undefined, but not a required header.
  const none = { headers: undefined, signal: undefined, onError: undefined };
  route.get("/", { responses, resolve: () => replyLines(202, [], none) });
  const maybe = Math.random() < 1 ? { "x-total": 7 } : undefined;
  // @ts-expect-error: a required header may be missing
  route.get("/", { responses, resolve: (_c) => replyLines(207, ids, { headers: maybe }) });
  // @ts-expect-error: a required header may be missing, without a parameter
  route.get("/", { responses, resolve: () => replyLines(207, ids, { headers: maybe }) });
  // @ts-expect-error: a required header is missing, without a parameter
  route.get("/", { responses, resolve: () => replyLines(207, ids) });
  // @ts-expect-error: a header that is not declared
  route.get("/", { responses, resolve: (_c) => replyLines(207, ids, { headers }) });
  // @ts-expect-error: a header that is not declared, without a parameter
  route.get("/", { responses, resolve: () => replyLines(207, ids, { headers }) });
  // @ts-expect-error: a header that is not declared, of events
  route.get("/", { responses, resolve: (_c) => replyEvents(206, (_signal) => [], { headers }) });
  // @ts-expect-error: a header that is not declared, of events, without a parameter
  route.get("/", { responses, resolve: () => replyEvents(206, (_signal) => [], { headers }) });
  // @ts-expect-error: a header that is not declared, in a reply that a function returns
  route.get("/", { responses, resolve: () => others() });
}

export async function received() {
  const client = createClient(api);
  const answer = await client.read();
  if (answer.status === 200) {
    type Token = { text: string; at?: string; tags?: string[] };
    type Received = ReceivedEvent<"token", Token> | ReceivedEvent<"done", { n: number }>;
    assertType<IsExact<typeof answer.body, EventStream<Received>>>(true);
    for await (const item of answer.body) {
      if (item.event === "done") assertType<IsExact<typeof item.data, { n: number }>>(true);
      // @ts-expect-error: a name that is not declared
      if (item.event === "tokn") continue;
    }
  }
  if (answer.status === 202) assertType<IsExact<typeof answer.body, AsyncIterable<{ id: number; at: string }>>>(true);
  if (answer.status === 203) {
    for await (const { data } of answer.body) {
      assertType<IsExact<typeof data, number>>(true);
    }
  }
  if (answer.status === 206) {
    assertType<IsExact<typeof answer.headers, { readonly "x-total": string; readonly etag: string | undefined }>>(true);
  }
  const head = await client.both({ method: "HEAD" });
  assertType<IsExact<typeof head.body, undefined>>(true);

  for await (const item of resume((init) => client.read(init), { retries: 3 })) {
    assertType<IsExact<typeof item.event, "token" | "done" | "message">>(true);
  }
  // @ts-expect-error: how often is the caller's to say
  resume((init) => client.read(init), {});
}
