/** How long a client may take to read a chunk, in milliseconds. What a slower client holds is given back. */
const MAX_STALL = 60_000;

/** How many bytes are read at once. */
export const CHUNK_BYTES = 64 * 1024;

/**
 * Streams a range of a file.
 *
 * @param file The open file, at the first byte to send.
 * @param length How many bytes to send.
 * @param open Owns the file. Disposed at the end, or when the client reads nothing for a minute.
 * @returns The stream.
 */
export function streamFile(
  file: Pick<Deno.FsFile, "read">,
  length: number,
  open: DisposableStack,
): ReadableStream<Uint8Array> {
  let rest = length;
  let stall: ReturnType<typeof setTimeout> | undefined;
  open.defer(() => clearTimeout(stall));
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(stall);
      const chunk = new Uint8Array(Math.min(CHUNK_BYTES, rest));
      const count = await file.read(chunk);
      if (count === null) throw new Error("The file was truncated while it was being sent");
      rest -= count;
      controller.enqueue(chunk.subarray(0, count));
      if (rest === 0) {
        open.dispose();
        controller.close();
      } else if (!open.disposed) {
        stall = setTimeout(() => {
          open.dispose();
          controller.error(new Error("The client has not read for a minute"));
        }, MAX_STALL);
      }
    },
  }, { highWaterMark: 0 });
}
