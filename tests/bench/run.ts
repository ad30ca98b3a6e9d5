/**
 * Measures ours beside other frameworks, on one machine in one run, and prints tables.
 *
 * Usage: deno task bench [--runtime=deno|bun|node] [--quick] [--only=in-process,matcher,http] [--only=<case>] [--smoke]
 *
 * `--quick` takes half a minute and gives an idea; without it, ten minutes and figures to go by. `--smoke` fails if we are
 * slower than any peer in any case, by more than noise: the peer is granted the time that the `Host` check takes, which DESIGN
 * 4.2 has us do and which no peer does. Options may be repeated.
 */

import { parseArgs } from "node:util";
import { BUN, bundle, findProgram, run } from "../runtimes/programs.ts";
import { type ServerProcess, startServer } from "../server_process.ts";
import { CASES } from "./cases.ts";
import { compare } from "./comparison.ts";
import { CONTENDERS, PEERS } from "./contenders.ts";
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

const SMOKE = { rounds: 25, batch: 1.5, warmup: 12, modes: ["fresh"] } as const;
/** What is slower than a peer by more than this is slower, however noisy the machine. */
const NOISE = 1.15;
/** How often a case that seems slower is measured again. */
const SECOND_LOOKS = 5;

const { values: { runtime: runtimeNames, quick, smoke, only } } = parseArgs({
  args: Deno.args,
  options: {
    runtime: { type: "string", multiple: true, default: ["deno", "bun", "node"] },
    quick: { type: "boolean", default: false },
    smoke: { type: "boolean", default: false },
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
  if (smoke) Deno.exitCode = await passes(programs) ? 0 : 1;
  else await report(programs);
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

/** Whether we are slower than no peer in no case. */
async function passes(programs: Record<string, string>): Promise<boolean> {
  let sound = true;
  for (const name of names) {
    const runtime = await findRuntime(name);
    const best = new Map<string, { readonly peer: string; readonly ratio: number }>();
    let cases = chosen.cases;
    for (let look = 0; look <= SECOND_LOOKS && cases.length > 0; look++) {
      for (const result of await measureInProcess(runtime, programs.in_process, SMOKE, cases)) {
        const found = worstOf(result);
        if (found.ratio < (best.get(result.name)?.ratio ?? Infinity)) best.set(result.name, found);
      }
      cases = cases.filter((name) => !passesWith(best.get(name)?.ratio));
    }
    for (const [of, { peer, ratio }] of best) {
      console.log(
        `${passesWith(ratio) ? "ok    " : "FAILED"} ${runtime.title}, ${of}: ${
          ratio.toFixed(2)
        } times the time of ${peer} and a Host check`,
      );
    }
    sound &&= cases.length === 0;
  }
  return sound;
}

/** What is no number does not pass. */
function passesWith(ratio = NaN): boolean {
  return ratio <= NOISE;
}

/** The peer that is fastest beside us. */
function worstOf({ timings }: CaseTimings): { readonly peer: string; readonly ratio: number } {
  const peers = compare(timings).filter(({ name }) => PEERS.some((peer) => peer.name === name));
  const [worst] = peers.toSorted((a, b) => b.totalRatio - a.totalRatio);
  return { peer: worst?.name ?? "", ratio: worst?.totalRatio ?? NaN };
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
