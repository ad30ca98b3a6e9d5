/** Streams of `@fw/core/events` over real sockets, on each runtime. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { createClient } from "../../../src/client/mod.ts";
import { resume } from "../../../src/events/mod.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { pause, until } from "../../support/until.ts";
import { BUN, bundle, findProgram } from "./programs.ts";
import { api } from "./streams/app.ts";
import { FLAGS } from "../../support/flags.ts";
import { granted } from "../../support/granted.ts";

/** How many streams wait at once. */
const MANY = 500;

/** A running server. Miniflare starts workerd, so workerd has no process here. */
type Server = Partial<Omit<ServerProcess, "stop">> & { readonly origin: string; stop(): Promise<void> };

const RUNTIMES: Readonly<Record<string, (directory: string) => Promise<Server>>> = {
  "Deno": () => startServer(Deno.execPath(), ["run", "--allow-all", ...FLAGS, "tests/slow/runtimes/streams/deno.ts"]),
  "Bun": async () => startServer(await findProgram(BUN, "bun"), ["run", "tests/slow/runtimes/streams/bun.ts"]),
  "Node.js": async (directory) => startServer("node", [await bundle("tests/slow/runtimes/streams/node.ts", directory)]),
  "Workers": async (directory) => {
    const { Miniflare } = await import("miniflare");
    const worker = new Miniflare({
      modules: true,
      modulesRoot: "/",
      scriptPath: await bundle("tests/slow/runtimes/streams/worker.ts", directory),
      compatibilityDate: "2026-01-01",
      // Otherwise, a Worker does not know that the client has gone.
      compatibilityFlags: ["enable_request_signal"],
      host: "127.0.0.1",
      port: 0,
      handleRuntimeStdio() {},
    });
    return { origin: (await worker.ready).origin, stop: () => worker.dispose() };
  },
};

