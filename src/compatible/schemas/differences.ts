/** Levels, words and places of differences. */

import type { Level } from "../change.ts";
import type { Found } from "./pairs.ts";
import type { TypeName } from "./shape.ts";

/** Names types for people: `integer or null`. An integer beside fractions is a number. */
export function nameTypes(types: readonly TypeName[], all: ReadonlySet<TypeName>): string {
  const isNumber = all.has("integer") && all.has("fraction");
  const names = types.map((type) => type === "fraction" || (type === "integer" && isNumber) ? "number" : type);
  return [...new Set(names)].join(" or ");
}

export function describeTypes(x: ReadonlySet<TypeName>, y: ReadonlySet<TypeName>): string {
  return `type was ${nameTypes([...x], x)}, is ${nameTypes([...y], y)}`;
}

/** Puts the place before those within it. */
export function within(at: string, found: readonly Found[]): readonly Found[] {
  return found.map((one) => ({ ...one, at: at + one.at }));
}

/** One of each. */
export function unique(found: readonly Found[]): readonly Found[] {
  const isNew = ({ level, at, what, inside }: Found, index: number) =>
    found.findIndex((one) => one.level === level && one.at === at && one.what === what && one.inside === inside) ===
      index;
  return found.filter(isNew);
}

/** Creates differences of one side. */
export interface Levels {
  differ(level: Level, what: string, at?: string): Found;
  /** Less is allowed: a request may be rejected, a response promises more. */
  less(what: string, at?: string, sure?: boolean): Found;
  /** More is allowed: a request may be more, a response surprises. */
  more(what: string, at?: string, sure?: boolean): Found;
  undecided(what: string, at?: string): Found;
}

/** The levels of differences in what clients send, or in what they receive. */
export function levelsOf(isRequest: boolean): Levels {
  const differ = (level: Level, what: string, at = ""): Found => ({ level, at, what });
  const breaks = (what: string, at = "", sure = true) => differ(sure ? "breaking" : "risky", what, at);
  const isSafe = (what: string, at = "") => differ("safe", what, at);
  const [less, more] = isRequest ? [breaks, isSafe] : [isSafe, breaks];
  return { differ, less, more, undecided: (what, at) => differ("risky", what, at) };
}
