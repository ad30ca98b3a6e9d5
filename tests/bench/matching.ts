/**
 * Times the routers alone, table by table, and prints what it measured as JSON.
 *
 * Its one argument is {@linkcode MatchingSettings} as JSON. It runs on any runtime; memory is measured where the garbage
 * collector can be called.
 */

import process from "node:process";
import { type Finder, type Matcher, MATCHERS } from "./matchers.ts";
import { type Effort, measure, type Timing } from "./rounds.ts";
import { createTable, githubTable, type TableRoute } from "./route_tables.ts";
import { median } from "./statistics.ts";

/** What to measure, and how thoroughly. */
export interface MatchingSettings extends Effort {
  /** The sizes of the tables beside GitHub's. */
  readonly sizes: readonly number[];
}

/** What was measured of one table. */
export interface TableTimings {
  readonly name: string;
  readonly timings: readonly Timing[];
  readonly builds: readonly Build[];
}

/** What it takes to put the routes in, and to find a first one. */
export interface Build {
  readonly name: string;
  readonly milliseconds: number;
  /** What stays in memory, in bytes, if known. */
  readonly bytes?: number;
  /** Why there is nothing to time. */
  readonly refused?: string;
}

/** Everything that was measured. */
export interface MatchingTimings {
  readonly tables: readonly TableTimings[];
  /** Our own router with each size of table, by turns. */
  readonly growth: readonly Timing[];
}

/** At most so many requests are made of a table, spread over it. */
const REQUESTS = 200;
const BUILDS = 5;

const settings: MatchingSettings = JSON.parse(process.argv[2] ?? "");
const tables = [
  { name: "GitHub", table: githubTable },
  ...settings.sizes.map((size) => ({ name: `${size} routes`, table: createTable(size) })),
];
const results: MatchingTimings = {
  tables: await inTurn(tables, async ({ name, table }) => {
    const built = MATCHERS.map((matcher) => ({ matcher, ...build(matcher, table) }));
    const entries = built.flatMap(({ matcher, finder }) => finder ? [entryFor(matcher.name, finder, table)] : []);
    return { name, timings: await measure(entries, settings), builds: built.map((each) => each.build) };
  }),
  growth: await measure(
    tables.slice(1).flatMap(({ name, table }) =>
      MATCHERS.slice(0, 1).map((ours) => entryFor(name, ours.build(table), table))
    ),
    settings,
  ),
};
console.log(JSON.stringify(results));

/** Builds a router several times over, and asserts that it finds every route of the table. */
function build(matcher: Matcher, table: readonly TableRoute[]): { build: Build; finder?: Finder } {
  const { name } = matcher;
  const [first] = table;
  if (first === undefined) throw new Error("A table has routes");
  const times: number[] = [];
  const bytes: number[] = [];
  let finder: Finder | undefined;
  try {
    for (let turn = 0; turn < BUILDS; turn++) {
      finder = undefined;
      const before = bytesInUse();
      const start = performance.now();
      finder = matcher.build(table);
      // Some do the better part of the work at the first request.
      finder.find(first.method, first.path);
      times.push(performance.now() - start);
      const after = bytesInUse();
      if (before !== undefined && after !== undefined) bytes.push(after - before);
    }
  } catch (error) {
    return { build: { name, milliseconds: 0, refused: String(error) } };
  }
  if (finder === undefined) throw new Error("Nothing was built");
  assertFinds(name, finder, table);
  return { build: { name, milliseconds: median(times), ...(bytes.length > 0 && { bytes: median(bytes) }) }, finder };
}

function assertFinds(name: string, finder: Finder, table: readonly TableRoute[]): void {
  for (const { method, path, pattern, params } of requestsFor(table)) {
    const { route, params: received } = finder.read(method, path);
    const agree = Object.entries(params).every(([name, value]) => received[name] === value);
    if (table[route]?.pattern !== pattern || table[route].method !== method || !agree) {
      throw new Error(`${name} finds ${table[route]?.pattern} and ${JSON.stringify(received)} for ${method} ${path}`);
    }
  }
}

function entryFor(name: string, finder: Finder, table: readonly TableRoute[]) {
  const requests = requestsFor(table).map(({ method, path }) => ({ method, path }));
  return {
    name,
    operations: requests.length,
    run(times: number) {
      for (let time = 0; time < times; time++) {
        for (const { method, path } of requests) found = finder.find(method, path);
      }
    },
  };
}

/** Kept, so that no compiler finds out that nobody needs it. */
export let found: unknown;

function requestsFor(table: readonly TableRoute[]): readonly TableRoute[] {
  const step = Math.max(1, Math.ceil(table.length / REQUESTS));
  return table.filter((_, index) => index % step === Math.floor(index / step) % step);
}

/** What is in use after all garbage is gone. */
function bytesInUse(): number | undefined {
  const collect = globalThis.gc ?? globalThis.Bun?.gc;
  if (collect === undefined) return undefined;
  collect(true);
  return process.memoryUsage().heapUsed;
}

declare global {
  /** In V8 with `--expose-gc`. */
  var gc: ((now: boolean) => void) | undefined;
  /** As much of Bun as is used here. */
  var Bun: { gc(now: boolean): void } | undefined;
}

async function inTurn<T, R>(items: readonly T[], next: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await next(item));
  return results;
}
