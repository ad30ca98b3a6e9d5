import { escape, type Keywords } from "../keywords.ts";
import {
  additionalOf,
  flatten,
  follow,
  isExplicit,
  isHidden,
  isPatterned,
  itemOf,
  namesOf,
  prefixLengthOf,
  propertyOf,
  type Schemas,
  type Shape,
  shapesOf,
  type Source,
  type TypeName,
} from "./shape.ts";
import {
  EVALUATING,
  HAVE_SCHEMA,
  isUnevaluated,
  limitsOfText,
  OTHERS,
  typesOf,
  valuesIn,
  valuesOf,
} from "./shape_keywords.ts";
import type { Level, SchemaComparison } from "../change.ts";
import { type Alternative, alternativeOf, areApart } from "./alternatives.ts";
import { compareKeywords } from "./compare_keywords.ts";
import { levelsOf, nameTypes, unique, within } from "./differences.ts";
import { createPairs, type Found } from "./pairs.ts";
import { sameSchemas } from "./same_schemas.ts";

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

const TOO_LARGE = "is too large to be compared";

const UNEVALUATED = "unevaluatedProperties";

const NONE: readonly Found[] = [];

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

/** Two alternatives, and what differs between them. */
interface AlternativePair {
  readonly other: Alternative;
  readonly found: readonly Found[];
  readonly worst: Level | undefined;
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
  const { differ, less, more, undecided } = levels;
  const { compareTypes, compareText, compareValues, compareBound, compareMultiples, compareTexts, compareDefaults } =
    compareKeywords(levels, isRequest, text);

  const { compare: pairOf, worstOf, isNone, list } = createPairs(look, spend, undecided(TOO_LARGE));

  function compare(given: Schemas, others: Schemas): readonly Found[] {
    const [x, y] = [follow(given, before), follow(others, after)];
    return isSame(x, y) ? NONE : pairOf(x, y, `${keyOf(x)} ${keyOf(y)}`);
  }

  function look(x: Schemas, y: Schemas): readonly Found[] {
    const [xs, ys] = [shapes(x, before), shapes(y, after)];
    return xs && ys ? compareAlternatives(xs, ys) : [undecided("has too many alternatives to be compared")];
  }

  function shapes(schemas: Schemas, source: Source): readonly Shape[] | undefined {
    const key = `${source === before ? "x" : "y"} ${keyOf(schemas)}`;
    if (!cache.has(key)) cache.set(key, shapesOf(schemas, source));
    return cache.get(key);
  }

