import { type Alternative, alternativeOf, areApart } from "./alternatives.ts";
import type { Level } from "../change.ts";
import { compareTypes } from "./compare_keywords.ts";
import { compareShapes } from "./compare_shapes.ts";
import type { Comparison } from "./comparison.ts";
import { unique } from "./differences.ts";
import type { Found } from "./pairs.ts";
import type { Shape, TypeName } from "./shape.ts";

const NONE: readonly Found[] = [];

/** Two alternatives, and what differs between them. */
interface AlternativePair {
  readonly other: Alternative;
  readonly found: readonly Found[];
  readonly worst: Level | undefined;
}

/** Compares the alternatives of two schemas, type by type. */
export function compareAlternatives(
  comparison: Comparison,
  xs: readonly Shape[],
  ys: readonly Shape[],
): readonly Found[] {
  const { levels: { undecided } } = comparison;
  const [[x, ...others], [y, ...more]] = [xs, ys];
  if (x && y && others.length + more.length === 0) return compareShapes(comparison, x, y);
  const found: Found[] = [];
  const [ofX, ofY] = [split(xs), split(ys)];
  found.push(...compareTypes(comparison, new Set(ofX.keys()), new Set(ofY.keys())));
  for (const [type, mine] of ofX) {
    const its = ofY.get(type);
    if (its !== undefined) found.push(...matchAlternatives(comparison, type, mine, its));
  }
  if ([...xs, ...ys].some(({ overlaps }) => overlaps)) {
    found.push(undecided("has changed, and several alternatives of oneOf may allow the same value"));
  }
  return unique(found);
}

/** The alternatives of each type. */
function split(shapes: readonly Shape[]): ReadonlyMap<TypeName, readonly Shape[]> {
  const byType = new Map<TypeName, Shape[]>();
  for (const shape of shapes) {
    for (const type of shape.types) {
      const list = byType.get(type) ?? [];
      byType.set(type, list);
      list.push({ ...shape, types: new Set([type]) });
    }
  }
  return byType;
}

/** Compares the alternatives of one type: each must be within one of the other side. */
function matchAlternatives(
  comparison: Comparison,
  type: TypeName,
  xs: readonly Shape[],
  ys: readonly Shape[],
): readonly Found[] {
  const { isRequest, before, after, levels: { differ }, worstOf } = comparison;
  const [x, y] = [xs[0], ys[0]];
  if (xs.length === 1 && ys.length === 1 && x && y) return compareShapes(comparison, x, y);
  const found: Found[] = [];
  // Each of the first must be among the others.
  const [mine, its] = [xs.map((x) => alternativeOf(x, before)), ys.map((y) => alternativeOf(y, after))];
  const [demanded, offered] = isRequest ? [mine, its] : [its, mine];
  const rows = demanded.map((one) => ({
    one,
    pairs: offered.map((other): AlternativePair => {
      if (areApart(one, other)) return { other, found: NONE, worst: "breaking" };
      const [{ shape: x }, { shape: y }] = isRequest ? [one, other] : [other, one];
      const found = compareShapes(comparison, x, y);
      return { other, found, worst: worstOf(found) };
    }),
  }));
  const matched = new Set<Alternative>();
  for (const { one: { name, shape }, pairs } of rows) {
    const match = pairs.find(({ worst }) => worst === undefined) ?? pairs.find(({ worst }) => worst === "safe") ??
      pairs.find(({ other }) => name !== undefined && other.name === name) ??
      pairs.find(({ worst }) => worst !== "breaking");
    if (match !== undefined) {
      matched.add(match.other);
      found.push(...match.found);
      continue;
    }
    // Clients of `anyOf` find out what they have received: it may be something else.
    const sure = isRequest || type !== "object" || !shape.parts.some(({ anyOf }) => Array.isArray(anyOf));
    const what = `${name ?? type} is ${isRequest ? "no longer among" : "new among"} the alternatives`;
    found.push(differ(sure ? "breaking" : "risky", what));
  }
  for (const one of offered) {
    const isCovered = rows.some(({ pairs }) => pairs.some(({ other, worst }) => other === one && worst === undefined));
    if (matched.has(one) || isCovered) continue;
    const what = `${one.name ?? type} is ${isRequest ? "new among" : "no longer among"} the alternatives`;
    found.push(differ("safe", what));
  }
  return found;
}
