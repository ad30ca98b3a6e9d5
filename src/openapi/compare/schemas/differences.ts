/** Words and places of differences. */

import type { Difference } from "../change.ts";
import type { TypeName } from "./shape.ts";

/** Names types for people: `integer or null`. An integer beside fractions is a number. */
export function nameTypes(types: readonly TypeName[], all: ReadonlySet<TypeName>): string {
  const isNumber = all.has("integer") && all.has("fraction");
  const names = types.map((type) => type === "fraction" || (type === "integer" && isNumber) ? "number" : type);
  return [...new Set(names)].join(" or ");
}

/** Puts the place before those within it. */
export function within(at: string, found: readonly Difference[]): readonly Difference[] {
  return found.map((one) => ({ ...one, at: at + one.at }));
}

/** One of each. */
export function unique(found: readonly Difference[]): readonly Difference[] {
  const isNew = ({ level, at, what, inside }: Difference, index: number) =>
    found.findIndex((one) => one.level === level && one.at === at && one.what === what && one.inside === inside) ===
      index;
  return found.filter(isNew);
}
