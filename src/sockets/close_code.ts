/**
 * Checks what the application closes a socket with (RFC 6455, 7.4). Browsers send no other codes, either.
 *
 * @param code The code.
 * @param reason The reason.
 * @throws A `TypeError` if it cannot be sent.
 */
export function requireCode(code: number, reason: string): void {
  if (code !== 1000 && !(Number.isInteger(code) && code >= 3000 && code <= 4999)) {
    throw new TypeError(`Code of close must be 1000, or 3000 to 4999: received ${code}`);
  }
  if (!fits(`${reason}`, 123)) throw new TypeError("Reason of close must have at most 123 bytes");
}

/**
 * Whether a text has at most so many bytes. A character has one to three: most texts need not be encoded.
 *
 * @param text The text.
 * @param most The bytes.
 * @returns Whether it fits.
 */
export function fits(text: string, most: number): boolean {
  return text.length * 3 <= most || (text.length <= most && new TextEncoder().encode(text).length <= most);
}
