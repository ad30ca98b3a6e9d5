import type { Keywords } from "../keywords.ts";
import type { Level, SchemaComparison } from "../change.ts";
import { compareAlternatives } from "./compare_alternatives.ts";
import { type Comparison, TOO_LARGE } from "./comparison.ts";
import { levelsOf } from "./differences.ts";
import { createPairs, type Found } from "./pairs.ts";
import { sameSchemas } from "./same_schemas.ts";
import { follow, type Schemas, type Shape, shapesOf, type Source } from "./shape.ts";

/** What a comparison needs to know. */
export interface Compared {
  /** The side: a client sends requests and receives responses. */
  readonly side: "request" | "response";
  /** The level of a number or a boolean in place of any text; `undefined` if values keep their types, as in JSON. */
  readonly text?: Level;
  readonly before: Source;
  readonly after: Source;
  /** Counts steps. `false` if there have been too many. */
  readonly spend: (cost?: number) => boolean;
  /** The level of the removal of what may be deprecated. */
  readonly levelOfRemoval: (removed: Keywords, level: Level) => Level;
}

/**
 * Creates a comparison. Each pair of schemas is compared once, so schemas that refer to themselves end.
 *
 * @param compared The documents, and the side.
 * @returns The comparison.
 */
export function compareSchemas({ side, text, before, after, spend, levelOfRemoval }: Compared): SchemaComparison {
  const isRequest = side === "request";
  const ids = new Map<unknown, number>();
  const idOf = (value: unknown) => ids.get(value) ?? (ids.set(value, ids.size), ids.size - 1);
  const keyOf = (schemas: Schemas) => schemas.map(idOf).join();
  const isSame = sameSchemas(before, after, idOf);
  const cache = new Map<string, readonly Shape[] | undefined>();
  const levels = levelsOf(isRequest);
  const { compare: pairOf, worstOf, isNone, list } = createPairs(look, spend, levels.undecided(TOO_LARGE));
  const comparison: Comparison = {
    isRequest,
    text,
    before,
    after,
    levels,
    spend,
    levelOfRemoval,
    isSame,
    compare,
    shapes,
    worstOf,
    isNone,
  };

  function compare(given: Schemas, others: Schemas): readonly Found[] {
    const [x, y] = [follow(given, before), follow(others, after)];
    return isSame(x, y) ? [] : pairOf(x, y, `${keyOf(x)} ${keyOf(y)}`);
  }

  function look(x: Schemas, y: Schemas): readonly Found[] {
    const [xs, ys] = [shapes(x, before), shapes(y, after)];
    if (xs && ys) return compareAlternatives(comparison, xs, ys);
    return [levels.undecided("has too many alternatives to be compared")];
  }

  function shapes(schemas: Schemas, source: Source): readonly Shape[] | undefined {
    const key = `${source === before ? "x" : "y"} ${keyOf(schemas)}`;
    if (!cache.has(key)) cache.set(key, shapesOf(schemas, source));
    return cache.get(key);
  }

  return { compare: (x, y) => list(compare(x, y)) };
}
