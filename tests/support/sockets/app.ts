/** The application for the tests of sockets, the same on every runtime. */
import { z } from "zod";
import { allow, type App, type Context, deny, endpoint, reply, route, setup } from "../../../mod.ts";
import {
  accept,
  handshake,
  type MakeMessage,
  socket,
  type Sockets,
  type SocketsOptions,
} from "../../../src/sockets/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

/** The options that all runtimes get, with bounds that tests reach soon. */
export const BOUNDS = {
  maxMessageBytes: 4096,
  maxWaitingBytes: 2_000_000,
  maxUnsentBytes: 65_536,
  patience: 2,
  heartbeat: 1,
};

const refusals = { 400: {}, 401: { schema: z.object({ code: z.literal("sign_in") }) }, 403: {}, 426: {} };
const ended = z.object({ code: z.int(), reason: z.string() });
const state = z.object({ made: z.int(), handled: z.int(), closed: z.array(ended), errors: z.array(z.string()) });

const client = {
  /** Is echoed, after its schema has trimmed it. */
  say: z.object({ text: z.string().trim().min(1) }),
  /** Is handled for some milliseconds. */
  wait: z.object({ milliseconds: z.int() }),
  /** Makes the handler throw. */
  fail: z.undefined(),
  /** Closes the socket with this code. */
  quit: z.object({ code: z.int(), reason: z.string() }),
  /** A date, as a string. */
  at: z.iso.datetime().transform((text) => new Date(text).getTime()),
  /** A name that a polluted object would have. */
  ["__proto__"]: z.object({ text: z.string() }),
};
const server = {
  said: z.object({ text: z.string() }),
  at: z.number(),
  refused: z.array(z.string()),
  n: z.object({ n: z.int(), pad: z.string() }),
};

export const api = {
  /** Does what the client says. */
  room: endpoint.get("/rooms/:id", {
    request: { query: z.object({ token: z.string().optional() }) },
    responses: { 101: socket({ client, server, window: 20_000 }), ...refusals },
  }),
  /** Sends as fast as the client reads, up to a number of messages; the client acknowledges. */
  flow: endpoint.get("/flow/:id/:count", {
    request: { query: z.object({ after: z.coerce.number().optional() }) },
    responses: { 101: socket({ client: {}, server: { n: server.n }, window: 64 }), 400: {}, 403: {}, 426: {} },
  }),
  /** The same without acknowledgements. */
  plain: endpoint.get("/plain/:id/:count", {
    responses: { 101: socket({ client: {}, server: { n: server.n } }), 400: {}, 403: {}, 426: {} },
  }),
  /** Sends without waiting. */
  hasty: endpoint.get("/hasty/:id/:count", {
    responses: { 101: socket({ client: { go: z.undefined() }, server: { n: server.n } }), 400: {}, 403: {}, 426: {} },
  }),
  /** What has become of the sockets of a name. */
  state: endpoint.get("/state/:id", { responses: { 200: { schema: state } } }),
};

/** What has become of the sockets of a name. */
interface State {
  made: number;
  handled: number;
  readonly closed: { code: number; reason: string }[];
  readonly errors: string[];
}

/** The options of the sockets for an app that {@linkcode createApp} creates. */
export function optionsFor(errors: (error: unknown) => void, signal?: AbortSignal): SocketsOptions {
  return { ...BOUNDS, validator: standardSchema, onError: errors, signal };
}

/** Creates the application, and what `onError` of its sockets calls. */
export function createApp(): { readonly app: App<[Sockets]>; readonly onError: (error: unknown) => void } {
  const states = new Map<string, State>();
  const stateOf = (id: string): State => {
    const known = states.get(id) ?? { made: 0, handled: 0, closed: [], errors: [] };
    states.set(id, known);
    return known;
  };
  const pad = "x".repeat(10_000);
  const shaken = handshake({ origins: ["https://app.example.com"] });
  const signedIn = (c: Context) =>
    c.raw.query.token === "none" ? deny(reply(401, { code: "sign_in" })) : allow({ user: "ada" });
  async function* count(
    state: State,
    numbers: Iterable<number>,
    message: MakeMessage<{ readonly n: { readonly n: number; readonly pad: string } }>,
  ) {
    for (const n of numbers) {
      state.made++;
      yield message("n", { n, pad }, { id: `${n}` });
      if (n % 50 === 0) await pause(0);
    }
  }

  const app = setup({
    validator: standardSchema,
    endpoints: api,
    handlers: [
      route.on(api.room, {
        guards: [signedIn, shaken],
        resolve: (c, sockets: Sockets) => {
          const state = stateOf(c.raw.params.id);
          return accept(c, api.room, sockets, {
            receive: {
              async say({ text }, peer) {
                state.handled++;
                await peer.send("said", { text });
              },
              wait: ({ milliseconds }) => {
                state.handled++;
                return pause(milliseconds);
              },
              fail() {
                throw new Error("the database secret");
              },
              quit: ({ code, reason }, peer) => peer.close(code, reason),
              at: (time, peer) => peer.send("at", time),
              ["__proto__"]: ({ text }, peer) => peer.send("said", { text: `proto ${text}` }),
            },
            invalid: ({ name, issues }, peer) =>
              peer.send(
                "refused",
                issues.map(({ code, path }) => [name, ...path, code].filter((part) => part !== undefined).join(" ")),
              ),
            closed: (code, reason) => void state.closed.push({ code, reason }),
          });
        },
      }),
      route.on(api.flow, {
        guards: [shaken],
        resolve: (c, sockets: Sockets) => {
          const state = stateOf(c.raw.params.id);
          const after = c.input.ok ? c.input.query.after ?? -1 : -1;
          return accept(c, api.flow, sockets, {
            send: (_signal, message) => count(state, range(after + 1, Number(c.raw.params.count)), message),
            receive: {},
            invalid: () => {},
            closed: (code, reason) => void state.closed.push({ code, reason }),
          });
        },
      }),
      route.on(api.plain, {
        guards: [shaken],
        resolve: (c, sockets: Sockets) => {
          const state = stateOf(c.raw.params.id);
          return accept(c, api.plain, sockets, {
            send: (_signal, message) => count(state, range(0, Number(c.raw.params.count)), message),
            receive: {},
            invalid: () => {},
            closed: (code, reason) => void state.closed.push({ code, reason }),
          });
        },
      }),
      route.on(api.hasty, {
        guards: [shaken],
        resolve: (c, sockets: Sockets) => {
          const state = stateOf(c.raw.params.id);
          return accept(c, api.hasty, sockets, {
            receive: {
              go: (_data, peer) => {
                for (const n of range(0, Number(c.raw.params.count))) {
                  if (peer.signal.aborted) break;
                  state.made++;
                  peer.send("n", { n, pad });
                }
              },
            },
            invalid: () => {},
            closed: (code, reason) => void state.closed.push({ code, reason }),
          });
        },
      }),
      route.on(api.state, { resolve: (c) => reply(200, stateOf(c.raw.params.id)) }),
    ],
  });
  return { app, onError: (error) => void stateOf("errors").errors.push(`${error}`) };
}

function* range(from: number, to: number): Generator<number> {
  for (let n = from; n < to; n++) yield n;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
