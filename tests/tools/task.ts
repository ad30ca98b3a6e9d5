/**
 * Runs a task of `deno.json`.
 *
 * Usage: deno task check|test|bench|pack|site|lock|slow [NAME] [arguments of the program]
 *
 * `deno task bench` and `deno task slow` have several programs. `deno task slow` without a name lists all of them.
 */
import config from "../../deno.json" with { type: "json" };
import { FLAGS } from "../support/flags.ts";
import { runDeno, type Step } from "./run_deno.ts";
import { testProduct } from "./test_product.ts";

/** What a task does, in turn. The arguments of the task go to the last step. */
interface Task {
  readonly description: string;
  readonly steps: readonly Step[];
}

/** Tests, with all permissions. `deno task check` checks their types. */
const tests = (...paths: readonly string[]): Step => ["test", "--no-check", "--allow-all", ...FLAGS, ...paths];
/** A program, with all permissions. */
const program = (path: string): Step => ["run", "--allow-all", ...FLAGS, path];

/** The flags without the last one, which would keep the lock file. */
const RESOLVED_ANEW = [...FLAGS.slice(0, -1), "--frozen=false"];

const TASKS: Readonly<Record<string, readonly Step[]>> = {
  check: [
    ["fmt", "--check"],
    ["lint"],
    ["check", ...FLAGS],
    ["doc", "--lint", "mod.ts"],
    ["doc", "--lint", ...Object.values(config.exports)],
    ["publish", "--dry-run", "--allow-dirty"],
  ],
  pack: [program("tests/tools/pack.ts")],
  site: [program(".github/site/build.ts")],
  lock: [
    ["check", ...RESOLVED_ANEW],
    ["cache", ...RESOLVED_ANEW, "examples/recipes/mounting_express.ts", "npm:pg@^8"],
  ],
};

const BENCH: Readonly<Record<string, Task>> = {
  frameworks: {
    description: "Ours beside other frameworks, in one run: --quick, --runtime=deno|bun|node, --only=…, --agreement",
    steps: [program("tests/tools/bench/run.ts")],
  },
  types: {
    description: "What typed clients cost TypeScript, ours beside other frameworks: ten minutes, or two with --quick",
    steps: [program("tests/tools/bench/types/run.ts")],
  },
  stores: {
    description:
      "What the stores cost beside the same by hand, and messages with readers and 1,000 clients: four minutes",
    steps: [program("tests/tools/bench/stores.ts")],
  },
  start: {
    description:
      "Start to the first response, heap and bytes at 25 and 1,000 routes, ours beside others: --quick, --runtime=…",
    steps: [program("tests/tools/bench/start/run.ts")],
  },
  files: {
    description: "Files by serveFiles, ours beside others, in four minutes: --speed, --agreement, --runtime=…, --std=…",
    steps: [program("tests/tools/bench/files/run.ts")],
  },
  uploads: {
    description: "Uploads by parts on Node.js, beside @fastify/multipart and busboy, in two minutes: --node=…",
    steps: [program("tests/tools/bench/uploads/run.ts")],
  },
  telemetry: {
    description:
      "What telemetry adds to a request on Node.js, beside that of Hono and of Elysia, in a minute: --node=…",
    steps: [program("tests/tools/bench/telemetry/run.ts")],
  },
  sockets: {
    description:
      "Messages of sockets on Node.js and Bun, beside Hono, Elysia and Socket.IO, in three minutes: --node=…",
    steps: [program("tests/tools/bench/sockets/run.ts")],
  },
  size: {
    description: "Files, lines and bytes of each entry point",
    steps: [program("tests/tools/bench/size.ts")],
  },
};

