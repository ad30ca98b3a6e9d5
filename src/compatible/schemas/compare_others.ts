import type { Comparison } from "./comparison.ts";
import type { Found } from "./pairs.ts";
import type { Shape } from "./shape.ts";
import { EVALUATING, HAVE_SCHEMA, OTHERS, valuesOf } from "./shape_keywords.ts";

const UNEVALUATED = "unevaluatedProperties";

/** Keywords of which only is known whether they are the same. */
export function compareOthers(comparison: Comparison, x: Shape, y: Shape): readonly Found[] {
  const { isSame, levels: { undecided } } = comparison;
  const differs = (keyword: string) => !isSame(valuesOf(x, keyword), valuesOf(y, keyword));
  const beside = [...EVALUATING].flatMap(([keyword, others]) => {
    if (![x, y].some((shape) => valuesOf(shape, keyword).length > 0)) return [];
    return others.filter(differs).map((other) => undecided(`${other} has changed, beside ${keyword}`, `/${other}`));
  });
  // In another part of `allOf`, `additionalProperties` leaves nothing that is unevaluated, but only there.
  if (differs(UNEVALUATED) && [x, y].some((shape) => valuesOf(shape, "additionalProperties").length > 0)) {
    beside.push(undecided(`${UNEVALUATED} has changed, beside additionalProperties`, `/${UNEVALUATED}`));
  }
  return [...beside, ...compareRest(comparison, x, y)];
}

function compareRest(comparison: Comparison, x: Shape, y: Shape): readonly Found[] {
  const { isRequest, isSame, isNone, compare, levels: { less, more, undecided } } = comparison;
  return [...HAVE_SCHEMA, ...OTHERS].flatMap((keyword) => {
    if (keyword.startsWith("x-") && !isRequest) return [];
    const [a = [], b = []] = [x, y].map((shape) => (
      // As a schema, it is followed.
      valuesOf(shape, keyword).map((value) => keyword === "$dynamicRef" ? { $dynamicRef: value } : value)
    ));
    if (isSame(a, b)) return [];
    const isForm = HAVE_SCHEMA.includes(keyword) && a.length === b.length;
    if (isForm && a.every((one, index) => isNone(compare([one], [b[index]])))) return [];
    const at = `/${keyword.startsWith("$ref") ? "$ref" : keyword}`;
    // With or without `additionalProperties`, these names were or are allowed.
    if (keyword === "patternProperties") return [undecided("patternProperties have changed", at)];
    if (a.length === 0) return [less(`${keyword} is new`, at, false)];
    return [b.length === 0 ? more(`${keyword} is gone`, at, false) : undecided(`${keyword} has changed`, at)];
  });
}
