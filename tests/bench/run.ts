/**
 * Measures ours beside other frameworks, on one machine in one run, and prints tables.
 *
 * Usage: deno task bench [--runtime=deno|bun|node] [--quick] [--only=in-process,matcher,http] [--only=<case>]
 *
 * `--quick` takes half a minute and gives an idea; without it, ten minutes and figures to go by. It fails only where contenders
 * give different answers. Options may be repeated.
 */

import { parseArgs } from "node:util";
import { BUN, bundle, findProgram, run } from "../runtimes/programs.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { CASES } from "./cases.ts";
import { CONTENDERS } from "./contenders.ts";
import { canMeasureHttp, type HttpEffort, measureHttp } from "./http.ts";
import type { CaseTimings, InProcessSettings } from "./in_process.ts";
import type { MatchingSettings, MatchingTimings } from "./matching.ts";
import {
  type Measured,
  reportHttp,
  reportInProcess,
  reportMatching,
  reportTargets,
  type RuntimeName,
} from "./report.ts";

/** How thoroughly to measure. */
interface Effort {
  readonly inProcess: Omit<InProcessSettings, "cases">;
  readonly matching: MatchingSettings;
  readonly http: HttpEffort & { readonly contenders: readonly string[] };
}

const ALL = CONTENDERS.map(({ name }) => name);

const THOROUGH: Effort = {
  inProcess: { rounds: 75, batch: 5, warmup: 80, modes: ["fresh", "ready"] },
  matching: { rounds: 51, batch: 5, warmup: 100, sizes: [10, 100, 1_000, 10_000] },
  http: { rounds: 9, seconds: 1, cases: ["parameter", "JSON + zod"], contenders: ALL },
};

const QUICK: Effort = {
  inProcess: { rounds: 11, batch: 1, warmup: 5, modes: ["ready"] },
  matching: { rounds: 11, batch: 1, warmup: 5, sizes: [10, 1_000] },
  http: { rounds: 1, seconds: 1, cases: ["parameter"], contenders: ["bare handler", "ours", "Hono"] },
};

const { values: { runtime: runtimeNames, quick, only } } = parseArgs({
  args: Deno.args,
  options: {
    runtime: { type: "string", multiple: true, default: ["deno", "bun", "node"] },
    quick: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
  },
});
const names = runtimeNames.map(requireRuntime);
const chosen = readOnly(only);
// Some say more about what goes wrong where it is not set.
Deno.env.set("NODE_ENV", "production");

const directory = await Deno.makeTempDir();
try {
  const programs = Object.fromEntries(
    await Promise.all(["in_process", "matching", "server"].map(async (name) => [
      name,
      await bundle(`tests/bench/${name}.ts`, directory),
    ])),
  );
  await report(programs);
} finally {
  await Deno.remove(directory, { recursive: true });
}

async function report(programs: Record<string, string>): Promise<void> {
  const effort = quick ? QUICK : THOROUGH;
  const measured: Partial<Record<RuntimeName, Measured>> = {};
  const http = chosen.parts.has("http") && await canMeasureHttp();
  if (chosen.parts.has("http") && !http) {
    console.log("Not over HTTP: there is no wrk here (Debian: apt-get install wrk)");
  }

  for (const name of names) {
    const runtime = await findRuntime(name);
    const of: { -readonly [Key in keyof Measured]: Measured[Key] } = measured[name] = {};
    if (chosen.parts.has("in-process")) {
      of.inProcess = await measureInProcess(runtime, programs.in_process, effort.inProcess, chosen.cases);
      console.log(reportInProcess(runtime.title, of.inProcess));
    }
    if (chosen.parts.has("matcher")) {
      of.matching = await runtime.measure<MatchingTimings>(programs.matching, effort.matching);
      console.log(reportMatching(runtime.title, of.matching));
    }
    if (http && runtime.serves) {
      const contenders = CONTENDERS.filter(({ name }) => effort.http.contenders.includes(name));
      const start = (contender: string, of: string) => runtime.start(programs.server, contender, of);
      of.http = await measureHttp(contenders, start, directory, effort.http);
      console.log(reportHttp(runtime.title, of.http));
    }
  }
  console.log(reportTargets(measured));
}

/** One application to a process, as on a server: what another one has been asked for makes none slower. */
async function measureInProcess(
  runtime: Runtime,
  program: string | undefined,
  settings: Omit<InProcessSettings, "cases">,
  cases: readonly string[],
): Promise<readonly CaseTimings[]> {
  const measured: CaseTimings[] = [];
  for (const app of new Set(CASES.map(({ app }) => app))) {
    const own = CASES.filter((of) => of.app === app && cases.includes(of.name)).map(({ name }) => name);
    if (own.length > 0) measured.push(...await runtime.measure<CaseTimings[]>(program, { ...settings, cases: own }));
  }
  return CASES.flatMap(({ name }) => measured.filter((timings) => timings.name === name));
}

/** A runtime of JavaScript. */
interface Runtime {
  readonly title: string;
  /** Whether it has a server that takes a fetch handler as it is. */
  readonly serves: boolean;
  /** Runs a program that prints what it has measured. */
  measure<Result>(program: string | undefined, settings: object): Promise<Result>;
  start(program: string | undefined, ...args: readonly string[]): Promise<ServerProcess>;
}

async function findRuntime(name: RuntimeName): Promise<Runtime> {
  const program =
    { deno: Deno.execPath(), bun: name === "bun" ? await findProgram(BUN, "bun") : "", node: "node" }[name];
  const flags = {
    deno: ["run", "--quiet", "--no-check", "--allow-all", "--v8-flags=--expose-gc"],
    bun: ["run"],
    node: ["--expose-gc"],
  }[name];
  const version = /\d+\.\d+\.\d+/.exec(await run(program, ["--version"]))?.[0];
  return {
    title: `${{ deno: "Deno", bun: "Bun", node: "Node.js" }[name]} ${version}`,
    serves: name !== "node",
    measure: async (file = "", settings) => JSON.parse(await run(program, [...flags, file, JSON.stringify(settings)])),
    start: (file = "", ...args) => startServer(program, [...flags, file, ...args]),
  };
}

function requireRuntime(name: string): RuntimeName {
  if (name === "deno" || name === "bun" || name === "node") return name;
  throw new Error(`Option --runtime must be deno, bun or node: received ${JSON.stringify(name)}`);
}

type Part = "in-process" | "matcher" | "http";

/** Which parts and which cases: all, unless some are named; cases are those in process. */
function readOnly(values: readonly string[]): { readonly parts: ReadonlySet<Part>; readonly cases: readonly string[] } {
  const known = CASES.map(({ name }) => name);
  const cases = values.filter((value) => known.includes(value));
  const parts = values.filter((value) => !known.includes(value)).flatMap((value) => value.split(",")).map(
    (part): Part => {
      if (part === "in-process" || part === "matcher" || part === "http") return part;
      throw new Error(
        `Option --only must be in-process, matcher, http or one of ${known.join("; ")}: received "${part}"`,
      );
    },
  );
  if (cases.length > 0) parts.push("in-process");
  return {
    parts: new Set(parts.length > 0 ? parts : ["in-process", "matcher", "http"]),
    cases: cases.length > 0 ? cases : known,
  };
}
