import { isPromise, type MaybePromise } from "../core/values/maybe_promise.ts";

/** The messages of a client that wait to be handled. */
export interface Inbox {
  /** Adds a message, which is handled at once if none is. Returns whether there was room for it. */
  add(text: string): boolean;
  /** Drops the messages that wait. */
  clear(): void;
}

/**
 * Creates an inbox. It handles one message at a time, in order. A handler that returns no promise is done at once: so any
 * number of messages may arrive in one turn of the event loop.
 *
 * @param most How many bytes may wait. Each message counts its characters, and what its entry takes.
 * @param handle Handles a message.
 * @param fail Called with what `handle` throws. No message is handled after that.
 * @returns The inbox.
 */
export function createInbox(
  most: number,
  handle: (text: string) => MaybePromise<void>,
  fail: (error: unknown) => void,
): Inbox {
  const waiting: string[] = [];
  let bytes = 0;
  /** Stays true after a failure. */
  let isBusy = false;

  const run = () => {
    isBusy = true;
    try {
      for (let text = waiting.shift(); text !== undefined; text = waiting.shift()) {
        bytes -= text.length + OVERHEAD;
        const handled = handle(text);
        if (isPromise(handled)) {
          Promise.resolve(handled).then(run, fail);
          return;
        }
      }
      isBusy = false;
    } catch (error) {
      fail(error);
    }
  };

  return {
    add(text) {
      // The one that is handled next does not wait.
      if (isBusy && bytes + text.length + OVERHEAD > most) return false;
      bytes += text.length + OVERHEAD;
      waiting.push(text);
      if (!isBusy) run();
      return true;
    },
    clear() {
      waiting.length = 0;
      bytes = 0;
    },
  };
}

/** In bytes: what a string takes beside its characters, about. */
const OVERHEAD = 64;
