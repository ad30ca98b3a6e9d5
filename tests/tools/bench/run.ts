/**
 * Measures this framework and others in one run, and prints tables.
 *
 * Usage: deno task bench [--quick] [--runtime=deno|bun|node] [--only=in-process|http|<case>]
 *   [--process-per=application|framework|run] [--agreement]
 *
 * `--quick` takes two minutes and gives an idea. `--agreement` measures nothing, and checks that all contenders give the same
 * answers, as every run does before it measures. `--runtime` and `--only` may be repeated.
 *
 * `--process-per` tells what is measured in process together, since engines optimize for all code that a process has run: one
 * application by all frameworks, one application by one framework and the bare handler, or everything.
 */

import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { BUN, bundle, findProgram, run } from "../../slow/runtimes/programs.ts";
import { ROOT, startServer } from "../../support/server_process.ts";
import { CASES } from "./cases.ts";
import { CHECKED, CONTENDERS } from "./contenders.ts";
import { canMeasureHttp, measureHttp } from "./http.ts";
import type { CaseTimings, Settings } from "./in_process.ts";
import { reportHttp, reportInProcess, reportRatios, type Results } from "./report.ts";

const HTTP_CASES = CASES.filter(({ name }) => name === "parameter" || name === "JSON");

const RUNTIMES = ["deno", "bun", "node"];

const { values: { runtime: runtimes, quick, only, agreement, "process-per": processPer } } = parseArgs({
  args: Deno.args,
  options: {
    runtime: { type: "string", multiple: true, default: RUNTIMES },
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: ["in-process", "http"] },
    agreement: { type: "boolean", default: false },
    "process-per": { type: "string", default: "application" },
  },
});
const caseNames = CASES.map(({ name }) => name);
requireKnown("runtime", runtimes, RUNTIMES);
requireKnown("process-per", [processPer], ["application", "framework", "run"]);
requireKnown("only", only, ["in-process", "http", ...caseNames]);

const [BARE = "", ...FRAMEWORKS] = CONTENDERS.map(({ name }) => name);
const [OURS = ""] = FRAMEWORKS;

const settings: Omit<Settings, "contenders"> = {
  cases: caseNames.filter((name) => only.includes("in-process") || only.includes(name)),
  ...quick ? { rounds: 3, passes: 1, warmup: 10 } : { rounds: 31, passes: 4, warmup: 200 },
  ...agreement && { rounds: 0 },
};
const httpRounds = quick ? 1 : 9;
const http = !agreement && only.includes("http");
if (http && !await canMeasureHttp()) throw new Error("wrk is missing: apt-get install wrk, or --only=in-process");

// Some frameworks say more about errors where it is not set.
Deno.env.set("NODE_ENV", "production");
console.log(`${cpus()[0]?.model}, ${cpus().length} cores; ${await readVersions()}`);

const directory = await Deno.makeTempDir();
try {
  await report();
} finally {
  await Deno.remove(directory, { recursive: true });
}

async function report(): Promise<void> {
  const [inProcess, server, fastifyServer, nodeResponse] = [
    await bundle("tests/tools/bench/in_process.ts", directory),
    await bundle("tests/tools/bench/server.ts", directory),
    await bundle("tests/tools/bench/fastify_server.ts", directory),
    await bundle("tests/tools/bench/node_response.ts", directory),
  ];
  const programs = [
    { name: "deno", title: "Deno", find: () => Deno.execPath(), flags: ["run", "--no-check", "--allow-all"] },
    { name: "bun", title: "Bun", find: () => findProgram(BUN, "bun"), flags: ["run"] },
    { name: "node", title: "Node.js", find: () => "node", flags: ["--import", nodeResponse] },
  ];

  const results: Results[] = [];
  for (const { name, title, find, flags } of programs) {
    if (!runtimes.includes(name)) continue;
    const program = await find();
    const runtime = `${title} ${/\d+\.\d+\.\d+/.exec(await run(program, ["--version"]))?.[0]}`;
    if (settings.cases.length > 0) {
      const apps = processPer === "run" ? [undefined] : [...new Set(CASES.map((of) => of.app))];
      const groups = processPer === "framework" ? FRAMEWORKS.map((name) => [name]) : [FRAMEWORKS];
      const measure = async (groups: readonly (readonly string[])[]) => {
        const cases: CaseTimings[] = [];
        for (const app of apps) {
          const chosen = CASES.filter((of) => app === undefined || of.app === app).map(({ name }) => name);
          const names = settings.cases.filter((name) => chosen.includes(name));
          const parts: (readonly CaseTimings[])[] = [];
          for (const contenders of groups) {
            const given = JSON.stringify({ ...settings, cases: names, contenders } satisfies Settings);
            parts.push(JSON.parse(await run(program, [...flags, inProcess, given])));
          }
          cases.push(...join(parts));
        }
        return cases;
      };
      const cases = await measure(groups);
      if (agreement) {
        console.log(`${runtime}: all contenders give the same answers`);
      } else {
        results.push([runtime, cases, await measure([[OURS, CHECKED.name]])]);
        console.log(reportInProcess(runtime, cases));
      }
    }
    if (http) {
      const served: CaseTimings[] = [];
      const names = CONTENDERS.map(({ name }) => name).concat(name === "node" ? ["Fastify"] : []);
      for (const of of HTTP_CASES) {
        const start = (contender: string) =>
          startServer(program, [...flags, contender === "Fastify" ? fastifyServer : server, contender, of.name]);
        served.push(await measureHttp(of, names, start, directory, httpRounds));
      }
      console.log(reportHttp(runtime, served));
    }
  }
  if (results.length > 0) console.log(reportRatios(results));
}

/** One result from those of several processes, each of which has measured the bare handler as well. */
function join([first = [], ...others]: readonly (readonly CaseTimings[])[]): readonly CaseTimings[] {
  return first.map((of, index) => {
    const rounds: Record<string, readonly number[]> = { ...of.rounds };
    for (const other of others) {
      const { [BARE]: bare = [], ...timings } = other[index]?.rounds ?? {};
      for (const [name, times] of Object.entries(timings)) {
        // As if it had run beside the first bare handler.
        rounds[name] = times.map((time, round) => time - (bare[round] ?? NaN) + (of.rounds[BARE]?.[round] ?? NaN));
      }
    }
    return { ...of, rounds };
  });
}

function requireKnown(option: string, values: readonly string[], known: readonly string[]): void {
  const unknown = values.find((value) => !known.includes(value));
  if (unknown === undefined) return;
  throw new Error(`Option --${option} must be one of ${known.join(", ")}: received ${JSON.stringify(unknown)}`);
}

/** The versions that the lock file gives the packages of the contenders. */
async function readVersions(): Promise<string> {
  const lock: { specifiers: Record<string, string> } = JSON.parse(
    await Deno.readTextFile(new URL("tests/deno.lock", ROOT)),
  );
  return ["hono", "elysia", "h3", "itty-router", "zod", "@hono/node-server"].map((name) => {
    const [, version = ""] = Object.entries(lock.specifiers).find(([key]) => key.startsWith(`npm:${name}@`)) ?? [];
    return `${name} ${version.split("_")[0]}`;
  }).join(", ");
}
