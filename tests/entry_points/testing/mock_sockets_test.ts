/** What `mock` sends over a socket. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { endpoint } from "../../../mod.ts";
import { accept, socket, type Sockets } from "../../../src/sockets/mod.ts";
import { mock } from "../../../src/testing/mod.ts";
import { handshakeOf, memorySockets } from "../../support/sockets/memory_sockets.ts";
import { until } from "../../support/until.ts";

const said = z.object({ room: z.string(), text: z.string(), at: z.int().min(1) });
const api = {
  room: endpoint.get("/rooms/:room", {
    request: { query: z.object({ after: z.coerce.number().optional() }) },
    responses: {
      101: socket({
        client: { say: z.object({ text: z.string().trim().min(1) }), leave: z.undefined() },
        server: { said, left: z.undefined() },
      }),
      400: {},
      401: {},
      426: {},
    },
  }),
  health: endpoint.get("/health", { responses: { 204: {} } }),
};

/** Opens a socket of the mock. */
async function open(url = "http://localhost/rooms/7", options = {}) {
  const errors: unknown[] = [];
  const sockets = memorySockets({ onError: (error) => void errors.push(error) });
  const { status } = await mock(api, { fc, accept, ...options }).fetch(handshakeOf(url), sockets);
  const [opened] = sockets.accepted;
  assert(status === 101 && opened !== undefined);
  opened.open();
  return { errors, ...opened };
}

/** The handlers of a mock, as `accept` gets them. */
interface UntypedHandlers {
  send(...args: readonly unknown[]): AsyncGenerator<unknown>;
}

type UntypedAccept = (c: never, endpoint: never, sockets: Sockets, handlers: UntypedHandlers) => Response;

const sizeOf = (log: readonly string[], size: number) =>
  until(() => log.length === size, () => `${size} messages: ${log}`);

