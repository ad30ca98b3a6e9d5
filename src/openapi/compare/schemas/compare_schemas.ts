import { escape, type Keywords, shorten, toJson } from "../keywords.ts";
import {
  additionalOf,
  admits,
  BOUNDS,
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
  limitOf,
  OTHERS,
  textsOf,
  typesOf,
  valuesIn,
  valuesOf,
  WIDER,
} from "./shape_keywords.ts";
import type { Level, SchemaComparison } from "../change.ts";
import { nameTypes, unique, within } from "./differences.ts";
import { createPairs, type Found } from "./pairs.ts";
import { sameSchemas } from "./same_schemas.ts";

/** What a comparison needs to know. */
export interface Compared {
  /** The side: a client sends requests and receives responses. */
  readonly side: "request" | "response";
  readonly before: Source;
  readonly after: Source;
  /** Counts steps. `false` if there have been too many. */
  readonly spend: (cost?: number) => boolean;
  /** The level of the removal of what may be deprecated. */
  readonly levelOfRemoval: (removed: Keywords, level: Level) => Level;
}

const TOO_LARGE = "is too large to be compared";

const NONE: readonly Found[] = [];

/**
 * Creates a comparison. Each pair of schemas is compared once, so schemas that refer to themselves end.
 *
 * @param compared The documents, and the side.
 * @returns The comparison.
 */
