/**
 * Sockets: what handlers may send, what they must handle, and what clients may do. The compiler checks this file: nothing
 * is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { z } from "zod";
import { allow, type Context, deny, endpoint, reply, route, setup } from "../../mod.ts";
import { createClient } from "../../src/client/mod.ts";
import {
  accept,
  connect,
  handshake,
  type MakeMessage,
  type PeerOf,
  socket,
  type Sockets,
} from "../../src/sockets/mod.ts";

const client = {
  say: z.object({ text: z.string().trim(), at: z.iso.datetime().transform((text) => new Date(text)) }),
  typing: z.object({ on: z.boolean().optional() }),
  ping: z.undefined(),
};
const server = {
  said: z.object({ by: z.string(), text: z.string(), at: z.date().optional(), tags: z.array(z.string()).optional() }),
  missed: z.null(),
  counted: z.union([z.object({ n: z.number() }), z.object({ none: z.literal(true) })]),
};
declare enum Status {
  SwitchingProtocols = 101,
  OK = 200,
}
const refusals = { 400: {}, 401: {}, 403: {}, 426: {} };
const api = {
  room: endpoint.get("/rooms/:id", {
    request: { query: z.object({ after: z.string().optional() }) },
    responses: { 101: socket({ client, server, window: 64 }), ...refusals },
  }),
  plain: endpoint.get("/plain", { responses: { 200: { schema: z.string() }, ...refusals } }),
  other: endpoint.get("/other", {
    responses: { 101: socket({ client: {}, server: { n: z.number() } }), ...refusals },
  }),
};
const shaken = handshake({ origins: [] });
const signedIn = (c: Context) => c.request.headers.has("x") ? allow({ user: "ada" }) : deny(reply(401));
const silent = { receive: { say() {}, typing() {}, ping() {} }, invalid() {} };

class Said {
  readonly by = "";
  readonly text = "";
}
class Hidden extends Said {
  private password = "x";
}
const stored: { readonly by: string; readonly text: string; readonly tags: readonly string[] } = {
  by: "",
  text: "",
  tags: [],
};
const secret = { by: "", text: "", password: "x" };

export function sockets() {
  route.on(api.room, {
    guards: [signedIn, shaken],
    resolve: (c, sockets: Sockets) =>
      accept(c, api.room, sockets, {
        async *send(signal, message) {
          signal.throwIfAborted();
          yield message("said", { by: c.locals.user, text: "", at: new Date() }, { id: "1" });
          yield message("said", await Promise.resolve(stored));
          yield message("said", { ...stored, tags: ["a"] });
          yield message("said", new Said());
          yield message("counted", { n: 1 });
          yield message("counted", { none: true });
          yield message("missed", null);
        },
        receive: {
          say(data, peer) {
            assertType<IsExact<typeof data, { text: string; at: Date }>>(true);
            return peer.send("said", { by: "", text: data.text, at: data.at });
          },
          typing: (data) => assertType<IsExact<typeof data, { on?: boolean | undefined }>>(true),
          ping: (data) => assertType<IsExact<typeof data, undefined>>(true),
        },
        invalid: ({ issues, name }, peer) => name === "say" ? peer.close(4000, issues[0]?.message) : undefined,
        closed: (code, reason) => console.log(code, reason),
      }),
  });
  route.on(api.room, {
    guards: [handshake({ origins: "any" })],
    resolve: (c, sockets: Sockets) => accept(c, api.room, sockets, silent),
  });
  // A denial of the app.
  const refused = endpoint.get("/", {
    responses: { ...api.other.responses, 101: socket({ client: {}, server: {} }), 403: { schema: z.string() } },
  });
  void refused;
  const peers = new Set<PeerOf<typeof api.room>>();
  for (const peer of peers) peer.send("said", stored);
  const guards = [signedIn, shaken] as const;
  route.on(api.other, {
    guards,
    resolve: async (c, sockets: Sockets) => {
      await Promise.resolve();
      return accept(c, api.other, sockets, { receive: {}, invalid() {} });
    },
  });
}

export function handshakes() {
  // The check of the origin is forgotten.
  route.on(api.room, {
    guards: [signedIn],
    // @ts-expect-error at `c`: Property 'handshake' is missing in type '{ user: string; }' but required in type
    //   'Handshake'.
    resolve: (c, sockets: Sockets) => accept(c, api.room, sockets, silent),
  });
  // A guard denies with a status that the endpoint does not declare.
  const teapot = (_: Context) => deny(reply(418));
  // @ts-expect-error at `api.room`: 418 must be declared, with the body that a guard denies with
  route.on(api.room, { guards: [teapot, shaken], resolve: (c, s: Sockets) => accept(c, api.room, s, silent) });
  const undeclared = endpoint.get("/", { responses: { 101: socket({ client: {}, server: {} }), 400: {}, 403: {} } });
  route.on(
    // @ts-expect-error at `undeclared`: 426 must be declared, with the body that a guard denies with
    undeclared,
    { guards: [shaken], resolve: (c, s: Sockets) => accept(c, undeclared, s, { receive: {}, invalid() {} }) },
  );
  const bodies = handshake({ origins: [], refuse: (status) => reply(status, { code: status }) });
  route.on(
    // @ts-expect-error at `api.room`: 4…
    api.room,
    { guards: [signedIn, bodies], resolve: (c, s: Sockets) => accept(c, api.room, s, silent) },
  );
}

export function handlers(name: "said" | "missed") {
  const guards = [signedIn, shaken] as const;
  route.on(api.room, {
    guards,
    resolve: (c, s: Sockets) =>
      accept(c, api.room, s, {
        ...silent,
        // @ts-expect-error at `receive`: Property 'ping' is missing in type '{ say(): void; typing(): void; }' but
        //   required in type '{…'.
        receive: { say() {}, typing() {} },
      }),
  });
  route.on(api.room, {
    guards,
    // @ts-expect-error at `sayd`: Object literal may only specify known properties, but 'sayd' does not exist in type
    //   '{…'. Did you mean to write 'say'?
    resolve: (c, s: Sockets) => accept(c, api.room, s, { ...silent, receive: { ...silent.receive, sayd() {} } }),
  });
  route.on(api.room, {
    guards,
    // @ts-expect-error at `{ receive: silent.receive }`: Property 'invalid' is missing in type '{ receive: { say():
    //   void; typing(): void; ping(): void; }; }' but required in type 'SocketHandlers<…'.
    resolve: (c, s: Sockets) => accept(c, api.room, s, { receive: silent.receive }),
  });
  route.on(api.room, {
    guards,
    resolve: (c, s: Sockets) =>
      accept(c, api.room, s, {
        ...silent,
        // @ts-expect-error at `txt`: Property 'txt' does not exist on type '{ text: string; at: Date; }'.
        receive: { ...silent.receive, say: ({ txt }) => console.log(txt) },
      }),
  });
  route.on(api.room, {
    guards,
    resolve: (c, s: Sockets) =>
      accept(c, api.room, s, {
        ...silent,
        *send(_signal, message) {
          // @ts-expect-error at `"sayd"`: Argument of type '"sayd"' is not assignable to parameter of type '"counted" |
          //   "missed" | "said"'.
          yield message("sayd", null);
          // @ts-expect-error at `by`: Type 'number' is not assignable to type 'string'.
          yield message("said", { by: 1, text: "" });
          // @ts-expect-error at `txt`: Object literal may only specify known properties, but 'txt' does not exist in
          //   type '{…'. Did you mean to write 'text'?
          yield message("said", { by: "", txt: "" });
          // @ts-expect-error at `secret`: The schema has no key "password": name the keys to send, or add it to the
          //   schema
          yield message("said", secret);
          // @ts-expect-error at `{ ...secret }`: The schema has no key "password": name the keys to send, or add it to
          //   the schema
          yield message("said", { ...secret });
          // @ts-expect-error at `new Hidden()`: The body has private members, which JSON contains: name the keys to
          //   send
          yield message("said", new Hidden());
          // @ts-expect-error at `other`: The schema has no key "other": name the keys to send, or add it to the schema
          yield message("counted", { n: 1, other: 2 });
          // @ts-expect-error at `null`: This does not fit what is declared for said: write one call for each
          yield message(name, null);
          // @ts-expect-error at `Promise.resolve(stored)`: The body is a promise: write await before it
          yield message("said", Promise.resolve(stored));
        },
      }),
  });
  // Clients send nothing over this socket.
  route.on(api.other, {
    guards,
    // @ts-expect-error at `say`: This message is not declared: clients send none over this socket
    resolve: (c, s: Sockets) => accept(c, api.other, s, { receive: { say() {} }, invalid() {} }),
  });
  route.on(api.other, {
    guards,
    // @ts-expect-error at `receive`: This message is not declared: clients send none over this socket
    resolve: (c, s: Sockets) => accept(c, api.other, s, { receive: silent.receive, invalid() {} }),
  });
  // Messages of another socket, with a key more.
  const other: MakeMessage<{ readonly said: { readonly by: string; readonly text: string; password: string } }> =
    undefined as never;
  route.on(api.room, {
    guards,
    resolve: (c, s: Sockets) =>
      // @ts-expect-error at `send`: …
      accept(c, api.room, s, { ...silent, send: () => [other("said", { by: "", text: "", password: "" })] }),
  });
  // A plain object, whose data nothing would check.
  route.on(api.room, {
    guards,
    resolve: (c, s: Sockets) =>
      // @ts-expect-error at `send`: Type '{ name: string; data: null; }' is not assignable to type 'MadeMessage<…'.
      accept(c, api.room, s, { ...silent, send: () => [{ name: "missed", data: null }] }),
  });
  route.on(api.room, {
    guards,
    resolve: (c, s: Sockets) =>
      accept(c, api.room, s, {
        ...silent,
        invalid(_invalid, peer) {
          // @ts-expect-error at `"refused"`: Argument of type '"refused"' is not assignable to parameter of type
          //   '"counted" | "missed" | "said"'.
          peer.send("refused", null);
          // @ts-expect-error at `secret`: The schema has no key "password": name the keys to send, or add it to the
          //   schema
          peer.send("said", secret);
        },
      }),
  });
}

export function endpoints(either: { readonly say: z.ZodString } | { readonly leave: z.ZodString }) {
  const guards = [signedIn, shaken] as const;
  // @ts-expect-error at `api.plain`: This endpoint declares no 101: socket({ client, server })
  route.on(api.plain, { guards, resolve: (c, s: Sockets) => accept(c, api.plain, s, { receive: {}, invalid() {} }) });
  // A handshake is a request for GET.
  // @ts-expect-error at `101`: Declare the socket by endpoint.get: a handshake is a GET request
  endpoint.post("/posted", { responses: { 101: socket({ client: {}, server: {} }), ...refusals } });
  // @ts-expect-error at `101`: Declare the socket by endpoint.get: a handshake is a GET request
  endpoint.on(["PUT", "POST"], "/written", { responses: { ...refusals, 101: socket({ client: {}, server: {} }) } });
  endpoint.post("/upgraded", { responses: { 101: {}, 200: { schema: z.string() } } });
  const posted = endpoint.with({ responses: { 101: socket({ client: {}, server: {} }), ...refusals } }).post(
    "/posted",
  );
  // @ts-expect-error at `posted`: Declare the socket by endpoint.get: a handshake is a GET request
  route.on(posted, { guards, resolve: (c, s: Sockets) => accept(c, posted, s, { receive: {}, invalid() {} }) });
  // @ts-expect-error at `posted`: Declare the socket by endpoint.get: a handshake is a GET request
  connect(posted, { baseUrl: "https://api.example.com" });
  const read = endpoint.on(["GET", "POST"], "/read", {
    responses: { 101: socket({ client: {}, server: {} }), ...refusals },
  });
  route.on(read, { guards, resolve: (c, s: Sockets) => accept(c, read, s, { receive: {}, invalid() {} }) });
  const any = endpoint.on("ALL", "/any", { responses: { 101: socket({ client: {}, server: {} }), ...refusals } });
  connect(any, { baseUrl: "https://api.example.com" });
  endpoint.get("/named", { responses: { [Status.SwitchingProtocols]: socket({ client: {}, server: {} }) } });
  // No other status becomes a socket.
  const pushed = socket({ client: {}, server: {} });
  // @ts-expect-error at `200`: A socket has the status 101, without a list: write 101: socket({ client, server })
  endpoint.get("/pushed", { responses: { 200: pushed, ...refusals } });
  // @ts-expect-error at `default`: A socket has the status 101, without a list: write 101: socket({ client, server })
  endpoint.get("/pushed", { responses: { ...refusals, default: socket({ client: {}, server: {} }) } });
  // @ts-expect-error at `"1XX"`: A socket has the status 101, without a list: write 101: socket({ client, server })
  endpoint.get("/pushed", { responses: { "1XX": socket({ client: {}, server: { n: z.number() } }) } });
  const ranges = { ...refusals, "2XX": pushed };
  // @ts-expect-error at `responses`: A socket has the status 101, without a list: write 101: socket({ client, server })
  endpoint.get("/pushed", { responses: ranges });
  // @ts-expect-error at `responses`: A socket has the status 101, without a list: write 101: socket({ client, server })
  endpoint.with({ prefix: "/pushed", responses: { ...ranges } });
  // @ts-expect-error at `[Status.OK]`: A socket has the status 101, without a list: write 101: socket({ client, server
  //   })
  endpoint.get("/pushed", { responses: { [Status.OK]: pushed } });
  // @ts-expect-error at `200`: A socket has the status 101, without a list: write 101: socket({ client, server })
  endpoint.get("/pushed", { responses: { 101: pushed, 200: Math.random() < 2 ? pushed : { schema: z.string() } } });
  // @ts-expect-error at `101`: A socket has the status 101, without a list: write 101: socket({ client, server })
  endpoint.get("/pushed", { responses: { 101: [pushed] } });
  // @ts-expect-error at `101`: A socket has the status 101, without a list: write 101: socket({ client, server })
  endpoint.get("/pushed", { responses: { 101: [{ contentType: "text/plain" }, pushed], 400: {} } });
  // @ts-expect-error at `200`: A socket has the status 101, without a list: write 101: socket({ client, server })
  endpoint.get("/pushed", { responses: { 101: pushed, 200: [{ schema: z.string(), contentType: "a/b" }, pushed] } });
  // One of several endpoints: which messages there are is not known.
  const several = Math.random() < 2 ? api.room : api.other;
  // @ts-expect-error at `several`: These endpoints have different sockets: write one call for each
  connect(several, { baseUrl: "https://api.example.com", params: { id: 1 } });
  const perhaps = Math.random() < 2 ? api.room : api.plain;
  // @ts-expect-error at `perhaps`: This endpoint declares no 101: socket({ client, server })
  connect(perhaps, { baseUrl: "https://api.example.com", params: { id: 1 } });
  // Two places of one socket.
  const again = endpoint.get("/again", {
    responses: { 101: socket({ client: {}, server: { n: z.number() } }), ...refusals },
  });
  connect(Math.random() < 2 ? api.other : again, { baseUrl: "https://api.example.com" });
  // Another socket than the route declares.
  // @ts-expect-error at `resolve`: return reply(status, body)
  route.on(api.room, { guards, resolve: (c, s: Sockets) => accept(c, api.other, s, { receive: {}, invalid() {} }) });
  // @ts-expect-error at `new Response(null, { status: 101 })`: return reply(status, body)
  route.on(api.room, { guards, resolve: () => new Response(null, { status: 101 }) });
  // @ts-expect-error at `say`: Type 'string' is not assignable to type 'MessageSchema'.
  socket({ client: { say: "text" }, server: {} });
  // @ts-expect-error at `{ client: {} }`: Property 'server' is missing in type '{ client: {}; }' but required in type
  //   'SocketDeclaration<{}, Record<never, never> & {}>'.
  socket({ client: {} });
  const wide: Record<string, z.ZodString> = {};
  // @ts-expect-error at `client`: Name the messages: with any name, no message would be checked
  socket({ client: wide, server: {} });
  const templates: { readonly [name: `on:${string}`]: z.ZodString } = {};
  // @ts-expect-error at `client`: Name the messages: with any name, no message would be checked
  socket({ client: templates, server: {} });
  const known: { readonly say: z.ZodNull; readonly [name: `on:${string}`]: z.ZodNull } = { say: z.null() };
  // @ts-expect-error at `server`: Name the messages: with any name, no message would be checked
  socket({ client: {}, server: known });
  const numbers: Record<number, z.ZodString> = {};
  // @ts-expect-error at `client`: Name the messages: with any name, no message would be checked
  socket({ client: numbers, server: {} });
  const typed: { readonly say: z.ZodString; readonly typing?: z.ZodString } = { say: z.string() };
  // @ts-expect-error at `server`: These messages may be absent: declare one socket, without a condition
  socket({ client: {}, server: typed });
  // @ts-expect-error at `client`: These messages may be absent: declare one socket, without a condition
  socket({ client: { ...(Math.random() < 2 ? { say: z.string() } : {}) }, server: {} });
  // @ts-expect-error at `client`: These messages may be absent: declare one socket, without a condition
  socket({ client: either, server: {} });
  socket({ client: { say: z.string(), ["__proto__"]: z.undefined() }, server: { ...server, "a/b": z.null() } });
  const maybe = Math.random() < 2 ? { ...refusals, 101: socket({ client: {}, server: {} }) } : refusals;
  void maybe;

  const room = route.on(api.room, { guards, resolve: (c, s: Sockets) => accept(c, api.room, s, silent) });
  const app = setup({ handlers: [room] });
  // @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
  app.fetch(new Request("http://localhost/"));
}

export async function clients() {
  const answer = await createClient(api).room({ params: { id: 1 } });
  if (answer.status === 101) assertType<IsExact<typeof answer.body, never>>(true);

  const baseUrl = "https://api.example.com";
  const room = connect(api.room, { baseUrl, params: { id: 1 }, query: (after) => ({ after }) });
  room.send("say", { text: "", at: "2026-01-01T00:00:00Z" });
  room.send("ping", undefined);
  for await (const message of room) {
    assertType<IsExact<typeof message.name, "said" | "missed" | "counted">>(true);
    if (message.name === "said") {
      assertType<IsExact<typeof message.data, { by: string; text: string; at?: string; tags?: string[] }>>(true);
    }
    // @ts-expect-error at `message.name === "sayd"`: This comparison appears to be unintentional because the types
    //   '"counted" | "missed" | "said"' and '"sayd"' have no overlap.
    if (message.name === "sayd") continue;
    // @ts-expect-error at `when`: Property 'when' does not exist on type '{ by: string; text: string; at?: string;
    //   tags?: string[]; }'.
    if (message.name === "said") console.log(message.data.when);
  }
  // @ts-expect-error at `"sayd"`: Argument of type '"sayd"' is not assignable to parameter of type '"ping" | "say" |
  //   "typing"'.
  room.send("sayd", { text: "" });
  // @ts-expect-error at `txt`: Object literal may only specify known properties, but 'txt' does not exist in type '{
  //   readonly text: string; readonly at: string; }'. Did you mean to write 'text'?
  room.send("say", { txt: "", at: "" });
  // @ts-expect-error at `at`: Type 'Date' is not assignable to type 'string'.
  room.send("say", { text: "", at: new Date() });
  // @ts-expect-error at `{ ...secret, at: "" }`: The schema has no key "by": name the keys to send, or add it to the
  //   schema | The schema has no key "password": name the keys to send, or add it to the schema
  room.send("say", { ...secret, at: "" });
  // @ts-expect-error at `{ baseUrl }`: Property 'params' is missing in type '{ baseUrl: string; }' but required in type
  //   '{ readonly params: { readonly id: TextValue; }; }'.
  connect(api.room, { baseUrl });
  // @ts-expect-error at `params`: Property 'id' is missing in type '{}' but required in type '{ readonly id: TextValue;
  //   }'.
  connect(api.room, { baseUrl, params: {} });
  // @ts-expect-error at `query`: Type '{ before: string; }' has no properties in common with type '{…'.
  connect(api.room, { baseUrl, params: { id: 1 }, query: () => ({ before: "" }) });
  // @ts-expect-error at `api.plain`: This endpoint declares no 101: socket({ client, server })
  connect(api.plain, { baseUrl });
  connect(api.other, { baseUrl, query: { any: 1 } });
}
