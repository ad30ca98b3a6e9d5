/**
 * What a reply sends: one of several statuses, members that JSON has and types hide, and statuses without a body. The compiler
 * checks this file: nothing is asserted at run time, and no function is called.
 */
import * as v from "valibot";
import { z } from "zod";
import { allow, type Context, deny, denyInvalid, endpoint, reply, replyAs, route } from "../../mod.ts";
import { events, lines, replyEvents, replyLines } from "../../src/events/mod.ts";

const shown = z.object({ id: z.string() });
const failed = z.object({ error: z.string() });
const responses = {
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
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 201, body) });
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 201, { id: "" }) });
  route.get("/", { responses, resolve: () => reply(isAdmin ? 200 : 201, body) });
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 204 : 207) });
  route.get("/", { responses, resolve: (_c) => problem(isAdmin ? 404 : 409, error) });
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 410 : 411, error) });
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 206, body, { headers: { etag: "" } }) });
  // @ts-expect-error: the body of one
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 403, body) });
  // @ts-expect-error: the body of the other, in a literal
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 403, { error: "" }) });
  // @ts-expect-error: the keys of both
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 403, both) });
  // @ts-expect-error: either body, whatever the status
  route.get("/", { responses, resolve: (_c) => reply(status, either) });
  // @ts-expect-error: without a parameter
  route.get("/", { responses, resolve: () => reply(status, body) });
  // @ts-expect-error: in an asynchronous handler
  route.get("/", { responses, resolve: async (_c) => reply(status, await Promise.resolve(body)) });
  // @ts-expect-error: with an endpoint
  route.on(endpoint.get("/", { responses }), { resolve: (_c) => reply(status, body) });
  // @ts-expect-error: one has no body
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 204, body) });
  // @ts-expect-error: the other has one
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 204) });
  // @ts-expect-error: one is text
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 202 : 203, "", { contentType: "text/plain" }) });
  // @ts-expect-error: one is JSON
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 202 : 203, "") });
  // @ts-expect-error: one is no problem
  route.get("/", { responses, resolve: (_c) => problem(isAdmin ? 403 : 404, error) });
  // @ts-expect-error: the header of one
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 410 : 411, error, { headers: { "x-a": "" } }) });
  // @ts-expect-error: one requires a header
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 206, body) });
  const shared = () => reply(status, body);
  // @ts-expect-error: in what a function replies
  route.get("/", { responses, resolve: () => shared() });
  const guard = (_c: Context) => deny(reply(isAdmin ? 200 : 206, body));
  // @ts-expect-error: in what a guard denies with, one requires a header
  route.get("/", { responses, guards: [guard], resolve: () => reply(204) });
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
        // @ts-expect-error: the keys of another status
        yield batch([both]);
      }),
  });
  route.get("/", {
    responses: streams,
    resolve: (_c) =>
      replyEvents(isAdmin ? 206 : 208, function* (_signal, event) {
        yield event("a", row);
        // @ts-expect-error: an event of one
        yield event("b", "");
      }),
  });
  // @ts-expect-error: the item of one
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 201, [row]) });
  // @ts-expect-error: the keys of both
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 201, [both]) });
  // @ts-expect-error: one requires a header
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 203, [row]) });
  route.get("/", {
    responses: streams,
    resolve: (_c) =>
      replyEvents(isAdmin ? 206 : 207, function* (_signal, event) {
        // @ts-expect-error: the data of one
        yield event("a", row);
        // @ts-expect-error: the keys of both
        yield event("a", both);
      }),
  });
}

class User {
  readonly id: string = "";
  private readonly passwordHash = "x";
  hash(): string {
    return this.passwordHash;
  }
}

class Admin extends User {}

class Guest {
  readonly id: string = "";
  protected readonly token = "x";
}

class Plain {
  readonly id: string = "";
  show(): string {
    return this.id;
  }
}

class Secret {
  readonly id: string = "";
  toJSON(): { readonly id: string; readonly hash: string } {
    return { id: this.id, hash: "" };
  }
}

class Described {
  readonly id: string = "";
  private readonly hash = "x";
  toJSON(): { readonly id: string } {
    return { id: this.id + this.hash.slice(0, 0) };
  }
}

