/** Words and places of differences. */

import type { Found } from "./pairs.ts";
import type { TypeName } from "./shape.ts";

/** Names types for people: `integer or null`. An integer beside fractions is a number. */
export function nameTypes(types: readonly TypeName[], all: ReadonlySet<TypeName>): string {
  const isNumber = all.has("integer") && all.has("fraction");
  const names = types.map((type) => type === "fraction" || (type === "integer" && isNumber) ? "number" : type);
  return [...new Set(names)].join(" or ");
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
