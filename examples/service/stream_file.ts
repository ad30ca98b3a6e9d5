import { open } from "node:fs/promises";

const CHUNK_BYTES = 64 * 1024;

/** How long a client may take to read a chunk, in milliseconds. */
const MAX_STALL = 60_000;

/**
 * Streams a file. It is open only while a chunk is read, so a client that reads nothing holds no file. After a minute in
 * which nothing is read, the response is cut off and `onStall` is called: Node.js 20 and 22 tell only of the first of
 * several responses that its client is gone, so the place of another one would never be free again.
 *
 * `serveFiles` of `@fw/core/files` does not fit here. It keeps a file open for up to a minute in which the client reads
 * nothing. Its look-ups are synchronous, and this directory may be a network volume, which can be slow.
 */
export function streamFile(path: string, size: number, onStall: () => void): ReadableStream<Uint8Array> {
  let position = 0;
  let stall: ReturnType<typeof setTimeout> | undefined;
  const waitFor = (controller: ReadableStreamDefaultController) => {
    stall = setTimeout(() => {
      onStall();
      controller.error(new Error("The client has not read for a minute"));
    }, MAX_STALL);
  };
  return new ReadableStream({
    start: waitFor,
    cancel: () => clearTimeout(stall),
    async pull(controller) {
      clearTimeout(stall);
      const file = await open(path);
      try {
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, size - position));
        const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
        if (bytesRead === 0) throw new Error("The file was truncated while it was being sent");
        position += bytesRead;
        controller.enqueue(chunk.subarray(0, bytesRead));
        if (position === size) controller.close();
        else waitFor(controller);
      } finally {
        await file.close();
      }
    },
  }, { highWaterMark: 0 });
}
