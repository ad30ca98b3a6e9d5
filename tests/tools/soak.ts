/**
 * Sends a mix of valid, hostile and aborted requests to the books and the static example, and prints the results. No response
 * may have a 5xx status, no acknowledged write may be lost, and neither memory nor open files may grow with the number of
 * requests.
 *
 * Usage: deno task slow soak [seconds], 60 by default
 */
import { serve } from "../examples/serve.ts";
import type { ServerProcess } from "../support/server_process.ts";
import { pause, until } from "../support/until.ts";

const SECONDS = Number(Deno.args[0] ?? 60);
const WORKERS = 12;
/** Keeps connections for 200 ms, so that none is open while idle handles are counted. */
const client = Deno.createHttpClient({ poolIdleTimeout: 200 });

/** The results of one kind of request. */
interface Tally {
  requests: number;
  "2xx": number;
  "3xx": number;
  "4xx": number;
  "5xx": number;
  aborted: number;
  /** The longest wait for a response, in milliseconds. */
  slowest: number;
}

/** Sends one request. Returns the status, or `undefined` if the client disconnected on purpose. */
type Ask = () => Promise<number | undefined>;

const directory = await Deno.makeTempDir();
const database = `${directory}/books.db`;
// Little more memory than needed, so the garbage collector has to work and a leak ends in a crash.
const LITTLE_HEAP = { DENO_V8_FLAGS: "--max-old-space-size=32,--max-semi-space-size=2" }; // megabytes
const books = await serve("examples/books.ts", {
  permissions: ["--allow-env=BOOKS_DB", `--allow-read=${directory}`, `--allow-write=${directory}`],
  env: { ...LITTLE_HEAP, BOOKS_DB: database },
});
const files = await serve("examples/static.ts", { env: LITTLE_HEAP });

/** The books that were created with a 201 and not deleted. */
const kept = new Set<string>();

const MIX: Readonly<Record<string, Ask>> = {
  "list": () => status(books, `/${pick(["", "v1/", "v2/"])}books?limit=${1 + random(30)}`),
  "top": () => status(books, pick(["/v2/books/top", "/v2/books/popular"])),
  "get": () => status(books, `/books/${pick(["emma", "dune", "no-such-book"])}`),
  "create": create,
  "delete": remove,
  "file": () => status(files, `/static/${pick(["index.html", "style.css", "shelves/poetry.html", "empty.txt"])}`),
  "cached file": notModified,
  "bad query": () =>
    status(books, `/books?${pick(["limit=0", "limit=x", "cursor=now", "limit=1&limit=2", "__proto__=1&limit=-1"])}`),
  "bad body": () =>
    send(pick(["", "{", "null", "[]", '{"title":1}', '{"__proto__":{"title":"x"}}', "[".repeat(50_000), "\xff\xfe"])),
  "large body": () => send(" ".repeat(100_000)),
  "bad path": () =>
    status(
      pick([books, files]),
      pick([
        "/%00",
        "/books/%ff%fe",
        "/static/%2e%2e%2fbooks.ts",
        "/static/..%5cx",
        `/${"a/".repeat(5000)}`,
        "//",
        "/static/%zz",
      ]),
    ),
  "bad bytes": () => raw(pick([books, files]), pick(BAD_BYTES)),
  "aborted answer": abortedAnswer,
  "aborted body": abortedBody,
};

/** What begins, so that each kind is tried. */
const untried = Object.entries(MIX);

const BAD_BYTES = [
  "GET /books HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n",
  "GET /static/../../deno.json HTTP/1.1\r\nHost: h/static?\r\nConnection: close\r\n\r\n",
  "GET http://evil/books HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
  "OPTIONS * HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
  "BREW /books HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
  "GET /books HTTP/9.9\r\n\r\n",
  "\0\x01\x02 nonsense\r\n\r\n",
  "POST /books HTTP/1.1\r\nHost: h\r\nConnection: close\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n",
  "POST /books HTTP/1.1\r\nHost: h\r\nConnection: close\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
];

const tallies = new Map<string, Tally>();
/** The memory of both servers, every quarter of a second, in megabytes. */
const samples: number[] = [];
const pids = [books.pid, files.pid];

const start = performance.now();
const elapsed = () => (performance.now() - start) / 1000;
const sampling = setInterval(() => samples.push(residentMemory()), 250);
await workUntil(SECONDS / 2);
const handlesBefore = openHandles();
await workUntil(SECONDS);
// Connections may take longer to close.
await until(() => openHandles() <= handlesBefore + 2).catch(() => {});
const handlesAfter = openHandles();
clearInterval(sampling);

const lost = await findLost();
await Promise.all([books.stop(), files.stop()]);
await Deno.remove(directory, { recursive: true });

console.table(Object.fromEntries(tallies));
const total = [...tallies.values()].reduce((sum, { requests }) => sum + requests, 0);
const fiveHundreds = [...tallies.values()].reduce((sum, tally) => sum + tally["5xx"], 0);
// The first third warms up. The median of the second third is compared with the median of the last.
const third = Math.floor(samples.length / 3);
const memory = [samples.slice(third, 2 * third), samples.slice(2 * third)].map(median);
const [earlier = 0, later = 0] = memory;
console.log(`${total} requests in ${SECONDS} s, ${Math.round(total / SECONDS)} a second`);
console.log(`${kept.size} books created and kept, ${lost} of them lost`);
console.log(`memory of both servers: ${earlier.toFixed(0)} MB, then ${later.toFixed(0)} MB`);
console.log(`open handles of both idle servers: ${handlesBefore} after half the time, ${handlesAfter} at the end`);

