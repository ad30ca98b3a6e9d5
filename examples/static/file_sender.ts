import { createBudget, type Limits } from "../recipes/forms/budget.ts";
import type { Client } from "../recipes/forms/client_of.ts";
import type { ByteRange } from "./byte_range.ts";
import type { OpenFile } from "./open_file.ts";
import type { Recipient } from "./recipient.ts";
import { CHUNK_BYTES, streamFile } from "./stream_file.ts";

const MIB = 1024 * 1024;

/** How many files may be open while they are being sent. */
const FILES: Limits = { total: 400, perAddress: 150, perConnection: 32 };

/** How many bytes of all files may be in memory until clients have read them. */
const MEMORY: Limits = { total: 128 * MIB, perAddress: 40 * MIB, perConnection: 8 * MIB };

/**
 * How many bytes of a stream a server buffers for a client that reads nothing. It keeps them until the client
 * disconnects, and nothing here can end the connection. A proxy can.
 */
const STREAM_MEMORY = 2 * CHUNK_BYTES;

/** Sends files within limits that all requests share. Its methods return `undefined` beyond the limits: respond with 503. */
export interface FileSender {
  /** Takes a place for a file. Dispose it once. */
  takePlace(client: Client): Disposable | undefined;
  /**
   * Streams a range of an open file. Closes the file when it is not needed, also beyond the limits.
   *
   * @param file The file.
   * @param range What to send of it.
   * @param place Its place. Disposed when the file has been closed.
   * @param to Who receives it.
   */
  sendFile(file: OpenFile, range: ByteRange, place: Disposable, to: Recipient): ReadableStream<Uint8Array> | undefined;
  /** Streams bytes that are in memory. */
  sendBytes(bytes: Uint8Array, to: Recipient): ReadableStream<Uint8Array> | undefined;
}

/** Creates a sender. Use one for all files. */
export function createFileSender(): FileSender {
  const places = createBudget(FILES);
  const memory = createBudget(MEMORY);

  return {
    takePlace: (client) => places(1, client),

    sendFile(file, range, place, to) {
      const ended = new AbortController();
      ended.signal.addEventListener("abort", () => void file.close().then(() => place[Symbol.dispose]()));
      const taken = memory(Math.min(range.end - range.start, STREAM_MEMORY), to.client);
      if (taken === undefined) {
        ended.abort();
        return undefined;
      }
      to.whenSent(ended.signal, () => {
        ended.abort();
        taken[Symbol.dispose]();
      });
      return streamFile(file, range, ended);
    },

    sendBytes(bytes, to) {
      const taken = memory(bytes.length, to.client);
      if (taken === undefined) return undefined;
      const ended = new AbortController();
      to.whenSent(ended.signal, () => taken[Symbol.dispose]());
      return streamBytes(bytes, ended);
    },
  };
}

/**
 * Creates a stream of bytes. With the bytes as the body, Deno resolves `completed` while it still holds them in memory.
 */
function streamBytes(bytes: Uint8Array, ended: AbortController): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
      ended.abort();
    },
    cancel: () => ended.abort(),
  }, { highWaterMark: 0 });
}
