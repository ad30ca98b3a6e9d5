import {
  compareBound,
  compareDefaults,
  compareMultiples,
  compareText,
  compareTexts,
  compareTypes,
  compareValues,
} from "./compare_keywords.ts";
import { compareObjects } from "./compare_objects.ts";
import { compareOthers } from "./compare_others.ts";
import { type Comparison, TOO_LARGE } from "./comparison.ts";
import { nameTypes, within } from "./differences.ts";
import type { Found } from "./pairs.ts";
import { itemOf, prefixLengthOf, type Shape, type TypeName } from "./shape.ts";
import { isUnevaluated, limitsOfText, rangeIn, typesOf, valuesIn, valuesOf } from "./shape_keywords.ts";

/** Bounds that are compared, those of numbers with the exclusive ones. */
const LIMITS: readonly string[] = [
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
  "minContains",
  "maxContains",
];

/** Compares two alternatives: types, then values, then each keyword that says something of a type that both allow. */
export function compareShapes(comparison: Comparison, x: Shape, y: Shape): readonly Found[] {
  const { text, spend, levels: { undecided } } = comparison;
  const asText = text && compareText(comparison, x, y, text);
  if (asText) return [...asText, ...compareDefaults(comparison, x, y)];
  if (text && x.types.has("string") && y.types.has("string")) [x, y] = [beside(x, y), beside(y, x)];
  const found: Found[] = [...compareTypes(comparison, x.types, y.types)];
  const common = new Set([...x.types].filter((type) => y.types.has(type)));
  const has = (...types: readonly TypeName[]) => types.some((type) => common.has(type));
  if (common.size === 0) return found;
  if (!spend()) return [...found, undecided(TOO_LARGE)];
  const [listed, listedNow] = [valuesIn(x, common), valuesIn(y, common)];
  // A range of integers is a list of them, if the other one is a list.
  const was = listed ?? (listedNow && rangeIn(x, common));
  const is = listedNow ?? (listed && rangeIn(y, common));
  if (was !== undefined || is !== undefined) found.push(...compareValues(comparison, x, y, was, is));
  // Whether a value satisfies the rest is not known.
  if (was === undefined !== (is === undefined)) return [...found, ...compareDefaults(comparison, x, y)];
  if (was === undefined) {
    for (const keyword of LIMITS) if (has(...typesOf(keyword))) found.push(...compareBound(comparison, keyword, x, y));
    found.push(...compareMisplaced(comparison, x, y));
  }
  if (has("integer", "fraction")) found.push(...compareMultiples(comparison, x, y));
  if (has("string")) {
    found.push(...compareTexts(comparison, "pattern", x, y), ...compareTexts(comparison, "contentMediaType", x, y));
    found.push(...compareTexts(comparison, "contentEncoding", x, y));
  }
  if (has("string", "integer", "fraction")) found.push(...compareTexts(comparison, "format", x, y));
  if (has("array")) found.push(...compareArrays(comparison, x, y));
  if (has("object")) found.push(...compareObjects(comparison, x, y));
  return [...found, ...compareOthers(comparison, x, y), ...compareDefaults(comparison, x, y)];
}

/** A shape without numbers and booleans if the other shape allows any text: a URL sends them as text. */
function beside(shape: Shape, other: Shape): Shape {
  const types = [...shape.types].filter((type) => !["boolean", "integer", "fraction"].includes(type));
  return limitsOfText(other) === undefined ? { ...shape, types: new Set(types) } : shape;
}

/** Compares keywords about types that neither shape allows. They exclude nothing, but somebody has changed them. */
function compareMisplaced(comparison: Comparison, x: Shape, y: Shape): readonly Found[] {
  const { isSame, levels: { differ, undecided } } = comparison;
  const types = new Set([...x.types, ...y.types]);
  const isMisplaced = (keyword: string) => !typesOf(keyword).some((type) => types.has(type));
  const found = [
    ...LIMITS.filter(isMisplaced).flatMap((keyword) => compareBound(comparison, keyword, x, y)),
    ...["format"].filter(isMisplaced).flatMap((keyword) => compareTexts(comparison, keyword, x, y)),
    ...["properties", "required", "items"].filter(isMisplaced).flatMap((keyword) => {
      const [was = [], is = []] = [x, y].map((shape) =>
        valuesOf(shape, keyword).map((value) => ({ [keyword]: value }))
      );
      return isSame(was, is) ? [] : [differ("breaking", `${keyword} has changed`, `/${keyword}`)];
    }),
  ];
  const beside = `, but says nothing of ${nameTypes([...types], types)}`;
  return found.filter(({ level }) => level === "breaking").map(({ what, at }) => undecided(what + beside, at));
}

function compareArrays(comparison: Comparison, x: Shape, y: Shape): readonly Found[] {
  const { compare, levels: { less, more } } = comparison;
  const found: Found[] = [];
  const [was, is] = [x, y].map((shape) => valuesOf(shape, "uniqueItems").includes(true));
  if (was !== is) found.push(is ? less("items must be unique now") : more("items may repeat now"));
  const length = Math.max(prefixLengthOf(x), prefixLengthOf(y));
  for (let index = 0; index <= length; index++) {
    const [a, b] = [itemOf(x, index), itemOf(y, index)];
    // `unevaluatedItems` of one side may bound what no other keyword does.
    if ((a.length === 0 && isUnevaluated(x)) || (b.length === 0 && isUnevaluated(y))) continue;
    found.push(...within(index < length ? `/prefixItems/${index}` : "/items", compare(a, b)));
  }
  return found;
}
