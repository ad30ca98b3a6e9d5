/**
 * Reads the body of a response as text, within a bound.
 *
 * @param response The response.
 * @param maxBytes The largest body accepted, in bytes.
 * @param unexpected Makes the error for a larger body.
 * @returns The text.
 * @throws The error, if the body is larger; its rest is not read.
 */
export async function readText(
  response: Response,
  maxBytes: number,
  unexpected: (fault: string) => Error,
): Promise<string> {
  const { body, headers } = response;
  const length = headers.has("content-encoding") ? null : headers.get("content-length");
  // `text()` is several times faster than reading chunks. What the length says is all that arrives.
  if (body === null || maxBytes === Infinity || (length !== null && Number(length) <= maxBytes)) {
    return await response.text();
  }
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    count += value.byteLength;
    if (count > maxBytes) {
      reader.cancel().catch(() => {});
      throw unexpected(`, with a body of more than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}
