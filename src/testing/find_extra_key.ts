import { isRecord } from "../core/values/assert.ts";

/**
 * Finds a key that a schema has removed from a value.
 *
 * @param sent The JSON value.
 * @param validated The output of the schema. It may have made anything else of an object, such as a `Map`.
 * @returns The path to the key.
 */
export function findExtraKey(sent: unknown, validated: unknown): readonly string[] | undefined {
  if (!isTree(sent) || !isTree(validated)) return undefined;
  for (const [key, item] of Object.entries(sent)) {
    const below = Object.hasOwn(validated, key) ? findExtraKey(item, validated[key]) : [];
    if (below) return [key, ...below];
  }
  return undefined;
}

/** Whether a value is an array or a plain object. */
function isTree(value: unknown): value is { readonly [key: string]: unknown } {
  return Array.isArray(value) || isRecord(value) && Object.getPrototypeOf(value) === Object.prototype;
}
