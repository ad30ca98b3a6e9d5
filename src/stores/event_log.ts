/** Messages that survive an instance: what the logs of several entry points have in common. */

import { requireOptions, requireThat } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import { storeName } from "./store_calls.ts";

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
   * Adds several messages by one call: all of them or, if it fails, none. They follow each other in the log, in this
   * order, and no other message comes between.
   *
   * @param messages At most 1,000 messages: as JSON, each at most 262,144 characters, and together at most 4,194,304.
   * @returns The ids of the messages, in their order. None for none.
   */
  appendAll(messages: readonly Message[]): Promise<readonly string[]>;
  /**
   * Reads messages, and waits for further ones.
   *
   * A reader holds at most 100 messages, however slow it is, and each message is its own. If it may have missed
   * messages, it gets `undefined` instead of a message. This happens if messages that it has not read are no longer
   * kept, if `after` is not an id of the log, or if the database has lost the reader's last message, as after a
   * failover, or when a backup is restored. The reader must then reload the current state. It gets the messages from
   * then on. Its iteration throws if the engine fails.
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
export type LoggedText = readonly [id: string, text?: string | undefined];

/** What an engine has after an id. */
export interface LogPage {
  /** The id of the latest message. */
  readonly last: string;
  /** The next messages, in their order. `undefined` if the id is unknown, or if the next message is no longer kept. */
  readonly texts: readonly LoggedText[] | undefined;
}

/** What an engine does for a log. */
export interface LogEngine {
  /** Adds JSON texts, all or none, and returns their ids in their order. */
  appendAll(texts: readonly string[]): Promise<readonly string[]>;
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
  return { name: storeName({ name }, "events"), keep, interval };
}

/**
 * Writes messages as an engine keeps them.
 *
 * @param messages The messages.
 * @returns Their JSON texts.
 * @throws A `TypeError` if one has no JSON form, if it is too long, or if there are too many.
 */
export function textsOf(messages: readonly unknown[]): readonly string[] {
  requireThat(Array.isArray(messages), "Messages of appendAll", "an array", messages);
  if (messages.length > MOST) {
    throw new TypeError(`appendAll takes at most ${MOST} messages: received ${messages.length}. Call it several times`);
  }
  const texts = messages.map(textOf);
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  if (length > LONGEST_OF_ALL) {
    const rule = `Messages of appendAll must have at most ${LONGEST_OF_ALL} characters of JSON together`;
    throw new TypeError(`${rule}: received ${length}. Call it several times`);
  }
  return texts;
}

function textOf(message: unknown): string {
  const text: string | undefined = JSON.stringify(message);
  if (text !== undefined && text.length <= LONGEST) return text;
  const rule = `A message of a log must have a JSON form of at most ${LONGEST} characters`;
  throw new TypeError(`${rule}: received ${text?.length}`);
}

/** How many messages one call adds. */
const MOST = 1000;

/** In characters of JSON: an engine must return 100 messages within its two seconds. */
const LONGEST = 262_144;

/** In characters of JSON: an engine must take the messages of a call within its two seconds. */
const LONGEST_OF_ALL = 4_194_304;
