/**
 * Checks that all contenders give the same answers, times them in process, and prints the timings as JSON.
 *
 * Its argument is {@linkcode Settings} as JSON. It runs on any runtime.
 */

import process from "node:process";
import type { Fetch } from "./application.ts";
import { type Case, CASES } from "./cases.ts";
import { assertAgreement, CHECKED, CONTENDERS, createRequest } from "./contenders.ts";

/** What to measure, and how thoroughly. */
export interface Settings {
  /** The names of the cases. */
  readonly cases: readonly string[];
  /** The names of the frameworks to measure beside the bare handler. */
  readonly contenders: readonly string[];
  /** How often each contender is timed. At 0, only the answers are checked. */
  readonly rounds: number;
  /** How often a contender answers all requests of a case in one round. */
  readonly passes: number;
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
const cases = CASES.filter(({ name }) => settings.cases.includes(name));
const [bare] = CONTENDERS;
const contenders = [...CONTENDERS, CHECKED].filter((of) => of === bare || settings.contenders.includes(of.name));
for (const of of cases) {
  for (const contender of contenders) await assertAgreement(contender, of);
}

const results: CaseTimings[] = [];
if (settings.rounds > 0) {
  // Warm up with all cases first. Code that is compiled for one case alone is thrown away at the next one.
  for (const of of cases) await measure(of, 0);
  for (const of of cases) results.push(await measure(of, settings.rounds));
}
console.log(JSON.stringify(results));

/** Lets all contenders work in turn, in rounds, so that whatever slows down the machine slows down all of them. */
async function measure(of: Case, rounds: number): Promise<CaseTimings> {
  const { exchanges } = of;
  const isSentOnce = exchanges.some(({ init }) => init.body !== undefined);
  const runners = contenders.map(({ name, fetchFor }) => {
    const fetch = fetchFor(of);
    const kept = isSentOnce ? undefined : exchanges.map(createRequest);
    return { name, run: () => time(fetch, kept ?? exchanges.map(createRequest)), times: [] as number[] };
  });
  for (const { run } of runners) {
    const end = performance.now() + settings.warmup;
    while (performance.now() < end) await run();
  }
  for (let round = 0; round < rounds; round++) {
    for (const { run, times } of shuffle(runners)) {
      let sum = 0;
      for (let pass = 0; pass < settings.passes; pass++) sum += await run();
      times.push(sum / settings.passes);
    }
  }
  return { name: of.name, rounds: Object.fromEntries(runners.map(({ name, times }) => [name, times])) };
}

/** Sends all requests, and returns nanoseconds per request. */
async function time(fetch: Fetch, requests: readonly Request[]): Promise<number> {
  const start = performance.now();
  for (const request of requests) {
    const answer = fetch(request);
    // A server does not await a response that is no promise.
    if (answer instanceof Promise) await answer;
  }
  return (performance.now() - start) * 1e6 / requests.length;
}

function shuffle<T>(items: readonly T[]): readonly T[] {
  return items.map((item) => ({ item, rank: Math.random() })).sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
