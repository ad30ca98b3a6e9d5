import { isPlain } from "../../core/values/assert.ts";

/**
 * Writes a text into a value wherever a text is, as long as the value remains valid.
 *
 * @param text The text.
 * @param value A valid value.
 * @param isValid Whether a value is valid.
 * @returns The value with the text; the value itself if the text fits nowhere.
 */
export async function writeEverywhere(
  text: string,
  value: unknown,
  isValid: (value: unknown) => Promise<boolean>,
): Promise<unknown> {
  const places = textsIn(value, [], 0);
  const everywhere = places.reduce<unknown>((made, place) => write(text, made, place), value);
  if (places.length === 0 || await isValid(everywhere)) return everywhere;
  let written = value;
  for (const place of places.slice(0, MOST_PLACES)) {
    const made = write(text, written, place);
    if (await isValid(made)) written = made;
  }
  return written;
}

const MOST_PLACES = 12;

/** The places of the texts of a value. */
function textsIn(value: unknown, place: readonly string[], depth: number): readonly (readonly string[])[] {
  if (typeof value === "string") return [place];
  if (depth > 4 || !(Array.isArray(value) || isPlain(value))) return [];
  return Object.entries(value).flatMap(([key, item]) => textsIn(item, [...place, key], depth + 1));
}

function write(text: string, value: unknown, [key, ...place]: readonly string[]): unknown {
  if (key === undefined) return text.padEnd(String(value).length, "x");
  const old: { readonly [key: string]: unknown } = Object(value);
  const made = write(text, old[key], place);
  if (Array.isArray(value)) return value.map((item, index) => String(index) === key ? made : item);
  return Object.fromEntries(Object.entries(old).map(([other, item]) => [other, other === key ? made : item]));
}
