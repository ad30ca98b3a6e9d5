import type { AnyRoute } from "../../core/declare/declared_route.ts";
import type { ToJsonSchema } from "../../core/schemas/json_schema.ts";
import { isRecord, requireFunction, requireOptions, requireThat } from "../../core/values/assert.ts";
import { requireWhole } from "../../core/values/whole_number.ts";
import type { FastCheck } from "../values/fast_check.ts";
import { createJudge, type FaultKind, type Finding, letsNobodyIn } from "./judge.ts";
import { methodsOf, readOperations } from "./operations.ts";
import { type Call, createPlanner } from "./plan.ts";
import { createRandom } from "./random.ts";
import { type FuzzedApp, type Run, startRun, startWatch, type Watch } from "./run.ts";
import { simpler } from "./simpler.ts";

/** What the function that makes an app receives. */
export interface Given {
  /**
   * The time, in milliseconds since 1970. Give it to what reads a clock: it moves on by a second with each request, and
   * by an hour where the app responds with 429, so that a limit does not hide what lies behind it.
   */
  readonly clock: () => number;
  /** A number for what is random, such as ids. With it, the reported requests repeat exactly. */
  readonly seed: number;
}

/** The options of {@linkcode fuzz}. */
export interface FuzzOptions {
  /** The module `fast-check`, which generates the values: `import fc from "fast-check"`. */
  readonly fc: FastCheck;
  /** Decides all that is generated and chosen: a whole number, 1 by default. A report names it. */
  readonly seed?: number | undefined;
  /** How many apps are made, one after another: 80 by default. Each gets about 40 requests. */
  readonly runs?: number | undefined;
  /**
   * The headers of users, by name, such as `{ ada: { authorization: "Bearer …" } }`. A function instead of them signs a
   * user in to each app that `create` makes, and returns the headers, such as a cookie. With two users or more, each
   * tries what the others have made. Without this option, one user has no headers and keeps the cookies that the app
   * sets.
   */
  readonly actors?: { readonly [name: string]: UserHeaders | SignIn } | undefined;
  /** The endpoints at which a user may read and change what others have made: `["GET /books/:id"]`. */
  readonly shared?: readonly string[] | undefined;
  /**
   * What is left out, each with the reason: an endpoint, `{ "POST /webhook": "needs a signature" }`, or a kind of fault
   * of an endpoint, `{ "GET /report refuses valid input": "a period has at most 90 days" }`.
   */
  readonly skip?: { readonly [endpoint: string]: string } | undefined;
  /** Converts schemas that do not implement Standard JSON Schema. */
  readonly toJsonSchema?: ToJsonSchema | undefined;
}

/**
 * Signs a user in to an app.
 *
 * @param app The app, which `create` has made.
 * @returns The headers of the user.
 */
export type SignIn = (app: FuzzableApp) => UserHeaders | Promise<UserHeaders>;

/** @internal The headers of a user. */
export type UserHeaders = NonNullable<RequestInit["headers"]>;

/** A fault of an app. */
export interface Fault {
  /** The kind, as `skip` takes it. */
  readonly kind: FaultKind;
  /** The endpoint: `GET /notes/:id`. */
  readonly endpoint: string;
  /** What is wrong. */
  readonly fault: string;
  /** The shortest requests that have been found to show it, as code: the last one shows it. */
  readonly requests: readonly string[];
  /** The seed that repeats it. */
  readonly seed: number;
}

/** An app to fuzz. */
export interface FuzzableApp extends FuzzedApp {
  /** The routes. */
  readonly routes: readonly AnyRoute[];
}

