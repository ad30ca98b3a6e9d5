/**
 * The pairs of a part of a message, such as its headers.
 *
 * @param part An object, or an iterable of pairs such as `Headers` and `FormData`.
 * @returns The names and values, in order.
 */
export function pairsOf<Value>(part: object): Iterable<readonly [name: string, value: Value]> {
  return Symbol.iterator in part ? part as Iterable<[string, Value]> : Object.entries(part);
}
