/**
 * Checks that all contenders give the same answers, times them in process, and prints the timings as JSON.
 *
 * Its one argument is {@linkcode Settings} as JSON. It runs on any runtime.
 */

import process from "node:process";
import type { Fetch } from "./application.ts";
import { type Case, CASES, RING } from "./cases.ts";
import { assertAgreement, CONTENDERS, createRequests } from "./contenders.ts";

/** What to measure, and how thoroughly. */
export interface Settings {
  /** The names of the cases. Without any, only the answers are checked. */
  readonly cases: readonly string[];
  readonly rounds: number;
  /** How long a contender works in one round, in milliseconds. */
  readonly batch: number;
  /** How long a contender works on a case before the first round, in milliseconds. */
  readonly warmup: number;
}

/** What was measured of one case. */
export interface CaseTimings {
  readonly name: string;
  /** Nanoseconds per request, round by round, by the name of the contender. */
  readonly rounds: Readonly<Record<string, readonly number[]>>;
}

const settings: Settings = JSON.parse(process.argv[2] ?? "");
for (const of of CASES) {
  for (const contender of CONTENDERS) await assertAgreement(contender, of);
}

const results: CaseTimings[] = [];
if (settings.cases.length > 0) {
  // Warm up with all cases first. Code that is compiled for one case alone is thrown away at the next one.
  for (const of of CASES) await measure(of, 0);
  for (const of of CASES) {
    if (settings.cases.includes(of.name)) results.push(await measure(of, settings.rounds));
  }
}
console.log(JSON.stringify(results));

/** Lets all contenders work in turn, in rounds, so that whatever slows down the machine slows down all of them. */
async function measure(of: Case, rounds: number): Promise<CaseTimings> {
  const runners: { readonly name: string; readonly run: Run; readonly passes: number; readonly times: number[] }[] = [];
  for (const { name, fetchFor } of CONTENDERS) {
    const run = createRun(fetchFor(of), of);
    const perRequest = await warmUp(run);
    const passes = Math.max(1, Math.round(settings.batch * 1e6 / (perRequest * RING)));
    runners.push({ name, run, passes, times: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const { run, passes, times } of shuffle(runners)) times.push(await run(passes));
  }
  return { name: of.name, rounds: Object.fromEntries(runners.map(({ name, times }) => [name, times])) };
}

/** Sends the requests of a case so many times. Returns nanoseconds per request. */
type Run = (passes: number) => Promise<number>;

function createRun(fetch: Fetch, of: Case): Run {
  // A body can be read only once, so these requests are made before each run.
  if (of.exchanges.some(({ init }) => init.body !== undefined)) return () => time(fetch, createRequests(of), 1);
  // Each contender has its own requests, because itty-router adds properties to them.
  const requests = createRequests(of);
  return (passes) => time(fetch, requests, passes);
}

async function time(fetch: Fetch, requests: readonly Request[], passes: number): Promise<number> {
  const start = performance.now();
  for (let pass = 0; pass < passes; pass++) {
    for (const request of requests) {
      const answer = fetch(request);
      // Servers do not wait for a response that is there, either.
      if (answer instanceof Promise) await answer;
    }
  }
  return (performance.now() - start) * 1e6 / (passes * requests.length);
}

/** Works until the time is over. Returns the nanoseconds per request of the last pass. */
async function warmUp(run: Run): Promise<number> {
  const end = performance.now() + settings.warmup;
  for (;;) {
    const perRequest = await run(1);
    if (performance.now() >= end) return perRequest;
  }
}

function shuffle<T>(items: readonly T[]): readonly T[] {
  return items.map((item) => ({ item, rank: Math.random() })).sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
