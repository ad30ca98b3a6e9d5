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

/** How long a response keeps its place while nothing of it is read, in milliseconds. */
const MAX_STALL = 60_000;

/** `serveFiles` streams files and ranges of at least this length in bytes. It reads smaller ones completely. */
const STREAMED = 256 * 1024;

/**
 * Creates a function that bounds how much is being sent at once, to all and to one client. Use one for all files. It
 * returns the response with a place for it, which is free again when the response has been sent, or cannot be sent, and
 * when nothing of it has been read for a minute: Node.js 20 and 22 tell of the first of several responses only that its
 * client is gone. Beyond the limits, it returns a 503.
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
      response.body.cancel().catch(() => {}); // it may have failed
      return reply(503, { error: "Overloaded" }, { headers: { "retry-after": "5" } });
    }
    const ended = new AbortController();
    let isTaken = true;
    const release = () => {
      if (isTaken) place[Symbol.dispose]();
      isTaken = false;
    };
    const { body, stopWaiting } = watchEnd(response.body, () => ended.abort(), release);
    to.whenSent(ended.signal, () => {
      release();
      stopWaiting();
    });
    // The same status and headers: only the type of a copy is not known.
    return new Response(body, response) as Sent;
  };
}

/**
 * Passes a body on. Calls `onEnd` when it has ended, has failed or is cancelled, and `onStall` if nothing is read for a
 * minute: then it is cut off. Call `stopWaiting` when the client is gone: a runtime may drop a body without a cancel, and
 * the timer would keep the process alive.
 */
function watchEnd(
  body: ReadableStream<Uint8Array>,
  onEnd: () => void,
  onStall: () => void,
): { readonly body: ReadableStream<Uint8Array>; readonly stopWaiting: () => void } {
  const reader = body.getReader();
  let isWaiting = true;
  let stall: ReturnType<typeof setTimeout> | undefined;
  const stopWaiting = () => {
    isWaiting = false;
    clearTimeout(stall);
  };
  const waitFor = (controller: ReadableStreamDefaultController) => {
    if (!isWaiting) return;
    stall = setTimeout(() => {
      onStall();
      // The body may have failed by then, and a rejection that nobody handles ends a process of Node.js.
      reader.cancel().catch(() => {});
      controller.error(new Error("The client has not read for a minute"));
    }, MAX_STALL);
  };
  const passed = new ReadableStream<Uint8Array>({
    start: waitFor,
    async pull(controller) {
      clearTimeout(stall);
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return waitFor(controller);
        }
      } catch (error) {
        onEnd();
        throw error;
      }
      onEnd();
      controller.close();
    },
    cancel(reason) {
      stopWaiting();
      onEnd();
      return reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
  return { body: passed, stopWaiting };
}
