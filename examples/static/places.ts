import { reply } from "@fw/core";
import { createBudget, type Limits } from "../recipes/forms/budget.ts";
import { recipientOf, type ResponseConnection } from "./recipient.ts";

const MIB = 1024 * 1024;

/**
 * How many files may be open while they are being sent. A server also buffers two chunks of each for a client that
 * reads nothing.
 */
const FILES: Limits = { total: 400, perAddress: 150, perConnection: 32 };

/** How many bytes of small files may be in memory until clients have read them. */
const MEMORY: Limits = { total: 128 * MIB, perAddress: 40 * MIB, perConnection: 8 * MIB };

/** `serveFiles` streams files and ranges of at least this length in bytes. It reads smaller ones completely. */
const STREAMED = 256 * 1024;

/**
 * Creates a function that bounds how much is being sent at once, to all and to one client. Use one for all files. It
 * returns the response with a place for it, which is free again when the response has been sent, or cannot be sent.
 * Beyond the limits, it returns a 503.
 */
export function createPlaces() {
  const takeFile = createBudget(FILES);
  const takeMemory = createBudget(MEMORY);
  return <Sent extends Response>(response: Sent, request: Request, connection?: ResponseConnection) => {
    if (!response.ok || response.body === null) return response;
    const to = recipientOf(request, connection);
    const length = Number(response.headers.get("content-length"));
    const place = length < STREAMED ? takeMemory(length, to.client) : takeFile(1, to.client);
    if (place === undefined) {
      void response.body.cancel();
      return reply(503, { error: "Overloaded" }, { headers: { "retry-after": "5" } });
    }
    const ended = new AbortController();
    to.whenSent(ended.signal, () => place[Symbol.dispose]());
    // The same status and headers: only the type of a copy is not known.
    return new Response(watchEnd(response.body, () => ended.abort()), response) as Sent;
  };
}

/** Passes a body on, and calls a function when it has ended, has failed or is cancelled. */
function watchEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
      } catch (error) {
        onEnd();
        throw error;
      }
      onEnd();
      controller.close();
    },
    cancel(reason) {
      onEnd();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
