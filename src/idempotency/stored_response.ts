/**
 * Writes a response as text, for a store. Its body is read.
 *
 * @param response The response.
 * @param maxBytes How long its body may be.
 * @returns The text, of ASCII characters.
 * @throws An `Error` if the body is longer; a `TypeError` if its stream has anything but bytes.
 */
export async function writeResponse({ status, headers, body }: Response, maxBytes: number): Promise<string> {
  // Not by `for await`: a body cannot be iterated everywhere.
  const reader = body?.getReader();
  let binary = "";
  for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) {
    if (!(read.value instanceof Uint8Array)) {
      throw new TypeError("The stream of an idempotent response must have bytes");
    }
    if (binary.length + read.value.length > maxBytes) {
      await reader?.cancel();
      throw new Error(`An idempotent response must have at most ${maxBytes} bytes`);
    }
    for (const byte of read.value) binary += String.fromCharCode(byte);
  }
  return JSON.stringify([status, [...headers], body && btoa(binary)]);
}

/**
 * Reads a response that {@linkcode writeResponse} has written.
 *
 * @param text The text.
 * @returns The response.
 */
export function readResponse(text: string): Response {
  const [status, headers, body]: [number, [string, string][], string | null] = JSON.parse(text);
  const bytes = body === null ? null : Uint8Array.from(atob(body), (character) => character.charCodeAt(0));
  return new Response(bytes, { status, headers });
}
