import { isPlain } from "../../core/values/assert.ts";
import { ID, OPAQUE, PLACE, SEARCH, SERVER_MADE, stemOf } from "./names.ts";
import type { Operation } from "./operations.ts";
import type { Part } from "./part.ts";
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

/** What a request is for: a call, or as much of it as says which things it is about. */
export interface Linking {
  /** The operation. */
  readonly operation: Operation;
  /** What refers to the thing that the operation has made before. */
  readonly thread?: Thread | undefined;
  /** Whether references are to the latest things. */
  readonly isLatest?: boolean;
  /** Whose things are taken, if all references lead to things. */
  readonly chooser?: string | undefined;
}

/**
 * Replaces some values by those of earlier responses: references and what only the server can make by their names,
 * others now and then.
 *
 * @param part The part of the request.
 * @param value Its value.
 * @param call What the request is for.
 * @param pool The earlier responses.
 * @param random Chooses.
 * @param used Receives what has been used.
 * @returns The value.
 */
export function link(
  part: Part,
  value: unknown,
  call: Linking,
  pool: Pool,
  random: Random,
  used: Known[],
): Linked {
  const { operation, thread, chooser } = call;
  let isOpaque = false;
  // A request with several references succeeds if all of them lead to things of its sender.
  const isSettled = random.chance(SETTLED);
  /** By thing: the name for which it is used. */
  const names = new Map<string, string>();

  const linked = replace("", value, 0);
  return { value: linked, isOpaque };

  function replace(name: string, value: unknown, depth: number): unknown {
    if (Array.isArray(value)) return value.map((item) => replace(name, item, depth + 1));
    if (typeof value === "object" && value !== null) {
      if (OPAQUE.test(name) || ID.test(name)) isOpaque = true; // a wrong value is a text in a query
      if (depth > 3 || !isPlain(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, replace(key, item, depth + 1)])
          .filter(([, item]) => item !== LEFT_OUT),
      );
    }
    // What the request does not declare is there to see whether it is ignored.
    if (depth === 1 && part.name === "body" && operation.undeclared.has(name)) return value;
    const slot = slotOf(name, depth, part, call, pool);
    if (slot.isInThread && thread?.isFirst) return value;
    if (random.next() < probabilityOf(slot, isSettled)) {
      const known = choose(slot, value);
      if (known !== undefined) return take(known, slot, value);
      // What only the server can make is not invented where it may be left out.
      if (slot.isOfServer && depth === 1 && part.optional.has(name)) return LEFT_OUT;
    }
    if (slot.isReference || slot.isOfServer || slot.isOpaque) isOpaque = true;
    return value;
  }

  /** A value of an earlier response for a slot, if there is one. */
  function choose(slot: Slot, value: unknown): Known | undefined {
    const found = candidatesFor(slot, value, operation, pool);
    const among = slot.isReference && !slot.isInThread ? preferred(found, slot) : found;
    return slot.isLatest || random.chance(0.6) ? among[0] : random.of(among);
  }

  /** The things for a reference that are not used for another name, and that belong to the sender. */
  function preferred(found: readonly Known[], { name, isLatest }: Slot): readonly Known[] {
    // What a transfer goes from is seldom what it goes to.
    const others = found.filter((known) => [undefined, name].includes(names.get(thingOf(known))));
    const distinct = others.length > 0 && (isLatest || isSettled || random.chance(0.8)) ? others : found;
    const own = isSettled ? distinct.filter(({ owner }) => owner === undefined || owner === chooser) : [];
    return own.length > 0 ? own : distinct;
  }

  function take(known: Known, { name, isReference, isOfServer }: Slot, value: unknown): unknown {
    if (isReference) {
      used.push(known);
      names.set(thingOf(known), name);
    }
    return isReference || isOfServer ? inTypeOf(value, known.value) : vary(known.value, random);
  }
}

/** A text, a number or a boolean of a request, by what its name says: a value of an earlier response may go there. */
interface Slot {
  /** Its name. */
  readonly name: string;
  /** What it is the id of, in the singular; `""` if only the name says it. */
  readonly kind: string;
  /** Whether it refers to a thing. */
  readonly isReference: boolean;
  /** Whether only the server can make the value. */
  readonly isOfServer: boolean;
  /** Whether no schema says which values are accepted. */
  readonly isOpaque: boolean;
  /** Whether it is the code of the new thing, which its maker chooses. */
  readonly isChosen: boolean;
  /** Whether it refers to the thing that the operation has made before. */
  readonly isInThread: boolean;
  /** Whether it refers to the latest thing. */
  readonly isLatest: boolean;
}

function slotOf(name: string, depth: number, part: Part, call: Linking, pool: Pool): Slot {
  const { operation, thread, isLatest = false } = call;
  const kind = pool.referenceOf(name, operation);
  const isReference = kind !== "" || ID.test(name);
  const isInThread = thread?.names.has(name) === true;
  return {
    name,
    kind,
    isReference,
    isOfServer: SERVER_MADE.test(name) || operation.places.has(name) || depth === 1 && isPlace(name, part),
    isOpaque: OPAQUE.test(name),
    isChosen: isChosen(name, depth, part, operation),
    isInThread,
    isLatest: isInThread || isLatest && isReference,
  };
}

/** How probable it is that a slot gets a value of an earlier response. */
function probabilityOf({ isChosen, isLatest, isReference, isOfServer, isOpaque }: Slot, isSettled: boolean): number {
  if (isChosen) return RARELY;
  if (isLatest || isReference && isSettled) return 1;
  if (isReference || isOfServer) return 0.8;
  return isOpaque ? 0.4 : RARELY;
}

/** For values that the client makes up. */
const RARELY = 0.15;

/** The values of earlier responses that a slot may get, the best first. */
function candidatesFor(
  { name, kind, isOpaque, isOfServer }: Slot,
  value: unknown,
  operation: Operation,
  pool: Pool,
): readonly Known[] {
  const found = pool.find(name, kind, operation).filter((known) => isOfType(value, known.value));
  if (found.length > 0 || !isOpaque || isOfServer) return found;
  return pool.all.filter(({ key, value }) => SEARCH.test(name) ? isText(key, value) : ID.test(key));
}

/** A thing, as it is told apart from others. */
function thingOf({ kinds, value }: Known): string {
  return `${kinds[0]} ${value}`;
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
