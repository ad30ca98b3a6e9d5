import { type BodyIssue, readChunks } from "./body.ts";

/**
 * Reads a body as bytes. They are counted as they arrive, and nothing is read beyond the bound.
 *
 * @param request The request.
 * @param maxBytes The largest body accepted, in bytes.
 * @returns The bytes; or why the body could not be read: `body_too_large` or `incomplete_body`.
 * @throws If the body has been read before.
 */
export async function readBytes(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer> | BodyIssue> {
  // `arrayBuffer()` rejects a body that has been read before.
  if (request.body === null || request.bodyUsed) return new Uint8Array(await request.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let length = 0;
  const issue = await readChunks(request.body, request, maxBytes, (chunk) => {
    chunks.push(chunk);
    length += chunk.byteLength;
  });
  if (issue !== undefined) return issue;
  const bytes = new Uint8Array(length);
  let start = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, start);
    start += chunk.byteLength;
  }
  return bytes;
}
