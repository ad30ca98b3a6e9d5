/** Sockets of `@fw/core/sockets` with the Python package `websockets` as their client, and clients that vanish. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { createClient } from "../../../src/client/mod.ts";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { FLAGS } from "../../support/flags.ts";
import { granted } from "../../support/granted.ts";
import { ROOT, type ServerProcess, startServer } from "../../support/server_process.ts";
import { api } from "../../support/sockets/app.ts";
import { until } from "../../support/until.ts";
import { BUN, bundle, findProgram, run } from "../runtimes/programs.ts";

/** Debian's Python, for which Debian packages `websockets`. */
const PYTHON = "/usr/bin/python3";
const PROGRAM = "tests/slow/clients/websocket_client.py";

const isReady = granted("env", "net", "read", "run", "write") &&
  await run(PYTHON, ["-c", "import websockets"]).then(() => true, () => false);
if (!isReady) assertMaySkip("The Debian package python3-websockets");

const SERVERS: Readonly<Record<string, (directory: string) => Promise<ServerProcess>>> = {
  "Deno": () => startServer(Deno.execPath(), ["run", "--allow-all", ...FLAGS, "tests/slow/runtimes/sockets/deno.ts"]),
  "Bun": async () => await startServer(await findProgram(BUN, "bun"), ["run", "tests/slow/runtimes/sockets/bun.ts"]),
  "Node.js": async (directory) =>
    await startServer(await findProgram("node@24", "node"), [
      await bundle("tests/slow/runtimes/sockets/node.ts", directory),
    ]),
};

for (const [name, start] of Object.entries(SERVERS)) {
  (isReady ? describe : describe.skip)(`a client in Python of sockets on ${name}`, () => {
    let directory = "";
    let server: ServerProcess;
    before(async () => {
      directory = await Deno.makeTempDir();
      server = await start(directory);
    });
    after(async () => {
      await server.stop();
      await Deno.remove(directory, { recursive: true });
    });

    const closedOf = async (id: string) =>
      (await createClient(api, { baseUrl: server.origin }).state({ params: { id } })).body.closed;
    /** Starts a client that reads until its socket is closed. */
    const stay = async (path: string, origin = server.origin) => {
      const child = new Deno.Command(PYTHON, {
        args: [PROGRAM, origin, path],
        cwd: ROOT,
        stdin: "null",
        stdout: "piped",
      }).spawn();
      let printed = "";
      const reading = (async () => {
        for await (const text of child.stdout.pipeThrough(new TextDecoderStream())) printed += text;
      })();
      await until(() => printed.startsWith("open\n"));
      return { child, rest: async () => (await reading, printed.slice("open\n".length)) };
    };

    it("sends fragments, pings, binary and long messages, and is told how its socket ends", async () => {
      const { long, ...met } = JSON.parse(await run(PYTHON, [PROGRAM, server.origin]));
      assertEquals(met, {
        subprotocol: null,
        echo: { name: "said", data: { text: "Größe" } },
        fragments: { name: "said", data: { text: "öß" } },
        many: true,
        invalid: { name: "refused", data: ["say text too_small"] },
        closed: [4001, "bye"],
        binary: [1003, "Only text"],
        quit: [4002, "Enough"],
        fail: [1011, ""],
        flow: [0, 1, 2],
        done: [1000, ""],
        denied: [401, 403, 101, 404],
      });
      assertEquals(long[0], 1009);
      assertEquals(await closedOf("quit"), [{ code: 4002, reason: "Enough" }]);
      assertEquals((await closedOf("python"))[0], { code: 4001, reason: "bye" });
    });

    it("is cut off after `patience` when its process is stopped, which closes no connection", async () => {
      const { child, rest } = await stay("/rooms/stopped");
      child.kill("SIGSTOP");
      await until(async () => (await closedOf("stopped")).length === 1);
      assertMatch(`${(await closedOf("stopped"))[0]?.code}`, /^100[16]$/);
      child.kill("SIGCONT");
      await child.status;
      assertMatch(await rest(), /^\[100[16], /);
    });

    it("is cut off when its process is stopped while it is sent more than it can take", async () => {
      const { child, rest } = await stay("/plain/unread/100000");
      child.kill("SIGSTOP");
      await until(async () => (await closedOf("unread")).length === 1);
      assertMatch(`${(await closedOf("unread"))[0]?.code}`, /^100[168]$/);
      child.kill("SIGKILL");
      await rest();
      await child.status;
    });

    it("learns that the server stops", async () => {
      const stopping = await start(directory);
      const { child, rest } = await stay("/rooms/stop", stopping.origin);
      await stopping.stop();
      assertMatch(await rest(), /^\[1001, /); // Deno has a reason of its own
      assert((await child.status).success);
    });
  });
}
