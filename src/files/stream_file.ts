import type { ByteRange } from "./byte_range.ts";
import type { FileSystem } from "./file_system.ts";
import { closeFile, readFrom } from "./find_file.ts";

/** How many bytes are read at once. */
export const CHUNK_BYTES = 65_536;

/** How long a client may take to read a chunk, in milliseconds. */
const MAX_STALL = 60_000;

/**
 * Streams a range of an open file, a chunk for each pull. The file is closed at the end, on an error, when the stream
 * is cancelled or the client is gone, and when nothing is read for a minute: then the response is cut off.
 *
 * @param fs The module `node:fs`.
 * @param file The number of the open file.
 * @param range What to send.
 * @param gone Aborted when the client is gone.
 * @returns The stream.
 */
export function streamFile(
  fs: FileSystem,
  file: number,
  { start, end }: ByteRange,
  gone: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let position = start;
  let reading: Promise<unknown> | undefined;
  let stall: ReturnType<typeof setTimeout> | undefined;
  let isClosed = false;
  const close = () => {
    if (isClosed) return;
    isClosed = true;
    clearTimeout(stall);
    gone.removeEventListener("abort", close);
    // Not during a read: the system could give the number of this file to another one, which would be read instead.
    Promise.resolve(reading).catch(() => {}).then(() => closeFile(fs, file)).catch(() => {});
  };
  gone.addEventListener("abort", close);
  if (gone.aborted) close();
  return new ReadableStream({
    start(controller) {
      waitFor(controller);
    },
    async pull(controller) {
      clearTimeout(stall);
      try {
        if (isClosed) throw new Error("The client is gone");
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - position));
        const read = readFrom(fs, file, chunk, position);
        reading = read;
        const count = await read;
        if (count === 0) throw new Error("The file was truncated while it was being sent");
        position += count;
        controller.enqueue(chunk.subarray(0, count));
      } catch (error) {
        close();
        throw error;
      }
      if (position < end) return waitFor(controller);
      close();
      controller.close();
    },
    cancel: close,
  }, { highWaterMark: 0 });

  function waitFor(controller: ReadableStreamDefaultController): void {
    // The client may have gone during the read. Nobody would then clear the timer.
    if (isClosed) return;
    stall = setTimeout(() => {
      close();
      controller.error(new Error("The client has not read for a minute"));
    }, MAX_STALL);
  }
}
