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
  // @ts-expect-error at `body`: This does not fit what is declared for 403: call reply once for each
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 403, body) });
  // @ts-expect-error at `{ error: "" }`: This does not fit what is declared for 200: call reply once for each
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 403, { error: "" }) });
  // @ts-expect-error at `both`: This does not fit what is declared for 200: call reply once for each | This does not
  //   fit what is declared for 403: call reply once for each
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 403, both) });
  // @ts-expect-error at `either`: This does not fit what is declared for 200: call reply once for each | This does not
  //   fit what is declared for 403: call reply once for each
  route.get("/", { responses, resolve: (_c) => reply(status, either) });
  // @ts-expect-error at `reply(status, body)`: Property 'error' is missing in type '{ readonly id: string; }' but
  //   required in type '{ readonly error: string; }'.
  route.get("/", { responses, resolve: () => reply(status, body) });
  // @ts-expect-error at `await Promise.resolve(body)`: This does not fit what is declared for 403: call reply once for
  //   each
  route.get("/", { responses, resolve: async (_c) => reply(status, await Promise.resolve(body)) });
  // @ts-expect-error at `body`: This does not fit what is declared for 403: call reply once for each
  route.on(endpoint.get("/", { responses }), { resolve: (_c) => reply(status, body) });
  // @ts-expect-error at `body`: This does not fit what is declared for 204: call reply once for each
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 204, body) });
  // @ts-expect-error at `isAdmin ? 200 : 204`: Type '200' is not assignable to type '204 | 207'.
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 204) });
  // @ts-expect-error at `{ contentType: "text/plain" }`: This does not fit what is declared for 203: call reply once
  //   for each
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 202 : 203, "", { contentType: "text/plain" }) });
  // @ts-expect-error at `""`: This does not fit what is declared for 202: call reply once for each
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 202 : 203, "") });
  // @ts-expect-error at `error`: This does not fit what is declared for 403: call reply once for each
  route.get("/", { responses, resolve: (_c) => problem(isAdmin ? 403 : 404, error) });
  // @ts-expect-error at `{ headers: { "x-a": "" } }`: This does not fit what is declared for 411: call reply once for
  //   each
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 410 : 411, error, { headers: { "x-a": "" } }) });
  // @ts-expect-error at `body`: This does not fit what is declared for 206: call reply once for each
  route.get("/", { responses, resolve: (_c) => reply(isAdmin ? 200 : 206, body) });
  const shared = () => reply(status, body);
  // @ts-expect-error at `shared()`: Property 'error' is missing in type '{ readonly id: string; }' but required in type
  //   '{ readonly error: string; }'.
  route.get("/", { responses, resolve: () => shared() });
  const guard = (_c: Context) => deny(reply(isAdmin ? 200 : 206, body));
  // @ts-expect-error at `responses`: 206 is declared as application/json with headers: { "etag": ... }, and a guard
  //   denies as application/json
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
        // @ts-expect-error at `[both]`: This does not fit what is declared for 200: call reply once for each | This
        //   does not fit what is declared for 202: call reply once for each
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
  // @ts-expect-error at `[row]`: This does not fit what is declared for 201: call reply once for each
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 201, [row]) });
  // @ts-expect-error at `[both]`: This does not fit what is declared for 200: call reply once for each | This does not
  //   fit what is declared for 201: call reply once for each
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 201, [both]) });
  // @ts-expect-error at `replyLines(isAdmin ? 200 : 203, [row])`: Source has 0 element(s) but target requires 1.
  route.get("/", { responses: streams, resolve: (_c) => replyLines(isAdmin ? 200 : 203, [row]) });
  route.get("/", {
    responses: streams,
    resolve: (_c) =>
      replyEvents(isAdmin ? 206 : 207, function* (_signal, event) {
        // @ts-expect-error at `row`: This does not fit what is declared for 207: call reply once for each
        yield event("a", row);
        // @ts-expect-error at `both`: This does not fit what is declared for 206: call reply once for each | This does
        //   not fit what is declared for 207: call reply once for each
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
  // @ts-expect-error at `user`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(200, user) });
  // @ts-expect-error at `reply(200, new User())`: Type 'PrivateMember' is not assignable to type '"id"'.
  route.get("/", { responses: nested, resolve: () => reply(200, new User()) });
  // @ts-expect-error at `reply(200, new Admin())`: Type 'PrivateMember' is not assignable to type '"id"'.
  route.get("/", { responses: nested, resolve: () => reply(200, new Admin()) });
  // @ts-expect-error at `new Guest()`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(200, new Guest()) });
  // @ts-expect-error at `deep`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(201, deep) });
  // @ts-expect-error at `reply(201, deep)`: Type 'PrivateMember' is not assignable to type '"id"'.
  route.get("/", { responses: nested, resolve: () => reply(201, deep) });
  // @ts-expect-error at `user`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [user]) });
  // @ts-expect-error at `record`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(203, record) });
  // @ts-expect-error at `reply(203, record)`: Type 'PrivateMember' is not assignable to type '"id"'.
  route.get("/", { responses: nested, resolve: () => reply(203, record) });
  // @ts-expect-error at `Math.random() < 1 ? user : null`: The body has private members, which JSON contains: name the
  //   keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(206, Math.random() < 1 ? user : null) });
  // @ts-expect-error at `reply(207, user)`: Type 'PrivateMember' is not assignable to type 'PropertyKey'.
  route.get("/", { responses: nested, resolve: () => reply(207, user) });
  // @ts-expect-error at `[user]`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => replyLines(208, [user]) });
  route.get("/", {
    responses: nested,
    resolve: (_c) =>
      replyEvents(209, function* (_signal, event) {
        // @ts-expect-error at `user`: The body has private members, which JSON contains: name the keys to send
        yield event("a", user);
      }),
  });
  const reveal = () => reply(200, user);
  // @ts-expect-error at `reveal()`: Type 'PrivateMember' is not assignable to type '"id"'.
  route.get("/", { responses: nested, resolve: () => reveal() });
  // @ts-expect-error at `responses`: 200 is declared without a key of the body that a guard denies with: a private
  //   member
  route.get("/", { responses: nested, guards: [() => deny(reveal())], resolve: () => reply(204) });
  // @ts-expect-error at `responses`: 200 is declared without a key of the body that a guard denies with: a private
  //   member
  route.get("/", { responses: nested, guards: [denyInvalid(reveal)], resolve: () => reply(204) });
  // @ts-expect-error at `marked`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(200, marked) });
  // @ts-expect-error at `reply(200, marked)`: Type 'PrivateMember' is not assignable to type '"id"'.
  route.get("/", { responses: nested, resolve: () => reply(200, marked) });
  // @ts-expect-error at `marked`: The body has private members, which JSON contains: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [marked]) });
  route.get("/", { responses: nested, resolve: (_c) => reply(200, markedPlain) });
  // @ts-expect-error at `new Secret()`: JSON has what toJSON() of the body returns, and the schema does not describe
  //   that: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(200, new Secret()) });
  // @ts-expect-error at `reply(200, new Secret())`: Type '"hash"' is not assignable to type '"id"'.
  route.get("/", { responses: nested, resolve: () => reply(200, new Secret()) });
  // @ts-expect-error at `new Secret()`: JSON has what toJSON() of the body returns, and the schema does not describe
  //   that: name the keys to send
  route.get("/", { responses: nested, resolve: (_c) => reply(202, [new Secret()]) });
  // @ts-expect-error at `maybeJson`: The schema has no key "toJSON": name the keys to send, or add it to the schema
  route.get("/", { responses: nested, resolve: (_c) => reply(200, maybeJson) });
  // @ts-expect-error at `reply(200, maybeJson)`: Type '"toJSON"' is not assignable to type '"id"'.
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
  // @ts-expect-error at `204`: Argument of type '204' is not assignable to parameter of type '…'.
  route.get("/", { responses: ranges, resolve: (_c) => reply(204, body) });
  // @ts-expect-error at `reply(205, body)`: Type '205' is not assignable to type '…'.
  route.get("/", { responses: ranges, resolve: () => reply(205, body) });
  // @ts-expect-error at `304`: Argument of type '304' is not assignable to parameter of type '…'.
  route.get("/", { responses: ranges, resolve: (_c) => reply(304, error) });
  // A status that no handler can send.
  // @ts-expect-error at `100`: Argument of type '100' is not assignable to parameter of type 'RangeOf<2> | RangeOf<3> |
  //   RangeOf<4> | RangeOf<5>'.
  route.get("/", { responses: { default: {} }, resolve: (_c) => reply(100) });
  // A status that no handler can send, by its range.
  // @ts-expect-error at `reply(100)`: Type '100' is not assignable to type '101'.
  route.get("/", { responses: { "1XX": {} }, resolve: () => reply(100) });
  // @ts-expect-error at `200`: Argument of type '200' is not assignable to parameter of type '204'.
  route.get("/", { responses: optional, resolve: (_c) => reply(200) });
  // @ts-expect-error at `bare()`: Type '"no body"' is not assignable to type '"a value"'.
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