/**
 * Finds faults of an app. It makes requests of what the app declares, in process: valid ones, at the bounds and just
 * outside, with texts, numbers and dates at which programs fail. Ids of earlier responses go into later requests, by
 * the names of paths and properties. It reports each fault once, with the shortest requests that it has found to show
 * it.
 *
 * The kinds of faults:
 *
 * - `throws`, `fails`: the app throws, or responds with a status from 500 on. A declared 503 with `Retry-After` is no
 *   fault.
 * - `undeclared`: the response is not one that the endpoint declares, as {@linkcode holdToEndpoints} judges.
 * - `accepts invalid input`: a request that a schema rejects gets a status from 200 to 299.
 * - `refuses valid input`: a request that all schemas accept gets 400 or 422, in the form in which the endpoint refuses
 *   invalid input.
 * - `lets nobody in`: with `actors`, all their requests got 401, 403, 400, 422 or 429, so nothing behind the guards is
 *   tested. Add an actor whom they let in, or declare what else the endpoint needs, such as a header. It is reported
 *   from 20 requests on; if most got 400 or 422, from 20 on that the schemas accept.
 * - `is there after DELETE`: a thing is still found by its path or in its list, unchanged.
 * - `needs no credentials`: an endpoint whose `docs.security` demands some responds with 200 to 299 without any.
 * - `crosses owners`: with `actors`, one reads or changes what another has made, and `shared` does not name the
 *   endpoint. Endpoints with `docs.security: []` are for everybody.
 *
 * An app that calls others, or sends mail, does so here, too: give it something else instead.
 *
 * @param create Makes an app with its store in memory. It is called for each run, and for each try of fewer requests.
 * @param options What generates values, who sends requests, what is left out.
 * @returns The faults: an empty array if none was found, which is no proof that there is none.
 * @throws A `TypeError` if an option is wrong, if `shared` or `skip` names no endpoint, or if a schema cannot be
 * expressed as JSON Schema. Errors of `create` are passed on.
 *
 * @example An app with a fault
 * ```ts
 * import { denyInvalid, reply, route, setup } from "@fw/core";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { fuzz } from "@fw/core/testing";
 * import { assertEquals } from "@std/assert";
 * import fc from "fast-check";
 * import { z } from "zod";
 *
 * const create = () =>
 *   setup({
 *     validator: standardSchema,
 *     handlers: [
 *       route.post("/mean", {
 *         request: { body: z.array(z.number().min(0).max(9)) },
 *         responses: { 200: { schema: z.number() }, 400: {} },
 *         guards: [denyInvalid(() => reply(400))],
 *         resolve: ({ input: { body } }) => reply(200, body.reduce((a, b) => a + b, 0) / body.length),
 *       }),
 *     ],
 *   });
 *
 * assertEquals(await fuzz(create, { fc, runs: 5 }), [{
 *   kind: "undeclared",
 *   endpoint: "POST /mean",
 *   fault: "POST /mean: response 200 must fit its schema: Invalid input: expected number, received null",
 *   requests: [
 *     'await fetch("http://localhost:8000/mean", { method: "POST", ' +
 *     'headers: { "content-type": "application/json" }, body: JSON.stringify([]) })',
 *   ],
 *   seed: 1,
 * }]);
 * ```
 *
 * @example Users who sign in
 * ```ts
 * import { denyInvalid, reply, route, setup } from "@fw/core";
 * import { createSessions, ownPages } from "@fw/core/session";
 * import { sessionStore } from "@fw/core/memory";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { fuzz, type SignIn } from "@fw/core/testing";
 * import { assertEquals } from "@std/assert";
 * import fc from "fast-check";
 * import { z } from "zod";
 *
 * const create = () => {
 *   const refuse = () => reply(401);
 *   const ownPage = ownPages({ origins: [], refuse });
 *   const store = sessionStore({ most: 1000 });
 *   const sessions = createSessions({ store, idle: 600, absolute: 3600, perUser: 5, refuse });
 *   return setup({
 *     validator: standardSchema,
 *     handlers: [
 *       route.post("/sign-in", {
 *         request: { body: z.enum(["ada", "bob"]) },
 *         responses: { 204: {}, 400: {}, 401: {} },
 *         guards: [ownPage, denyInvalid(() => reply(400))],
 *         resolve: async (c) => reply(204, undefined, { headers: await sessions.begin(c.request, c.input.body) }),
 *       }),
 *       route.get("/me", {
 *         responses: { 200: { schema: z.string() }, 401: {} },
 *         guards: [sessions.reading],
 *         resolve: (c) => reply(200, c.locals.session.user),
 *       }),
 *     ],
 *   });
 * };
 *
 * const headers = { "sec-fetch-site": "same-origin" };
 * const signIn = (user: string): SignIn => async (app) => {
 *   const request = new Request("http://localhost/sign-in", { method: "POST", headers, body: JSON.stringify(user) });
 *   const cookie = (await app.fetch(request)).headers.get("set-cookie") ?? "";
 *   return { ...headers, cookie: cookie.split(";", 1).join() };
 * };
 * assertEquals(await fuzz(create, { fc, runs: 5, actors: { ada: signIn("ada"), bob: signIn("bob") } }), []);
 * ```
 */
export async function fuzz(
  create: (given: Given) => FuzzableApp | Promise<FuzzableApp>,
  options: FuzzOptions,
): Promise<readonly Fault[]> {
  requireFuzzOptions(create, options);
  const watch = startWatch();
  try {
    return await search(create, options, watch);
  } finally {
    watch.stop();
  }
}

async function search(
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
  const rules = { operations, shared: new Set(shared) };
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
  for (const operation of names.length > 0 ? operations : []) {
    const closed = letsNobodyIn(operation);
    if (closed === undefined || Object.hasOwn(skip, `${operation.name} lets nobody in`)) continue;
    const { fault, request } = closed;
    found.set(operation.name, {
      kind: "lets nobody in",
      endpoint: operation.name,
      fault: `${operation.name}: ${fault}`,
      requests: [request],
      seed,
    });
  }
  return [...found.values()];
}

