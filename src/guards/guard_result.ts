import type { AnyInput } from "../input/input.ts";
import type { MatchedRoute } from "../routing/matched_route.ts";
import { describeRoute, isRecord, isResponse, typeError } from "../values/assert.ts";

/**
 * Applies the result of a guard. It fails closed: without an own `deny`, only an own `allow` that is `true` continues.
 *
 * @param result What the guard returned.
 * @param c The context. If the guard adds locals, `c.locals` becomes a new object that contains them.
 * @param position The guard's position in the route, from 1, for the error message.
 * @returns The response that ends the request, or `undefined` to continue.
 * @throws If the result is neither `{ allow: true }` nor `{ deny: Response }`, or if it promises valid input and the
 * input is invalid.
 */
export function applyGuardResult(
  result: unknown,
  c: { locals: object; readonly input: AnyInput | undefined; readonly route: MatchedRoute },
  position: number,
): Response | undefined {
  if (!isRecord(result)) return fail(c, position, result);
  const given: { readonly [Key in OwnKey]?: unknown } = result;
  const deny = ownValue(given, "deny", given.deny);
  if (deny !== undefined) return isResponse(deny) ? deny : fail(c, position, deny, "deny");
  const allow = ownValue(given, "allow", given.allow);
  if (allow !== true) return fail(c, position, allow, "allow");
  const valid = ownValue(given, "valid", given.valid);
  if (valid !== undefined && valid !== true) return fail(c, position, valid, "valid");
  if (valid && c.input?.ok !== true) return fail(c, position, false, "valid` with `c.input.ok");
  const locals = ownValue(given, "locals", given.locals);
  if (locals !== undefined) {
    if (!isRecord(locals)) return fail(c, position, locals, "locals");
    c.locals = { ...c.locals, ...locals };
  }
  return undefined;
}

/**
 * The value of an own property only: a polluted `Object.prototype` must not grant access. The caller reads the value:
 * `object[key]` for several keys costs 100 ns for two guards on V8.
 */
function ownValue(object: object, key: OwnKey, value: unknown): unknown {
  return value === undefined || Object.hasOwn(object, key) ? value : undefined;
}

type OwnKey = "allow" | "deny" | "locals" | "valid";

function fail(c: { route: MatchedRoute }, position: number, received: unknown, key?: string): never {
  const rule = `Guard ${position} of route ${describeRoute(c.route)} must return { allow: true } or { deny: Response }`;
  throw typeError(rule, received, key && `\`${key}\` as `);
}
