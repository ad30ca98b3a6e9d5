import { type EventLog, type LogEngine, type LoggedText, textsOf } from "./event_log.ts";
import { callsInTurn, sharedCall } from "./shared_calls.ts";

/**
 * Makes a log of an engine. Readers that are at the same message share one call: so a message costs an instance one
 * call, not one for each reader.
 *
 * @param engine The engine.
 * @param interval After how many seconds the engine is asked again. `Infinity` if nobody else adds messages.
 * @returns The log, and a function that lets its readers ask the engine at once.
 */
export function createEventLog<Message>(
  engine: LogEngine,
  interval: number,
): { readonly log: EventLog<Message>; readonly wake: () => void } {
  /** The calls of readers that wait, by the id of the last message that they have. */
  const polls = new Map<string, Poll>();
  // Many clients that connect at once, each with another id, must not take the calls that others need.
  const pageAfter = callsInTurn((id: string) => engine.after(id), 100);
  const latest = sharedCall(() => engine.after(null));

  /** Asks the engine until there are messages, or nobody waits any more. */
  const run = async (after: string, poll: Poll): Promise<void> => {
    let settle: ((reader: Reader) => void) | undefined;
    try {
      while (poll.readers.size > 0) {
        // A message may be added while the engine is asked.
        const woken = new Promise<void>((resolve) => poll.wake = resolve);
        const { last, texts = [[last]] } = await pageAfter(after);
        if (texts.length > 0) {
          settle = (reader) => reader(texts);
          break;
        }
        // A timer would keep the process alive. Without other instances, only a message ends the pause.
        const timer = interval === Infinity ? undefined : setTimeout(poll.wake as () => void, interval * 1000);
        await woken;
        clearTimeout(timer);
      }
    } catch (error) {
      settle = (reader) => reader(Promise.reject(error));
    }
    polls.delete(after);
    if (settle) poll.readers.forEach(settle);
  };

  /** The next messages after one; none if the signal is aborted. */
  const next = (after: string, signal: AbortSignal): Promise<readonly LoggedText[]> =>
    new Promise((resolve) => {
      const known = polls.get(after);
      const poll: Poll = known ?? { readers: new Set() };
      const reader: Reader = (answer) => {
        poll.readers.delete(reader);
        signal.removeEventListener("abort", leave);
        resolve(answer);
      };
      const leave = () => {
        reader([]);
        if (poll.readers.size === 0) poll.wake?.();
      };
      poll.readers.add(reader);
      signal.addEventListener("abort", leave);
      if (known === undefined) {
        polls.set(after, poll);
        run(after, poll);
      }
    });

  const wake = () => polls.forEach((poll) => poll.wake?.());

  const appendAll = async (messages: readonly Message[]): Promise<readonly string[]> => {
    const texts = textsOf(messages);
    if (texts.length === 0) return [];
    const ids = await engine.appendAll(texts);
    wake();
    return ids;
  };

  const log: EventLog<Message> = {
    appendAll,
    append: async (message) => String((await appendAll([message]))[0]),
    async *read(after, signal) {
      let position = after ?? (await latest()).last;
      while (!signal.aborted) {
        for (const [id, text] of await next(position, signal)) {
          position = id;
          // Parsed for each reader: what one does to its message, no other one sees.
          yield [id, text === undefined ? text : JSON.parse(text)];
          if (signal.aborted) return;
        }
      }
    },
  };
  return { log, wake };
}

/** Takes the messages, or the error of the engine, for a reader that waits. */
type Reader = (answer: readonly LoggedText[] | Promise<never>) => void;

/** Readers that wait for the messages after the same one. */
interface Poll {
  readonly readers: Set<Reader>;
  /** Asks the engine again, without a pause. Absent until it is asked. */
  wake?: () => void;
}
