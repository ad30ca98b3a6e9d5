/**
 * Streams: what handlers may send and clients receive. The compiler checks this file: nothing is asserted at run time, and no
 * function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import { endpoint, reply, route } from "../../mod.ts";
import { createClient, type EventStream, type ReceivedEvent } from "../../src/client/mod.ts";
import { events, lines, replyEvents, replyLines, resume, text } from "../../src/events/mod.ts";

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
        // @ts-expect-error at `{ text: "" }`: This does not fit what is declared for done: write one call for each
        yield event(name, { text: "" });
        // @ts-expect-error at `both`: This does not fit what is declared for done: write one call for each | This does
        //   not fit what is declared for token: write one call for each
        yield event(name, both);
      }),
  });
  route.get("/", {
    responses,
    resolve: (_c) =>
      replyEvents(200, function* (_signal, event) {
        // @ts-expect-error at `"tokn"`: Argument of type '"tokn"' is not assignable to parameter of type '"done" |
        //   "token"'.
        yield event("tokn", { text: "" });
        // @ts-expect-error at `text`: Object literal may only specify known properties, and 'text' does not exist in
        //   type '{ readonly n: number; }'.
        yield event("done", { text: "" });
        // @ts-expect-error at `txt`: Object literal may only specify known properties, but 'txt' does not exist in type
        //   '{…'. Did you mean to write 'text'?
        yield event("token", { txt: "" });
        // @ts-expect-error at `secret`: The schema has no key "password": name the keys to send, or add it to the
        //   schema
        yield event("token", secret);
      }),
  });
  // A plain object, whose keys nothing would check.
  // @ts-expect-error at `[{ event: "done", data: { n: 1 } }]`: Property '"~made by event(name, data)"' is missing in
  //   type '{ event: string; data: { n: number; }; }' but required in type 'MadeEvent<string, unknown>'.
  route.get("/", { responses, resolve: (_c) => replyEvents(200, () => [{ event: "done", data: { n: 1 } }]) });
  // @ts-expect-error at `201`: Argument of type '201' is not assignable to parameter of type '200 | 203 | 206'.
  route.get("/", { responses, resolve: (_c) => replyEvents(201, (_signal: AbortSignal) => []) });
  // @ts-expect-error at `404`: Argument of type '404' is not assignable to parameter of type '200 | 203 | 206'.
  route.get("/", { responses, resolve: (_c) => replyEvents(404, (_signal: AbortSignal) => []) });
  // @ts-expect-error at `202`: Argument of type '202' is not assignable to parameter of type '200 | 203 | 206'.
  route.get("/", { responses, resolve: (_c) => replyEvents(202, (_signal: AbortSignal) => []) });
  // @ts-expect-error at `200`: Argument of type '200' is not assignable to parameter of type '202 | 207'.
  route.get("/", { responses, resolve: (_c) => replyLines(200, [{ id: 1, at: new Date() }]) });
  // @ts-expect-error at `[{ id: 1, at: new Date() }]`: Write reply(202, body, { contentType: "application/jsonl" })
  route.get("/", { responses, resolve: (_c) => reply(202, [{ id: 1, at: new Date() }]) });
  // @ts-expect-error at `replyEvents`: Expected 3 arguments, but got 2.
  route.get("/", { responses, resolve: (_c) => replyEvents(206, (_signal) => []) });
  // @ts-expect-error at `headers`: Property '"x-total"' is missing in type '{ etag: string; }' but required in type
  //   '{…'.
  route.get("/", { responses, resolve: (_c) => replyEvents(206, (_signal) => [], { headers: { etag: "1" } }) });
  // @ts-expect-error at `idd`: Object literal may only specify known properties, and 'idd' does not exist in type '{
  //   readonly id: number; readonly at: Date; }'.
  route.get("/", { responses, resolve: (_c) => replyLines(202, [{ idd: 1, at: new Date() }]) });
  // @ts-expect-error at `[secretRow]`: The schema has no key "password": name the keys to send, or add it to the schema
  route.get("/", { responses, resolve: (_c) => replyLines(202, [secretRow]) });
  route.get("/", {
    responses,
    resolve: (_c) =>
      replyLines(202, function* (_signal, batch) {
        // @ts-expect-error at `[secretRow]`: The schema has no key "password": name the keys to send, or add it to the
        //   schema
        yield batch([secretRow]);
      }),
  });
  const leaks = () =>
    replyEvents(200, function* (_signal, event) {
      yield event("token", secret);
    });
  // @ts-expect-error at `leaks()`: return reply(status, body)
  route.get("/", { responses, resolve: () => leaks() });
  const others = () =>
    replyEvents(200, function* (_signal, event) {
      yield event("done", { n: "1" });
    });
  // @ts-expect-error at `others()`: return reply(status, body)
  route.get("/", { responses, resolve: () => others() });
  const leakedRows = () => replyLines(202, [secretRow]);
  // @ts-expect-error at `leakedRows()`: return reply(status, body)
  route.get("/", { responses, resolve: () => leakedRows() });
  // @ts-expect-error at `[[{ id: 1, at: new Date() }]]`: Property 'id' is missing in type '{ id: number; at: Date; }[]'
  //   but required in type '{ readonly id: number; readonly at: Date; }'.
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
  // @ts-expect-error at `headers`: Type 'undefined' is not assignable to type '{…'.
  route.get("/", { responses, resolve: (_c) => replyLines(207, ids, { headers: maybe }) });
  // @ts-expect-error at `replyLines(207, ids, { headers: maybe })`: return reply(status, body)
  route.get("/", { responses, resolve: () => replyLines(207, ids, { headers: maybe }) });
  // @ts-expect-error at `replyLines(207, ids)`: return reply(status, body)
  route.get("/", { responses, resolve: () => replyLines(207, ids) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => replyLines(207, ids, { headers }) });
  // @ts-expect-error at `replyLines(207, ids, { headers })`: declare each header, or leave it out: Type '"x-other"' is
  //   not assignable to type '"etag" | "x-total"'.
  route.get("/", { responses, resolve: () => replyLines(207, ids, { headers }) });
  // @ts-expect-error at `headers`: The response declares no header "x-other": declare it, or leave it out
  route.get("/", { responses, resolve: (_c) => replyEvents(206, (_signal) => [], { headers }) });
  // @ts-expect-error at `replyEvents(206, (_signal) => [], { head…`: declare each header, or leave it out: Type
  //   '"x-other"' is not assignable to type '"etag" | "x-total"'.
  route.get("/", { responses, resolve: () => replyEvents(206, (_signal) => [], { headers }) });
  // @ts-expect-error at `others()`: declare each header, or leave it out: Type '"x-other"' is not assignable to type
  //   '"etag" | "x-total"'.
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
      // @ts-expect-error at `item.event === "tokn"`: This comparison appears to be unintentional because the types
      //   '"done" | "token"' and '"tokn"' have no overlap.
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
  // How often is the caller's to say.
  // @ts-expect-error at `{}`: Property 'retries' is missing in type '{}' but required in type 'ResumeOptions'.
  resume((init) => client.read(init), {});
}

/** Data that is sent as it is. */
export async function texts() {
  const ended = endpoint.get("/ended", { responses: { 200: events({ token, done: text() }), 201: events(text()) } });
  route.on(ended, {
    resolve: (c) =>
      c.request.url
        ? replyEvents(201, function* (_signal, event) {
          yield event("message", "[DONE]");
        })
        : replyEvents(200, function* (_signal, event) {
          yield event("token", { text: "" });
          yield event("done", "[DONE]");
        }),
  });
  route.on(ended, {
    resolve: (_c) =>
      replyEvents(200, function* (_signal, event) {
        // @ts-expect-error at `7`: Argument of type 'number' is not assignable to parameter of type 'string'.
        yield event("done", 7);
      }),
  });
  // @ts-expect-error at `text()`: Lines are JSON: text() is for events
  lines(text());
  const answer = await createClient({ ended }).ended();
  if (answer.status === 201) { for await (const { data } of answer.body) data satisfies string; }
}
