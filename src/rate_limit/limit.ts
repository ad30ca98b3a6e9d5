import type { Context, NoLocals } from "../core/guards/context.ts";
import { allow, deny, type GuardResult } from "../core/guards/guard.ts";
import { isRecord, requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireSeconds, requireWhole } from "../core/values/whole_number.ts";
import type { RateLimitStore, Taken } from "../stores/stores.ts";
import { sha256 } from "../core/values/sha256.ts";

/**
 * What {@linkcode limit} needs to know.
 *
 * @typeParam Locals The locals that `key`, `refuse` and `whenStoreFails` read.
 * @typeParam Extra The extra arguments of `app.fetch` that `key` reads.
 * @typeParam Denial The response to a request beyond the limit.
 * @typeParam Failure The response if the store fails.
 */
export interface LimitOptions<
  in Locals extends object,
  in Extra extends readonly unknown[],
  out Denial extends Response,
  out Failure extends Response,
> {
  /**
   * The name that clients see, of 1 to 50 letters, digits, `.`, `_` and `-`. Limits of the same name, quota and window
   * in the same store are one limit.
   */
  readonly name: string;
  /** How many requests at once, from 1 to 1,000,000,000. */
  readonly quota: number;
  /**
   * After how many seconds an empty quota is whole again, from 1 to 31,536,000. It comes back evenly. More than a week
   * must be whole days.
   */
  readonly window: number;
  /** Whose requests are counted together: the address of {@linkcode byAddress}, the id of a user. */
  readonly key: (c: Context<Locals>, ...extra: Extra) => string;
  /** Where the requests are counted. */
  readonly store: RateLimitStore;
  /** Builds the response to a request beyond the limit, such as 429. The guard adds the headers. */
  readonly refuse: (c: Context<Locals>, limited: RateLimit) => Denial;
  /**
   * Decides what happens if the store fails, such as when its database is down. Return a response to deny the request,
   * such as 503, or `undefined` to let it continue without a limit. What it throws goes to `onError`.
   */
  readonly whenStoreFails: (error: unknown, c: Context<Locals>) => Failure | undefined | void;
}

/** The remaining quota of a limit after a request. */
export interface RateLimit {
  /** The name of the limit. */
  readonly name: string;
  /** Its quota, in requests. */
  readonly quota: number;
  /** Its window, in seconds. */
  readonly window: number;
  /** How many requests are left now. */
  readonly remaining: number;
  /** After how many seconds one more request is allowed, at least 1. */
  readonly next: number;
}

/** The local that the guard of {@linkcode limit} adds. */
export interface RateLimited {
  /** The limits that the request has passed, in the order of their guards. */
  readonly rateLimits: readonly RateLimit[];
}

/**
 * Makes a guard that limits the rate of requests for each key. Run it before the body is read, so that a request beyond
 * the limit is not received: `beforeBody(limit({ … }))`.
 *
 * Each response has the headers `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10): the
 * policy, how many requests remain (`r`), and after how many seconds one more request is allowed (`t`). With several
 * limits on a route, they have a part for each. The response to a request beyond the limit also has `Retry-After`.
 *
 * @typeParam Locals The locals that the options read. Guards before this one must add them.
 * @typeParam Extra The extra arguments of `app.fetch` that `key` reads.
 * @typeParam Denial The response to a request beyond the limit. If `reply` makes it, routes that declare `responses`
 * must declare it.
 * @typeParam Failure The response if the store fails; the same holds for it.
 * @param options The limit.
 * @returns A guard that adds the local `rateLimits`.
 * @throws A `TypeError` if an option is missing, unknown or out of its bounds.
 *
 * @example Ten requests of a user in a minute
 * ```ts
 * import { type Context, reply, route, setup } from "@fw/core";
 * import { limit } from "@fw/core/rate-limit";
 * import { rateLimitStore } from "@fw/core/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const limited = limit({
 *   name: "user",
 *   quota: 10,
 *   window: 60,
 *   key: (c: Context<{ user: string }>) => c.locals.user,
 *   store: rateLimitStore({ most: 100_000 }),
 *   refuse: () => reply(429, { error: "Too many requests" }),
 *   whenStoreFails: () => reply(503, { error: "Try again" }),
 * });
 *
 * const app = setup({
 *   onRequest: () => ({ user: "ada" }),
 *   handlers: [
 *     route.with<{ user: string }>().get("/", { guards: [limited], resolve: () => reply(200, "It works") }),
 *   ],
 * });
 *
 * const response = await app.fetch(new Request("http://localhost/"));
 * assertEquals(response.headers.get("ratelimit"), '"user";r=9;t=6');
 * assertEquals(response.headers.get("ratelimit-policy"), '"user";q=10;w=60');
 * ```
 */
