import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterEach, describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, route, setup } from "../../../mod.ts";
import {
  accept,
  handshake,
  type MakeMessage,
  type PeerOf,
  socket,
  type SocketHandlers,
  type Sockets,
} from "../../../src/sockets/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { handshakeOf, type MemorySocket, memorySockets } from "../../support/sockets/memory_sockets.ts";
import { until } from "../../support/until.ts";

const responses = { 400: {}, 403: {}, 426: {} };
const text = z.object({ text: z.string().trim().min(1) });
const api = {
  chat: endpoint.get("/", {
    responses: { 101: socket({ client: { say: text }, server: { said: text } }), ...responses },
  }),
  flow: endpoint.get("/", {
    responses: { 101: socket({ client: {}, server: { n: z.number() }, window: 2 }), ...responses },
  }),
};
type ChatHandlers = SocketHandlers<{ readonly say: { text: string } }, { readonly said: { text: string } }>;
const SILENT: ChatHandlers = { receive: { say() {} }, invalid() {} };

/** Accepts a socket of the chat, and opens it. */
async function openChat(
  handlers: Partial<ChatHandlers>,
  sockets: Sockets & { readonly accepted: MemorySocket[] } = memorySockets(),
): Promise<MemorySocket> {
  const app = setup({
    handlers: [
      route.on(api.chat, {
        guards: [handshake({ origins: [] })],
        resolve: (c, sockets: Sockets) => accept(c, api.chat, sockets, { ...SILENT, ...handlers }),
      }),
    ],
  });
  assertEquals((await app.fetch(handshakeOf(), sockets)).status, 101);
  const opened = sockets.accepted.at(-1);
  assert(opened !== undefined);
  opened.open();
  left.push(opened);
  return opened;
}

/** The sockets of a test. At its end, they are closed: their heartbeats would keep the process alive. */
const left: MemorySocket[] = [];

/** Accepts a socket whose handlers the compiler has not seen. */
async function acceptUntyped(
  handlers: unknown,
  sockets: Sockets = memorySockets(),
  target: unknown = api.chat,
): Promise<number> {
  const untyped = accept as (...args: readonly unknown[]) => Response;
  const app = setup({
    handlers: [route.get("/", { resolve: (c, sockets: Sockets) => untyped(c, target, sockets, handlers) })],
  });
  return (await app.fetch(handshakeOf(), sockets)).status;
}