export const SLOW: Readonly<Record<string, Task>> = {
  unprivileged: {
    description:
      "What `deno test` runs without a flag, and the examples: without permissions, tests pass or are skipped",
    steps: [
      ["test", "--no-check", "--no-prompt", ...FLAGS],
      ["test", "--no-check", "--no-prompt", ...FLAGS, "tests/examples", "tests/repository"],
    ],
  },
  examples: {
    description: "The examples: as servers, as copies elsewhere, in process, and in real time",
    steps: [["test", "--no-check", "--parallel", "--allow-all", ...FLAGS, "tests/examples"]],
  },
  proto: {
    description: "Security tests with `__proto__` enabled, as it is on other runtimes",
    steps: [[...tests("tests/core", "tests/entry_points"), "--unstable-unsafe-proto"]],
  },
  corpus: {
    description: "How many of 80 faults each of six seeds of `fuzz` finds, and that none finds more: a minute",
    steps: [tests("tests/slow/corpus")],
  },
  packed: {
    description:
      "Installs what `pack` makes into empty projects of Node.js, Bun, Workers, TypeScript, three bundlers and Deno",
    steps: [tests("tests/slow/packed")],
  },
  create: {
    description: "Writes an app for Node.js, Deno, Bun and Workers, installs, checks, tests, starts and calls it",
    steps: [tests("tests/slow/create")],
  },
  types: {
    description:
      "Counts the types that TypeScript instantiates for many routes, and checks what it reports and editors show",
    steps: [tests("tests/slow/types")],
  },
  runtimes: {
    description: "Servers on Deno, Bun, Node.js and workerd, then the tests of the core on each runtime, as a table",
    steps: [tests("tests/slow/runtimes"), program("tests/slow/runtimes/run.ts")],
  },
  postgres: {
    description: "The books example on the PostgreSQL database that DATABASE_URL names",
    steps: [tests("tests/slow/postgres", "tests/examples/book_store_test.ts")],
  },
  stores: {
    description:
      "The stores in SQLite, Redis, a cluster of it, and PostgreSQL; instances behind HAProxy, under load and faults",
    steps: [tests("tests/stores", "tests/slow/stores")],
  },
  faults: {
    description: "Kills, stops, cuts off, fills up and promotes real PostgreSQL servers, and checks what clients saw",
    steps: [
      tests(
        "tests/slow/faults/check_test.ts",
        ...["sqlite", "stores", "faults", "minutes"].map((name) => `tests/slow/faults/${name}.ts`),
      ),
    ],
  },
  static: {
    description: "The static example with permissions, large files, and clients that disconnect or do not read",
    steps: [tests("tests/slow/static")],
  },
  proxies: {
    description:
      "nginx, HAProxy, Varnish, Caddy, h2o and Apache in front of an app: no request gets around their rules",
    steps: [tests("tests/slow/proxies")],
  },
  browser: {
    description: "The OpenAPI document of the books API: a generated client, its page in Chromium, and a client there",
    steps: [tests("tests/slow/browser")],
  },
  clients: {
    description:
      "Clients that hey-api, orval and openapi-typescript generate of a document call the app; one of sockets in Python",
    steps: [tests("tests/slow/clients")],
  },
  site: {
    description: "The site in Chromium: its search, its navigation, its links, and its width on a phone",
    steps: [tests("tests/slow/site")],
  },
  webhooks: {
    description:
      "Webhooks of three instances that are killed, signatures of official libraries, and hostile receivers on each runtime",
    steps: [tests("tests/slow/webhooks")],
  },
  uploads: {
    description:
      "What is buffered of 200 uploads of 100 MB at once to slow handlers, on each runtime; signed urls, by Swift",
    steps: [tests("tests/slow/uploads")],
  },
  heap: {
    description:
      "What 20,000 sockets leave in the heap on Node.js 20 and 24, Deno and Bun: two minutes; `-- 2000` in `.ci/run`",
    steps: [tests("tests/slow/heap")],
  },
  mutation: {
    description:
      "How many small changes to src/ the tests notice: minutes for `core src/core/routing/url.ts`, hours for all parts",
    steps: [program("tests/slow/mutation/run.ts")],
  },
  soak: {
    description: "Valid, hostile and aborted requests against the examples, for 60 seconds or the given number",
    steps: [program("tests/tools/soak.ts")],
  },
  openapi: {
    description:
      "Writes the OpenAPI documents of the books API and of the service, with which tests compare those of today",
    steps: [
      ["run", "--allow-write=examples/books", ...FLAGS, "examples/books/write_openapi.ts"],
      ["run", "--config=deno.json", "--allow-write=examples/service", ...FLAGS, "examples/service/write_openapi.ts"],
    ],
  },
};

if (import.meta.main) {
  const [task = "", ...args] = Deno.args;
  if (task === "test") await testProduct();
  else if (task === "bench" || task === "slow") await runNamed(task, args);
  else {
    if (task === "lock") await Deno.remove("tests/deno.lock").catch(() => {});
    await runSteps(TASKS[task] ?? [], args);
  }
}

async function runNamed(task: "bench" | "slow", args: readonly string[]): Promise<void> {
  const all = task === "bench" ? BENCH : SLOW;
  const [name, ...others] = task === "bench" && !/^\w/.test(args[0] ?? "") ? ["frameworks", ...args] : args;
  const chosen = all[name ?? ""];
  if (chosen !== undefined) return await runSteps(chosen.steps, others);
  for (const [name, { description }] of Object.entries(all)) {
    console.log(`deno task ${task} ${name.padEnd(13)}${description}`);
  }
  if (name !== undefined) Deno.exit(1);
}

async function runSteps(steps: readonly Step[], args: readonly string[]): Promise<void> {
  for (const [index, step] of steps.entries()) {
    const code = await runDeno(index === steps.length - 1 ? [...step, ...args] : step);
    if (code !== 0) Deno.exit(code);
  }
}
