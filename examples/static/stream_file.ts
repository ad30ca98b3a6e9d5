import type { ByteRange } from "./byte_range.ts";
import type { OpenFile } from "./open_file.ts";

/** How long a client may take to read a chunk, in milliseconds. What a slower client holds is given back. */
const MAX_STALL = 60_000;

/** How many bytes are read at once. */
export const CHUNK_BYTES = 64 * 1024;

/**
 * Streams a range of a file. `ended` is aborted when the file is not needed: by this stream at its end, on an error,
 * when it is cancelled, or when the client reads nothing for a minute. Abort it if nothing more can be sent.
 */
export function streamFile(
  file: Pick<OpenFile, "read">,
  { start, end }: ByteRange,
  ended: AbortController,
): ReadableStream<Uint8Array> {
  let position = start;
  let stall: ReturnType<typeof setTimeout> | undefined;
  ended.signal.addEventListener("abort", () => clearTimeout(stall));
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(stall);
      try {
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - position));
        const count = await file.read(chunk, position);
        if (count === 0) throw new Error("The file was truncated while it was being sent");
        position += count;
        controller.enqueue(chunk.subarray(0, count));
        if (position === end) controller.close();
      } catch (error) {
        ended.abort();
        throw error;
      }
      if (position === end) return ended.abort();
      // During the read or in `enqueue`, the client may have disconnected. Nobody would then clear the timer.
      if (ended.signal.aborted) return;
      stall = setTimeout(() => {
        ended.abort();
        controller.error(new Error("The client has not read for a minute"));
      }, MAX_STALL);
    },
    cancel: () => ended.abort(),
  }, { highWaterMark: 0 });
}
