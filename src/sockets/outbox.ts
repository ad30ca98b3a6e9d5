import type { RuntimeSocket, SocketPolicy } from "./runtime.ts";

/** What a server sends to one client, which may be slow. */
export interface Outbox {
  /**
   * Sends a message. Resolves when there is room for another: at once, unless the client lags behind, or others should
   * run. It never rejects, and it resolves when the socket ends.
   */
  send(text: string): Promise<void>;
  /** The client has read so many messages. Returns whether that can be true. */
  acknowledge(count: number): boolean;
  /** Whether bytes for the client pile up. A client that reads, but acknowledges nothing, still gets heartbeats. */
  isCongested(): boolean;
  /** Looks again whether there is room. */
  wake(): void;
}

/**
 * Creates an outbox. If the sender awaits `send`, the outbox holds at most `maxUnsentBytes` and one message. If the
 * sender does not await it, the outbox holds up to 256 further messages, and then disconnects the client.
 *
 * @param socket The socket.
 * @param policy The bounds.
 * @param window How many messages may be sent ahead of what is acknowledged.
 * @param ended Aborted when the socket has ended.
 * @param cutOff Ends the socket of a client that does not read.
 * @returns The outbox.
 */
export function createOutbox(
  socket: RuntimeSocket,
  { maxUnsentBytes, patience }: SocketPolicy,
  window: number,
  ended: AbortSignal,
  cutOff: () => void,
): Outbox {
  const waiting = new Set<() => void>();
  let senders = 0;
  let sent = 0;
  let acknowledged = 0;
  const unsent = () => socket.unsent() ?? 0;
  const isCongested = () => unsent() > maxUnsentBytes;
  const isFull = () => isCongested() || sent - acknowledged >= window;

  /**
   * Ends at the next `wake`. Not every runtime says when a client has taken something, so it is asked every few
   * milliseconds, too.
   */
  const pause = () =>
    new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        waiting.delete(end);
        resolve();
      };
      const timer = isCongested() ? setTimeout(end, POLL) : undefined;
      waiting.add(end);
    });

  const waitForRoom = async () => {
    let least = unsent();
    let deadline = Date.now() + patience * 1000;
    do {
      await pause();
      const left = unsent();
      // A socket that takes no more is about to end, by itself.
      if (left < least || left <= maxUnsentBytes || left === Infinity) {
        least = left;
        deadline = Date.now() + patience * 1000;
      } else if (Date.now() > deadline) {
        cutOff();
      }
    } while (!ended.aborted && isFull());
  };

  return {
    isCongested,
    async send(text) {
      sent++;
      socket.send(text);
      if (!isFull()) return sent % TURN === 0 ? nextTurn() : undefined;
      if (senders >= MAX_SENDERS) return cutOff();
      senders++;
      await waitForRoom();
      senders--;
    },
    acknowledge(count) {
      if (count <= acknowledged || count > sent) return false;
      acknowledged = count;
      this.wake();
      return true;
    },
    wake() {
      for (const end of [...waiting]) end();
    },
  };
}

/** In milliseconds. */
const POLL = 25;

/**
 * After how many messages others run. Node.js and Bun write at once: a sender that waits for nothing else would block
 * the process for as long as its client reads.
 */
const TURN = 64;

/** Ends in the next turn of the event loop: by a timer only where there is nothing else, since it takes a millisecond. */
function nextTurn(): Promise<void> {
  const { setImmediate = setTimeout }: Globals = globalThis;
  return new Promise((resolve) => setImmediate(resolve));
}

/** What runtimes have, and Workers may lack. */
interface Globals {
  readonly setTimeout: (run: () => void) => unknown;
  readonly setImmediate?: (run: () => void) => unknown;
}

/** How many calls of `send` may wait. */
const MAX_SENDERS = 256;
