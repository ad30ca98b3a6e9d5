/**
 * Sockets beside those of Hono, Elysia and Socket.IO, on Node.js and Bun: messages a second that one client of
 * Node.js receives, which is the same for all and checks each answer. The contenders take turns. In three minutes.
 *
 * Ours parses each message, checks it by a schema of Zod, and bounds what a client has not read. It checks the origin of
 * each handshake. Hono does none of it by itself; Elysia checks a schema.
 *
 * Usage: deno task bench sockets [--node=22]
 */
import { BUN, bundle, findProgram, run } from "../../../slow/runtimes/programs.ts";
import { type ServerProcess, startServer } from "../../../support/server_process.ts";
import { install } from "../install.ts";
import type { Measured } from "./load.ts";

const PACKAGES = [
  "ws@8",
  "hono@4",
  "@hono/node-server@1",
  "@hono/node-ws@1",
  "elysia@1",
  "socket.io@4",
  "socket.io-client@4",
];
const SHARED = ["ours", "Hono", "Hono, JSON and Zod"];
const CASES = ["echo, one client", "echo, 1,000 clients", "fan-out to 1,000"];

const [, version = "24"] = /--node=(\d+)/.exec(Deno.args.join(" ")) ?? [];
const place = await Deno.realPath(await Deno.makeTempDir());
try {
  await install(PACKAGES, place);
  const program = await bundle("tests/tools/bench/sockets/serve.ts", place);
  const client = await bundle("tests/tools/bench/sockets/load.ts", place);
  const node = await findProgram(`node@${version}`, "node");
  const bun = await findProgram(BUN, "bun");
  for (const [runtime, names] of [[node, [...SHARED, "Socket.IO"]], [bun, [...SHARED, "Elysia"]]] as const) {
    console.log(`${runtime === bun ? "Bun" : "Node.js"} ${(await run(runtime, ["--version"])).trim()}`);
    const servers: ServerProcess[] = [];
    try {
      for (const name of names) servers.push(await startServer(runtime, [program, name]));
      const origins = Object.fromEntries(servers.map(({ origin }, index) => [names[index], origin]));
      const results: readonly Measured[] = JSON.parse(await run(node, [client, JSON.stringify(origins)], place));
      const [ours] = results;
      console.table(Object.fromEntries(results.map(({ name, rates }) => [
        name,
        Object.fromEntries(rates.flatMap((rate, index) => [
          [CASES[index], Math.round(rate)],
          [`ours / it, ${index + 1}`, ((ours?.rates[index] ?? NaN) / rate).toFixed(2)],
        ])),
      ])));
    } finally {
      for (const server of servers) await server.stop("SIGKILL");
    }
  }
} finally {
  await Deno.remove(place, { recursive: true });
}