interface MaybeJson {
  readonly id: string;
  toJSON?(): { readonly hash: string };
}

export function membersThatTypesHide(user: User, maybeJson: MaybeJson, record: Record<string, User>, some: Plain) {
  const marked = Object.assign(user, { mark: undefined });
  const markedPlain = Object.assign(some, { mark: undefined });
  const deep = { list: [{ user }] };
  const nested = {
    200: { schema: shown },
    201: { schema: z.object({ list: z.array(z.object({ user: shown })) }) },
    202: { schema: z.array(shown) },
    203: { schema: z.record(z.string(), shown) },
    206: { schema: v.custom<{ id: string } | { name: string } | null>(() => true) },
    207: { schema: z.looseObject({ id: z.string() }) },
    208: lines(shown),
    209: events({ a: shown }),
    204: {},
  };
  route.get("/", { responses: nested, resolve: (_c) => reply(200, some) });
  route.get("/", { responses: nested, resolve: () => reply(200, new Plain()) });
  route.get("/", { responses: nested, resolve: (_c) => reply(200, new Described()) });
  route.get("/", { responses: nested, resolve: () => reply(200, new Described()) });
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [some, new Described(), { id: user.id }]) });
  route.get("/", { responses: nested, resolve: () => reply(206, Math.random() < 1 ? some : null) });
  // @ts-expect-error: a private member
  route.get("/", { responses: nested, resolve: (_c) => reply(200, user) });
  // @ts-expect-error: without a parameter
  route.get("/", { responses: nested, resolve: () => reply(200, new User()) });
  // @ts-expect-error: inherited
  route.get("/", { responses: nested, resolve: () => reply(200, new Admin()) });
  // @ts-expect-error: protected
  route.get("/", { responses: nested, resolve: (_c) => reply(200, new Guest()) });
  // @ts-expect-error: in nested objects
  route.get("/", { responses: nested, resolve: (_c) => reply(201, deep) });
  // @ts-expect-error: in nested objects, without a parameter
  route.get("/", { responses: nested, resolve: () => reply(201, deep) });
  // @ts-expect-error: in an array
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [user]) });
  // @ts-expect-error: in a record
  route.get("/", { responses: nested, resolve: (_c) => reply(203, record) });
  // @ts-expect-error: in a record, without a parameter
  route.get("/", { responses: nested, resolve: () => reply(203, record) });
  // @ts-expect-error: in a union
  route.get("/", { responses: nested, resolve: (_c) => reply(206, Math.random() < 1 ? user : null) });
  // @ts-expect-error: where other keys are allowed
  route.get("/", { responses: nested, resolve: () => reply(207, user) });
  // @ts-expect-error: in lines
  route.get("/", { responses: nested, resolve: (_c) => replyLines(208, [user]) });
  route.get("/", {
    responses: nested,
    resolve: (_c) =>
      replyEvents(209, function* (_signal, event) {
        // @ts-expect-error: in an event
        yield event("a", user);
      }),
  });
  const reveal = () => reply(200, user);
  // @ts-expect-error: in what a function replies
  route.get("/", { responses: nested, resolve: () => reveal() });
  // @ts-expect-error: in what a guard denies with
  route.get("/", { responses: nested, guards: [() => deny(reveal())], resolve: () => reply(204) });
  // @ts-expect-error: in what denyInvalid denies with
  route.get("/", { responses: nested, guards: [denyInvalid(reveal)], resolve: () => reply(204) });
  // @ts-expect-error: of a class that is one part of an intersection
  route.get("/", { responses: nested, resolve: (_c) => reply(200, marked) });
  // @ts-expect-error: of a class that is one part of an intersection, without a parameter
  route.get("/", { responses: nested, resolve: () => reply(200, marked) });
  // @ts-expect-error: of a class that is one part of an intersection, in an array
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [marked]) });
  route.get("/", { responses: nested, resolve: (_c) => reply(200, markedPlain) });
  // @ts-expect-error: toJSON returns another key
  route.get("/", { responses: nested, resolve: (_c) => reply(200, new Secret()) });
  // @ts-expect-error: toJSON returns another key, without a parameter
  route.get("/", { responses: nested, resolve: () => reply(200, new Secret()) });
  // @ts-expect-error: toJSON returns another key, in an array
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [new Secret()]) });
  // @ts-expect-error: toJSON may be there
  route.get("/", { responses: nested, resolve: (_c) => reply(200, maybeJson) });
  // @ts-expect-error: toJSON may be there, without a parameter
  route.get("/", { responses: nested, resolve: () => reply(200, maybeJson) });
}