/** Lets promises settle. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("accept()", () => {
  afterEach(() => left.splice(0).forEach(({ events }) => events.close(1000, "")));

  it("rejects handlers that do not fit the declaration, and what are no sockets, when a client connects", async () => {
    const rejected: readonly (readonly [unknown, string])[] = [
      [undefined, 'Options of accept for GET "/" must be an object: received undefined'],
      [{ receive: { say() {} } }, 'Option invalid of accept for GET "/" must be a function: received undefined'],
      [{ receive: {}, invalid() {} }, "Option receive.say of accept"],
      [{ receive: { say: "text" }, invalid() {} }, 'Option receive.say of accept for GET "/" must be a function'],
      [{ receive: { say() {}, sayd() {} }, invalid() {} }, 'Option "sayd" of receive of accept for GET "/" is unknown'],
      [{ ...SILENT, close() {} }, 'Option "close" of accept for GET "/" is unknown: did you mean closed?'],
    ];
    for (const [handlers, message] of rejected) await assertRejects(() => acceptUntyped(handlers), TypeError, message);
    await assertRejects(
      () => acceptUntyped(SILENT, memorySockets(), endpoint.get("/")),
      TypeError,
      'Endpoint GET "/" must declare 101: socket({ client, server })',
    );
    const none = memorySockets({ validator: { ...standardSchema, accepts: () => false } });
    await assertRejects(() => acceptUntyped(SILENT, none), TypeError, "must be one the validator accepts");
    for (const given of [null, {}]) {
      await assertRejects(
        () => acceptUntyped(SILENT, given as never),
        TypeError,
        'Sockets of accept for GET "/" must be those of the runtime, which app.fetch passes on: received ',
      );
    }
    await assertRejects(
      () => acceptUntyped(SILENT, memorySockets({}, false)),
      TypeError,
      'This runtime does not tell what a client has read: give socket() of accept for GET "/" a window',
    );
  });

  it("ends once, and tells the code, also if the socket was never opened", async () => {
    const closed: string[] = [];
    const sockets = memorySockets();
    const opened = await openChat({ closed: (code, reason) => void closed.push(`${code} ${reason}`) }, sockets);
    opened.events.close(4001, "bye");
    opened.events.close(1006, "");
    opened.send("say", { text: "Ada" });
    assertEquals(closed, ["4001 bye"]);

    const app = setup({
      handlers: [
        route.on(api.chat, {
          guards: [handshake({ origins: [] })],
          resolve: (c, sockets: Sockets) =>
            accept(c, api.chat, sockets, { ...SILENT, closed: (code) => void closed.push(`${code}`) }),
        }),
      ],
    });
    await app.fetch(handshakeOf(), sockets);
    const never = sockets.accepted.at(-1);
    never?.events.message("early");
    never?.events.drain();
    never?.events.close(1006, "");
    never?.open();
    assertEquals([closed, never?.log], [["4001 bye", "1006"], ["terminate"]]);
  });

  it("reports what its handlers throw, but not that they were woken by the signal", async () => {
    const errors: string[] = [];
    const options = {
      onError(error: unknown) {
        errors.push(`${error}`);
        throw new Error("onError fails");
      },
    };
    const rejected = await openChat(
      { receive: { say: () => Promise.reject(new Error("later")) } },
      memorySockets(options),
    );
    rejected.send("say", { text: "Ada" });
    rejected.send("say", { text: "Ada" });
    await settle();
    assertEquals([rejected.log, errors], [["close 1011"], ["Error: later"]]);

    const closing = await openChat({
      closed: () => Promise.reject(new Error("closed fails")),
    }, memorySockets(options));
    closing.events.close(1000, "");
    await settle();
    assertEquals(errors, ["Error: later", "Error: closed fails"]);

    const woken = await openChat({
      receive: {
        say: (_data, peer) =>
          new Promise((_resolve, reject) => peer.signal.addEventListener("abort", () => reject(peer.signal.reason))),
      },
    }, memorySockets(options));
    woken.send("say", { text: "Ada" });
    woken.events.close(1000, "");
    await settle();
    assertEquals(errors.length, 2);
  });

  it("rejects what a validator must not return", async () => {
    const errors: string[] = [];
    const validator = { validate: () => ({ ok: "yes" }) as never };
    const opened = await openChat({}, memorySockets({ validator, onError: (error) => void errors.push(`${error}`) }));
    opened.send("say", { text: "Ada" });
    assertEquals(opened.log, ["close 1011"]);
    assertMatch(
      `${errors}`,
      /^TypeError: Validator must return .* for the body of route GET "\/": received an object$/,
    );
  });

  it("handles nothing that was validated after the end", async () => {
    const handled: unknown[] = [];
    const validator = { validate: (_schema: unknown, value: unknown) => Promise.resolve({ ok: true, value } as const) };
    const opened = await openChat(
      { receive: { say: (data) => void handled.push(data) } },
      memorySockets({ validator }),
    );
    opened.send("say", { text: "Ada" });
    opened.events.close(1006, "");
    await settle();
    assertEquals(handled, []);
  });

  it("sends nothing once it has ended, and rejects what is not a message", async () => {
    const peers: PeerOf<typeof api.chat>[] = [];
    const opened = await openChat({ receive: { say: (_data, peer) => void peers.push(peer) } });
    opened.send("say", { text: "Ada" });
    const [peer] = peers;
    assert(peer !== undefined);
    const untyped = peer.send as (name: unknown, data?: unknown, options?: object) => Promise<void>;
    assertThrowsWith(() => untyped("sayd"), "Message must have one of the declared names: said");
    assertThrowsWith(() => untyped(undefined), "Message must have one of the declared names: said");
    assertThrowsWith(() => untyped("said", "", { id: 7 }), "Message id must be a string: received a number");
    assertThrowsWith(() => peer.close(1006), "Code of close must be 1000, or 3000 to 4999: received 1006");
    assertThrowsWith(() => peer.close(4000.5), "received 4000.5");
    assertThrowsWith(() => peer.close(4000, "€".repeat(42)), "Reason of close must have at most 123 bytes");
    await peer.send("said", { text: "Ada" }, { id: "7" });
    peer.close(3000, "€".repeat(41));
    await peer.send("said", { text: "late" });
    peer.close();
    assertEquals(opened.log, ['{"name":"said","data":{"text":"Ada"},"id":"7"}', `close 3000 ${"€".repeat(41)}`]);
    opened.events.close(3000, "");
  });

  it("closes with 1001 when the signal is aborted, also before the socket is open", async () => {
    const stopping = new AbortController();
    const sockets = memorySockets({ signal: stopping.signal });
    const before = await openChat({}, sockets);
    const left = await openChat({}, sockets);
    left.events.close(1000, "");
    stopping.abort();
    const later = await openChat({}, sockets);
    assertEquals([before.log, left.log, later.log], [["close 1001 The server stops"], [], [
      "close 1001 The server stops",
    ]]);
    before.events.close(1001, "");
    later.events.close(1001, "");
  });

  it("runs the finally of the generator when the socket ends, and closes when the generator does", async () => {
    const ends: string[] = [];
    const waiting = await openChat({
      async *send(signal, message) {
        try {
          yield message("said", { text: "first" }, { id: "1" });
          await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        } finally {
          ends.push("waiting");
        }
      },
    });
    await until(() => waiting.log.length === 1);
    waiting.events.close(1006, "");
    await until(() => ends.length === 1);
    assertEquals(waiting.log, ['{"name":"said","data":{"text":"first"},"id":"1"}']);

    const done = await openChat({
      *send(_signal, message) {
        yield message("said", { text: "only" });
      },
    });
    await until(() => done.log.length === 2);
    assertEquals(done.log, ['{"name":"said","data":{"text":"only"}}', "close 1000"]);
    done.events.close(1000, "");

    const errors: string[] = [];
    const fails = await openChat({
      // deno-lint-ignore require-yield
      *send() {
        throw new Error("the log is gone");
      },
    }, memorySockets({ onError: (error) => void errors.push(`${error}`) }));
    await until(() => fails.log.length === 1);
    assertEquals([fails.log, errors], [["close 1011"], ["Error: the log is gone"]]);
    fails.events.close(1011, "");
  });

  it("calls closed also if the generator fails to end", async () => {
    const errors: string[] = [];
    const closed: number[] = [];
    const opened = await openChat({
      *send(_signal, message) {
        try {
          for (;;) yield message("said", { text: "Ada" });
        } finally {
          // deno-lint-ignore no-unsafe-finally
          throw new Error("the finally fails");
        }
      },
      closed: (code) => {
        closed.push(code);
        throw new Error("closed fails");
      },
    }, memorySockets({ onError: (error) => void errors.push(`${error}`) }));
    opened.unsent = 100_000;
    await settle();
    opened.events.close(1006, "");
    await settle();
    assertEquals(closed, [1006]);
    assertEquals(errors, ["Error: the finally fails", "Error: closed fails"]);
  });

  it("lets others run while a generator that waits for nothing is sent", async () => {
    const globals: { setImmediate?: ((run: (value: unknown) => void) => unknown) | undefined } = globalThis;
    const { setImmediate } = globals;
    // Workers may have timers only.
    for (const next of [setImmediate, undefined]) {
      let made = 0;
      globals.setImmediate = next;
      try {
        const opened = await openChat({
          *send(_signal, message) {
            while (++made <= 10_000) yield message("said", { text: "Ada" });
          },
        });
        await new Promise((resolve) => next === undefined ? setTimeout(resolve, 0) : next(resolve));
        assert(made < 1000, `${made} messages before the next turn`);
        await until(() => opened.log.length === 10_001);
        opened.events.close(1000, "");
      } finally {
        globals.setImmediate = setImmediate;
      }
    }
  });

  it("asks the generator for no more than the window, until the client acknowledges", async () => {
    const sockets = memorySockets({}, false);
    let made = 0;
    const numbers = function* (_signal: AbortSignal, message: MakeMessage<{ readonly n: number }>) {
      for (;;) yield message("n", ++made);
    };
    const app = setup({
      handlers: [
        route.on(api.flow, {
          guards: [handshake({ origins: [] })],
          resolve: (c, sockets: Sockets) =>
            accept(c, api.flow, sockets, { send: numbers, receive: {}, invalid: () => {} }),
        }),
      ],
    });
    await app.fetch(handshakeOf(), sockets);
    const [opened] = sockets.accepted;
    opened?.open();
    await settle();
    assertEquals(made, 2);
    opened?.events.drain();
    await settle();
    assertEquals(made, 2);
    opened?.events.message('{"ack":1}');
    await settle();
    assertEquals(made, 3);
    opened?.events.message('{"ack":1}');
    assertEquals(opened?.log.at(-1), "close 1008 Wrong acknowledgement");
    opened?.events.close(1008, "");
    // Without a window, it is a message like any other.
    const invalid: (string | undefined)[] = [];
    const chat = await openChat({ invalid: ({ issues }) => void invalid.push(issues[0]?.code) });
    chat.events.message('{"ack":1}');
    assertEquals(invalid, ["invalid_json"]);
  });

  it("waits while the client lags behind, and goes on when it has read", async () => {
    const peers: PeerOf<typeof api.chat>[] = [];
    const opened = await openChat({ receive: { say: (_data, peer) => void peers.push(peer) } });
    opened.send("say", { text: "Ada" });
    opened.unsent = 100_000;
    let isDone = false;
    const sending = peers[0]?.send("said", { text: "Ada" }).then(() => isDone = true);
    for (const left of [90_000, 80_000]) {
      opened.unsent = left;
      opened.events.drain();
      await settle();
      assertEquals(isDone, false);
    }
    opened.unsent = 0;
    await sending;
    assertEquals(opened.log, ['{"name":"said","data":{"text":"Ada"}}']);
  });

  it("cuts a client off that takes nothing, and one for which too many calls wait", async () => {
    const closed: string[] = [];
    const peers: PeerOf<typeof api.chat>[] = [];
    const handlers: Partial<ChatHandlers> = {
      receive: { say: (_data, peer) => void peers.push(peer) },
      closed: (code, reason) => void closed.push(`${code} ${reason}`),
    };
    const slow = await openChat(handlers, memorySockets({ patience: 1 }));
    slow.send("say", { text: "Ada" });
    slow.unsent = 100_000;
    await peers[0]?.send("said", { text: "Ada" });
    assertEquals([closed, slow.log.at(-1)], [["1008 Too slow"], "terminate"]);

    const busy = await openChat(handlers);
    busy.send("say", { text: "Ada" });
    busy.unsent = 100_000;
    const sending = Array.from({ length: 300 }, () => peers[1]?.send("said", { text: "Ada" }));
    await Promise.all(sending);
    assertEquals([closed.length, busy.log.length, busy.log.at(-1)], [2, 258, "terminate"]);
  });

  it("waits for the end of a socket that takes no more, whose code is that of the client", async () => {
    const closed: number[] = [];
    let peer: PeerOf<typeof api.chat> | undefined;
    const opened = await openChat({
      receive: {
        say(_data, own) {
          peer = own;
        },
      },
      closed: (code) => void closed.push(code),
    }, memorySockets({ patience: 1 }));
    opened.send("say", { text: "Ada" });
    opened.unsent = Infinity;
    const sending = peer?.send("said", { text: "Ada" });
    await new Promise((resolve) => setTimeout(resolve, 1200));
    opened.events.close(1000, "");
    await sending;
    assertEquals([closed, opened.log.includes("terminate")], [[1000], false]);
  });

  it("ends the connection of a client that does not agree to close", async () => {
    const opened = await openChat(
      { receive: { say: (_data, peer) => peer.close(4000) } },
      memorySockets({ patience: 1 }),
    );
    opened.send("say", { text: "Ada" });
    await until(() => opened.log.length === 2);
    assertEquals(opened.log, ["close 4000", "terminate"]);
  });

  it("sends {} when nothing else was sent, and not while the client lags behind", async () => {
    const opened = await openChat({}, memorySockets({ heartbeat: 1 }));
    await until(() => opened.log.length === 1);
    assertEquals(opened.log, ["{}"]);
    opened.unsent = 100_000;
    await new Promise((resolve) => setTimeout(resolve, 1100));
    assertEquals(opened.log, ["{}"]);
    opened.events.close(1000, "");
  });

  it("sends {} to a client that does not acknowledge, which would else find the server silent", async () => {
    const sockets = memorySockets({ heartbeat: 1 });
    const app = setup({
      handlers: [
        route.on(api.flow, {
          guards: [handshake({ origins: [] })],
          resolve: (c, sockets: Sockets) =>
            accept(c, api.flow, sockets, {
              *send(_signal, message) {
                for (;;) yield message("n", 1);
              },
              receive: {},
              invalid: () => {},
            }),
        }),
      ],
    });
    await app.fetch(handshakeOf(), sockets);
    const [opened] = sockets.accepted;
    opened?.open();
    await until(() => opened?.log.at(-1) === "{}");
    assertEquals(opened?.log.length, 3);
    opened?.events.close(1000, "");
  });

  it("sends {} in time, also if the last message was sent just after a beat", async () => {
    for (const sentAt of [0, 100, 499, 501, 900, 1100]) {
      const peers: PeerOf<typeof api.chat>[] = [];
      const [opened, time] = await withIntervals(() =>
        openChat(
          { receive: { say: (_data, peer) => void peers.push(peer) } },
          memorySockets({ heartbeat: 1 }),
        )
      );
      opened.send("say", { text: "Ada" });
      time.advanceTo(sentAt);
      peers[0]?.send("said", { text: "Ada" });
      time.advanceTo(sentAt + 1000);
      assertEquals(opened.log.at(-1), "{}", `${sentAt}`);
      opened.events.close(1000, "");
    }
  });
});

/** Runs a function whose intervals elapse only when `advanceTo` says so, in milliseconds. */
async function withIntervals<Result>(
  run: () => Promise<Result>,
): Promise<readonly [Result, { advanceTo(time: number): void }]> {
  const { setInterval } = globalThis;
  const intervals: { readonly run: () => void; readonly every: number; due: number }[] = [];
  const replacement: unknown = (run: () => void, every: number) => void intervals.push({ run, every, due: every });
  globalThis.setInterval = replacement as typeof setInterval;
  try {
    const result = await run();
    return [result, {
      advanceTo(time) {
        for (const interval of intervals) {
          for (; interval.due <= time; interval.due += interval.every) interval.run();
        }
      },
    }];
  } finally {
    globalThis.setInterval = setInterval;
  }
}

function assertThrowsWith(run: () => unknown, message: string): void {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  assert(thrown instanceof TypeError && thrown.message.includes(message), `${thrown}`);
}
