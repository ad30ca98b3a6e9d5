/**
 * Makes another id of the same form.
 *
 * @param id An id.
 * @returns An id that most likely does not exist.
 */
export function mutateId(id: string | number): string | number {
  return typeof id === "number" ? id + 7919 : mutateText(id);
}

/**
 * Makes another text of the same form.
 *
 * @param text A text, such as an id.
 * @returns The text with another letter or digit at its end, or with another number.
 */
export function mutateText(text: string): string {
  if (/^\d+$/.test(text)) return String(Number(text.slice(-9)) + 7919);
  return text.replace(
    /[\da-z](?=[^\da-z]*$)/i,
    (last) => /[0-8a-eg-yA-Y]/.test(last) ? String.fromCharCode(last.charCodeAt(0) + 1) : last === "9" ? "0" : "a",
  );
}
