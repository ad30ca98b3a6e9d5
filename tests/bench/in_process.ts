/**
 * Times every contender in process, `fetch(request)`, case by case, and prints what it measured as JSON.
 *
 * Its one argument is {@linkcode InProcessSettings} as JSON. It runs on any runtime.
 */

import process from "node:process";
import { argumentsFor, assertAgreement } from "./agreement.ts";
import { type Case, CASES } from "./cases.ts";
import type { Fetch } from "./contender.ts";
import { CONTENDERS } from "./contenders.ts";
import { type Effort, measure, type Timing } from "./rounds.ts";

/** What to measure, and how thoroughly. */
export interface InProcessSettings extends Effort {
  /** The names of the cases. Those beside them that ask the same applications are worked through, and not timed. */
  readonly cases: readonly string[];
  readonly modes: readonly Mode[];
}

/** Whether each request is made anew, as by a server, or made once and used again, so that nothing but `fetch` is timed. */
export type Mode = "fresh" | "ready";

/** What was measured of one case. */
export interface CaseTimings {
  readonly name: string;
  readonly mode: Mode;
  readonly timings: readonly Timing[];
}

const settings: InProcessSettings = JSON.parse(process.argv[2] ?? "");
const groups = [];
const apps = CASES.filter(({ name }) => settings.cases.includes(name)).map(({ app }) => app);
for (const of of CASES) {
  if (!apps.includes(of.app)) continue;
  await assertAgreement(CONTENDERS, of);
  // A body can be read once only.
  const hasBody = of.exchanges.some(({ body }) => body !== undefined);
  for (const mode of hasBody ? ["fresh"] as const : settings.modes) {
    groups.push({ name: of.name, mode, entries: entriesFor(of, mode) });
  }
}
// All of them first: whatever is compiled for one case alone is thrown away at the next, which then runs for a second as slow
// as on the first day. A server that has been up for a while has seen every kind of request.
for (const { entries } of groups) await measure(entries, { ...settings, rounds: 0 });

const results: CaseTimings[] = [];
for (const { name, mode, entries } of groups) {
  if (settings.cases.includes(name)) results.push({ name, mode, timings: await measure(entries, settings) });
}
console.log(JSON.stringify(results));

function entriesFor(of: Case, mode: Mode) {
  return CONTENDERS.flatMap((contender) => {
    const fetch = contender.fetchFor(of);
    if (fetch === undefined) return [];
    const run = mode === "fresh" ? runFresh(fetch, of) : runReady(fetch, of);
    return [{ name: contender.name, run, operations: of.exchanges.length }];
  });
}

function runFresh(fetch: Fetch, { exchanges }: Case) {
  const requests = exchanges.map(argumentsFor);
  return async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      for (const [url, init] of requests) {
        const answer = fetch(new Request(url, init));
        // What is there at once is not waited for, by servers neither.
        if (answer instanceof Promise) await answer;
      }
    }
  };
}

function runReady(fetch: Fetch, { exchanges }: Case) {
  const requests = exchanges.map((exchange) => new Request(...argumentsFor(exchange)));
  return async (times: number): Promise<void> => {
    for (let time = 0; time < times; time++) {
      for (const request of requests) {
        const answer = fetch(request);
        if (answer instanceof Promise) await answer;
      }
    }
  };
}
