/**
 * Uploads by `parts` beside @fastify/multipart and busboy on Node.js: the time of the processor that a server takes for an
 * upload, and the time that a client waits. `request.body` is the same server, which parses nothing. The contenders take
 * turns. In two minutes.
 *
 * Usage: deno task bench uploads [--node=24]
 */
import { bundle, findProgram, run } from "../../../slow/runtimes/programs.ts";
import { type ServerProcess, startServer } from "../../../support/server_process.ts";
import { install } from "../install.ts";

const CONTENDERS = ["ours", "request.body", "@fastify/multipart", "busboy"];
const PACKAGES = ["fastify@5", "@fastify/multipart@10", "busboy@1"];
const SIZE = 50 * 1024 * 1024;
const ROUNDS = 15;

const [, version] = /--node=(\d+)/.exec(Deno.args.join(" ")) ?? [];
const place = await Deno.realPath(await Deno.makeTempDir());
const servers: ServerProcess[] = [];
const CONTENT = crypto.getRandomValues(new Uint8Array(65_536));
const BLOCKS = Array.from({ length: SIZE / CONTENT.length }, () => CONTENT);
try {
  await install(PACKAGES, place);
  const program = await bundle("tests/tools/bench/uploads/serve.ts", place);
  const node = version === undefined ? "node" : await findProgram(`node@${version}`, "node");
  console.log(`Node.js ${(await run(node, ["--version"])).trim()}, ${SIZE / 1024 / 1024} MiB each`);
  for (const name of CONTENDERS) servers.push(await startServer(node, [program, name]));
  const times = servers.map(() => ({ cpu: [] as number[], wall: [] as number[] }));
  for (let round = -2; round < ROUNDS; round++) {
    for (const [index, server] of servers.entries()) {
      const [cpu, wall] = await upload(server);
      if (round < 0) continue; // engines optimize first
      times[index]?.cpu.push(cpu);
      times[index]?.wall.push(wall);
    }
  }
  const rows = times.map(({ cpu, wall }) => [median(cpu), median(wall)] as const);
  const [ours = [NaN, NaN]] = rows;
  console.table(Object.fromEntries(rows.map(([cpu, wall], index) => [CONTENDERS[index], {
    "processor, ms": cpu.toFixed(1),
    "client, ms": wall.toFixed(1),
    "ours / it, processor": (ours[0] / cpu).toFixed(2),
    "ours / it, client": (ours[1] / wall).toFixed(2),
  }])));
} finally {
  for (const server of servers) await server.stop("SIGKILL");
  await Deno.remove(place, { recursive: true });
}

/** The milliseconds of the processor that one upload takes, and those until the client has the response. */
async function upload({ origin }: ServerProcess): Promise<readonly [cpu: number, wall: number]> {
  const cpuBefore = await cpuOf(origin);
  const start = performance.now();
  const body = new FormData();
  body.set("photo", new File(BLOCKS, "a.bin"));
  const { size } = await (await fetch(origin, { method: "POST", body })).json();
  const wall = performance.now() - start;
  if (size < SIZE) throw new Error(`${origin} has read ${size} bytes`);
  return [await cpuOf(origin) - cpuBefore, wall];
}

async function cpuOf(origin: string): Promise<number> {
  const { user, system } = await (await fetch(`${origin}/cpu`)).json();
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
