/**
 * Checks that all contenders give the same answers, times them in process, and prints the timings as JSON.
 *
 * Its one argument is {@linkcode Settings} as JSON. It runs on any runtime.
 */

import process from "node:process";
import type { Fetch } from "./application.ts";
import { type Case, CASES, RING } from "./cases.ts";
import { assertAgreement, CONTENDERS, createRequest } from "./contenders.ts";

/** What to measure, and how thoroughly. */
export interface Settings {
  /** The names of the cases. Without any, only the answers are checked. */
  readonly cases: readonly string[];
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

/** How many requests are made at a time. */
const CHUNK = 64;

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
  const runners = CONTENDERS.map(({ name, fetchFor }) => ({ name, fetch: fetchFor(of), times: [] as number[] }));
  for (const { fetch } of runners) {
    const end = performance.now() + settings.warmup;
    while (performance.now() < end) await time(fetch, of);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { fetch, times } of shuffle(runners)) times.push(await time(fetch, of, settings.passes));
  }
  return { name: of.name, rounds: Object.fromEntries(runners.map(({ name, times }) => [name, times])) };
}

/**
 * Sends all requests of a case, and returns nanoseconds per request.
 *
 * Each request is sent once, as on a server, so that nothing is known of its url and headers. Requests are made outside of
 * the measured loop, a few at a time: as many as the processor's cache holds.
 */
async function time(fetch: Fetch, { exchanges }: Case, passes = 1): Promise<number> {
  let elapsed = 0;
  for (let pass = 0; pass < passes; pass++) {
    for (let from = 0; from < RING; from += CHUNK) {
      const requests = exchanges.slice(from, from + CHUNK).map(createRequest);
      const start = performance.now();
      for (const request of requests) {
        const answer = fetch(request);
        // A server does not await a response that is no promise.
        if (answer instanceof Promise) await answer;
      }
      elapsed += performance.now() - start;
    }
  }
  return elapsed * 1e6 / (passes * RING);
}

function shuffle<T>(items: readonly T[]): readonly T[] {
  return items.map((item) => ({ item, rank: Math.random() })).sort((a, b) => a.rank - b.rank).map(({ item }) => item);
}
