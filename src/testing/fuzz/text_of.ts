/**
 * The text of a value in a query, a header, a path or a form.
 *
 * @param value The value.
 * @returns The text. Of an object, its JSON.
 */
export function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/**
 * Replaces halves of pairs, which UTF-8 cannot have.
 *
 * @param text The text.
 * @returns The text as it arrives.
 */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, "\ufffd");
}