export function compareSchemas({ side, before, after, spend, levelOfRemoval }: Compared): SchemaComparison {
  const isRequest = side === "request";
  const ids = new Map<unknown, number>();
  const idOf = (value: unknown) => ids.get(value) ?? (ids.set(value, ids.size), ids.size - 1);
  const keyOf = (schemas: Schemas) => schemas.map(idOf).join();
  const isSame = sameSchemas(before, after, idOf);
  const cache = new Map<string, readonly Shape[] | undefined>();
  const differ = (level: Level, what: string, at = ""): Found => ({ level, at, what });
  /** Less is allowed: a request may be rejected, a response promises more. */
  const less = (what: string, at = "", sure = true) =>
    differ(isRequest ? sure ? "breaking" : "risky" : "safe", what, at);
  /** More is allowed: a request may be more, a response surprises. */
  const more = (what: string, at = "", sure = true) =>
    differ(isRequest ? "safe" : sure ? "breaking" : "risky", what, at);
  const undecided = (what: string, at = "") => differ("risky", what, at);

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
    const [demanded, offered] = isRequest ? [xs, ys] : [ys, xs];
    const rows = demanded.map((one) => ({
      one,
      pairs: offered.map((other) => {
        const found = isRequest ? compareShapes(one, other) : compareShapes(other, one);
        return { other, found, worst: worstOf(found) };
      }),
    }));
    const matched = new Set<Shape>();
    for (const { one, pairs } of rows) {
      const name = nameOf(one);
      const match = pairs.find(({ worst }) => worst === undefined) ?? pairs.find(({ worst }) => worst === "safe") ??
        pairs.find(({ other }) => name !== undefined && nameOf(other) === name) ??
        pairs.find(({ worst }) => worst !== "breaking");
      if (match !== undefined) {
        matched.add(match.other);
        found.push(...match.found);
        continue;
      }
      // Clients of `anyOf` find out what they have received: it may be something else.
      const sure = isRequest || type !== "object" || !one.parts.some(({ anyOf }) => Array.isArray(anyOf));
      const what = `${name ?? type} is ${isRequest ? "no longer among" : "new among"} the alternatives`;
      found.push(differ(sure ? "breaking" : "risky", what));
    }
    for (const shape of offered) {
      const isCovered = rows.some(({ pairs }) =>
        pairs.some(({ other, worst }) => other === shape && worst === undefined)
      );
      if (matched.has(shape) || isCovered) continue;
      found.push(
        differ("safe", `${nameOf(shape) ?? type} is ${isRequest ? "new among" : "no longer among"} the alternatives`),
      );
    }
    return found;
  }

  /** The name of an alternative: the value of a property that tells it from others, or the name of its schema. */
  function nameOf(shape: Shape): string | undefined {
    for (const name of shape.required) {
      const [value] = flatten(propertyOf(shape, name), before).flatMap((part) => [part.const ?? part.enum].flat());
      if (typeof value === "string") return `${name} ${shorten(JSON.stringify(value))}`;
    }
    const names = shape.parts.map(({ $ref, title }) => typeof $ref === "string" ? $ref.replace(/^.*[/]/, "") : title);
    return names.find((name) => typeof name === "string");
  }

  function compareTypes(x: ReadonlySet<TypeName>, y: ReadonlySet<TypeName>): readonly Found[] {
    const lost = nameTypes([...x].filter((type) => !y.has(type)), x);
    const added = nameTypes([...y].filter((type) => !x.has(type)), y);
    if (lost === "" && added === "") return NONE;
    const isOther = lost !== "" && added !== "";
    if (isOther) return [differ("breaking", `type was ${nameTypes([...x], x)}, is ${nameTypes([...y], y)}`)];
    return [lost !== "" ? less(`${lost} is no longer allowed`) : more(`${added} is allowed now`)];
  }

  function compareShapes(x: Shape, y: Shape): readonly Found[] {
    const found: Found[] = [...compareTypes(x.types, y.types)];
    const common = new Set([...x.types].filter((type) => y.types.has(type)));
    const has = (...types: readonly TypeName[]) => types.some((type) => common.has(type));
    if (common.size === 0) return found;
    if (!spend()) return [...found, undecided(TOO_LARGE)];
    const [was, is] = [valuesIn(x, common), valuesIn(y, common)];
    if (was !== undefined || is !== undefined) found.push(...compareValues(x, y, was, is));
    // Whether a value satisfies the rest is not known.
    if (was === undefined !== (is === undefined)) return [...found, ...compareDefaults(x, y)];
    for (const [keyword, isLower] of was === undefined ? BOUNDS : []) {
      if (!keyword.startsWith("exclusive") && has(...typesOf(keyword))) {
        found.push(...compareBound(keyword, isLower, x, y));
      }
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

  /** Compares the only values that are allowed, of one side or of both. */
  function compareValues(
    x: Shape,
    y: Shape,
    was: ReadonlyMap<string, unknown> | undefined,
    is: ReadonlyMap<string, unknown> | undefined,
  ): readonly Found[] {
    const found: Found[] = [];
    for (const [json, value] of was ?? []) {
      const admitted = is ? is.has(json) : admits(y, value);
      if (admitted !== true) found.push(less(`${shorten(json)} is no longer allowed`, "", admitted === false));
    }
    for (const [json, value] of is ?? []) {
      const admitted = was ? was.has(json) : admits(x, value);
      if (admitted !== true) found.push(more(`${shorten(json)} is allowed now`, "", admitted === false));
    }
    if (is === undefined) found.push(more("other values than those that were listed are allowed now"));
    if (was === undefined) found.push(less("only the values that are listed are allowed now"));
    return found;
  }

  function compareBound(keyword: string, isLower: boolean, x: Shape, y: Shape): readonly Found[] {
    const [was, is] = [limitOf(x, keyword), limitOf(y, keyword)];
    if (was?.value === is?.value && was?.isExclusive === is?.isExclusive) return NONE;
    const at = `/${is?.keyword ?? keyword}`;
    if (is === undefined) return [more(`${was?.keyword} was ${was?.value}, is gone`, at)];
    if (was === undefined) return [less(`${is.keyword} is new: ${is.value}`, at)];
    const what = `${was.keyword} was ${was.value}, ${was.keyword === is.keyword ? "" : `${is.keyword} `}is ${is.value}`;
    const isTighter = was.value === is.value ? is.isExclusive : isLower === is.value > was.value;
    return [isTighter ? less(what, at) : more(what, at)];
  }

  function compareMultiples(x: Shape, y: Shape): readonly Found[] {
    const [was, is] = [x, y].map((shape) => (
      valuesOf(shape, "multipleOf").filter((value): value is number => (
        // Every integer is a multiple of 1, and of 0.5.
        typeof value === "number" && (shape.types.has("fraction") || 1 % value !== 0)
      ))
    ));
    const [a, b] = [was?.[0], is?.[0]];
    if (was?.join() === is?.join()) return NONE;
    const at = "/multipleOf";
    if (b === undefined) return [more(`multipleOf was ${a}, is gone`, at)];
    if (a === undefined) return [less(`multipleOf is new, is ${b}`, at)];
    if (b % a === 0) return [less(`multipleOf was ${a}, is ${b}`, at)];
    return [
      a % b === 0 ? more(`multipleOf was ${a}, is ${b}`, at) : differ("breaking", `multipleOf was ${a}, is ${b}`, at),
    ];
  }

  function compareTexts(keyword: string, x: Shape, y: Shape): readonly Found[] {
    const [was, is] = [x, y].map((shape) => textsOf(shape, keyword));
    const [lost = [], added = []] = [
      was?.filter((text) => !is?.includes(text)),
      is?.filter((text) => !was?.includes(text)),
    ];
    const at = `/${keyword}`;
    const [a, b] = [lost, added].map((texts) => texts.map((text) => shorten(JSON.stringify(text))).join(" and "));
    const isPattern = keyword === "pattern";
    if (lost.length > 0 && added.length > 0) {
      const what = `${keyword} was ${a}, is ${b}`;
      if (WIDER.has(`${lost} ${added}`)) return [more(what, at)];
      if (WIDER.has(`${added} ${lost}`)) return [less(what, at)];
      return [isPattern ? undecided(`${what}: two patterns cannot be compared`, at) : differ("breaking", what, at)];
    }
    if (added.length > 0) return [less(`${keyword} ${b} is new`, at)];
    return lost.length > 0 ? [more(`${keyword} ${a} is gone`, at, !isPattern)] : NONE;
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

  function compareDefaults(x: Shape, y: Shape): readonly Found[] {
    const [was, is] = [x, y].map((shape) => valuesOf(shape, "default").map(toJson).at(-1));
    if (was === is) return NONE;
    const what = `default was ${shorten(was ?? "nothing")}, is ${shorten(is ?? "nothing")}`;
    return [differ(isRequest ? "risky" : "safe", what, "/default")];
  }

  return { compare: (x, y) => list(compare(x, y)) };
}