for (const [runtime, startRuntime] of Object.entries(RUNTIMES)) {
  (granted("env", "net", "read", "run", "write") ? describe : describe.skip)(`a stream on ${runtime}`, () => {
    let server: Server;
    let directory = "";
    before(async () => {
      directory = await Deno.makeTempDir();
      server = await startRuntime(directory);
    });
    after(async () => {
      await server.stop();
      await Deno.remove(directory, { recursive: true });
    });

    let streams = 0;
    const nextId = () => `${++streams}`;
    const clientOf = ({ origin }: Server = server) => createClient(api, { baseUrl: origin });
    const stateOf = async (id: string) => (await clientOf().state({ params: { id } })).body;

    for (const path of ["wait", "yields", "deaf"] as const) {
      const title = { wait: "waits", yields: "yields", deaf: "ignores the signal" }[path];
      it(`runs the finally of a generator that ${title} when the client disconnects`, async () => {
        for (let round = 0; round < 3; round++) {
          const id = nextId();
          using connection = await connect(server, `/${path}/${id}`);
          await readUntil(connection, 'data: {"n":1}\n\n');
          await pause(10 * round);
          connection.close();
          await until(async () => (await stateOf(id)).ended === 1);
          assertEquals((await stateOf(id)).errors, []);
        }
      });
    }

    it("sends its headers before the first event", async () => {
      const id = nextId();
      const aborter = new AbortController();
      const answer = await clientOf().silent({ params: { id }, signal: aborter.signal });
      assertEquals(answer.response.headers.get("content-type"), "text/event-stream");
      aborter.abort();
      await until(async () => (await stateOf(id)).ended === 1);
    });

    it("sends a heartbeat while its generator waits", async () => {
      using connection = await connect(server, `/wait/${nextId()}`);
      const text = await readUntil(connection, /(:\n\n[^:]*){3}/);
      assertEquals(text.split("data: ").length, 2);
    });

    it("breaks off after an error: the client sees that, and nothing of the error", async () => {
      const id = nextId();
      using connection = await connect(server, `/fails/${id}`);
      const text = await readToEnd(connection);
      assertMatch(text, /data: {"n":1}\n\n/);
      assert(!text.includes("secret"), text);
      assertEquals(await stateOf(id), { taken: 1, ended: 1, errors: ["Error: the database secret"] });
      if (runtime === "Workers") return; // workerd ends the body as if nothing had happened
      assert(!text.endsWith("0\r\n\r\n"), text); // the end of a chunked body
      const { body } = await clientOf().fails({ params: { id: nextId() } });
      await assertRejects(async () => {
        for await (const _ of body);
      });
    });

    it("makes no more for a client that does not read than the runtime buffers", async () => {
      const id = nextId();
      using connection = await connect(server, `/flood/${id}`);
      let taken = -1;
      await until(async () => {
        const before = taken;
        await pause(100);
        taken = (await stateOf(id)).taken;
        return taken > 0 && taken === before;
      });
      assert(taken < 3000, `${taken} events of 10 KB`);
      connection.close();
      await until(async () => (await stateOf(id)).ended === 1);
    });

    it("starts no generator for HEAD", async () => {
      const id = nextId();
      const response = await fetch(`${server.origin}/counts/${id}`, { method: "HEAD" });
      assertEquals([response.status, response.headers.get("content-type")], [200, "text/event-stream"]);
      await response.body?.cancel();
      assertEquals((await stateOf(id)).taken, 0);
      await (await fetch(`${server.origin}/counts/${id}`)).text();
      assertEquals((await stateOf(id)).taken, 3);
    });

    it("is read by a typed client, which ends it by break and by its signal", async () => {
      const id = nextId();
      const { body } = await clientOf().yields({ params: { id } });
      const numbers: number[] = [];
      for await (const { data } of body) if (numbers.push(data.n) === 3) break;
      assertEquals(numbers, [1, 2, 3]);
      await until(async () => (await stateOf(id)).ended === 1);

      const other = nextId();
      const aborter = new AbortController();
      const { body: aborted } = await clientOf().wait({ params: { id: other }, signal: aborter.signal });
      const reason = new Error("Enough");
      const error = await assertRejects(async () => {
        for await (const _ of aborted) aborter.abort(reason);
      });
      assertEquals(error, reason);
      await until(async () => (await stateOf(other)).ended === 1);
    });

    it("is read on by resume(), after the last event", async () => {
      const id = nextId();
      const numbers: number[] = [];
      const counts = resume((init) => clientOf().counts({ method: "GET", params: { id }, ...init }), { retries: 3 });
      for await (const { data } of counts) if (numbers.push(data.n) === 7) break;
      assertEquals(numbers, [1, 2, 3, 4, 5, 6, 7]);
    });

    it("has lines, in batches", async () => {
      const ids: number[] = [];
      for await (const { id } of (await clientOf().rows({ params: { id: nextId() } })).body) ids.push(id);
      assertEquals([ids.length, ids[0], ids[999]], [1000, 1, 1000]);
    });

    it(`waits beside ${MANY - 1} others`, async () => {
      const id = nextId();
      const connections = await Promise.all(Array.from({ length: MANY }, () => connect(server, `/wait/${id}`)));
      await Promise.all(connections.map((connection) => readUntil(connection, 'data: {"n":')));
      assertEquals((await stateOf(id)).taken, MANY);
      for (const connection of connections) connection.close();
      await until(async () => (await stateOf(id)).ended === MANY);
      assertEquals((await stateOf(id)).errors, []);
      assert(!/warning/i.test(server.printed?.() ?? ""), server.printed?.());
    });

    if (runtime !== "Workers") {
      it("ends when the server stops, which exits with 0", async () => {
        const stopped = await startRuntime(directory);
        const connections = await Promise.all(
          ["wait", "yields", "deaf", "silent"].map((path) => connect(stopped, `/${path}/1`)),
        );
        const [waiting, yielding, deaf] = connections;
        for (const connection of [waiting, yielding, deaf]) {
          if (connection) await readUntil(connection, 'data: {"n":');
        }
        await stopped.stop();
        for (const connection of connections) assertMatch(await readToEnd(connection), /0\r\n\r\n$/);
        assertEquals(await stopped.exitCode, 0);
      });
    }
  });
}

/** Requests a path over a socket of its own. */
async function connect({ origin }: Server, path: string): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
  return connection;
}

/** Reads until this text arrives, and returns all that was read. */
async function readUntil(connection: Deno.Conn, expected: string | RegExp): Promise<string> {
  const bytes = new Uint8Array(4096);
  let text = "";
  while (typeof expected === "string" ? !text.includes(expected) : !expected.test(text)) {
    const count = await connection.read(bytes);
    assert(count !== null, `The connection ended before ${expected}: ${text}`);
    text += new TextDecoder().decode(bytes.subarray(0, count));
  }
  return text;
}

/** Reads until the connection ends or breaks. */
async function readToEnd(connection: Deno.Conn): Promise<string> {
  const bytes = new Uint8Array(4096);
  let text = "";
  for (;;) {
    const count = await connection.read(bytes).catch(() => null);
    if (count === null) return text;
    text += new TextDecoder().decode(bytes.subarray(0, count));
  }
}