  function compareAlternatives(xs: readonly Shape[], ys: readonly Shape[]): readonly Found[] {
    const [[x, ...others], [y, ...more]] = [xs, ys];
    if (x && y && others.length + more.length === 0) return compareShapes(x, y);
    const found: Found[] = [];
    const [ofX, ofY] = [split(xs), split(ys)];
    found.push(...compareTypes(new Set(ofX.keys()), new Set(ofY.keys())));
    for (const [type, mine] of ofX) {
      const its = ofY.get(type);
      if (its !== undefined) found.push(...matchAlternatives(type, mine, its));
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
  function matchAlternatives(type: TypeName, xs: readonly Shape[], ys: readonly Shape[]): readonly Found[] {
    const [x, y] = [xs[0], ys[0]];
    if (xs.length === 1 && ys.length === 1 && x && y) return compareShapes(x, y);
    const found: Found[] = [];
    // Each of the first must be among the others.
    const [mine, its] = [xs.map((x) => alternativeOf(x, before)), ys.map((y) => alternativeOf(y, after))];
    const [demanded, offered] = isRequest ? [mine, its] : [its, mine];
    const rows = demanded.map((one) => ({
      one,
      pairs: offered.map((other): AlternativePair => {
        if (areApart(one, other)) return { other, found: NONE, worst: "breaking" };
        const [{ shape: x }, { shape: y }] = isRequest ? [one, other] : [other, one];
        const found = compareShapes(x, y);
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
      const isCovered = rows.some(({ pairs }) =>
        pairs.some(({ other, worst }) => other === one && worst === undefined)
      );
      if (matched.has(one) || isCovered) continue;
      const what = `${one.name ?? type} is ${isRequest ? "new among" : "no longer among"} the alternatives`;
      found.push(differ("safe", what));
    }
    return found;
  }

  /** A shape without what becomes text, if the other one allows any text. */
  function beside(shape: Shape, other: Shape): Shape {
    const types = [...shape.types].filter((type) => !["boolean", "integer", "fraction"].includes(type));
    return limitsOfText(other) === undefined ? { ...shape, types: new Set(types) } : shape;
  }

  function compareShapes(x: Shape, y: Shape): readonly Found[] {
    const asText = text && compareText(x, y, text);
    if (asText) return [...asText, ...compareDefaults(x, y)];
    if (text && x.types.has("string") && y.types.has("string")) [x, y] = [beside(x, y), beside(y, x)];
    const found: Found[] = [...compareTypes(x.types, y.types)];
    const common = new Set([...x.types].filter((type) => y.types.has(type)));
    const has = (...types: readonly TypeName[]) => types.some((type) => common.has(type));
    if (common.size === 0) return found;
    if (!spend()) return [...found, undecided(TOO_LARGE)];
    const [was, is] = [valuesIn(x, common), valuesIn(y, common)];
    if (was !== undefined || is !== undefined) found.push(...compareValues(x, y, was, is));
    // Whether a value satisfies the rest is not known.
    if (was === undefined !== (is === undefined)) return [...found, ...compareDefaults(x, y)];
    if (was === undefined) {
      for (const keyword of LIMITS) if (has(...typesOf(keyword))) found.push(...compareBound(keyword, x, y));
      found.push(...compareMisplaced(x, y));
    }
    if (has("integer", "fraction")) found.push(...compareMultiples(x, y));
    if (has("string")) {
      found.push(...compareTexts("pattern", x, y), ...compareTexts("contentMediaType", x, y));
      found.push(...compareTexts("contentEncoding", x, y));
    }
    if (has("string", "integer", "fraction")) found.push(...compareTexts("format", x, y));
    if (has("array")) found.push(...compareArrays(x, y));
    if (has("object")) found.push(...compareObjects(x, y));
    return [...found, ...compareOthers(x, y), ...compareDefaults(x, y)];
  }

  /** Compares keywords about types that neither shape allows. They exclude nothing, but somebody has changed them. */
  function compareMisplaced(x: Shape, y: Shape): readonly Found[] {
    const types = new Set([...x.types, ...y.types]);
    const isMisplaced = (keyword: string) => !typesOf(keyword).some((type) => types.has(type));
    const found = [
      ...LIMITS.filter(isMisplaced).flatMap((keyword) => compareBound(keyword, x, y)),
      ...["format"].filter(isMisplaced).flatMap((keyword) => compareTexts(keyword, x, y)),
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

  function compareArrays(x: Shape, y: Shape): readonly Found[] {
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

  function compareObjects(x: Shape, y: Shape): readonly Found[] {
    const found: Found[] = [];
    const [inX, inY] = [namesOf(x), namesOf(y)];
    for (const name of new Set([...inX, ...inY])) {
      if (!spend(Math.ceil((x.parts.length + y.parts.length) / 16))) return [...found, undecided(TOO_LARGE)];
      const at = `/properties/${escape(name)}`;
      const [was, is] = [x.required.has(name), y.required.has(name)];
      const [hidden, hides] = [isHidden(x, name, before), isHidden(y, name, after)];
      if (hidden && hides) continue;
      if (hidden || hides) {
        const flag = before.hidden === "readOnly" ? "read-only" : "write-only";
        found.push(undecided(hides ? `is ${flag} now` : `is no longer ${flag}`, at));
        continue;
      }
      if (!inY.has(name)) found.push(...compareRemoved(name, x, y, at));
      else if (!inX.has(name)) found.push(...compareAdded(name, x, y, at));
      else {
        if (was && !is) found.push(more("is optional now", at));
        if (is && !was) found.push(less("is required now", at));
        found.push(...within(at, compare(propertyOf(x, name), propertyOf(y, name))));
      }
    }
    return [...found, ...compareAdditional(x, y)];
  }

  function isSafe(found: readonly Found[]): boolean {
    return ["safe", undefined].includes(worstOf(found));
  }

  function compareRemoved(name: string, x: Shape, y: Shape, at: string): readonly Found[] {
    const removed = Object.assign({}, ...flatten(propertyOf(x, name), before)) as Keywords;
    const soften = (level: Level, what: string) => [differ(levelOfRemoval(removed, level), what, at)];
    if (!isRequest) return soften(x.required.has(name) ? "breaking" : "risky", "is removed");
    const rest = propertyOf(y, name);
    if (shapes(rest, after)?.length === 0) return soften("breaking", "is removed, and other keys are not allowed");
    const found = compare(propertyOf(x, name), rest);
    const isNarrower = !isSafe(found);
    return [...soften("risky", "is removed, and no longer read"), ...within(at, isNarrower ? found : [])];
  }

  function compareAdded(name: string, x: Shape, y: Shape, at: string): readonly Found[] {
    const wasClosed = shapes(propertyOf(x, name), before)?.length === 0;
    const added = differ("safe", "is new", at);
    if (!isRequest && wasClosed) return [undecided("is new, where no other keys were allowed", at)];
    if (isRequest && y.required.has(name)) return [differ("breaking", "is new and required", at)];
    if (isRequest && wasClosed || !isExplicit(x)) return [added];
    // What a schema says of other keys lets clients send them, and tells clients what they receive.
    const found = compare(propertyOf(x, name), propertyOf(y, name));
    const isKnown = isRequest || !isPatterned(x);
    return [isKnown && isSafe(found) ? added : undecided("is new, and was allowed before as another key", at)];
  }

  function compareAdditional(x: Shape, y: Shape): readonly Found[] {
    const [a, b] = [additionalOf(x), additionalOf(y)];
    const [wasClosed, isClosed] = [shapes(a, before)?.length === 0, shapes(b, after)?.length === 0];
    const at = "/additionalProperties";
    if (wasClosed && isClosed) return NONE;
    if (wasClosed) return [more("allows other keys now", at, false)];
    return isClosed ? [less("no longer allows other keys", at)] : within(at, compare(a, b));
  }

  /** Keywords of which only is known whether they are the same. */
  function compareOthers(x: Shape, y: Shape): readonly Found[] {
    const differs = (keyword: string) => !isSame(valuesOf(x, keyword), valuesOf(y, keyword));
    const beside = [...EVALUATING].flatMap(([keyword, others]) => {
      if (![x, y].some((shape) => valuesOf(shape, keyword).length > 0)) return [];
      return others.filter(differs).map((other) => undecided(`${other} has changed, beside ${keyword}`, `/${other}`));
    });
    // In another part of `allOf`, `additionalProperties` leaves nothing that is unevaluated, but only there.
    if (differs(UNEVALUATED) && [x, y].some((shape) => valuesOf(shape, "additionalProperties").length > 0)) {
      beside.push(undecided(`${UNEVALUATED} has changed, beside additionalProperties`, `/${UNEVALUATED}`));
    }
    return [...beside, ...compareRest(x, y)];
  }

  function compareRest(x: Shape, y: Shape): readonly Found[] {
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

  return { compare: (x, y) => list(compare(x, y)) };
}
