import type { AnyInput } from "../input/input.ts";
import type { MatchedRoute } from "../routing/matched_route.ts";
import { describeRoute, isRecord, isResponse, typeError } from "../values/assert.ts";

/**
 * Applies the result of a guard. It fails closed: only an own `allow` that is `true`, without any `deny`, continues.
 *
 * @param result What the guard returned.
 * @param c The context. If the guard adds locals, `c.locals` becomes a new object that contains them.
 * @param position The guard's position in the route, from 1, for the error message.
 * @returns The response that ends the request, or `undefined` to continue.
 * @throws If the result is neither `{ allow: true }` nor `{ deny: Response }`, if it inherits a `deny`, or if it
 * promises valid input and the input is invalid.
 */
export function applyGuardResult(
  result: unknown,
  c: { locals: object; readonly input: AnyInput | undefined; readonly route: MatchedRoute },
  position: number,
): Response | undefined {
  if (!isRecord(result)) return fail(c, position, result);
  const given: { readonly [Key in OwnKey | "deny"]?: unknown } = result;
  const { deny } = given;
  if (deny !== undefined) {
    // Inherited, such as from a getter of a class: it is no denial, but a guard that wants to deny must not open.
    if (!Object.hasOwn(result, "deny")) return fail(c, position, deny, "an inherited `deny` as ");
    return isResponse(deny) ? deny : fail(c, position, deny, "`deny` as ");
  }
  const allow = ownValue(given, "allow", given.allow);
  if (allow !== true) return fail(c, position, allow, "`allow` as ");
  const valid = ownValue(given, "valid", given.valid);
  if (valid !== undefined && valid !== true) return fail(c, position, valid, "`valid` as ");
  if (valid && c.input?.ok !== true) {
    throw new TypeError(
      `${describeGuard(c, position)} must return \`valid: true\` only for valid input: received it with invalid ` +
        "input. Return { deny: Response } for such input, or leave `valid` out",
    );
  }
  const locals = ownValue(given, "locals", given.locals);
  if (locals !== undefined) {
    if (!isRecord(locals)) return fail(c, position, locals, "`locals` as ");
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

type OwnKey = "allow" | "locals" | "valid";

function fail(c: { readonly route: MatchedRoute }, position: number, received: unknown, prefix?: string): never {
  throw typeError(
    `${describeGuard(c, position)} must return { allow: true } or { deny: Response }`,
    received,
    prefix,
  );
}

function describeGuard(c: { readonly route: MatchedRoute }, position: number): string {
  return `Guard ${position} of route ${describeRoute(c.route)}`;
}
