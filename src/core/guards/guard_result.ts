import type { AnyInput } from "../input/input.ts";
import type { MatchedRoute } from "../routing/matched_route.ts";
import {
  describeLocals,
  describeRoute,
  isPlain,
  isRecord,
  isResponse,
  requireNoDenial,
  typeError,
} from "../values/assert.ts";
import { pairsOf } from "../values/pairs.ts";
import { HEADERS, mergeHeaders, withHeaders } from "./guard_headers.ts";

/**
 * Applies the result of a guard. It fails closed: only an own `allow` that is `true`, without any `deny`, continues.
 *
 * @param result What the guard returned.
 * @param c The context. If the guard adds locals, `c.locals` becomes a new object that contains them. `c[HEADERS]`
 * receives the guard's headers.
 * @param position The guard's position in the route, from 1, for the error message.
 * @returns The response that ends the request, or `undefined` to continue.
 * @throws If the result is neither `{ allow: true }` nor `{ deny: Response }`, if it inherits a `deny`, if it promises
 * valid input and the input is invalid, or if its headers are invalid.
 */
export function applyGuardResult(
  result: unknown,
  c: GuardedContext,
  position: number | string,
): Response | undefined {
  if (!isRecord(result)) return fail(c, position, result);
  const given: { readonly [Key in OwnKey | "deny"]?: unknown } = result;
  const headers = ownValue(given, "headers", given.headers);
  if (headers !== undefined) addHeaders(headers as object, c, position);
  const { deny } = given;
  if (deny !== undefined) {
    // Inherited, such as from a getter of a class: it is no denial, but a guard that wants to deny must not open.
    if (!Object.hasOwn(result, "deny")) return fail(c, position, deny, "an inherited `deny` as ");
    return isResponse(deny) ? withHeaders(deny, c) : fail(c, position, deny, "`deny` as ");
  }
  const allow = ownValue(given, "allow", given.allow);
  if (allow !== true) return fail(c, position, allow, "`allow` as ");
  const valid = ownValue(given, "valid", given.valid);
  if (valid !== undefined && valid !== true) return fail(c, position, valid, "`valid` as ");
  if (valid && !c.input?.ok) return fail(c, position, valid, "`valid` for invalid input as ");
  const locals = ownValue(given, "locals", given.locals);
  if (locals !== undefined) {
    if (!isPlain(locals)) {
      throw new TypeError(`${ruleOf(c, position)}: received \`locals\` as ${describeLocals(locals)}`);
    }
    c.locals = { ...c.locals, ...requireNoDenial(locals) };
  }
  return undefined;
}

/** What of the context of a guard is read and changed. */
export interface GuardedContext {
  locals: object;
  readonly input: AnyInput | undefined;
  readonly route: MatchedRoute;
  [HEADERS]?: Headers;
}

function addHeaders(given: object, c: GuardedContext, position: number | string): void {
  try {
    // The entries of a record, not the record: undici loses its key `__proto__`.
    // `null` throws: a promise or a Response has no entries, and must not pass for no headers.
    const pairs = Symbol.iterator in given || isRecord(given) ? given : null;
    c[HEADERS] = mergeHeaders(c[HEADERS], new Headers(pairsOf(pairs as object) as [string, string][]));
  } catch {
    // Without the error of `Headers` as its cause, which may quote what a client sent.
    fail(c, position, given, "invalid `headers` as ");
  }
}

/**
 * The value of an own property only: a polluted `Object.prototype` must not grant access. The caller reads the value:
 * `object[key]` for several keys costs 100 ns for two guards on V8.
 */
function ownValue(object: object, key: OwnKey, value: unknown): unknown {
  return value === undefined || Object.hasOwn(object, key) ? value : undefined;
}

type OwnKey = "allow" | "headers" | "locals" | "valid";

function fail(
  c: { readonly route: MatchedRoute },
  position: number | string,
  received: unknown,
  prefix?: string,
): never {
  throw typeError(ruleOf(c, position), received, prefix);
}

function ruleOf({ route }: { readonly route: MatchedRoute }, position: number | string): string {
  return `Guard ${position} of route ${describeRoute(route)} must return { allow: true } or { deny: Response }`;
}
