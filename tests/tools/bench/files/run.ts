/**
 * `serveFiles` beside others on Node.js: 60 requests, and who responds right; then requests in a second, by wrk.
 *
 * Usage: deno run --allow-all --import-map=tests/import_map.json --lock=tests/deno.lock --frozen tests/tools/bench/files/run.ts
 * `--agreement` leaves out the speed.
 */
import { ask } from "../../../examples/static_exchange.ts";
import { bundle, run } from "../../../slow/runtimes/programs.ts";
import { startServer } from "../../../support/server_process.ts";
import { type FileRequest, REQUESTS } from "./requests.ts";

const CONTENDERS = ["ours", "hono", "fastify", "sirv", "sirv-dev"];
const PACKAGES = ["hono@4", "@hono/node-server@2", "fastify@5", "@fastify/static@8", "sirv@3"];
const NO_RESPONSE = "no response";
const SECRET = "what must not be sent";
const ROUNDS = 3;
const SECONDS = 1;

const place = await Deno.realPath(await Deno.makeTempDir());
try {
  const directory = await makeDirectory();
  const packages = `${place}/packages`;
  await Deno.mkdir(packages);
  await Deno.writeTextFile(`${packages}/package.json`, '{"private":true}');
  await run("npm", ["install", "--no-audit", "--no-fund", "--prefer-offline", ...PACKAGES], packages);
  const program = await bundle("tests/tools/bench/files/serve.ts", place);
  const start = (name: string) => startServer("node", [program, name, directory, packages], {});
  await compare(start);
  if (!Deno.args.includes("--agreement")) await measure(start);
} finally {
  await Deno.remove(place, { recursive: true });
}

/** Prints what each contender responds wrong. */
async function compare(start: (name: string) => ReturnType<typeof startServer>): Promise<void> {
  const table: Record<string, Record<string, string>> = {};
  for (const name of CONTENDERS) {
    let server = await start(name);
    const { headers } = await ask(server.origin, "/file.txt");
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
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, 3000, undefined));
  const answer = await Promise.race([ask(origin, target, { method, headers }).catch(() => null), late]);
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
function bodyOf({ headers, body }: Awaited<ReturnType<typeof ask>>): string {
  return headers.get("transfer-encoding") === "chunked" ? body.replace(/^[^]*?\r\n|\r\n0\r\n\r\n$/g, "") : body;
}

/** Prints the median of the requests in a second, and the rank of ours. */
async function measure(start: (name: string) => ReturnType<typeof startServer>): Promise<void> {
  const servers = new Map<string, Awaited<ReturnType<typeof startServer>>>();
  for (const name of CONTENDERS) servers.set(name, await start(name));
  const table: Record<string, Record<string, number>> = {};
  for (
    const [what, path] of [["small", "/small.txt"], ["304", "/small.txt"], ["1 MB", "/large.txt"], [
      "range",
      "/large.txt",
    ], ["missing", "/nope.txt"]] as const
  ) {
    const rates = new Map(CONTENDERS.map((name) => [name, new Array<number>()]));
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, { origin }] of servers) {
        const etag = (await ask(origin, path)).headers.get("etag");
        const header = { "304": `if-none-match: ${etag}`, "range": "range: bytes=500000-500999" }[what as string];
        const args = ["-t1", "-c32", `-d${SECONDS}s`, ...(header === undefined ? [] : ["-H", header]), origin + path];
        const [, rate] = /Requests\/sec:\s*([\d.]+)/.exec(await run("wrk", args)) ?? [];
        rates.get(name)?.push(Number(rate));
      }
    }
    table[what] = Object.fromEntries(
      [...rates].map(([name, all]) => [name, Math.round(all.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0)]),
    );
  }
  console.table(table);
  for (const server of servers.values()) await server.stop("SIGKILL");
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
