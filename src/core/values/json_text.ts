/**
 * The JSON of a value.
 *
 * @param value The value.
 * @returns The text; `undefined` for what JSON cannot have, such as a bigint, a circle, or too many nested arrays.
 */
export function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
