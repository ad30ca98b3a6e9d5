/** The limits of a hub. */
export interface HubOptions {
  readonly kept: number; // how many of the latest messages are kept, for all subscribers together
  readonly maxAge: number; // how many seconds a subscription lasts: then the client connects again
}

/**
 * Creates a hub, which passes messages on to subscribers. They share the latest messages, and each remembers only how
 * far it is. So a slow client needs no memory of its own: when the next message that it needs is no longer kept, its
 * subscription ends. It connects again, and gets `"missed"`, as any client does whose `Last-Event-ID` is too old: it
 * loads the current state anew.
 *
 * The messages are kept in memory: with several instances, each has its own. Then publish by way of Redis or
 * `LISTEN`/`NOTIFY` of PostgreSQL.
 */
export function createHub<Message>({ kept, maxAge }: HubOptions) {
  /** Part of each id: after a restart, the ids of before are unknown. */
  const instance = crypto.randomUUID();
  const messages: Message[] = [];
  /** The number of `messages[0]`. */
  let first = 1;
  const waiting = new Set<() => void>();

  /** The number of the first message that the client lacks. `undefined` if it is unknown, or no longer kept. */
  const findNext = (lastEventId: string): number | undefined => {
    const number = lastEventId.startsWith(`${instance}.`) ? lastEventId.slice(instance.length + 1) : "";
    const next = /^\d{1,15}$/.test(number) ? Number(number) + 1 : 0;
    return next >= first && next <= first + messages.length ? next : undefined;
  };

  return {
    /** Sends a message to all subscribers. */
    publish(message: Message): void {
      messages.push(message);
      if (messages.length > kept) {
        messages.shift();
        first++;
      }
      for (const wake of waiting) wake();
      waiting.clear();
    },

    /**
     * Yields the messages from now on, or after the last one that the client received; first `"missed"` if it is not
     * known which ones the client lacks. The header `Last-Event-ID` can have any text. The signal ends the
     * subscription.
     */
    async *subscribe(lastEventId: string | null, signal: AbortSignal) {
      const found = lastEventId === null ? undefined : findNext(lastEventId);
      let next = found ?? first + messages.length;
      let wake = () => {};
      let isOpen = !signal.aborted;
      const end = () => {
        isOpen = false;
        wake();
      };
      const age = setTimeout(end, maxAge * 1000);
      signal.addEventListener("abort", end);
      try {
        if (lastEventId !== null && found === undefined) yield "missed" as const;
        while (isOpen && next >= first) { // else it is too slow
          const [message] = messages.slice(next - first, next - first + 1);
          if (message !== undefined) yield { id: `${instance}.${next++}`, message };
          else await new Promise<void>((resolve) => waiting.add(wake = resolve));
        }
      } finally {
        clearTimeout(age);
        waiting.delete(wake);
        signal.removeEventListener("abort", end);
      }
    },
  };
}