export function limit<
  const Denial extends Response,
  Locals extends object = NoLocals,
  Extra extends readonly unknown[] = [],
  const Failure extends Response = never,
>(
  options: LimitOptions<Locals, Extra, Denial, Failure>,
): (c: Context<Locals>, ...extra: Extra) => Promise<GuardResult<RateLimited, Denial | Failure>> {
  requireOptions(options, "limit", ["name", "quota", "window", "key", "store", "refuse", "whenStoreFails"], []);
  const { name, quota, window, store } = options;
  const isName = typeof name === "string" && /^[\w.-]{1,50}$/.test(name);
  requireThat(isName, "Option name of limit", "1 to 50 letters, digits, dots, underscores and hyphens", name);
  requireWhole(quota, "Option quota of limit", 1e9);
  requireSeconds(window, "Option window of limit", 31_536_000);
  requireThat(
    typeof store?.take === "function",
    "Option store of limit",
    "a store of rate limits, such as rateLimitStore of @fw/core/memory",
    store,
  );
  for (const option of ["key", "refuse", "whenStoreFails"] as const) {
    requireFunction(`Option ${option} of limit`, options[option]);
  }
  const { key, refuse, whenStoreFails } = options;
  const policy = policyOf({ name, quota, window });

  return async (c, ...extra) => {
    const whose = key(c, ...extra);
    requireThat(typeof whose === "string", `Key of limit "${name}"`, "a string", whose);
    const earlier = earlierLimits(c.locals);
    let taken: Taken;
    try {
      taken = await store.take(`${policy} ${await shorten(whose)}`, { quota, window });
    } catch (error) {
      const failure = await whenStoreFails(error, c);
      return failure === undefined ? allow({ rateLimits: earlier }) : deny(failure);
    }
    requireThat(isTaken(taken, quota), `Result of the store of limit "${name}"`, EXPECTED, taken);
    const { allowed } = taken;
    const current = { name, quota, window, ...describe(taken, quota, window) };
    const rateLimits = [...earlier, current];
    const headers = headersOf(rateLimits);
    if (allowed) return allow({ rateLimits }, { headers });
    return { deny: await refuse(c, current), headers: { ...headers, "retry-after": String(current.next) } };
  };
}

/** Whether it is what a store has to return. */
function isTaken(taken: unknown, quota: number): taken is Taken {
  if (!isRecord(taken)) return false;
  const { allowed, missing }: { readonly allowed?: unknown; readonly missing?: unknown } = taken;
  return typeof allowed === "boolean" && typeof missing === "number" && missing >= 0 && missing <= quota;
}

const EXPECTED = "{ allowed, missing }, missing 0 to quota";

/** Keeps what is stored short and printable: a key may come from a body, and a database stores no NUL. */
async function shorten(key: string): Promise<string> {
  if (/^[!-~]{1,100}$/.test(key)) return key;
  return (await sha256(key)).join();
}

/** An own property: a polluted prototype adds no limits. */
function earlierLimits(locals: Partial<RateLimited>): readonly RateLimit[] {
  return Object.hasOwn(locals, "rateLimits") && locals.rateLimits || [];
}

function describe({ allowed, missing }: Taken, quota: number, window: number): Pick<RateLimit, "remaining" | "next"> {
  const remaining = allowed ? Math.floor(quota - missing + ROUNDING) : 0;
  const toNext = (missing - (quota - remaining - 1)) * window / quota;
  return { remaining, next: Math.max(Math.ceil(toNext - ROUNDING), 1) };
}

/** Sums of fractions are not exact. */
const ROUNDING = 1e-6;

function headersOf(limits: readonly RateLimit[]): Record<string, string> {
  return {
    "ratelimit-policy": limits.map(policyOf).join(", "),
    "ratelimit": limits.map(({ name, remaining, next }) => `"${name}";r=${remaining};t=${next}`).join(", "),
  };
}

function policyOf({ name, quota, window }: Pick<RateLimit, "name" | "quota" | "window">): string {
  return `"${name}";q=${quota};w=${window}`;
}
