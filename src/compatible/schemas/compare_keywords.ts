/** Compares what single keywords say of values. */

import { shorten, toJson } from "../keywords.ts";
import type { Level } from "../change.ts";
import type { Comparison } from "./comparison.ts";
import { describeTypes, nameTypes } from "./differences.ts";
import type { Found } from "./pairs.ts";
import { admits, BOUNDS, type Shape, type TypeName } from "./shape.ts";
import { limitOf, limitsOfText, textsOf, valuesIn, valuesOf, WIDER } from "./shape_keywords.ts";

const NONE: readonly Found[] = [];

/** Compares types. */
export function compareTypes(
  { isRequest, text, levels: { differ, less, more } }: Comparison,
  x: ReadonlySet<TypeName>,
  y: ReadonlySet<TypeName>,
): readonly Found[] {
  // No client can send `null` in a url or a header.
  const isSent = (type: TypeName) => !(type === "null" && isRequest && text === "safe");
  const lost = nameTypes([...x].filter((type) => !y.has(type) && (isSent(type) || x.size === 1)), x);
  const added = nameTypes([...y].filter((type) => !x.has(type) && (isSent(type) || y.size === 1)), y);
  if (lost === "" && added === "") return NONE;
  if (lost !== "" && added !== "") return [differ("breaking", describeTypes(x, y))];
  return [lost !== "" ? less(`${lost} is no longer allowed`) : more(`${added} is allowed now`)];
}

/** Compares shapes of which one is any text, and the other is not; `undefined` if they are not that. */
export function compareText(comparison: Comparison, x: Shape, y: Shape, level: Level): readonly Found[] | undefined {
  const { isRequest, levels: { differ } } = comparison;
  const [isText, isNow] = [x, y].map(({ types }) => types.has("string"));
  const [string, other] = isText ? [x, y] : [y, x];
  const isWritten = level === "risky" ||
    ![string, other].some(({ types }) => types.has("object") || types.has("array"));
  if (isText === isNow || !isWritten || valuesIn(other, other.types)?.has("null")) return undefined;
  const [was, is] = [x, y].map((shape) => {
    const values = valuesIn(shape, shape.types);
    return values && new Map([...values.values()].map((value) => [`${value}`, value]));
  });
  if (was && is) return compareValues(comparison, x, y, was, is);
  const what = describeTypes(x.types, y.types);
  if (isRequest === isText) return [differ("breaking", what)];
  const limits = limitsOfText(string);
  return [differ(limits ?? level, limits || isText ? what : "may be any text now")];
}

/** Compares the only values that are allowed, of one side or of both. */
export function compareValues(
  { levels: { less, more } }: Comparison,
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
  if (is === undefined) found.push(more("values outside of the old enum are allowed now"));
  if (was === undefined) found.push(less("only the values of an enum are allowed now"));
  return found;
}

/** Compares bounds, such as `maximum`. */
export function compareBound(
  { levels: { less, more } }: Comparison,
  keyword: string,
  x: Shape,
  y: Shape,
): readonly Found[] {
  const [was, is] = [limitOf(x, keyword), limitOf(y, keyword)];
  if (was?.value === is?.value && was?.isExclusive === is?.isExclusive) return NONE;
  const at = `/${is?.keyword ?? keyword}`;
  if (is === undefined) return [more(`${was?.keyword} was ${was?.value}, is gone`, at)];
  if (was === undefined) return [less(`${is.keyword} is new: ${is.value}`, at)];
  const what = `${was.keyword} was ${was.value}, ${was.keyword === is.keyword ? "" : `${is.keyword} `}is ${is.value}`;
  const isTighter = was.value === is.value ? is.isExclusive : BOUNDS.get(keyword) === is.value > was.value;
  return [isTighter ? less(what, at) : more(what, at)];
}

/** Compares `multipleOf`. */
export function compareMultiples({ levels: { differ, less, more } }: Comparison, x: Shape, y: Shape): readonly Found[] {
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

/** Compares keywords whose values are texts: `pattern` and `format`. */
export function compareTexts(
  { levels: { differ, less, more, undecided } }: Comparison,
  keyword: string,
  x: Shape,
  y: Shape,
): readonly Found[] {
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

/** Compares defaults. */
export function compareDefaults({ isRequest, levels: { differ } }: Comparison, x: Shape, y: Shape): readonly Found[] {
  const [was, is] = [x, y].map((shape) => valuesOf(shape, "default").map(toJson).at(-1));
  if (was === is) return NONE;
  const what = `default was ${shorten(was ?? "nothing")}, is ${shorten(is ?? "nothing")}`;
  return [differ(isRequest ? "risky" : "safe", what, "/default")];
}
