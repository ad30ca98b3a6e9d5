/**
 * Writes a response as text, for a store. Its body is read.
 *
 * @param response The response.
 * @param maxBytes How long its body may be.
 * @returns The text, of ASCII characters.
 * @throws An `Error` if the body is longer.
 */
export async function writeResponse({ status, headers, body }: Response, maxBytes: number): Promise<string> {
  let binary = "";
  for await (const chunk of chunksOf(body)) {
    if (binary.length + chunk.length > maxBytes) {
      throw new Error(`An idempotent response must have at most ${maxBytes} bytes`);
    }
    for (const byte of chunk) binary += String.fromCharCode(byte);
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

/** Not by `for await` over the body, which cannot be iterated everywhere. */
async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  try {
    for (let read = await reader?.read(); read?.value !== undefined; read = await reader?.read()) yield read.value;
  } finally {
    await reader?.cancel();
  }
}