describe("a socket of mock()", () => {
  it("sends each declared message, with the values of the path", async () => {
    const { log, events } = await open();
    await sizeOf(log, 2);
    const [first, second] = log.map((text) => JSON.parse(text));
    assertEquals([first.name, said.parse(first.data), first.data.room], ["said", first.data, "7"]);
    assertEquals(second, { name: "left" });
    events.close(1000, "");
  });

  it("answers each message of the client by each declared message, with its values", async () => {
    const { log, events, send } = await open();
    await sizeOf(log, 2);
    send("say", { text: " Hello " });
    await sizeOf(log, 4);
    const { data } = JSON.parse(`${log[2]}`);
    assertEquals([said.parse(data), data.room, data.text], [data, "7", "Hello"]);
    send("leave");
    await sizeOf(log, 6);
    events.close(1000, "");
  });

  it("sends the same to the same messages", async () => {
    const [one, two] = [await open(), await open()];
    for (const each of [one, two]) {
      each.send("say", { text: "Hello" });
      await sizeOf(each.log, 4);
      each.events.close(1000, "");
    }
    assertEquals(one.log, two.log);
  });

  it("is closed by a message that is not valid, and says what is wrong with it", async () => {
    const long = { client: { say: z.string().refine(() => false, "é".repeat(200)) }, server: {} };
    const wordy = { room: endpoint.get("/", { responses: { 101: socket(long), 426: {} } }) };
    const silent = { "~standard": { version: 1, vendor: "own", validate: () => ({ issues: [] }) } } as const;
    const terse = {
      room: endpoint.get("/", { responses: { 101: socket({ client: { say: silent }, server: {} }), 426: {} } }),
    };
    const sockets = memorySockets();
    for (
      const [record, url, name, data, reason] of [
        [api, "http://localhost/rooms/7", "say", { text: 7 }, /^close 4000 say: text: .+/],
        [api, "http://localhost/rooms/7", "shout", undefined, /^close 4000 name: Unknown message$/],
        // A close has 123 bytes.
        [wordy, "http://localhost/", "say", "", /^close 4000 say: é{59}$/],
        [terse, "http://localhost/", "say", "", /^close 4000 say$/],
      ] as const
    ) {
      assertEquals((await mock(record, { fc, accept }).fetch(handshakeOf(url), sockets)).status, 101);
      const opened = sockets.accepted.pop();
      assert(opened !== undefined);
      opened.open();
      opened.send(name, data);
      await until(() => reason.test(`${opened.log.at(-1)}`), () => `${reason}: ${opened.log}`);
      opened.events.close(1000, "");
    }
  });

  it("ends with the connection, also before its messages are made", async () => {
    let running = 0;
    /** `accept`, with a look at the generator of the mock. */
    const watched: UntypedAccept = (c, endpoint, sockets, handlers) =>
      (accept as unknown as UntypedAccept)(c, endpoint, sockets, {
        ...handlers,
        async *send(...args) {
          running++;
          try {
            yield* handlers.send(...args);
          } finally {
            running--;
          }
        },
      });
    for (const messages of [0, 2]) {
      const { log, errors, events } = await open(undefined, { accept: watched });
      await sizeOf(log, messages === 0 ? log.length : messages);
      assertEquals(running, 1);
      events.close(1006, "");
      await until(() => running === 0);
      assertEquals([log.length, errors], [messages, []]);
    }
  });

  it("stays open while there is nothing to send", async () => {
    const quiet = { go: endpoint.get("/", { responses: { 101: socket({ client: {}, server: {} }), 426: {} } }) };
    const sockets = memorySockets();
    await mock(quiet, { accept }).fetch(handshakeOf(), sockets);
    const [opened] = sockets.accepted;
    opened?.open();
    await new Promise((resolve) => setTimeout(resolve, 0));
    assertEquals(opened?.log, []);
    opened?.events.close(1000, "");
  });

  it("is opened by a handshake that is valid, and that asks for nothing else", async () => {
    const sockets = memorySockets();
    const get = async (request: Request, options = {}) =>
      (await mock(api, { fc, accept, ...options }).fetch(request, sockets)).status;
    const url = "http://localhost/rooms/7";
    assertEquals(await get(new Request(url)), 426);
    assertEquals(await get(handshakeOf(`${url}?after=none`)), 400);
    assertEquals(await get(handshakeOf(url, { prefer: "status=401" })), 401);
    assertEquals(await get(handshakeOf(url, { prefer: "status=101" })), 101);
    assertEquals(await get(handshakeOf(url), { choose: { room: () => 401 } }), 401);
    assertEquals(await get(handshakeOf("http://localhost/health")), 204);
    assertEquals(sockets.accepted.length, 1);
  });

  it("is not opened without the option accept", async () => {
    assertEquals((await mock(api, { fc }).fetch(handshakeOf("http://localhost/rooms/7"))).status, 426);
    const asked = new Request("http://localhost/rooms/7", { headers: { prefer: "status=101" } });
    const error = await assertRejects(async () => await mock(api, { fc }).fetch(asked), TypeError);
    assertEquals(
      error.message,
      "GET /rooms/:room opens its socket for a handshake only, and only if mock has the option accept: " +
        'import { accept } from "@fw/core/sockets"',
    );
  });

  it("needs the sockets of the runtime, and what generates its messages", async () => {
    const app = mock(api, { fc, accept });
    const error = await assertRejects(
      async () => await app.fetch(handshakeOf("http://localhost/rooms/7"), undefined as never),
      TypeError,
    );
    assertEquals(
      error.message,
      'Sockets of accept for GET "/rooms/:room" must be those of the runtime, which app.fetch passes on: ' +
        "received undefined",
    );
    const rejects = (options: object, message: string) =>
      assertEquals(assertThrows(() => mock(api, options), TypeError).message.slice(0, message.length), message);
    rejects({ accept }, "message said of GET /rooms/:room must have examples, or mock the option fc");
    rejects({ fc, accept: true }, "Option accept must be a function: received true");
  });
});
