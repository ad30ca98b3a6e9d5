/** Sockets leave nothing behind in the heap, on each runtime with a process of ours. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../../support/granted.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { pause, until } from "../../support/until.ts";
import { BUN, bundle, findProgram } from "../runtimes/programs.ts";

/** How many there are: `deno task slow heap -- 2000` for fewer, which notice only larger leaks. */
const CONNECTIONS = Number(Deno.args[0] ?? 20_000);
const AT_ONCE = 250;

/** What is cached, and how a heap is compacted, vary by two megabytes in all. A session has 7,000 bytes. */
const BYTES_PER_CONNECTION = 6_000_000 / CONNECTIONS;

/** Starts a program with arguments. */
type Start = (...args: readonly string[]) => Promise<ServerProcess>;

const onNode = (version: string): Start => async (...args) =>
  await startServer(await findProgram(`node@${version}`, "node"), ["--expose-gc", ...args]);
const onDeno: Start = (...args) =>
  startServer(Deno.execPath(), ["run", "--allow-all", "--v8-flags=--expose-gc", ...args]);

const RUNTIMES: Readonly<Record<string, Start>> = {
  "Node.js 20": onNode("20"),
  "Node.js 24": onNode("24"),
  "Deno": onDeno,
  "Bun": async (...args) => await startServer(await findProgram(BUN, "bun"), ["run", ...args]),
};

/** What a client does: it closes, vanishes, is closed by the server, or leaves while its message is handled. */
const WAYS = ["say", "vanish", "close", "wait"];

const canRun = granted("env", "net", "read", "run", "write");

for (const [runtime, start] of Object.entries(RUNTIMES)) {
  (canRun ? describe : describe.skip)(`sockets on ${runtime}`, () => {
    it(`leave nothing of ${CONNECTIONS} connections in the heap, however they end`, async () => {
      // Deno keeps a socket whose client has vanished for half of that time.
      await using server = await serve(start, 1);
      await server.useAll(2000, WAYS); // what is compiled and cached once
      await pause(2000);
      const before = await server.state();
      await server.useAll(CONNECTIONS, WAYS);
      let each = Infinity;
      await until(async () => {
        const { accepted, used } = await server.state();
        assertEquals(accepted - before.accepted, CONNECTIONS);
        each = (used - before.used) / CONNECTIONS;
        return each < BYTES_PER_CONNECTION;
      }, () => `${each} bytes stay of each connection`);
      console.log(`    ${runtime}: ${each.toFixed(1)} bytes for each of ${CONNECTIONS} connections`);
    });
  });
}

(canRun ? describe : describe.skip)("a socket on Deno whose client has vanished", () => {
  it("leaves nothing of its session in the heap, though Deno keeps the socket for half of the patience", async () => {
    await using server = await serve(onDeno, 900);
    await server.useAll(1000, ["vanish"]);
    const before = await server.state();
    await server.useAll(2000, ["vanish"]);
    const each = ((await server.state()).used - before.used) / 2000;
    console.log(`    Deno: ${each.toFixed(0)} bytes for each socket whose client has vanished`);
    assert(each < 6500, `${each} bytes`); // 4,300; it would be 11,000 with the session
  });
});

/** A server of sockets, and its clients. */
async function serve(start: Start, patience: number) {
  const directory = await Deno.makeTempDir();
  const server = await start(await bundle("tests/slow/heap/server.ts", directory), `${patience}`);
  const port = Number(new URL(server.origin).port);
  const state = async (): Promise<State> => await (await fetch(`${server.origin}/heap`)).json();
  return {
    state,
    async useAll(count: number, ways: readonly string[]) {
      for (let used = 0; used < count; used += AT_ONCE) {
        await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => use(port, ways[index % ways.length] ?? "")));
      }
      await until(async () => {
        const { accepted, closed } = await state();
        return accepted === closed;
      }, () => "Sockets stay open");
    },
    async [Symbol.asyncDispose]() {
      await server.stop("SIGKILL");
      await Deno.remove(directory, { recursive: true });
    },
  };
}

/** What a server says of itself. */
interface State {
  readonly accepted: number;
  readonly closed: number;
  readonly used: number;
}

/** Opens a socket, and ends it in one of the ways. */
async function use(port: number, way: string): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  let received = "";
  const buffer = new Uint8Array(4096);
  const read = async () => {
    const count = await connection.read(buffer).catch(() => null);
    if (count !== null) received += String.fromCharCode(...buffer.subarray(0, count));
    return count;
  };
  const readUntil = async (part: string) => {
    while (!received.includes(part)) if (await read() === null) throw new Error(`${part} is missing: ${received}`);
  };
  await connection.write(new TextEncoder().encode(HANDSHAKE));
  await readUntil('"hello"');
  assertMatch(received, /^HTTP\/1.1 101 /);
  await connection.write(frame(0x81, new TextEncoder().encode(JSON.stringify({ name: "say", data: way }))));
  if (way === "vanish" || way === "wait") return;
  await readUntil(way === "close" ? CODE_4000 : '"say"');
  await connection.write(frame(0x88, Uint8Array.of(0x03, 0xe8)));
  while (await read() !== null);
}

/** A masked frame, whose mask is zero. */
function frame(first: number, content: Uint8Array): Uint8Array {
  return Uint8Array.of(first, 0x80 | content.length, 0, 0, 0, 0, ...content);
}

/** The frame of a close with 4000, as characters. */
const CODE_4000 = "\x88\x02\x0f\xa0";

const HANDSHAKE = [
  "GET /live HTTP/1.1",
  "Host: 127.0.0.1",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "",
  "",
].join("\r\n");
