/** The client of sockets, over real connections to Deno. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import fc from "fast-check";
// @ts-types="@types/ws"
import { WebSocket as WsSocket } from "ws";
import { z } from "zod";
import { allow, type App, type Context, deny, endpoint, reply, route, setup } from "../../mod.ts";
import { eventLog } from "../../src/memory/mod.ts";
import {
  accept,
  connect,
  denoSockets,
  handshake,
  type RuntimeSocket,
  socket,
  SocketClosed,
  type Sockets,
} from "../../src/sockets/mod.ts";
import { standardSchema } from "../../src/standard_schema/mod.ts";
import { mock } from "../../src/testing/mod.ts";
import { granted } from "../support/granted.ts";
import { until } from "../support/until.ts";

const refusals = { 400: {}, 401: { schema: z.object({ code: z.literal("sign_in") }) }, 403: {}, 426: {}, 429: {} };
const said = z.object({ text: z.string(), at: z.date() });
const api = {
  room: endpoint.get("/rooms/:id", {
    request: { query: z.object({ after: z.string().optional(), token: z.string().optional() }) },
    responses: {
      101: socket({ client: { say: z.string(), quit: z.number() }, server: { said, other: z.null() }, window: 8 }),
      ...refusals,
    },
  }),
  plain: endpoint.get("/plain", { responses: { 101: socket({ client: {}, server: { n: z.number() } }), ...refusals } }),
};
const narrow = endpoint.get("/rooms/:id", {
  responses: { 101: socket({ client: {}, server: { said }, window: 8 }), ...refusals },
});

/** Pauses that a test can wait for. */
const pause = { first: 0.02, most: 0.1 };

