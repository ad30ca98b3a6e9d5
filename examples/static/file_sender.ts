import { createBudget, type Limits } from "../recipes/forms/budget.ts";
import type { ByteRange } from "./byte_range.ts";
import type { OpenFile } from "./open_file.ts";
import type { Recipient } from "./recipient.ts";
import { streamFile } from "./stream_file.ts";

const MIB = 1024 * 1024;

/**
 * How many files may be open while they are being sent. A server also buffers two chunks of each for a client that
 * reads nothing. It keeps them until the client disconnects, and nothing here can end the connection. A proxy can.
 */
const FILES: Limits = { total: 400, perAddress: 150, perConnection: 32 };

/** How many bytes of small files may be in memory until clients have read them. */
const MEMORY: Limits = { total: 128 * MIB, perAddress: 40 * MIB, perConnection: 8 * MIB };

/**
 * Creates a function that streams a range of a file, or of its content. Use one for all files: beyond the limits, it
 * returns `undefined`, and does not close the file. Respond with 503 then. Otherwise, it closes an open file when that
 * has been sent, or cannot be sent.
 */
export function createFileSender() {
  const takeFile = createBudget(FILES);
  const takeMemory = createBudget(MEMORY);
  return (file: OpenFile | Uint8Array, range: ByteRange, to: Recipient): ReadableStream<Uint8Array> | undefined => {
    const isOpen = !(file instanceof Uint8Array);
    const place = isOpen ? takeFile(1, to.client) : takeMemory(range.end - range.start, to.client);
    if (place === undefined) return undefined;
    const ended = new AbortController();
    if (isOpen) ended.signal.addEventListener("abort", () => void file.close());
    to.whenSent(ended.signal, () => {
      ended.abort();
      place[Symbol.dispose]();
    });
    return streamFile(isOpen ? file : inMemory(file), range, ended);
  };
}

/**
 * With the bytes as the body, Deno resolves `completed` while it still holds them in memory. So they are streamed, too.
 */
function inMemory(content: Uint8Array): Pick<OpenFile, "read"> {
  return {
    read(buffer, position) {
      const part = content.subarray(position, position + buffer.length);
      buffer.set(part);
      return Promise.resolve(part.length);
    },
  };
}
