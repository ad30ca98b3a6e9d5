/** Sockets of `@fw/core/sockets` over real connections, on each runtime. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { denoSockets } from "../../../src/sockets/mod.ts";
import { FLAGS } from "../../support/flags.ts";
import { granted } from "../../support/granted.ts";
import { startServer } from "../../support/server_process.ts";
import { createApp, optionsFor } from "../../support/sockets/app.ts";
import { type SocketRuntime, type SocketServer, testSockets } from "../../support/sockets/cases.ts";
import { BUN, bundle, findProgram, run } from "./programs.ts";
import { requestTwice } from "./sockets/request_http2.ts";

const directory = granted("write") ? await Deno.makeTempDir() : "";

/** Starts a program, which closes its sockets when it is stopped. */
async function start(program: string, ...args: readonly string[]): Promise<SocketServer> {
  const server = await startServer(program, args);
  let stopping: Promise<void> | undefined;
  const stop = () => stopping ??= server.stop();
  return { origin: server.origin, stopSockets: () => void stop(), stop };
}

async function startNode(version: string): Promise<SocketServer> {
  return await start(
    await findProgram(`node@${version}`, "node"),
    await bundle("tests/slow/runtimes/sockets/node.ts", directory),
  );
}

async function startWorker(): Promise<SocketServer> {
  const { Miniflare } = await import("miniflare");
  const worker = new Miniflare({
    modules: true,
    modulesRoot: "/",
    scriptPath: await bundle("tests/slow/runtimes/sockets/worker.ts", directory),
    compatibilityDate: "2026-01-01",
    host: "127.0.0.1",
    port: 0,
    handleRuntimeStdio() {},
  });
  return { origin: (await worker.ready).origin, stop: () => worker.dispose() };
}

const ALL: SocketRuntime = { tellsUnsent: true, pings: true };

const RUNTIMES: Readonly<Record<string, readonly [() => Promise<SocketServer>, SocketRuntime]>> = {
  "Deno": [
    () => start(Deno.execPath(), "run", "--allow-all", ...FLAGS, "tests/slow/runtimes/sockets/deno.ts"),
    { ...ALL, afterInvalidText: /^$/ },
  ],
  "Bun": [async () => start(await findProgram(BUN, "bun"), "run", "tests/slow/runtimes/sockets/bun.ts"), ALL],
  "Node.js 20": [() => startNode("20"), ALL],
  "Node.js 22": [() => startNode("22"), ALL],
  "Node.js 24": [() => startNode("24"), ALL],
  "Workers": [startWorker, {
    tellsUnsent: false,
    pings: false,
    afterInvalidText: /invalid_json/,
    dropsUpgrade: true,
    compresses: true,
  }],
};

/** The command that runs the client on each runtime that has a `WebSocket`. */
const CLIENTS: Readonly<Record<string, (bundled: string) => Promise<readonly [program: string, ...args: string[]]>>> = {
  "Deno": (bundled) => Promise.resolve([Deno.execPath(), "run", "--allow-all", bundled]),
  "Bun": async (bundled) => [await findProgram(BUN, "bun"), "run", bundled],
  "Node.js 22": async (bundled) => [await findProgram("node@22", "node"), bundled],
  "Node.js 24": async (bundled) => [await findProgram("node@24", "node"), bundled],
};

if (granted("env", "net", "read", "run", "write")) {
  for (const [name, [start, runtime]] of Object.entries(RUNTIMES)) testSockets(name, start, runtime);

  describe("a socket that is requested over HTTP/2", () => {
    // The handshake of RFC 8441 is for servers that offer it, which none of these does.
    const refused: readonly unknown[] = [
      [426, ["sec-websocket-version"]],
      "Error [ERR_HTTP2_STREAM_ERROR]: Stream closed with error code NGHTTP2_PROTOCOL_ERROR",
    ];

    it("is refused on Deno", async () => {
      const { app, onError } = createApp();
      const sockets = denoSockets(optionsFor(onError));
      const server = Deno.serve(
        { hostname: "127.0.0.1", port: 0, onListen() {} },
        (request) => app.fetch(request, sockets),
      );
      assertEquals(await requestTwice(`http://127.0.0.1:${server.addr.port}`), refused);
      await server.shutdown();
    });

    it("is refused on Node.js, where a header of HTTP/1 in the response would end the process", async () => {
      const bundled = await bundle("tests/slow/runtimes/sockets/http2.ts", directory);
      assertEquals(JSON.parse(await run(await findProgram("node@24", "node"), [bundled])), refused);
    });
  });

  describe("connect() on other runtimes", () => {
    for (const [name, command] of Object.entries(CLIENTS)) {
      it(`connects again after handshakes that fail, and learns of a denial: ${name}`, async () => {
        const { app, onError } = createApp();
        const sockets = denoSockets(optionsFor(onError));
        let failing = 4; // two handshakes, and the requests that learn why
        const server = Deno.serve(
          { hostname: "127.0.0.1", port: 0, onListen() {} },
          (request) => failing-- > 0 ? new Response(null, { status: 503 }) : app.fetch(request, sockets),
        );
        const [program, ...args] = await command(await bundle("tests/slow/runtimes/sockets/client.ts", directory));
        const printed = await run(program, [...args, `http://127.0.0.1:${server.addr.port}`]);
        assertEquals(JSON.parse(printed), {
          numbers: 100,
          denial: [1006, 401, { code: "sign_in" }],
          texts: [["said", { text: "Größe" }]],
        });
        assert(failing < 0);
        await server.shutdown();
      });
    }
  });
}
