/**
 * `serveFiles` beside others on Node.js, Deno and Bun: 60 requests, and who responds right; then requests in a second,
 * by wrk. In four minutes.
 *
 * Usage: deno task bench files
 * `--agreement` leaves out the speed, `--speed` the 60 requests, `--runtime=node`, `deno` or `bun` the other runtimes.
 * `--std=…` is a bundle of `@std/http/file-server`, where JSR cannot be reached.
 */
import { sendTarget } from "../../../examples/static_exchange.ts";
import { BUN, bundle, findProgram, run } from "../../../slow/runtimes/programs.ts";
import { type ServerProcess, startServer } from "../../../support/server_process.ts";
import { install } from "../install.ts";
import { type FileRequest, REQUESTS } from "./requests.ts";

/** Who takes part on each runtime. The first one is compared with the others. */
const CONTENDERS = {
  node: ["ours", "Hono", "@fastify/static", "sirv", "sirv, dev"],
  deno: ["ours", "Hono", "@std/http"],
  bun: ["ours", "Hono"],
} as const;
const PACKAGES = ["hono@4", "@hono/node-server@2", "fastify@5", "@fastify/static@10", "sirv@3"];
const CASES = [
  ["1 kB", "/small.txt"],
  ["a 304", "/small.txt"],
  ["1 MB", "/large.txt"],
  ["range of 1 kB", "/large.txt"],
  ["no such file", "/nope.txt"],
] as const;
const NO_RESPONSE = "no response";
const SECRET = "what must not be sent";
const RANGE = "range: bytes=500000-500999";
const ROUNDS = 3;

type Start = (name: string) => Promise<ServerProcess>;

const [, std = "jsr:@std/http@1/file-server"] = /--std=(\S+)/.exec(Deno.args.join(" ")) ?? [];
const [, only = ""] = /--runtime=(\w+)/.exec(Deno.args.join(" ")) ?? [];
const place = await Deno.realPath(await Deno.makeTempDir());
try {
  const directory = await makeDirectory();
  const packages = `${place}/packages`;
  await Deno.mkdir(packages);
  await install(PACKAGES, packages);
  const program = await bundle("tests/tools/bench/files/serve.ts", packages);
  const commands = {
    node: () => Promise.resolve(["node"]),
    deno: () => Promise.resolve([Deno.execPath(), "run", "--allow-all", "--no-lock", "--node-modules-dir=manual"]),
    bun: async () => [await findProgram(BUN, "bun"), "run"],
  };
  for (const runtime of ["node", "deno", "bun"] as const) {
    if (only !== "" && only !== runtime) continue;
    const [command = "", ...args] = await commands[runtime]();
    const start = (name: string) => startServer(command, [...args, program, name, directory, std]);
    console.log(`${runtime}, ${(await run(command, ["--version"])).split("\n")[0]}`);
    const contenders = await findStarting(CONTENDERS[runtime], start);
    if (!Deno.args.includes("--speed")) await compare(contenders, start);
    if (!Deno.args.includes("--agreement")) await measure(contenders, start);
  }
} finally {
  await Deno.remove(place, { recursive: true });
}

/** Leaves out who does not start, such as `@std/http` without JSR. */
async function findStarting(contenders: readonly string[], start: Start): Promise<readonly string[]> {
  const starting: string[] = [];
  for (const name of contenders) {
    try {
      await (await start(name)).stop("SIGKILL");
      starting.push(name);
    } catch (error) {
      console.log(`${name} is left out: ${String(error).slice(0, 300)}`);
    }
  }
  return starting;
}

/** Prints what each contender responds wrong. */
async function compare(contenders: readonly string[], start: Start): Promise<void> {
  const table: Record<string, Record<string, string>> = {};
  for (const name of contenders) {
    let server = await start(name);
    const { headers } = await sendTarget(server.origin, "/file.txt");
    const [etag, date] = [headers.get("etag") ?? '"none"', headers.get("last-modified") ?? ""];
    const row: Record<string, string> = {};
    for (const [group, requests] of Object.entries(REQUESTS)) {
      let right = 0;
      for (const request of requests) {
        const lines = (request.headers ?? []).map((line) => line.replace("ETAG", etag).replace("DATE", date));
        const fault = await faultOf(server.origin, request, lines.map((line) => `${line}\r\n`).join(""));
        if (fault === undefined) right++;
        else console.log(`${name}: ${group}: ${request.name}: ${fault}`);
        if (fault !== NO_RESPONSE) continue;
        // It may have crashed, or wait in all its threads.
        await server.stop("SIGKILL").catch(() => {});
        server = await start(name);
      }
      row[group] = `${right} of ${requests.length}`;
    }
    table[name] = row;
    await server.stop("SIGKILL");
  }
  console.table(table);
}

