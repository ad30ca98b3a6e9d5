/** What sockets do on every runtime, over real connections. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { createClient } from "../../../src/client/mod.ts";
import { pause, until } from "../until.ts";
import { api, BOUNDS } from "./app.ts";
import { concat, connectRaw, encodeFrame, type RawClient } from "./raw_client.ts";

/** A running server of the app. */
export interface SocketServer {
  /** Its origin. */
  readonly origin: string;
  /** Aborts the signal of its sockets. On Workers, nothing does. */
  readonly stopSockets?: (() => void) | undefined;
  /** Ends it. */
  stop(): Promise<unknown>;
}

/** How a runtime differs. */
export interface SocketRuntime {
  /** Whether it tells what a client has not taken yet. */
  readonly tellsUnsent: boolean;
  /** Whether it pings. */
  readonly pings: boolean;
  /** What a client sees after a text that is not UTF-8; the code 1007 by default. */
  readonly afterInvalidText?: RegExp | undefined;
  /** Whether it compresses messages for a client that offers it. */
  readonly compresses?: boolean;
  /** Whether it drops the header `upgrade` of a response. */
  readonly dropsUpgrade?: boolean;
}

const TEXT = 1;
const BINARY = 2;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** Declares the tests of a runtime. */
export function testSockets(name: string, start: () => Promise<SocketServer>, runtime: SocketRuntime): void {
  describe(`sockets on ${name}`, () => {
    let server: SocketServer;
    before(async () => {
      server = await start();
    });
    after(async () => {
      await server.stop();
    });

    let sockets = 0;
    const nextId = () => `${name.replace(/\W/g, "")}${++sockets}`;
    const stateOf = async (id: string) =>
      (await createClient(api, { baseUrl: server.origin }).state({ params: { id } })).body;
    const connect = (path: string, headers: Readonly<Record<string, string | undefined>> = {}) =>
      connectRaw(server.origin, path, headers);
    const open = async (path = `/rooms/${nextId()}`) => {
      const client = await connect(path);
      assertEquals(client.status, 101);
      return client;
    };
    const say = (text: string) => JSON.stringify({ name: "say", data: { text } });

    it("handle messages in order, as their schemas convert them", async () => {
      using client = await open();
      await client.send(TEXT, say("  Hello  "));
      await client.send(TEXT, JSON.stringify({ name: "at", data: "2026-01-01T00:00:00Z" }));
      await client.send(TEXT, say("Ada"));
      assertEquals(await texts(client, 3), [
        '{"name":"said","data":{"text":"Hello"}}',
        '{"name":"at","data":1767225600000}',
        '{"name":"said","data":{"text":"Ada"}}',
      ]);
    });

    it("give what is not valid to the handler, which names the keys", async () => {
      using client = await open();
      const invalid: readonly (readonly [string, string])[] = [
        ["{", "invalid_json"],
        ["", "invalid_json"],
        ["null", "invalid_json"],
        ["[1]", "invalid_json"],
        ['{"data":1}', "invalid_json"],
        ['{"name":7}', "invalid_json"],
        ['{"name":"constructor"}', "name unknown_message"],
        ['{"name":"toString","data":{}}', "name unknown_message"],
        ['{"name":"said","data":{"text":"Ada"}}', "name unknown_message"],
        ['{"name":"say","data":{"text":" "}}', "say text too_small"],
        ['{"name":"say"}', "say invalid_type"],
        ['{"name":"__proto__","data":{}}', "__proto__ text invalid_type"],
      ];
      for (const [text, refused] of invalid) {
        await client.send(TEXT, text);
        assertEquals((await client.next())?.text, JSON.stringify({ name: "refused", data: [refused] }), text);
      }
      await client.send(TEXT, '{"name":"__proto__","data":{"text":"Ada"}}');
      assertEquals((await client.next())?.text, '{"name":"said","data":{"text":"proto Ada"}}');
    });

    it("deny what is no handshake, before there is a socket", async () => {
      const denied: readonly (readonly [number, Readonly<Record<string, string | undefined>>])[] = [
        [426, { upgrade: undefined, connection: "keep-alive" }],
        [426, { "sec-websocket-version": "8" }],
        [400, { "sec-websocket-key": "short" }],
        [403, { origin: "https://evil.example" }],
        [403, { origin: "null" }],
        [403, { origin: "https://app.example.com.evil.example" }],
        [101, { origin: "https://app.example.com" }],
        [101, { origin: server.origin }],
        [101, { upgrade: "WebSocket", connection: "keep-alive, Upgrade" }],
      ];
      for (const [status, headers] of denied) {
        using client = await connect(`/rooms/${nextId()}`, headers);
        assertEquals(client.status, status, JSON.stringify(headers));
        if (status !== 426) continue;
        assertEquals(client.headers.get("upgrade"), runtime.dropsUpgrade ? null : "websocket");
        assertEquals(client.headers.get("sec-websocket-version"), "13");
      }
    });

    it("deny every page when the Host header is empty", async () => {
      for (const origin of ["http://evil.example", "null"]) {
        using client = await connect(`/rooms/${nextId()}`, { host: "", origin });
        // Servers differ in what they make of such a request.
        assert(client.status >= 400, `${origin}: ${client.status}`);
      }
    });

    it("deny with the body and the headers of the guard", async () => {
      using client = await connect(`/rooms/${nextId()}?token=none`);
      assertEquals(client.status, 401);
      assertMatch(`${client.headers.get("content-type")}`, /^application\/json/);
      assertMatch(await readBody(client), /^\{"code":"sign_in"\}$/);
      const response = await fetch(`${server.origin}/rooms/${nextId()}`);
      assertEquals([response.status, await response.text()], [426, ""]);
    });

    it(`agree on no subprotocol and ${runtime.compresses ? "compress" : "on no extension"}`, async () => {
      using client = await connect(`/rooms/${nextId()}`, {
        "sec-websocket-protocol": "chat, superchat",
        "sec-websocket-extensions": "permessage-deflate",
      });
      assertEquals([client.status, client.headers.get("sec-websocket-protocol")], [101, null]);
      const extensions = client.headers.get("sec-websocket-extensions")?.split(";")[0];
      assertEquals(extensions, runtime.compresses ? "permessage-deflate" : undefined);
    });

    it("read fragments, and answer a ping between them", async () => {
      using client = await open();
      const text = new TextEncoder().encode(say("Größe"));
      await client.send(TEXT, text.slice(0, 32), false);
      await client.send(PING, "are you there");
      await client.send(0, text.slice(32, 33), false);
      await client.send(0, text.slice(33));
      const [first, second] = [await client.next(), await client.next()];
      assertEquals([first?.opcode, first?.text], [PONG, "are you there"]);
      assertEquals(second?.text, '{"name":"said","data":{"text":"Größe"}}');
    });

    it("close with 1003 after a binary message", async () => {
      using client = await open();
      await client.send(BINARY, say("Ada"));
      assertEquals(await closeOf(client), "1003 Only text");
    });

    it("do not handle a text that is not UTF-8", async () => {
      using client = await open();
      await client.send(TEXT, new Uint8Array([123, 255, 254, 125]));
      assertMatch((await client.next())?.text ?? "", runtime.afterInvalidText ?? /^1007/);
    });

    it("take a message of the most bytes, and close with 1009 after one of one more", async () => {
      const id = nextId();
      using client = await open(`/rooms/${id}`);
      const room = BOUNDS.maxMessageBytes - say("").length;
      const text = "€".repeat(Math.floor(room / 3)) + "x".repeat(room % 3);
      await client.send(TEXT, say(text));
      assertEquals(JSON.parse((await client.next())?.text ?? "").data.text, text);
      await client.send(TEXT, say(`${text}x`));
      assertMatch(await closeOf(client), /^1009/);
      await until(async () => (await stateOf(id)).closed.length === 1);
      assertEquals((await stateOf(id)).handled, 1);
    });

    it("handle 10,000 messages that arrive at once", async () => {
      using client = await open();
      const frames = Array.from({ length: 10_000 }, (_, index) => encodeFrame(TEXT, say(`${index}`)));
      const sending = client.write(concat(frames));
      for (let index = 0; index < 10_000; index++) {
        const frame = await client.next();
        if (frame?.text !== `{"name":"said","data":{"text":"${index}"}}`) assertEquals(frame, undefined, `${index}`);
      }
      await sending;
    });

    it("close with 1008 if too many messages wait while one is handled", async () => {
      const id = nextId();
      using client = await open(`/rooms/${id}`);
      await client.send(TEXT, '{"name":"wait","data":{"milliseconds":500}}');
      const text = say("x".repeat(4000));
      for (let left = BOUNDS.maxWaitingBytes; left >= 0; left -= text.length + 64) await client.send(TEXT, text);
      assertEquals(await closeOf(client), "1008 Too many messages");
      assertEquals(await stateOf(id), {
        made: 0,
        handled: 1,
        closed: [{ code: 1008, reason: "Too many messages" }],
        errors: [],
      });
    });

    it("close as the client asks", async () => {
      const id = nextId();
      using client = await open(`/rooms/${id}`);
      await client.send(CLOSE, new Uint8Array([4001 >> 8, 4001 & 255, 98, 121, 101]));
      assertMatch(await closeOf(client), /^4001|^1005|^$/);
      await until(async () => (await stateOf(id)).closed.length === 1);
      assertEquals((await stateOf(id)).closed, [{ code: 4001, reason: "bye" }]);
    });

    it("close with the code and the reason of the handler, and nothing is handled after that", async () => {
      const id = nextId();
      using client = await open(`/rooms/${id}`);
      const quit = (code: number, reason: string) => JSON.stringify({ name: "quit", data: { code, reason } });
      await client.write(concat([encodeFrame(TEXT, quit(4002, "Enough")), encodeFrame(TEXT, say("Ada"))]));
      assertEquals(await closeOf(client), "4002 Enough");
      assertEquals((await stateOf(id)).closed, [{ code: 4002, reason: "Enough" }]);
      assertEquals((await stateOf(id)).handled, 0);
      using other = await open();
      await other.send(TEXT, quit(1006, ""));
      assertEquals(await closeOf(other), "1011");
      assertEquals(
        (await stateOf("errors")).errors.at(-1),
        "TypeError: Code of close must be 1000, or 3000 to 4999: received 1006",
      );
    });

    it("close with 1011 when a handler throws, and tell the client nothing of the error", async () => {
      const id = nextId();
      using client = await open(`/rooms/${id}`);
      await client.send(TEXT, '{"name":"fail"}');
      assertEquals(await closeOf(client), "1011");
      assertEquals((await stateOf("errors")).errors.at(-1), "Error: the database secret");
      assertEquals((await stateOf(id)).closed, [{ code: 1011, reason: "" }]);
    });

    it("end when the connection breaks off", async () => {
      const id = nextId();
      const client = await open(`/rooms/${id}`);
      await client.send(TEXT, say("Ada"));
      await client.next();
      client.connection.close();
      await until(async () => (await stateOf(id)).closed.length === 1);
      assertEquals((await stateOf(id)).closed[0]?.code, 1006);
    });

    it("send {} to a client when nothing else is sent", async () => {
      const client = await open();
      const frames: number[] = [];
      await until(async () => {
        const bytes = new Uint8Array(100);
        const count = await client.connection.read(bytes);
        frames.push(...bytes.subarray(0, count ?? 0));
        return new TextDecoder().decode(new Uint8Array(frames)).includes("{}");
      });
      client.connection.close();
    });

    it("send no more than the window ahead of what the client acknowledges", async () => {
      const id = nextId();
      using client = await open(`/flow/${id}/1000`);
      assertEquals(numbersIn(await texts(client, 64)), Array.from({ length: 64 }, (_, index) => index));
      await pause(100);
      assertEquals((await stateOf(id)).made, 64);
      await client.send(TEXT, '{"ack":10}');
      assertEquals(numbersIn(await texts(client, 10)), [64, 65, 66, 67, 68, 69, 70, 71, 72, 73]);
      assertEquals((await stateOf(id)).made, 74);
      await client.send(TEXT, '{"ack":9999}');
      assertEquals(await closeOf(client), "1008 Wrong acknowledgement");
    });

    it("make nothing for a client that has closed, also if it keeps the connection", async () => {
      const id = nextId();
      using client = await open(`/${runtime.tellsUnsent ? "plain" : "flow"}/${id}/20000`);
      await client.send(CLOSE, new Uint8Array([3, 232]));
      await until(async () => (await stateOf(id)).closed.length === 1);
      const { closed, made } = await stateOf(id);
      assertEquals(closed, [{ code: 1000, reason: "" }]);
      assert(made < 2000, `${made} messages`);
    });

    it("close with 1000 when the generator ends", async () => {
      using client = await open(`/flow/${nextId()}/3`);
      assertEquals(numbersIn(await texts(client, 3)), [0, 1, 2]);
      assertEquals(await closeOf(client), "1000");
    });

    if (runtime.tellsUnsent) {
      it("make no more for a client that does not read than fits, and cut it off", async () => {
        const id = nextId();
        using client = await open(`/plain/${id}/20000`);
        await until(async () => (await stateOf(id)).closed.length === 1);
        const { closed, made } = await stateOf(id);
        // Either the runtime gives it up, or the sender does.
        assertMatch(`${closed[0]?.code}`, /^100[68]$/);
        assert(made < 2000, `${made} messages of 10 KB`);
        assertEquals(client.status, 101);
      });

      it("cut a client off that does not read, if the handler does not wait", async () => {
        const id = nextId();
        using client = await open(`/hasty/${id}/20000`);
        await client.send(TEXT, '{"name":"go"}');
        await until(async () => (await stateOf(id)).closed.length === 1);
        const { closed, made } = await stateOf(id);
        assertEquals(closed, [{ code: 1008, reason: "Too slow" }]);
        assert(made < 2000, `${made} messages of 10 KB`);
      });

      it("send all to a client that reads", async () => {
        using client = await open(`/plain/${nextId()}/2000`);
        assertEquals(numbersIn(await texts(client, 2000)).at(-1), 1999);
        assertEquals(await closeOf(client), "1000");
      });
    } else {
      it("throw where a socket has no window: the runtime tells nothing of slow clients", async () => {
        using client = await connect(`/plain/${nextId()}/1`);
        assertEquals(client.status, 500);
      });
    }

    if (runtime.pings) {
      it("cut a client off that answers no ping", async () => {
        const id = nextId();
        using client = await open(`/rooms/${id}`);
        await until(async () => (await stateOf(id)).closed.length === 1);
        assertMatch(`${(await stateOf(id)).closed[0]?.code}`, /^100[16]$/);
        assertEquals(client.status, 101);
      });
    }

    if (runtime.tellsUnsent) {
      it("close with 1001 when the server stops", async () => {
        const stopping = await start();
        using client = await connectRaw(stopping.origin, `/rooms/${nextId()}`);
        await client.send(TEXT, say("Ada"));
        await client.next();
        stopping.stopSockets?.();
        assertMatch(await closeOf(client), /^1001/);
        using late = await connectRaw(stopping.origin, `/rooms/${nextId()}`).catch(() => client);
        if (late !== client) assertMatch(await closeOf(late), /^1001/);
        await stopping.stop();
      });
    }
  });
}

/** The next texts. */
async function texts(client: RawClient, count: number): Promise<readonly string[]> {
  const all: string[] = [];
  while (all.length < count) {
    const frame = await client.next();
    assert(frame?.opcode === TEXT, `${frame?.opcode} ${frame?.text} after ${all.length} texts`);
    all.push(frame.text);
  }
  return all;
}

function numbersIn(messages: readonly string[]): readonly number[] {
  return messages.map((message) => JSON.parse(message).data.n);
}

/** The code and the reason of the next close, after other frames; empty if the connection ends without one. */
async function closeOf(client: RawClient): Promise<string> {
  for (;;) {
    const frame = await client.next();
    if (frame === undefined) return "";
    if (frame.opcode !== CLOSE) continue;
    await client.send(CLOSE, frame.bytes.slice(0, 2)).catch(() => {});
    return frame.text;
  }
}

/** The body of a response, by its length or to the end of the connection. */
async function readBody(client: RawClient): Promise<string> {
  const length = client.headers.get("content-length");
  return length === null ? await client.rest() : await client.body(Number(length));
}
