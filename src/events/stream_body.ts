import { onAbort } from "../core/values/on_abort.ts";

/** A comment of an event stream, which clients ignore. */
export const COMMENT = ":\n\n";

/** What the body of a stream is made of. */
export interface StreamSource<Item> {
  /** Creates the items. It is called when the client reads. The signal is aborted when the stream ends. */
  open(signal: AbortSignal): AsyncIterable<Item> | Iterable<Item>;
  /** Converts an item to the string that is sent. */
  encode(item: Item): string;
  /** Text to send before the first item. */
  readonly first?: string;
  /** The milliseconds without an item after which a comment is sent. */
  readonly heartbeat?: number | undefined;
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined;
  /** Receives the error that breaks the stream off. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Creates the body of a stream. Each time the client reads, it takes one item. No item is taken before, so a client
 * that does not read needs no memory, and a response to HEAD takes none at all.
 *
 * @param source What it is made of.
 * @returns The body.
 */
export function createStreamBody<Item>(
  { open, encode, first = "", heartbeat, signal, onError }: StreamSource<Item>,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  type Controller = ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  const ending = new AbortController();
  /** Aborted when the stream has ended, for whatever reason. */
  const ended = ending.signal;
  const encoder = new TextEncoder();
  let iterator: AsyncIterator<Item> | Iterator<Item> | undefined;
  let isTaking = false;
  let isEnded = false;
  let forget = () => {};
  /** Settles the promise that `pull` has returned. */
  let release = () => {};

  const report = async (error: unknown) => {
    try {
      await onError?.(error);
    } catch {
      // Nobody else is there to receive it: the response has been sent.
    }
  };

  /** Wakes the source, and runs its `finally`. It is not awaited: a generator that awaits anything returns after it. */
  const end = async (reason?: unknown) => {
    if (isEnded) return;
    isEnded = true;
    forget();
    ending.abort(reason);
    release();
    try {
      await iterator?.return?.();
    } catch (error) {
      report(error);
    }
  };

  const start = (controller: Controller) => {
    const stop = () => {
      controller.close();
      end(signal?.reason);
    };
    if (signal?.aborted) return stop();
    if (signal !== undefined) forget = onAbort(signal, stop);
    const items = open(ended);
    iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  };

  /** Takes one item, and sends it. */
  const take = async (controller: Controller) => {
    try {
      if (iterator === undefined) start(controller);
      // An empty chunk is never sent: in HTTP/1.1, it would be the end of the body.
      for (let text = ""; iterator !== undefined && !isEnded && text === "";) {
        const { done, value } = await iterator.next();
        if (done) iterator = undefined; // it has ended by itself
        if (isEnded) break;
        if (done) {
          controller.close();
          end();
        } else {
          text = encode(value);
          if (text !== "") controller.enqueue(encoder.encode(text));
        }
      }
    } catch (error) {
      // A generator that was woken by its signal has not failed.
      if (!isEnded || (error !== ended.reason && Object(error).name !== "AbortError")) report(error);
      controller.error(error); // does nothing if the stream has ended
      end();
    }
    isTaking = false;
    release();
  };

  return new ReadableStream({
    pull: (controller) =>
      new Promise((resolve) => {
        if (first !== "") {
          controller.enqueue(encoder.encode(first));
          first = "";
          return resolve();
        }
        // A heartbeat is sent only if the client has read everything: none are kept for a client that does not read.
        const timer = heartbeat && setTimeout(() => {
          controller.enqueue(encoder.encode(COMMENT));
          release();
        }, heartbeat);
        release = () => {
          clearTimeout(timer);
          resolve();
        };
        if (!isTaking) {
          isTaking = true;
          take(controller);
        }
      }),
    cancel() {
      end();
    },
  }, { highWaterMark: 0 });
}
