/** Sockets of `@fw/core/sockets` over real connections, on each runtime. */
import { FLAGS } from "../../support/flags.ts";
import { granted } from "../../support/granted.ts";
import { startServer } from "../../support/server_process.ts";
import { type SocketRuntime, type SocketServer, testSockets } from "../../support/sockets/cases.ts";
import { BUN, bundle, findProgram } from "./programs.ts";

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
  "Workers": [startWorker, { tellsUnsent: false, pings: false, afterInvalidText: /invalid_json/, dropsUpgrade: true }],
};

if (granted("env", "net", "read", "run", "write")) {
  for (const [name, [start, runtime]] of Object.entries(RUNTIMES)) testSockets(name, start, runtime);
}
