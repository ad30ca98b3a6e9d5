import { escapeToken } from "../../core/schemas/json_pointer.ts";
import type { Keywords } from "../keywords.ts";
import type { Level } from "../change.ts";
import { type Comparison, TOO_LARGE } from "./comparison.ts";
import { within } from "./differences.ts";
import type { Found } from "./pairs.ts";
import { additionalOf, flatten, isExplicit, isHidden, isPatterned, namesOf, propertyOf, type Shape } from "./shape.ts";

/** Compares the properties of objects: those that both name, those that are gone or new, and all others. */
export function compareObjects(comparison: Comparison, x: Shape, y: Shape): readonly Found[] {
  const { before, after, spend, compare, levels: { less, more, undecided } } = comparison;
  const found: Found[] = [];
  const [inX, inY] = [namesOf(x), namesOf(y)];
  for (const name of new Set([...inX, ...inY])) {
    if (!spend(Math.ceil((x.parts.length + y.parts.length) / 16))) return [...found, undecided(TOO_LARGE)];
    const at = `/properties/${escapeToken(name)}`;
    const [was, is] = [x.required.has(name), y.required.has(name)];
    const [hidden, hides] = [isHidden(x, name, before), isHidden(y, name, after)];
    if (hidden && hides) continue;
    if (hidden || hides) {
      const flag = before.hidden === "readOnly" ? "read-only" : "write-only";
      found.push(undecided(hides ? `is ${flag} now` : `is no longer ${flag}`, at));
      continue;
    }
    if (!inY.has(name)) found.push(...compareRemoved(comparison, name, x, y, at));
    else if (!inX.has(name)) found.push(...compareAdded(comparison, name, x, y, at));
    else {
      if (was && !is) found.push(more("is optional now", at));
      if (is && !was) found.push(less("is required now", at));
      found.push(...within(at, compare(propertyOf(x, name), propertyOf(y, name))));
    }
  }
  return [...found, ...compareAdditional(comparison, x, y)];
}

function compareRemoved(comparison: Comparison, name: string, x: Shape, y: Shape, at: string): readonly Found[] {
  const { isRequest, before, after, compare, shapes, levelOfRemoval, levels: { differ } } = comparison;
  const removed = Object.assign({}, ...flatten(propertyOf(x, name), before)) as Keywords;
  const soften = (level: Level, what: string) => [differ(levelOfRemoval(removed, level), what, at)];
  if (!isRequest) return soften(x.required.has(name) ? "breaking" : "risky", "is removed");
  const rest = propertyOf(y, name);
  if (shapes(rest, after)?.length === 0) return soften("breaking", "is removed, and other keys are not allowed");
  const found = compare(propertyOf(x, name), rest);
  const isNarrower = !isSafe(comparison, found);
  return [...soften("risky", "is removed, and no longer read"), ...within(at, isNarrower ? found : [])];
}

function compareAdded(comparison: Comparison, name: string, x: Shape, y: Shape, at: string): readonly Found[] {
  const { isRequest, before, compare, shapes, levels: { differ, undecided } } = comparison;
  const wasClosed = shapes(propertyOf(x, name), before)?.length === 0;
  const added = differ("safe", "is new", at);
  if (!isRequest && wasClosed) return [undecided("is new, where no other keys were allowed", at)];
  if (isRequest && y.required.has(name)) return [differ("breaking", "is new and required", at)];
  if (isRequest && wasClosed || !isExplicit(x)) return [added];
  // What a schema says of other keys lets clients send them, and tells clients what they receive.
  const found = compare(propertyOf(x, name), propertyOf(y, name));
  const isKnown = isRequest || !isPatterned(x);
  return [
    isKnown && isSafe(comparison, found) ? added : undecided("is new, and was allowed before as another key", at),
  ];
}

function isSafe(comparison: Comparison, found: readonly Found[]): boolean {
  return ["safe", undefined].includes(comparison.worstOf(found));
}

function compareAdditional(comparison: Comparison, x: Shape, y: Shape): readonly Found[] {
  const { before, after, compare, shapes, levels: { less, more } } = comparison;
  const [a, b] = [additionalOf(x), additionalOf(y)];
  const [wasClosed, isClosed] = [shapes(a, before)?.length === 0, shapes(b, after)?.length === 0];
  const at = "/additionalProperties";
  if (wasClosed && isClosed) return [];
  if (wasClosed) return [more("allows other keys now", at, false)];
  return isClosed ? [less("no longer allows other keys", at)] : within(at, compare(a, b));
}
