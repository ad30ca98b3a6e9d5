/** Reads the values of documents, which may be anything. */

import { isRecord } from "../core/values/assert.ts";

/** An object of a document, by key. */
export type Keywords = Readonly<Record<string, unknown>>;

/** Whether a value is an object to read keys of. */
export function isKeywords(value: unknown): value is Keywords {
  return isRecord(value);
}

/** Whether a schema allows everything, as it is written. */
export function isAnything(schema: unknown): boolean {
  return schema === undefined || schema === true || (isKeywords(schema) && Object.keys(schema).length === 0);
}

/** The JSON of a value, with the keys of its objects in order. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => {
    return isKeywords(part) ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => a < b ? -1 : 1)) : part;
  }) ?? "null";
}

/** A value that fits into a line. */
export function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

/** A value as an object to read keys of: an empty one if it is none. */
export function recordOf(value: unknown): Keywords {
  return typeof value === "object" && value !== null ? value as Keywords : {};
}

/** What a reference leads to, or the value itself. */
export function targetOf(value: unknown, resolve: (reference: string) => unknown): Keywords {
  let target = recordOf(value);
  // A reference may lead to another one, but not for ever.
  for (let hops = 0; hops < 8 && typeof target.$ref === "string"; hops++) target = recordOf(resolve(target.$ref));
  return target;
}

/** The schemas to compare where there may be one. */
export function schemasOf(schema: unknown): readonly unknown[] {
  return schema === undefined ? [] : [schema];
}

/** A path or an address without the names of its parameters, which do not matter: `/books/{}`. */
export function shapeOf(path: string): string {
  return path.replaceAll(/\{[^{}]*\}/g, "{}");
}

/** The day from which on something deprecated may be gone, as it is written; empty without one. YAML has dates. */
export function sunsetOf({ "x-sunset": sunset }: Keywords): string {
  return typeof sunset === "string" ? sunset : sunset instanceof Date ? toJson(sunset).slice(1, 11) : "";
}