(granted("env", "net", "read") ? describe : describe.skip)("connect()", () => {
  let server: Deno.HttpServer<Deno.NetAddr>;
  let baseUrl = "";
  let log = eventLog<string>({ keep: 1000 });
  /** The sockets that are open, to be cut. */
  const open = new Set<RuntimeSocket>();
  let made = 0;
  let busy = 0;

  before(() => {
    const signedIn = (c: Context) => {
      if (busy-- > 0) return deny(reply(429));
      return c.raw.query.token === "none" ? deny(reply(401, { code: "sign_in" })) : allow({ user: "ada" });
    };
    const guards = [signedIn, handshake({ origins: [] })] as const;
    const app: App<[Sockets]> = setup({
      validator: standardSchema,
      handlers: [
        route.on(api.room, {
          guards,
          resolve: (c, sockets: Sockets) =>
            accept(c, api.room, sockets, {
              async *send(signal, message) {
                yield message("other", null);
                for await (const [id, text] of log.read((c.input.ok && c.input.query.after) || "0", signal)) {
                  made++;
                  if (text !== undefined) yield message("said", { text, at: new Date(0) }, { id });
                }
              },
              receive: {
                say: async (text) => void await log.append(text),
                quit: (code, peer) => peer.close(code, "Enough"),
              },
              invalid: (_invalid, peer) => peer.close(4400),
            }),
        }),
        route.on(api.plain, {
          guards,
          resolve: (c, sockets: Sockets) =>
            accept(c, api.plain, sockets, {
              *send(_signal, message) {
                for (let n = 0; n < 100; n++) yield message("n", n);
              },
              receive: {},
              invalid() {},
            }),
        }),
      ],
    });
    const sockets = denoSockets({ validator: standardSchema, onError: console.error, heartbeat: 1 });
    const cuttable: Sockets = {
      ...sockets,
      upgrade: (request, events) =>
        sockets.upgrade(request, {
          ...events,
          open(opened) {
            open.add(opened);
            events.open(opened);
          },
        }),
    };
    server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => {
        const { pathname } = new URL(request.url);
        if (pathname.startsWith("/broken")) return broken(request, pathname);
        return app.fetch(request, cuttable);
      },
    );
    baseUrl = `http://127.0.0.1:${server.addr.port}`;
  });
  after(() => server.shutdown());

  const room = (signal?: AbortSignal) =>
    connect(api.room, { baseUrl, params: { id: 7 }, query: (after) => ({ after }), pause, signal });
  const cut = () => {
    for (const opened of open) opened.close(1001, "");
    open.clear();
  };

  it("sends and receives messages, as JSON has their data", async () => {
    const connection = room();
    assertEquals(connection.send("say", "too early"), false);
    const received: unknown[] = [];
    for await (const message of connection) {
      received.push(message);
      if (message.name === "other") assert(connection.send("say", "Hello"));
      else break;
    }
    assertEquals(received, [
      { name: "other", data: null, id: undefined },
      { name: "said", data: { text: "Hello", at: "1970-01-01T00:00:00.000Z" }, id: connection.lastId },
    ]);
    assertEquals(connection.send("say", "too late"), false);
  });

  it("goes on after the last message when the connection breaks: each arrives once, in order", async () => {
    log = eventLog<string>({ keep: 1000 });
    const received: string[] = [];
    const reading = (async () => {
      for await (const message of room()) {
        if (message.name === "said" && received.push(message.data.text) === 100) break;
      }
    })();
    await until(() => open.size > 0);
    for (let n = 0; n < 100; n++) {
      await log.append(`${n}`);
      if (n % 10 === 5) {
        await until(() => open.size > 0);
        cut();
      }
    }
    await reading;
    assertEquals(received, Array.from({ length: 100 }, (_, n) => `${n}`));
  });

  it("lets the server wait while the loop does", async () => {
    log = eventLog<string>({ keep: 1000 });
    made = 0;
    const connection = room();
    const loop = connection[Symbol.asyncIterator]();
    await loop.next();
    for (let n = 0; n < 50; n++) await log.append(`${n}`);
    await until(() => made === 7); // and the message before
    await new Promise((resolve) => setTimeout(resolve, 100));
    assertEquals(made, 7);
    for (let n = 0; n < 50; n++) await loop.next();
    assertEquals(made, 50);
    await loop.return?.();
  });

  it("ends after 1000, and throws after a code that asks for no other attempt", async () => {
    const numbers: number[] = [];
    for await (const { data } of connect(api.plain, { baseUrl: new URL(baseUrl), query: { any: 1 } })) {
      numbers.push(data);
    }
    assertEquals(numbers.length, 100);
    for (const code of [4001, 4999]) {
      const connection = room();
      const error = await assertRejects(
        async () => {
          for await (const _ of connection) connection.send("quit", code);
        },
        SocketClosed,
        `The socket was closed with ${code}`,
      );
      assertEquals([error.code, error.reason, error.response], [code, "Enough", undefined]);
    }
    log = eventLog<string>({ keep: 1000 });
    const again = room();
    let count = 0;
    for await (const { name } of again) {
      if (name === "other" && ++count < 3) again.send("quit", 3000);
      else break;
    }
    assertEquals(count, 3);
  });

  it("throws what the handshake is denied with, unless a later attempt may succeed", async () => {
    const denied = connect(api.room, { baseUrl, params: { id: 7 }, query: { token: "none" }, pause });
    const error = await assertRejects(() => drain(denied), SocketClosed, "The handshake was denied with 401");
    assertEquals([error.code, await error.response?.json()], [1006, { code: "sign_in" }]);
    busy = 4;
    const [first] = await take(room(), 1);
    assertEquals([first?.name, busy], ["other", -1]);
  });

  it("connects again if the server cannot be reached, is silent, or fails", async () => {
    const failures = { count: 0 };
    class Broken extends WebSocket {
      constructor(url: string) {
        super(++failures.count < 3 ? "ws://127.0.0.1:1/" : url);
      }
    }
    const options = { baseUrl, pause, WebSocket: Broken, fetch: () => Promise.reject(new TypeError("no network")) };
    assertEquals((await take(connect(api.plain, options), 1))[0]?.data, 0);
    assertEquals(failures.count, 3);

    const silent = connect(api.plain, { baseUrl: `${baseUrl}/broken/silent/`, pause, silence: 0.05 });
    const asked = opened;
    const reading = drain(silent);
    await until(() => opened === asked + 3);
    silent.close();
    await reading;
  });

  it("connects again soon where a failed handshake has no event close, as on Node.js 22", async () => {
    let count = 0;
    const real = WebSocket;
    class Failing extends EventTarget {
      readonly readyState = 0;
      send() {}
      close() {}
      constructor(url: string) {
        super();
        if (++count === 3) return new real(url) as never;
        queueMicrotask(() => this.dispatchEvent(new Event("error")));
      }
    }
    const broken = () => new ReadableStream({ start: (controller) => controller.error(new Error("cut off")) });
    const options = {
      baseUrl,
      pause,
      WebSocket: Failing as never,
      fetch: () => Promise.resolve(new Response(broken(), { status: 503 })),
    };
    assertEquals((await take(connect(api.plain, options), 1))[0]?.data, 0);
    assertEquals(count, 3);
  });

  it("connects again if nobody tells in time what a handshake is denied with", async () => {
    let count = 0;
    class Failing extends WebSocket {
      constructor(url: string) {
        super(++count < 3 ? "ws://127.0.0.1:1/" : url);
      }
    }
    const reasons: string[] = [];
    const options = {
      baseUrl,
      pause,
      silence: 1,
      WebSocket: Failing,
      fetch: (_url: string, { signal }: { readonly signal: AbortSignal }) =>
        new Promise<Response>((_resolve, reject) => {
          signal.addEventListener("abort", () => {
            reasons.push(signal.reason.name);
            reject(signal.reason);
          });
        }),
    };
    assertEquals((await take(connect(api.plain, options), 1))[0]?.data, 0);
    assertEquals([count, reasons], [3, ["AbortError", "AbortError"]]);
  });

  it("ends when it is closed while it learns what a handshake is denied with", async () => {
    const asked = Promise.withResolvers<void>();
    const denied = connect(api.plain, {
      baseUrl: "http://127.0.0.1:1",
      pause: { first: 60, most: 60 },
      fetch: () => {
        asked.resolve();
        return new Promise(() => {});
      },
    });
    const reading = drain(denied);
    await asked.promise;
    denied.close();
    await reading;
  });

  it("waits for what Retry-After asks for before it connects again, at most an hour", async () => {
    const { setTimeout: real } = globalThis;
    const waited: number[] = [];
    let count = 0;
    class Failing extends WebSocket {
      constructor(url: string) {
        super(++count < 5 ? "ws://127.0.0.1:1/" : url);
      }
    }
    const values = ["7", "1e300", "Wed, 21 Oct 2099 07:28:00 GMT", "-7"];
    const fetch = () =>
      Promise.resolve(new Response(null, { status: 503, headers: { "retry-after": `${values.shift()}` } }));
    // Only the waiting is shortened, and no timer of the server, which runs here as well.
    globalThis.setTimeout = ((run: () => void, milliseconds: number) => {
      const isPause = [0, 7000, 3_600_000].some((asked) => milliseconds >= asked + 250 && milliseconds <= asked + 500);
      if (isPause) waited.push(milliseconds);
      return real(run, isPause ? 0 : milliseconds);
    }) as typeof setTimeout;
    try {
      const connection = connect(api.plain, { baseUrl, pause: { first: 0.5, most: 0.5 }, WebSocket: Failing, fetch });
      assertEquals((await take(connection, 1))[0]?.data, 0);
    } finally {
      globalThis.setTimeout = real;
    }
    assertEquals(waited.map((milliseconds) => Math.floor((milliseconds - 250) / 1000)), [7, 3600, 0, 0]);
  });

  it("rejects what it cannot close with, and stays open", async () => {
    const connection = room();
    for await (const _ of connection) {
      assertThrows(
        () => connection.close(1001),
        TypeError,
        "Code of close must be 1000, or 3000 to 4999: received 1001",
      );
      assertThrows(
        () => connection.close(4000, "é".repeat(62)),
        TypeError,
        "Reason of close must have at most 123 bytes",
      );
      assert(connection.send("say", "still open"));
      break;
    }
  });

  it("yields nothing more once it is closed", async () => {
    const connection = connect(api.plain, { baseUrl, pause });
    const numbers: number[] = [];
    for await (const { data } of connection) {
      numbers.push(data);
      if (data > 0) continue;
      await new Promise((resolve) => setTimeout(resolve, 100)); // the others have arrived
      connection.close();
    }
    assertEquals(numbers, [0]);
  });

  it("throws after a message that is not JSON, and skips those that are not declared", async () => {
    const broken = connect(api.plain, { baseUrl: `${baseUrl}/broken/text`, pause });
    await assertRejects(() => drain(broken), SocketClosed, "The socket was closed with 1007");
    log = eventLog<string>({ keep: 10 });
    const connection = connect(narrow, { baseUrl, params: { id: "7" }, pause });
    const reading = take(connection, 1);
    await until(() => open.size > 0);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await log.append("Ada");
    assertEquals((await reading)[0]?.data.text, "Ada");
  });

  it("ends when it is closed, also while it waits, and throws the reason of its signal", async () => {
    const connection = room();
    for await (const _ of connection) connection.close(3001, "bye");
    const waiting = connect(api.plain, { baseUrl: "http://127.0.0.1:1", pause: { first: 60, most: 60 } });
    const reading = drain(waiting);
    await new Promise((resolve) => setTimeout(resolve, 100));
    waiting.close();
    await reading;

    const aborter = new AbortController();
    const reason = new Error("Enough");
    const aborted = await assertRejects(async () => {
      for await (const _ of room(aborter.signal)) aborter.abort(reason);
    });
    assertEquals(aborted, reason);
    assertEquals(await assertRejects(() => drain(room(aborter.signal))), reason);
  });

  it("takes the class of ws", async () => {
    const [first] = await take(connect(api.plain, { baseUrl, pause, WebSocket: WsSocket }), 1);
    assertEquals(first?.data, 0);
  });

  it("talks to a mock", async () => {
    const sockets = denoSockets({ validator: standardSchema, onError: console.error });
    const mocked = mock({ room: api.room }, { fc, accept });
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      (request) => mocked.fetch(request, sockets),
    );
    const baseUrl = `http://127.0.0.1:${server.addr.port}`;
    const room = connect(api.room, { baseUrl, params: { id: 7 } });
    const read: unknown[] = [];
    const reading = (async () => {
      for await (const { name, data } of room) {
        if (name === "said") assert(Date.parse(data.at) > 0);
        if (read.push(name) === 2) room.send("say", "Hello");
        if (read.length === 4) room.send("quit", "soon" as never);
      }
    })();
    const { code, reason } = await assertRejects(() => reading, SocketClosed);
    assertEquals(read, ["said", "other", "said", "other"]);
    assertEquals([code, reason.startsWith("quit: ")], [4000, true]);
  });

  it("rejects wrong options", () => {
    const untyped = connect as (endpoint: unknown, options?: unknown) => unknown;
    assertThrows(() => untyped(api.plain), TypeError, "Options of connect must be an object: received undefined");
    assertThrows(() => untyped(api.plain, { baseUrl: "" }), TypeError, "Option baseUrl of connect must be an http url");
    assertThrows(() => untyped(api.plain, { baseUrl: "http://h/?a" }), TypeError, "without ? and #");
    assertThrows(
      () => untyped(api.plain, { baseUrl, retries: 1 }),
      TypeError,
      'Option "retries" of connect is unknown',
    );
    assertThrows(() => untyped(endpoint.get("/"), { baseUrl }), TypeError, "must declare 101: socket(");
    for (const silence of [0, NaN, 86_401, "60"]) {
      assertThrows(
        () => untyped(api.plain, { baseUrl, silence }),
        TypeError,
        "Option silence of connect must be a number",
      );
    }
    assertThrows(
      () => untyped(api.plain, { baseUrl, pause: { first: 0, most: 0 } }),
      TypeError,
      "Option pause.first of connect must be a number of seconds, more than 0 and at most 86,400: received a number",
    );
  });
});

/** How many sockets were opened by {@linkcode broken}. */
let opened = 0;

/** A server that says nothing, or something else than a message. */
function broken(request: Request, path: string): Response {
  if (!request.headers.has("upgrade")) return new Response(null, { status: 500 });
  const { socket, response } = Deno.upgradeWebSocket(request);
  opened++;
  socket.onopen = () => {
    if (!path.includes("text")) return;
    socket.send("{}");
    socket.send("<html>");
  };
  return response;
}

async function drain(connection: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of connection);
}

async function take<Message>(connection: AsyncIterable<Message>, count: number): Promise<readonly Message[]> {
  const taken: Message[] = [];
  for await (const message of connection) if (taken.push(message) === count) break;
  return taken;
}