/** What is wrong with the response to a request. */
async function faultOf(origin: string, request: FileRequest, headers: string): Promise<string | undefined> {
  const { target, method = "GET" } = request;
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 2000, undefined));
  const answer = await Promise.race([sendTarget(origin, target, { method, headers }).catch(() => null), late]);
  if (answer === undefined || answer === null || Number.isNaN(answer.status)) return NO_RESPONSE;
  if (!request.status.includes(answer.status)) return `status ${answer.status}`;
  if (answer.body.includes(SECRET)) return "the secret";
  if (request.body !== undefined && bodyOf(answer) !== request.body) {
    return `body ${JSON.stringify(answer.body.slice(0, 40))}`;
  }
  const [name, value] = request.header ?? [];
  const received = name === undefined ? null : answer.headers.get(name);
  return name !== undefined && received?.toLowerCase() !== value ? `${name}: ${received}` : undefined;
}

/** The body, without the sizes of its chunks. */
function bodyOf({ headers, body }: Awaited<ReturnType<typeof sendTarget>>): string {
  return headers.get("transfer-encoding") === "chunked" ? body.replace(/^[^]*?\r\n|\r\n0\r\n\r\n$/g, "") : body;
}

/** Prints the median of the requests in a second, and the median of how many times those of each other ours are. */
async function measure(contenders: readonly string[], start: Start): Promise<void> {
  const servers = new Map<string, ServerProcess>();
  for (const name of contenders) servers.set(name, await start(name));
  const table: Record<string, Record<string, number | string>> = {};
  for (const { origin } of servers.values()) await load(origin, "1 kB", "/small.txt"); // until it is compiled
  for (const [name, path] of CASES) {
    const rates = new Map(contenders.map((contender) => [contender, new Array<number>()]));
    for (let round = 0; round < ROUNDS; round++) {
      // In turn, because the machine may be busy for a while.
      for (const [contender, { origin }] of round % 2 === 0 ? servers : [...servers].toReversed()) {
        rates.get(contender)?.push(await load(origin, name, path));
      }
    }
    const ours = rates.get("ours") ?? [];
    const cells = [...rates].map(([contender, all]) => {
      const ratio = median(all.map((rate, round) => (ours[round] ?? NaN) / rate));
      return [contender, `${Math.round(median(all))}${contender === "ours" ? "" : ` (${ratio.toFixed(2)})`}`];
    });
    table[name] = Object.fromEntries(cells);
  }
  console.log("Requests in a second. In parentheses, how many times those of the other ours are:");
  console.table(table);
  for (const server of servers.values()) await server.stop("SIGKILL");
}

/** Sends requests for a second. Returns how many were answered. */
async function load(origin: string, name: string, path: string): Promise<number> {
  const etag = name === "a 304" ? (await sendTarget(origin, path)).headers.get("etag") : null;
  const headers = name === "a 304" ? [`if-none-match: ${etag}`] : name.startsWith("range") ? [RANGE] : [];
  const args = ["-t1", "-c32", "-d1s", ...headers.flatMap((header) => ["-H", header]), origin + path];
  return Number(/Requests\/sec:\s*([\d.]+)/.exec(await run("wrk", args))?.[1]);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

/** Makes the directory, with files beside it that must not be sent. */
async function makeDirectory(): Promise<string> {
  const directory = `${place}/public`;
  await Deno.mkdir(`${directory}/nested`, { recursive: true });
  await Deno.mkdir(`${place}/elsewhere`);
  const files = {
    "secret.txt": SECRET,
    "elsewhere/file.txt": SECRET,
    "public/.env": SECRET,
    "public/file.txt": "0123456789",
    "public/app.js": "plain",
    "public/app.js.br": "brotli",
    "public/app.js.gz": "gzip",
    "public/small.txt": "x".repeat(1000),
    "public/large.txt": "x".repeat(1024 * 1024),
  };
  for (const [name, content] of Object.entries(files)) await Deno.writeTextFile(`${place}/${name}`, content);
  await Deno.symlink("../secret.txt", `${directory}/out.txt`);
  await Deno.symlink("../elsewhere", `${directory}/outside`);
  await new Deno.Command("mkfifo", { args: [`${directory}/pipe`] }).output();
  await new Promise((resolve) => setTimeout(resolve, 2100)); // a date that If-Range accepts
  return directory;
}