export function statusesWithoutABody() {
  const ranges = { "2XX": { schema: shown }, default: { schema: failed } };
  const optional = { 200: { schema: z.string().optional() }, 204: {} };
  const bare = () => reply(200);
  route.get("/", { responses: ranges, resolve: (_c) => reply(202, body) });
  route.get("/", { responses: ranges, resolve: (_c) => reply(404, error) });
  route.get("/", { responses: { "2XX": {}, default: {} }, resolve: () => Math.random() < 1 ? reply(204) : reply(404) });
  route.get("/", { responses: optional, resolve: (_c) => reply(200, "") });
  // @ts-expect-error: a body by a range
  route.get("/", { responses: ranges, resolve: (_c) => reply(204, body) });
  // @ts-expect-error: a body by a range, without a parameter
  route.get("/", { responses: ranges, resolve: () => reply(205, body) });
  // @ts-expect-error: a body by the default
  route.get("/", { responses: ranges, resolve: (_c) => reply(304, error) });
  // @ts-expect-error: a status that no handler can send
  route.get("/", { responses: { default: {} }, resolve: (_c) => reply(100) });
  // @ts-expect-error: a status that no handler can send, by its range
  route.get("/", { responses: { "1XX": {} }, resolve: () => reply(100) });
  // @ts-expect-error: no body, where the schema is optional
  route.get("/", { responses: optional, resolve: (_c) => reply(200) });
  // @ts-expect-error: no body, in what a function replies
  route.get("/", { responses: optional, resolve: () => bare() });
}

export function whatMayBeAnything(isOpen: boolean, type: string, number: number, texts: Record<string, string>) {
  const partial = { 403: { schema: failed.partial() }, 204: {} };
  const json = { 200: { schema: shown }, 403: { schema: failed }, 204: {} };
  // @ts-expect-error: any media type
  route.get("/", { responses: json, resolve: (_c) => replyAs(type)(200, body) });
  // @ts-expect-error: any media type, beside a third argument
  route.get("/", { responses: json, resolve: (_c) => replyAs(type)(200, body, { statusText: "" }) });
  // @ts-expect-error: any media type, in a third argument
  route.get("/", { responses: json, resolve: (_c) => reply(200, body, { contentType: type }) });
  // @ts-expect-error: any status
  route.get("/", { responses: json, resolve: (_c) => reply(number, body) });
  // @ts-expect-error: any key
  route.get("/", { responses: partial, resolve: (_c) => reply(403, texts) });
  const denies = {
    number: (_c: Context) => isOpen ? allow() : deny(reply(number, error)),
    texts: (_c: Context) => isOpen ? allow() : deny(reply(403, texts)),
    type: (_c: Context) => isOpen ? allow() : deny(reply(403, error, { contentType: type })),
    known: (_c: Context) => isOpen ? allow() : deny(reply(403, error)),
  };
  // @ts-expect-error: a guard denies with any status
  route.get("/", { responses: json, guards: [denies.number], resolve: () => reply(204) });
  // @ts-expect-error: a guard of the scope denies with any status
  route.with({ guards: [denies.number] }).get("/", { responses: json, resolve: () => reply(204) });
  // @ts-expect-error: a guard denies with any status, for an endpoint
  route.on(endpoint.get("/", { responses: json }), { guards: [denies.number], resolve: () => reply(204) });
  // @ts-expect-error: a guard denies with any key
  route.get("/", { responses: partial, guards: [denies.texts], resolve: () => reply(204) });
  // @ts-expect-error: a guard denies with any media type
  route.get("/", { responses: json, guards: [denies.type], resolve: () => reply(204) });
  route.get("/", { responses: json, guards: [denies.known], resolve: () => reply(204) });
}