/** The kinds of faults that `skip` can name. */
const KINDS: readonly FaultKind[] = [
  "throws",
  "fails",
  "undeclared",
  "accepts invalid input",
  "refuses valid input",
  "lets nobody in",
  "is there after DELETE",
  "needs no credentials",
  "crosses owners",
];

/** How many apps are made by default. */
const RUNS = 80;

/** When the clock starts. */
const START = /* @__PURE__ */ Date.UTC(2026, 0, 1);

/** About how many requests an app gets. */
const CALLS = 30;

/** How often a fault is tried with fewer or simpler requests. */
const MOST_TRIES = 40;

/** Sends calls to a new app. It ends when `see` returns `true`. */
type Send = (
  calls: readonly Call[],
  see: (finding: Finding, index: number, run: Run) => boolean,
) => Promise<void>;

/** A fault, and what has shown it. */
interface Shown {
  readonly finding: Finding;
  readonly calls: readonly Call[];
  readonly requests: readonly string[];
}

/** Leaves out calls, and makes the values of the others simpler, as long as the fault remains. */
async function shorten(shown: Shown, send: Send): Promise<Shown> {
  let best = shown;
  let tries = 0;
  const attempt = async (calls: readonly Call[]): Promise<boolean> => {
    if (tries++ >= MOST_TRIES) return false;
    const before = best;
    await send(calls, (finding, index, run) => {
      if (finding.key !== shown.finding.key) return false;
      best = { finding, calls: calls.slice(0, index + 1), requests: run.log() };
      return true;
    });
    return best !== before;
  };

  // Most faults need the calls of one chain only.
  const chain = shown.calls.at(-1)?.chain;
  if (!await attempt(shown.calls.filter((call) => call.chain === chain))) {
    for (let size = shown.calls.length >> 1; size > 1; size >>= 1) {
      for (let end = best.calls.length - 1; end > 0; end -= size) {
        await attempt(best.calls.filter((_, index) => index < end - size || index >= end));
      }
    }
  }
  for (let index = best.calls.length - 2; index >= 0; index--) {
    await attempt(best.calls.filter((_, other) => other !== index));
  }
  for (let index = best.calls.length - 1; index >= 0; index--) {
    // A step that has not helped most likely does not help behind another: it is tried again at the end only.
    let from: number | undefined = 0;
    while (from !== undefined) from = await attemptSimpler(index, from) ?? (from > 0 ? 0 : undefined);
  }
  return best;

  /** Tries the steps behind the first ones, and returns the number of the one that helped. */
  async function attemptSimpler(place: number, from: number): Promise<number | undefined> {
    let step = 0;
    for (const values of simpler((best.calls[place] as Call).values)) {
      if (step++ < from) continue;
      if (await attempt(best.calls.map((call, index) => index === place ? { ...call, values } : call))) return step - 1;
      if (tries >= MOST_TRIES) break;
    }
    return undefined;
  }
}

function requireFuzzOptions(create: unknown, options: FuzzOptions): void {
  requireFunction("The first argument of fuzz", create);
  requireOptions(options, "fuzz", [], ["fc", "seed", "runs", "actors", "shared", "skip", "toJsonSchema"]);
  const { fc, seed = 1, runs = RUNS, actors = {}, shared = [], skip = {}, toJsonSchema } = options;
  requireThat(typeof fc?.sample === "function", "Option fc", 'the module fast-check: import fc from "fast-check"', fc);
  requireThat(Number.isSafeInteger(seed), "Option seed", "a whole number", seed);
  requireWhole(runs, "Option runs", 1_000_000);
  requireThat(isRecord(actors), "Option actors", "an object of headers, or of functions", actors);
  requireThat(Array.isArray(shared), "Option shared", "an array of endpoints", shared);
  const hasReasons = isRecord(skip) &&
    Object.values(skip).every((reason) => typeof reason === "string" && reason !== "");
  requireThat(
    hasReasons,
    "Option skip",
    'an object of reasons, such as { "POST /webhook": "needs a signature" }',
    skip,
  );
  if (toJsonSchema !== undefined) requireFunction("Option toJsonSchema", toJsonSchema);
}

/** The names of the endpoints, as reports have them. */
function namesOf(routes: readonly AnyRoute[]): readonly string[] {
  return routes.flatMap((route) => methodsOf(route).map((method) => `${method} ${route.path}`));
}

/** Rejects names of endpoints that do not exist: a typo must not leave a check out. */
function requireNames(option: string, given: readonly string[], names: readonly string[], mayHaveKind: boolean): void {
  for (const name of given) {
    const isKnown = names.includes(name) ||
      mayHaveKind && KINDS.some((kind) => names.includes(name.replace(` ${kind}`, "")));
    if (isKnown) continue;
    throw new TypeError(
      `Option ${option} must name endpoints of the app, such as ${JSON.stringify(names[0])}` +
        `${mayHaveKind ? `, or a kind of fault, such as "${names[0]} ${KINDS[0]}"` : ""}: received ${
          JSON.stringify(name)
        }`,
    );
  }
}
