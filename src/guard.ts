import type { Context, MatchedRoute, NoLocals } from "./context.ts";
import { describeRoute, isRecord, isResponse, misshapen } from "./shape.ts";

/** A guard's word to go on, with the locals that it adds for the guards behind it and the handler. */
export type Allow<Locals extends object = NoLocals> = NoLocals extends Locals ? {
    /** Go on. Nothing but `true` does. */
    readonly allow: true;
    /** Keys to add to `c.locals`; keys that are there already are replaced. */
    readonly locals?: Locals;
  }
  : {
    /** Go on. Nothing but `true` does. */
    readonly allow: true;
    /** Keys to add to `c.locals`; keys that are there already are replaced. */
    readonly locals: Locals;
  };

/** A guard's word to end the request. */
export interface Deny {
  /** The response to send: later guards and the handler do not run. */
  readonly deny: Response;
}

/** What a guard returns: `{ allow: true, locals? }` or `{ deny: Response }`, and nothing else. If both, `deny` wins. */
export type GuardResult<Locals extends object = NoLocals> = Allow<Locals> | Deny;

/**
 * A guard: runs after validation, before the handler, in declared order, and ends the request or lets it go on.
 *
 * @typeParam Needs The locals that it reads.
 * @typeParam Adds The locals that it adds.
 * @typeParam Platform What follows the request in `app.fetch`, as far as the guard reads it.
 */
export type GuardFn<
  Needs extends object = NoLocals,
  Adds extends object = NoLocals,
  Platform extends readonly unknown[] = [],
> = (c: Context<Needs>, ...platform: Platform) => GuardResult<Adds> | Promise<GuardResult<Adds>>;

/** Any guard, whatever it needs and adds. */
export type AnyGuard = (c: never, ...platform: never[]) => GuardResult | Promise<GuardResult>;

/**
 * Lets the request go on.
 *
 * @returns A guard result.
 */
export function allow(): { readonly allow: true; readonly locals?: never };
/**
 * Lets the request go on, with these keys added to `c.locals`; keys that are there already are replaced.
 *
 * @param locals The keys to add.
 * @returns A guard result.
 *
 * @example A guard that adds a user
 * ```ts
 * import { allow, type Context, deny } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const authenticated = (c: Context) =>
 *   c.request.headers.get("authorization") === "Bearer ada"
 *     ? allow({ user: "ada" })
 *     : deny(new Response(null, { status: 401 }));
 *
 * assertEquals(allow({ user: "ada" }), { allow: true, locals: { user: "ada" } });
 * ```
 */
export function allow<Locals extends object>(locals: Locals): { readonly allow: true; readonly locals: Locals };
export function allow(locals?: object): { readonly allow: true; readonly locals?: object } {
  return locals === undefined ? { allow: true } : { allow: true, locals };
}

/**
 * Ends the request: later guards and the handler do not run.
 *
 * @param response The response to send.
 * @returns A guard result.
 *
 * @example A guard that denies
 * ```ts
 * import { deny } from "@fw/core";
 *
 * const closed = () => deny(new Response("Back on Monday", { status: 503 }));
 * ```
 */
export function deny(response: Response): Deny {
  return { deny: response };
}

/**
 * Reads what a guard returned, and fails closed: only the exact shapes pass.
 *
 * @param result What the guard returned.
 * @param c The context; its locals become a fresh object with those that the guard adds.
 * @param position The guard's position in the route, from 1, for the error message.
 * @returns The response that ends the request, or `undefined` to go on.
 * @throws If the result is neither `{ allow: true }` nor `{ deny: Response }`.
 */
export function admit(
  result: unknown,
  c: { locals: object; route: MatchedRoute },
  position: number,
): Response | undefined {
  if (!isRecord(result)) return refuse(c, position, result);
  const { deny, allow, locals }: { deny?: unknown; allow?: unknown; locals?: unknown } = result;
  if (deny !== undefined) {
    if (isResponse(deny)) return deny;
    return refuse(c, position, deny, "`deny` as ");
  }
  // Its own, or one polluted prototype would open every door.
  if (allow !== true || !Object.hasOwn(result, "allow")) return refuse(c, position, allow, "`allow` as ");
  if (locals !== undefined) {
    if (!isRecord(locals)) return refuse(c, position, locals, "`locals` as ");
    c.locals = { ...c.locals, ...locals };
  }
  return undefined;
}

function refuse(c: { route: MatchedRoute }, position: number, received: unknown, place?: string): never {
  const rule = `Guard ${position} of route ${describeRoute(c.route)} must return { allow: true } or { deny: Response }`;
  throw misshapen(rule, received, place);
}
