/** The limits of a hub. */
export interface HubOptions {
  /** How many of the latest events are kept, for all subscribers together. */
  readonly kept: number;
  /** After how many milliseconds without an event a comment is sent, so that proxies keep the connection. */
  readonly heartbeat: number;
  /** How long a stream lasts, in milliseconds. Then the browser connects again. */
  readonly maxAge: number;
  /** Ends all streams. */
  readonly stopping: AbortSignal;
}

/** Passes events on to subscribers. */
export interface Hub {
  /** Sends an event to all subscribers. */
  publish(data: string): void;
  /**
   * Subscribes to the events from now on, or after the last event that the client received.
   *
   * @param lastEventId The header `Last-Event-ID`, which a browser sends when it connects again. A client can send any text.
   * @param onEnd Called once, when the stream has ended for any reason.
   * @returns The stream, in the format of `text/event-stream`.
   */
  subscribe(lastEventId: string | null, onEnd: () => void): ReadableStream<Uint8Array>;
}

/**
 * Creates a hub. Subscribers share the latest events, and each remembers only how far it is. So a slow client needs no
 * memory of its own: when the next event that it needs is no longer kept, its stream ends. The browser connects again, and
 * gets the event `missed`, as any client does whose `Last-Event-ID` is too old: it loads the current state anew.
 *
 * The events are kept in memory: with several instances, each has its own. Then publish by way of Redis or
 * `LISTEN`/`NOTIFY` of PostgreSQL.
 *
 * @param options The limits.
 * @returns The hub.
 */
export function createHub({ kept, heartbeat, maxAge, stopping }: HubOptions): Hub {
  /** Part of each id: after a restart, the ids of before are unknown. */
  const instance = crypto.randomUUID();
  const events: Uint8Array[] = [];
  /** The number of `events[0]`. */
  let first = 1;
  const waiting = new Set<() => void>();

  /** The number of the first event that the client lacks. `undefined` if it is unknown, or no longer kept. */
  const findNext = (lastEventId: string): number | undefined => {
    const number = lastEventId.startsWith(`${instance}.`) ? lastEventId.slice(instance.length + 1) : "";
    const next = /^\d{1,15}$/.test(number) ? Number(number) + 1 : 0;
    return next >= first && next <= first + events.length ? next : undefined;
  };

  return {
    publish(data) {
      events.push(encodeEvent({ data, id: `${instance}.${first + events.length}` }));
      if (events.length > kept) {
        events.shift();
        first++;
      }
      for (const wake of [...waiting]) wake();
    },

    subscribe(lastEventId, onEnd) {
      const found = lastEventId === null ? undefined : findNext(lastEventId);
      const missed = lastEventId !== null && found === undefined;
      let next = found ?? first + events.length;
      let open = true;
      let wake = () => {};
      let close = () => {};

      /** Waits until there is an event, the heartbeat is due, or the stream has ended. */
      const wait = () =>
        new Promise<void>((resolve) => {
          wake = () => {
            clearTimeout(timer);
            waiting.delete(wake);
            resolve();
          };
          const timer = setTimeout(() => wake(), heartbeat);
          waiting.add(wake);
        });

      const end = () => {
        if (!open) return;
        open = false;
        clearTimeout(age);
        stopping.removeEventListener("abort", close);
        wake();
        onEnd();
      };
      const age = setTimeout(() => close(), maxAge);

      return new ReadableStream({
        start(controller) {
          close = () => {
            if (open) controller.close();
            end();
          };
          stopping.addEventListener("abort", close);
          // At once, so that the client sees that it is connected. `retry` is in milliseconds.
          controller.enqueue(encode(`retry: 3000\n\n${missed ? "event: missed\ndata:\n\n" : ""}`));
          if (stopping.aborted) close();
        },
        // Called when the client has taken what was sent before: a client that reads nothing gets nothing more.
        async pull(controller) {
          if (next === first + events.length) await wait();
          if (!open) return;
          if (next < first) return close(); // too slow
          const event = events[next - first];
          if (event !== undefined) next++;
          controller.enqueue(event ?? HEARTBEAT);
        },
        cancel: end,
      }, { highWaterMark: 0 });
    },
  };
}

/** Formats an event. Line breaks in the data begin further lines of data, so that no text can pass for an event. */
export function encodeEvent({ data, id }: { readonly data: string; readonly id: string }): Uint8Array {
  const lines = data.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`);
  return encode(`${lines.join("")}id: ${id}\n\n`);
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A comment, which browsers ignore. */
const HEARTBEAT = encode(":\n\n");
