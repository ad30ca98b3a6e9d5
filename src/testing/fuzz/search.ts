import { requireThat } from "../../core/values/assert.ts";
import { createJudge } from "./judge.ts";
import { KINDS } from "./kinds/kinds.ts";
import { readOperations } from "./operations.ts";
import { type FuzzableApp, type FuzzOptions, type Given, namesOf, requireNames, RUNS } from "./options.ts";
import { createPasts } from "./past.ts";
import { createPlanner } from "./plan.ts";
import { createRandom } from "./random.ts";
import type { Fault } from "./report.ts";
import { startRun, type Watch } from "./run.ts";
import { type Send, shorten, type Shown } from "./shorten.ts";
import { codeOf } from "./code.ts";

/**
 * Searches for faults: plans calls, sends them to new apps, and shortens what shows a fault.
 *
 * @param create Makes an app.
 * @param options The options of `fuzz`.
 * @param watch Gives up where the app does not respond.
 * @returns The faults.
 * @throws A `TypeError` if a name does not exist, or if a schema cannot be expressed as JSON Schema.
 */
export async function search(
  create: (given: Given) => FuzzableApp | Promise<FuzzableApp>,
  { fc, seed = 1, runs = RUNS, actors = {}, shared = [], skip = {}, toJsonSchema }: FuzzOptions,
  watch: Watch,
): Promise<readonly Fault[]> {
  const random = createRandom(seed);
  const names = Object.keys(actors);
  let time = 0;
  const createApp = async () => {
    time = START;
    const app = await create({ clock: () => time, seed });
    requireThat(Array.isArray(app?.routes), "What create returns", "an app of setup", app);
    return app;
  };

  const { routes } = await createApp();
  const all = namesOf(routes);
  requireNames("shared", shared, all, false);
  requireNames("skip", Object.keys(skip), all, true);
  const kept = routes.filter((route) => namesOf([route]).some((name) => !Object.hasOwn(skip, name)));
  const operations = readOperations(kept, { fc, seed, random, toJsonSchema }).filter(({ name }) =>
    !Object.hasOwn(skip, name)
  );
  const pasts = createPasts(operations);
  const rules = { operations, pasts, shared: new Set(shared) };
  const planner = createPlanner(operations, names.length > 0 ? names : ["somebody"], random);

  /** Sends calls to a new app. */
  const send: Send = async (calls, see) => {
    const app = await createApp();
    const headers = new Map<string | undefined, Headers>();
    for (const [name, init] of Object.entries(actors)) {
      headers.set(name, new Headers(typeof init === "function" ? await init(app) : init));
    }
    const run = startRun(app, headers, (passed) => void (time += passed), watch);
    const judge = createJudge(run, rules);
    for (const [index, call] of calls.entries()) {
      for (const finding of await judge.judge(call)) {
        if (see(finding, index, run)) return;
      }
    }
  };

  const found = new Map<string, Fault>();
  for (let count = 0; count < runs && operations.length > 0; count++) {
    const calls = await planner.plan(CALLS);
    const news = new Map<string, Shown>();
    await send(calls, (finding, index, run) => {
      const isSkipped = Object.hasOwn(skip, `${finding.operation.name} ${finding.kind}`);
      if (!isSkipped && !found.has(finding.key) && !news.has(finding.key)) {
        news.set(finding.key, { finding, calls: calls.slice(0, index + 1), requests: run.log() });
      }
      return false;
    });
    for (const [key, shown] of news) {
      const { finding: { kind, operation, what }, requests } = await shorten(shown, send);
      found.set(key, { kind, endpoint: operation.name, fault: `${operation.name}: ${what}`, requests, seed });
    }
  }
  for (const [operation, past] of pasts) {
    for (const kind of KINDS) {
      const key = `${operation.name} ${kind.kind}`;
      const shown = kind.shownBy === "endpoint" ? kind.judge(operation, past, names.length > 0) : undefined;
      if (shown === undefined || Object.hasOwn(skip, key)) continue;
      found.set(key, {
        kind: kind.kind,
        endpoint: operation.name,
        fault: `${operation.name}: ${shown.what}`,
        requests: [codeOf(shown.request)],
        seed,
      });
    }
  }
  return [...found.values()];
}

/** When the clock starts. */
const START = /* @__PURE__ */ Date.UTC(2026, 0, 1);

/** About how many requests an app gets. */
const CALLS = 30;
