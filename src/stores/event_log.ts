/** Messages that survive an instance: what the logs of several doors have in common. */

import { requireOptions, requireThat } from "../core/values/assert.ts";
import { storeName } from "./store_calls.ts";
import { requireWhole } from "../core/values/whole_number.ts";

/**
 * A log of messages that all instances share. `eventLog` of `@fw/core/memory` makes one for a single instance;
 * `eventLog` of `@fw/core/sqlite`, `/postgres` and `/redis` make those of several.
 *
 * @typeParam Message A message. It is kept as JSON, so a `Date` is read as a string.
 */
export interface EventLog<Message> {
  /**
   * Adds a message, for the readers of all instances. The log then forgets messages beyond the latest that it keeps.
   *
   * @param message The message: as JSON, at most 262,144 characters.
   * @returns Its id. Ids are the same for all instances.
   */
  append(message: Message): Promise<string>;
  /**
   * Reads messages, and waits for further ones.
   *
   * A reader holds at most 100 messages, however slow it is, and each message is its own. If messages that it has not
   * read are no longer kept, or if `after` is not an id of the log, it gets `undefined` in place of a message: it must
   * load the current state anew. Then it gets the messages from then on. Its iteration throws if the engine fails.
   *
   * @param after The id of the last message that the reader has, such as the header `Last-Event-ID`, which may have any
   * text. `null` begins with the next message that is added; `"0"` with the oldest that is kept.
   * @param signal Ends the iteration.
   * @returns The messages in their order, each with its id, once.
   */
  read(after: string | null, signal: AbortSignal): AsyncIterable<readonly [id: string, message: Message | undefined]>;
}

/** The options of a log that an engine keeps. */
export interface EventLogOptions {
  /** The name of its table, or its key: `fw_events` by default. Each log needs its own. */
  readonly name?: string | undefined;
  /** How many messages are kept, the latest ones: 1 to 1,000,000. */
  readonly keep: number;
  /**
   * After how many seconds an instance asks the engine again while it has readers, 0.2 by default. Messages of the
   * instance itself do not wait. The readers of an instance share the calls.
   */
  readonly interval?: number | undefined;
}

/** A message, as the engine has it: its id, and its JSON. */
export type LoggedText = readonly [id: string, text?: string];

/** What an engine has after an id. */
export interface LogPage {
  /** The id of the latest message. */
  readonly last: string;
  /** The next messages, in their order. `undefined` if the id is unknown, or if the next message is no longer kept. */
  readonly texts: readonly LoggedText[] | undefined;
}

/** What an engine does for a log. */
export interface LogEngine {
  /** Adds a JSON text, and returns its id. */
  append(text: string): Promise<string>;
  /** Finds some messages after an id; none after `null`. */
  after(id: string | null): Promise<LogPage>;
}

/**
 * Reads the options of a log.
 *
 * @param options The options.
 * @returns The options, with their defaults.
 * @throws A `TypeError` if they are wrong.
 */
export function logOptions(options: EventLogOptions): { name: string; keep: number; interval: number } {
  requireOptions(options, "eventLog", ["keep"], ["name", "interval"]);
  const { name, keep, interval = 0.2 } = options;
  requireWhole(keep, "Option keep of eventLog", 1_000_000);
  requireThat(interval >= 0.01 && interval <= 60, "Option interval of eventLog", "0.01 to 60 seconds", interval);
  return { name: storeName({ name }, "fw_events"), keep, interval };
}

/**
 * Makes a log of an engine. Readers that are at the same message share one call: so a message costs an instance one
 * call, not one for each reader.
 *
 * @param engine The engine.
 * @param interval After how many seconds the engine is asked again. `Infinity` if nobody else adds messages.
 * @returns The log.
 */
export function createEventLog<Message>(engine: LogEngine, interval: number): EventLog<Message> {
  /** The calls of readers that wait, by the id of the last message that they have. */
  const polls = new Map<string, Poll>();

  /** Asks the engine until there are messages, or nobody waits any more. */
  const run = async (after: string, poll: Poll): Promise<void> => {
    let settle: ((reader: Reader) => void) | undefined;
    try {
      while (poll.readers.size > 0) {
        // A message may be added while the engine is asked.
        const woken = new Promise<void>((resolve) => poll.wake = resolve);
        const { last, texts = [[last]] } = await engine.after(after);
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

  return {
    async append(message) {
      const text: string | undefined = JSON.stringify(message);
      if (text === undefined || text.length > LONGEST) {
        const rule = `A message of a log must have a JSON form of at most ${LONGEST} characters`;
        throw new TypeError(`${rule}: received ${text?.length}`);
      }
      const id = await engine.append(text);
      polls.forEach((poll) => poll.wake?.());
      return id;
    },
    async *read(after, signal) {
      let position = after ?? (await engine.after(null)).last;
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
}

/** In characters of JSON: an engine must return 100 messages within its two seconds. */
const LONGEST = 262_144;

/** Takes the messages, or the error of the engine, for a reader that waits. */
type Reader = (answer: readonly LoggedText[] | Promise<never>) => void;

/** Readers that wait for the messages after the same one. */
interface Poll {
  readonly readers: Set<Reader>;
  /** Asks the engine again, without a pause. Absent until it is asked. */
  wake?: () => void;
}
