import type { ByteRange } from "./byte_range.ts";
import { type Directory, type FileSystem, readFrom } from "./file_system.ts";
import { type FoundFile, openFile } from "./find_file.ts";

/** How many bytes are read at once. */
const CHUNK_BYTES = 262_144;

/** How long a client may take to read a chunk, in milliseconds. */
const MAX_STALL = 60_000;

/**
 * Makes a body of a range of a file: its bytes if they are fewer than a chunk, or else a stream. The file is opened, to
 * see that it may be read and is the one that was found. For HEAD and for a stream, it is closed again: a stream opens it
 * when it is first read. Of requests that a client has sent and does not wait for, Node.js never reads the responses.
 *
 * @param directory The directory of the file.
 * @param found The file.
 * @param range What to send.
 * @param request The request. If its client is gone, the stream ends.
 * @returns The body; `null` for HEAD; `undefined` if the file was replaced or truncated meanwhile.
 * @throws The error of the system.
 */
export async function openBody(
  directory: Directory,
  found: FoundFile,
  range: ByteRange,
  request: Request,
): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null | undefined> {
  const { fs } = directory;
  const file = openFile(directory, found);
  if (file === undefined) return undefined;
  const { start, end } = range;
  const isHead = request.method === "HEAD";
  const isStream = !isHead && end - start >= CHUNK_BYTES;
  try {
    if (isHead) return null;
    if (isStream) return streamFile(fs, () => openFile(directory, found), range, request.signal);
    const content = new Uint8Array(end - start);
    for (let length = 0; length < content.length;) {
      const count = await readFrom(fs, file, content.subarray(length), start + length);
      if (count === 0) return undefined;
      length += count;
    }
    return content;
  } finally {
    fs.closeSync(file);
  }
}

/**
 * Streams a range of a file, a chunk for each pull. The file is opened by the first one. It is closed at the end, on an
 * error, when the stream is cancelled or the client is gone, and when nothing is read for a minute: then the response is
 * cut off.
 *
 * @param fs The module `node:fs`.
 * @param open Opens the file and returns its descriptor; `undefined` if the file was replaced meanwhile.
 * @param range What to send.
 * @param gone Aborted when the client is gone.
 * @returns The stream.
 */
export function streamFile(
  fs: FileSystem,
  open: () => number | undefined,
  { start, end }: ByteRange,
  gone: AbortSignal,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  let position = start;
  let file: number | undefined;
  let reading = Promise.resolve(0);
  let closed: Promise<void> | undefined;
  let stall: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(stall);
    gone.removeEventListener("abort", close);
    // Not during a read: the system could give the number of this file to another one, which would be read instead.
    closed ??= reading.catch(() => {}).then(() => {
      if (file !== undefined) fs.close(file, () => {});
    });
  };
  gone.addEventListener("abort", close);
  if (gone.aborted) close();
  return new ReadableStream({
    async pull(controller) {
      clearTimeout(stall);
      try {
        if (closed) throw new Error("The client is gone");
        file ??= open();
        if (file === undefined) throw new Error("The file was truncated while it was being sent, or replaced");
        const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - position));
        reading = readFrom(fs, file, chunk, position);
        const count = await reading;
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
    if (closed) return;
    stall = setTimeout(() => {
      close();
      controller.error(new Error("The client has not read for a minute"));
    }, MAX_STALL);
  }
}
