import { requireThat } from "../../core/values/assert.ts";
import { signIn } from "./actors.ts";
import { dependsOnState } from "./doubt.ts";
import { isGranted } from "./granted.ts";
import { createJudge, type Finding } from "./judge.ts";
import { KINDS } from "./kinds/kinds.ts";
import { type Operation, readOperations } from "./operations.ts";
import type { FuzzableApp } from "./app.ts";
import { type FuzzOptions, type Given, namesOf, requireNames, RUNS } from "./options.ts";
import { createPasts, type Past, reachedBy } from "./past.ts";
import type { Call } from "./plan/call.ts";
import { createPlanner } from "./plan/plan.ts";
import { kindsOf } from "./pool.ts";
import { createRandom } from "./random.ts";
import { type Evidence, type Faults, listFaults, report } from "./report.ts";
import { type Run, type Sent, startRun, type Watch } from "./run.ts";
import { createLine } from "./talk.ts";
import { type See, type Send, shorten, type Shown } from "./shorten.ts";

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
  { fc, seed = 1, runs = RUNS, actors = {}, shared = [], links = {}, skip = {}, toJsonSchema }: FuzzOptions,
  watch: Watch,
): Promise<Faults> {
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
  requireNames("shared", shared.filter((name) => !names.includes(name)), all, false);
  requireNames("skip", Object.keys(skip), all, true);
  requireNames("links", Object.values(links).map((value) => value.replace(/ \S+$/, "")), all, false);
  const kept = routes.filter((route) => namesOf([route]).some((name) => !Object.hasOwn(skip, name)));
  const operations = readOperations(kept, { fc, seed, random, toJsonSchema }).filter(({ names }) =>
    !names.some((name) => Object.hasOwn(skip, name))
  );
  const isSkipped = ({ operation, kind }: Finding) =>
    operation.names.some((name) => Object.hasOwn(skip, `${name} ${kind}`));
  const ways = { links, kinds: new Set(operations.flatMap(kindsOf)), makers: new Map() };
  const pasts = createPasts(operations);
  const rules = { operations, pasts, shared: new Set(shared) };
  const planner = createPlanner(operations, pasts, ways, names.length > 0 ? names : ["somebody"], random);

  /** Sends calls to a new app. */
  const send = async (calls: readonly Call[], see: See, isCounted: boolean): Promise<Run> => {
    const app = await createApp();
    const signingIn = { ...app, fetch: (request: Request) => app.fetch(request, createLine([]).sockets) };
    const run = startRun(app, await signIn(actors, signingIn), (passed) => void (time += passed), ways, watch);
    const judge = createJudge(run, rules, isCounted);
    try {
      for (const [index, call] of calls.entries()) {
        for (const finding of await judge.judge(call)) {
          if (see(finding, index, run)) return run;
        }
      }
    } finally {
      judge.end();
    }
    return run;
  };
  const replay: Send = (calls, see) => send(calls, see, false);

  const found = new Map<string, Evidence>();
  const dismissed = new Set<string>();
  let last: Run | undefined;
  for (let count = 0; count < runs && operations.length > 0; count++) {
    const calls = await planner.plan(CALLS);
    const news = new Map<string, Shown>();
    last = await send(calls, (finding, index, run) => {
      const isNew = !found.has(finding.key) && !news.has(finding.key) && !dismissed.has(doubtOf(finding));
      if (isNew && !isSkipped(finding)) {
        news.set(finding.key, { finding, calls: calls.slice(0, index + 1), sent: [...run.sent], run });
      }
      return false;
    }, true);
    for (const [key, shown] of news) {
      const best = await shorten(shown, replay);
      if (
        best.finding.doubt !== undefined && await dependsOnState(best, replay) || await isGranted(best, replay)
      ) {
        dismissed.add(doubtOf(shown.finding));
        continue;
      }
      found.set(key, { ...best, again: await sendAgain(best.calls, replay) });
    }
  }
  for (const evidence of last === undefined ? [] : atEnd(pasts, names.length > 0, last)) {
    if (!isSkipped(evidence.finding)) found.set(evidence.finding.key, evidence);
  }

  const reached = reachedBy(pasts);
  const faults = [...found].filter(([key, { finding }]) => !isOfGet(key, finding, found))
    .map(([, evidence]) => report(evidence, reached, seed));
  return listFaults(faults, reached);
}

/** When the clock starts. */
const START = /* @__PURE__ */ Date.UTC(2026, 0, 1);

/** About how many requests an app gets. */
const CALLS = 30;

/** Whether GET on the same route has the same fault, which HEAD need not show again. */
function isOfGet(key: string, { operation: { name, names } }: Finding, found: ReadonlyMap<string, Evidence>): boolean {
  return names.some((other) => other !== name && found.has(key.replace(name, other)));
}

/** What tells one refusal from another that may be a rule of the business. */
function doubtOf({ key, doubt = "" }: Finding): string {
  return `${key} ${doubt}`;
}

/** Sends calls once more: what differs then, such as a random id, cannot be pasted. */
async function sendAgain(calls: readonly Call[], replay: Send): Promise<readonly Sent[]> {
  const { sent } = await replay(calls, () => false);
  return sent;
}

/** The faults that all responses of an endpoint show together. */
function atEnd(pasts: ReadonlyMap<Operation, Past>, hasActors: boolean, run: Run): readonly Evidence[] {
  return Array.from(pasts).flatMap(([operation, past]) =>
    KINDS.flatMap((kind) => {
      const shown = kind.shownBy === "endpoint" ? kind.judge(operation, past, hasActors) : undefined;
      if (shown === undefined) return [];
      const { what, request, result } = shown;
      const finding = {
        kind: kind.kind,
        operation,
        what,
        details: [],
        result,
        key: `${operation.name} ${kind.kind}`,
        doubt: undefined,
      };
      const sent = [{ prepared: request, status: result.status, isLater: false, staysOpen: false }];
      return [{ finding, sent, again: sent, run }];
    })
  );
}
