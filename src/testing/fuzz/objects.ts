/** An object of JSON. */
type JsonObject = { readonly [key: string]: unknown };

/**
 * Lists the objects in a JSON value, itself included.
 *
 * @param value The value.
 * @returns The objects, to a bound.
 */
export function objectsIn(value: unknown, depth = 0): readonly JsonObject[] {
  if (typeof value !== "object" || value === null || depth > 4) return [];
  const below = Object.values(value).slice(0, 50).flatMap((item) => objectsIn(item, depth + 1));
  return Array.isArray(value) ? below : [value as JsonObject, ...below];
}

/**
 * The items of a list.
 *
 * @param json A body: an array, or an object with an array.
 * @returns The objects in it.
 */
export function itemsOf(json: unknown): readonly JsonObject[] {
  const list = Array.isArray(json) ? json : Object.values(Object(json)).find((value) => Array.isArray(value));
  return Array.isArray(list) ? list.filter((item) => typeof item === "object" && item !== null) : [];
}

/** Whether an object says of itself that it has changed: a cancelled order is there, and its status is another one. */
export function isChanged(before: object | undefined, after: unknown): boolean {
  const known: JsonObject = { ...before };
  return Object.entries(Object(after)).some(([key, value]) =>
    typeof value !== "object" && Object.hasOwn(known, key) && known[key] !== value
  );
}

/**
 * Whether two objects are the same thing: more than a number is equal, nothing differs, and one of them has little else.
 * The first thing of each kind has the number 1 and the version 1.
 */
export function isLike(made: object, other: JsonObject): boolean {
  const plain = (object: object) => Object.entries(object).filter(([, value]) => typeof value !== "object");
  const shared = plain(made).filter(([key]) => Object.hasOwn(other, key));
  const fewest = Math.min(plain(made).length, plain(other).length);
  return shared.every(([key, value]) => other[key] === value) && shared.length * 2 > fewest &&
    (shared.length > 1 || shared.some(([, value]) => String(value).length > 7));
}
