import { ID, OPAQUE, PLACE, SEARCH, SERVER_MADE, stemOf } from "./names.ts";
import type { Operation, Part } from "./operations.ts";
import type { Known, Pool } from "./pool.ts";
import type { Random } from "./random.ts";
import type { Thread } from "./threads.ts";

/** A value whose references lead to things of earlier responses. */
export interface Linked {
  /** The value. */
  readonly value: unknown;
  /** Whether it has a reference, or something that only the server makes, that no response has given. */
  readonly isOpaque: boolean;
}

/**
 * Replaces some values by those of earlier responses: references and what only the server can make by their names,
 * others now and then.
 *
 * @param part The part of the request.
 * @param value Its value.
 * @param operation The operation.
 * @param pool The earlier responses.
 * @param random Chooses.
 * @param used Receives what has been used.
 * @param thread What refers to the thing that the operation has made before.
 * @param isLatest Whether references are to the latest things.
 * @param chooser Whose things are taken, if all references lead to things.
 * @returns The value.
 */
export function link(
  part: Part,
  value: unknown,
  operation: Operation,
  pool: Pool,
  random: Random,
  used: Known[],
  thread?: Thread,
  isLatest = false,
  chooser?: string,
): Linked {
  let isOpaque = false;
  // A request with several references succeeds if all of them lead to things of its sender.
  const isSettled = random.chance(SETTLED);
  /** The names for which things are used. */
  const names = new Map<string, string>();
  const thingOf = ({ kinds, value }: Known) => `${kinds[0]} ${value}`;
  const replace = (name: string, value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => replace(name, item, depth + 1));
    if (typeof value === "object" && value !== null) {
      if (OPAQUE.test(name) || ID.test(name)) isOpaque = true; // a wrong value is a text in a query
      if (depth > 3 || Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) {
        return value;
      }
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, replace(key, item, depth + 1)])
          .filter(([, item]) => item !== LEFT_OUT),
      );
    }
    // What the request does not declare is there to see whether it is ignored.
    if (depth === 1 && part.name === "body" && operation.undeclared.has(name)) return value;
    const kind = pool.referenceOf(name, operation);
    const isReference = kind !== "" || ID.test(name);
    const isOfServer = SERVER_MADE.test(name) || operation.places.has(name) || depth === 1 && isPlace(name, part);
    const isInThread = thread?.names.has(name) === true;
    if (isInThread && thread.isFirst) return value;
    const isLast = isInThread || isLatest && isReference;
    const probability = isChosen(name, depth, part, operation)
      ? 0.15
      : isLast || isSettled && isReference
      ? 1
      : isReference || isOfServer
      ? 0.8
      : OPAQUE.test(name)
      ? 0.4
      : 0.15;
    if (random.next() < probability) {
      const found = pool.find(name, kind, operation).filter((known) => isOfType(value, known.value));
      const texts = found.length === 0 && OPAQUE.test(name) && !isOfServer
        ? pool.all.filter(({ key, value }) => SEARCH.test(name) ? isText(key, value) : ID.test(key))
        : found;
      // What a transfer goes from is seldom what it goes to.
      const others = isReference && !isInThread
        ? texts.filter((known) => [undefined, name].includes(names.get(thingOf(known))))
        : [];
      const distinct = others.length > 0 && (isLast || isSettled || random.chance(0.8)) ? others : texts;
      const own = isSettled && isReference && !isInThread
        ? distinct.filter(({ owner }) => owner === undefined || owner === chooser)
        : [];
      const among = own.length > 0 ? own : distinct;
      const known = isLast || random.chance(0.6) ? among[0] : random.of(among);
      if (known !== undefined) {
        if (isReference) {
          used.push(known);
          names.set(thingOf(known), name);
        }
        return isReference || isOfServer ? inTypeOf(value, known.value) : vary(known.value, random);
      }
      // What only the server can make is not invented where it may be left out.
      if (isOfServer && depth === 1 && part.optional.has(name)) return LEFT_OUT;
    }
    if (isReference || isOfServer || OPAQUE.test(name)) isOpaque = true;
    return value;
  };
  const linked = replace("", value, 0);
  return { value: linked, isOpaque };
}

/** How probable it is that all references of a request lead to things of its sender. */
const SETTLED = 0.5;

/** Whether a property is the code of the new thing, which its maker chooses. */
function isChosen(name: string, depth: number, { name: part }: Part, { method, gives }: Operation): boolean {
  return method === "POST" && part === "body" && depth === 1 && ID.test(name) && gives.includes(name);
}

/** Whether a known value may be there: the code of a thing is no number of it. */
function isOfType(value: unknown, known: string | number): boolean {
  return typeof value !== "number" || Number.isFinite(Number(known));
}

/** A known value as the schema has it: the path of a `location` has the text of a number. */
function inTypeOf(value: unknown, known: string | number): string | number {
  if (typeof value === "number" && /^\d{1,15}$/.test(String(known))) return Number(known);
  return typeof value === "string" ? String(known) : known;
}

/** Whether a value is a text that a search may find. */
function isText(key: string, value: string | number): boolean {
  return typeof value === "string" && !ID.test(key) && stemOf(key) === "";
}

/** Whether a property is a place in a list, and no date or number. */
function isPlace(name: string, { properties }: Part): boolean {
  const { type, format, enum: values } = Object(properties[name]);
  return PLACE.test(name.toLowerCase()) && type === "string" && format === undefined && values === undefined;
}

/** In place of the value of a property that is left out. */
const LEFT_OUT: unique symbol = /* @__PURE__ */ Symbol();

/** A text as somebody else writes it: in other letters, or with spaces around it. */
function vary(value: string | number, random: Random): string | number {
  if (typeof value === "number" || random.chance(0.5)) return value;
  return random.of([value.toUpperCase(), value.toLowerCase(), ` ${value}`, `${value} `]) as string;
}