const faults = [
  fiveHundreds > 0 && `${fiveHundreds} requests were answered with a 5xx`,
  lost > 0 && `${lost} acknowledged writes were lost`,
  later > earlier * 1.15 + 10 && `memory grew from ${earlier} to ${later} MB`,
  handlesAfter > handlesBefore + 2 && "open handles grew",
  [...Object.keys(MIX)].some((kind) => !tallies.has(kind)) && "some kinds of request were not tried",
].filter((fault) => fault !== false);
for (const fault of faults) console.error(fault);
Deno.exitCode = faults.length === 0 ? 0 : 1;

/** Lets all clients work until this second. Then waits until their connections are closed. */
async function workUntil(second: number): Promise<void> {
  await Promise.all(Array.from({ length: WORKERS }, () => work(second)));
  await pause(1000);
}

/** One client: sends one request after another. */
async function work(second: number): Promise<void> {
  const kinds = Object.entries(MIX);
  while (elapsed() < second) {
    const [kind, ask] = untried.pop() ?? pick(kinds);
    const tally = tallies.get(kind) ??
      { "requests": 0, "2xx": 0, "3xx": 0, "4xx": 0, "5xx": 0, "aborted": 0, "slowest": 0 };
    tallies.set(kind, tally);
    const asked = performance.now();
    const status = await ask();
    tally.requests++;
    tally.slowest = Math.max(tally.slowest, Math.round(performance.now() - asked));
    if (status === undefined) tally.aborted++;
    else tally[`${Math.floor(status / 100)}xx` as "2xx"]++;
  }
}

async function status({ origin }: ServerProcess, path: string, init?: RequestInit): Promise<number> {
  const response = await fetch(origin + path, { ...init, client });
  await response.arrayBuffer();
  return response.status;
}

function send(body: string): Promise<number> {
  return status(books, "/books", { method: "POST", body });
}

async function create(): Promise<number> {
  const body = JSON.stringify({ title: `Volume ${random(1e9)}`, authorId: "soak" });
  const response = await fetch(`${books.origin}/books`, { method: "POST", body, client });
  if (response.status !== 201) {
    await response.arrayBuffer();
    return response.status;
  }
  const { id } = await response.json();
  kept.add(id);
  return response.status;
}

async function remove(): Promise<number> {
  const [id = "none"] = kept.size > 500 ? kept : [];
  kept.delete(id);
  return await status(books, `/books/${id}`, { method: "DELETE" });
}

async function notModified(): Promise<number> {
  const url = `${files.origin}/assets/style.css`;
  const response = await fetch(url, { method: "HEAD", client });
  return await status(files, "/assets/style.css", { headers: { "if-none-match": response.headers.get("etag") ?? "" } });
}

async function raw(server: ServerProcess, bytes: string): Promise<number | undefined> {
  using connection = await connect(server);
  await connection.write(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
  const answer = await new Response(connection.readable).text().catch(() => "");
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
  return Number.isNaN(status) ? undefined : status;
}

/** Sends a request and disconnects before or during the response. */
async function abortedAnswer(): Promise<undefined> {
  const path = pick(["/books?limit=100", "/v2/books?limit=100", "/static/index.html"]);
  using connection = await connect(path.startsWith("/static") ? files : books);
  await connection.write(new TextEncoder().encode(`GET ${path} HTTP/1.1\r\nHost: h\r\n\r\n`));
  if (random(2) === 0) await connection.read(new Uint8Array(100));
}

/** Sends less than its content-length says. */
async function abortedBody(): Promise<undefined> {
  using connection = await connect(books);
  const text = 'POST /books HTTP/1.1\r\nHost: h\r\ncontent-length: 100\r\n\r\n{"title":';
  await connection.write(new TextEncoder().encode(text));
  await pause(random(5));
}

function connect({ origin }: ServerProcess): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(origin);
  return Deno.connect({ hostname, port: Number(port) });
}

/** The number of created books that cannot be found. */
async function findLost(): Promise<number> {
  const found = new Set<string>();
  for (let cursor: string | null = "9999-12-31T00:00:00Z"; cursor !== null;) {
    const response: Response = await fetch(`${books.origin}/books?limit=100&cursor=${cursor}`, { client });
    const { data, pagination } = await response.json();
    for (const { id } of data) found.add(id);
    cursor = pagination.nextCursor;
  }
  return [...kept].filter((id) => !found.has(id)).length;
}

function residentMemory(): number {
  return pids.reduce((sum, pid) => {
    const kilobytes = /VmRSS:\s+(\d+)/.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
    return sum + Number(kilobytes) / 1000;
  }, 0);
}

function openHandles(): number {
  return pids.reduce((sum, pid) => sum + [...Deno.readDirSync(`/proc/${pid}/fd`)].length, 0);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function pick<Value>(values: readonly Value[]): Value {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error("Nothing to pick from");
  return value;
}

function random(below: number): number {
  return Math.floor(Math.random() * below);
}
