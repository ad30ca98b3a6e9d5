import { createBudget, type Limits } from "../recipes/forms/budget.ts";
import type { Client } from "../recipes/rate_limit/client_of.ts";
import { CHUNK_BYTES, streamFile } from "./stream_file.ts";

const MIB = 1024 * 1024;

/** How many files may be open while they are being sent. */
const FILES: Limits = { total: 400, perAddress: 150, perConnection: 32 };

/** How many bytes of all files may be in memory until clients have read them. */
const MEMORY: Limits = { total: 128 * MIB, perAddress: 40 * MIB, perConnection: 8 * MIB };

/**
 * How many bytes of a stream Deno buffers for a client that reads nothing. It keeps them until the client disconnects, and
 * nothing here can end the connection. A proxy can.
 */
const STREAM_MEMORY = 2 * CHUNK_BYTES;

/** Who receives a response, and when nothing of it is left to send. */
export interface Recipient {
  /** The client. */
  readonly client: Client;
  /** Settles when the response has been sent or cannot be sent: `completed` of `Deno.ServeHandlerInfo`. */
  readonly completed: Promise<void>;
}

/** Sends files within limits that all requests share. Its methods return `undefined` beyond the limits: answer 503. */
export interface FileSender {
  /** Takes a place for a file. Take it before you open the file. */
  takePlace(client: Client): Disposable | undefined;
  /**
   * Streams an open file.
   *
   * @param file The file, at the first byte to send.
   * @param length How many bytes to send.
   * @param open Owns the file and its place. Disposed as soon as the file is not needed.
   * @param to Who receives it.
   */
  sendFile(
    file: Deno.FsFile,
    length: number,
    open: DisposableStack,
    to: Recipient,
  ): ReadableStream<Uint8Array> | undefined;
  /** Streams bytes that are in memory. */
  sendBytes(bytes: Uint8Array, to: Recipient): ReadableStream<Uint8Array> | undefined;
}

/** Creates a sender. Use one for all files. */
export function createFileSender(): FileSender {
  const places = createBudget(FILES);
  const memory = createBudget(MEMORY);

  const takeMemory = (bytes: number, { client, completed }: Recipient): boolean => {
    const taken = memory(bytes, client);
    if (taken !== undefined) completed.catch(() => {}).then(() => taken[Symbol.dispose]());
    return taken !== undefined;
  };

  return {
    takePlace: (client) => places(1, client),

    sendFile(file, length, open, to) {
      to.completed.catch(() => {}).then(() => open.dispose());
      if (takeMemory(Math.min(length, STREAM_MEMORY), to)) return streamFile(file, length, open);
      open.dispose();
      return undefined;
    },

    sendBytes: (bytes, to) => takeMemory(bytes.length, to) ? streamBytes(bytes) : undefined,
  };
}

/**
 * Creates a stream of bytes. With the bytes as the body, Deno resolves `completed` while it still holds them in memory.
 */
function streamBytes(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  }, { highWaterMark: 0 });
}
