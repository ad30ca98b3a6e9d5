import { open } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;

/**
 * Streams a file. It is open only while a chunk is read, so a client that reads nothing holds no file.
 *
 * `serveFiles` of `@fw/core/files` does not fit here. It keeps a file open for up to a minute in which the client reads
 * nothing. Its look-ups are synchronous, and this directory may be a network volume, which can be slow.
 */
export function streamFile(path: string, size: number): ReadableStream<Uint8Array> {
  let position = 0;
  return new ReadableStream({
    async pull(controller) {
      const file = await open(path);
      try {
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - position));
        const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
        if (bytesRead === 0) throw new Error("The file was truncated while it was being sent");
        position += bytesRead;
        controller.enqueue(chunk.subarray(0, bytesRead));
        if (position === size) controller.close();
      } finally {
        await file.close();
      }
    },
  }, { highWaterMark: 0 });
}
