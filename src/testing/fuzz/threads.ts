import { isParameter, isPlural, isRelative, kindAt, kindOf, nameOf } from "./names.ts";
import { makerOf } from "./needs.ts";
import type { Operation } from "./operations.ts";
import type { Part } from "./part.ts";
import { kindsOf, linkOf, type Ways } from "./pool.ts";

/** A thread: things of one kind, each of which refers to the one before, such as replies to replies. */
export interface Thread {
  /** The names of the parameters and the properties that refer to the thing before. */
  readonly names: ReadonlySet<string>;
  /** Whether a call makes the first thing, which refers to none. */
  readonly isFirst: boolean;
}

/**
 * Lists the parameters and the properties by which a thing that an operation makes refers to one of its own kind:
 * `parentId` of a comment, and `:id` in `POST /folders/:id/folders`.
 *
 * @param operation The operation.
 * @param all All operations.
 * @param ways What leads from a response to a request.
 * @returns The names: none if the operation does not make things in a collection.
 */
export function ownReferencesOf(operation: Operation, all: readonly Operation[], ways: Ways): ReadonlySet<string> {
  const { method, segments, takes } = operation;
  if (method !== "POST" || isParameter(segments.at(-1))) return new Set();
  const [own = ""] = kindsOf(operation);
  const isOwn = (name: string) => {
    const link = linkOf(name, operation, ways.links);
    return link === undefined ? isRelative(name) : link.startsWith(`${operation.name} `);
  };
  const inValues = takes.filter(isOwn);
  if (inValues.length > 0) return new Set(inValues);
  return new Set(segments.flatMap((segment, index) => {
    if (!segment.startsWith(":")) return [];
    const kind = kindAt(segments, index);
    return kind === own || index === segments.length - 2 && givesSame(operation, makerOf(kind, all))
      ? [nameOf(segment)]
      : [];
  }));
}

/**
 * Whether an operation makes what another one makes: their responses have the same properties, more than an id, and its
 * path ends with things, as `replies` does. `POST /orders/:id/cancel` makes no order.
 */
function givesSame({ gives, segments }: Operation, maker: Operation | undefined): boolean {
  return maker !== undefined && gives.length > 1 && isPlural(String(segments.at(-1))) &&
    String(gives.toSorted()) === String(maker.gives.toSorted());
}

/** The kinds of the things of a thread: those of its collection, and those that its path is below. */
export function kindsOfThread({ segments }: Operation, names: ReadonlySet<string>): ReadonlySet<string> {
  const below = segments.flatMap((segment, index) => names.has(nameOf(segment)) ? [kindAt(segments, index)] : []);
  return new Set([kindOf(segments), ...below]);
}

/**
 * Fits a value to its place in a thread.
 *
 * @param part The part of the request.
 * @param thread The thread.
 * @returns A value that refers to no other thing if it is the first, and one that does if it is not; any value if none
 * is found.
 */
export async function valueInThread(part: Part, { names, isFirst }: Thread): Promise<unknown> {
  let value: unknown;
  for (let count = 0; count < TRIES; count++) {
    value = await part.next();
    if (!isFirst && hasName(value, names)) return value;
    for (const less of isFirst ? [replaceNames(value, names, []), replaceNames(value, names, [null])] : []) {
      if ((await part.issuesOf((await part.write(less)).raw))?.length === 0) return less;
    }
  }
  return value;
}

/** How many values are looked at. */
const TRIES = 6;

function hasName(value: unknown, names: ReadonlySet<string>): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, item]) => names.has(key) || hasName(item, names));
}

/** A JSON value in which the properties of these names have another value, or none. */
function replaceNames(value: unknown, names: ReadonlySet<string>, by: readonly unknown[]): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceNames(item, names, by));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) =>
      names.has(key) ? by.map((other) => [key, other]) : [[key, replaceNames(item, names, by)]]
    ),
  );
}
