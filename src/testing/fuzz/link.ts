import { ID, OPAQUE, singular, stemOf } from "./names.ts";
import type { Known, Pool } from "./pool.ts";
import type { Random } from "./random.ts";

/**
 * Replaces some values by those of earlier responses: references by their name, others now and then.
 *
 * @param value The value.
 * @param pool The earlier responses.
 * @param random Chooses.
 * @param used Receives what has been used.
 * @returns The value, and whether it has a reference that no response has given.
 */
export function link(
  value: unknown,
  pool: Pool,
  random: Random,
  used: Known[],
): { readonly value: unknown; readonly isOpaque: boolean } {
  let isOpaque = false;
  const replace = (name: string, value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((item) => replace(name, item, depth + 1));
    if (typeof value === "object" && value !== null) {
      if (depth > 3 || Object.getPrototypeOf(value) !== Object.prototype && Object.getPrototypeOf(value) !== null) {
        return value;
      }
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, replace(key, item, depth + 1)]),
      );
    }
    const isReference = stemOf(name) !== "" || ID.test(name);
    const probability = isReference ? 0.8 : OPAQUE.test(name) ? 0.4 : 0.15;
    if (random.next() < probability) {
      const found = pool.find(name, singular(name));
      const texts = found.length === 0 && OPAQUE.test(name) ? pool.all.filter(({ key }) => ID.test(key)) : found;
      const known = random.chance(0.6) ? texts[0] : random.of(texts);
      if (known !== undefined) {
        if (isReference) used.push(known);
        return isReference ? known.value : vary(known.value, random);
      }
    }
    if (isReference || OPAQUE.test(name)) isOpaque = true;
    return value;
  };
  const linked = replace("", value, 0);
  return { value: linked, isOpaque };
}

/** A text as somebody else writes it: in other letters, or with spaces around it. */
function vary(value: string | number, random: Random): string | number {
  if (typeof value === "number" || random.chance(0.6)) return value;
  return random.of([value.toUpperCase(), value.toLowerCase(), ` ${value}`, `${value} `]) as string;
}
