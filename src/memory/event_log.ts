import { createEventLog, type EventLog, type LoggedText } from "../stores/event_log.ts";
import { requireOptions } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";

/**
 * Makes a log of messages in memory, for a single instance. After a restart, its ids are unknown: readers that come
 * back are told that they have missed messages.
 *
 * @typeParam Message A message. It is kept as JSON.
 * @param options `keep`: how many messages are kept, the latest ones, 1 to 1,000,000.
 * @returns The log.
 * @throws A `TypeError` if an option is wrong.
 *
 * @example A stream that a client resumes
 * ```ts
 * import { route } from "@fw/core";
 * import { events, replyEvents } from "@fw/core/events";
 * import { eventLog } from "@fw/core/memory";
 * import { z } from "zod";
 *
 * const log = eventLog<string>({ keep: 1000 });
 *
 * const listen = route.get("/messages", {
 *   responses: { 200: events({ said: z.string(), missed: z.null() }) },
 *   resolve: ({ request }) =>
 *     replyEvents(200, async function* (signal, event) {
 *       for await (const [id, text] of log.read(request.headers.get("last-event-id"), signal)) {
 *         yield text === undefined ? event("missed", null, { id }) : event("said", text, { id });
 *       }
 *     }),
 * });
 * ```
 */
export function eventLog<Message>(options: { readonly keep: number }): EventLog<Message> {
  requireOptions(options, "eventLog", ["keep"], []);
  const { keep } = options;
  requireWhole(keep, "Option keep of eventLog", 1_000_000);
  /** Part of each id: after a restart, the ids of before are unknown. */
  const instance = crypto.randomUUID();
  const texts: LoggedText[] = [];
  /** The number of `texts[0]`. */
  let first = 1;
  const idOf = (number: number) => `${instance}.${number}`;
  return createEventLog({
    append(text) {
      const id = idOf(first + texts.length);
      texts.push([id, text]);
      // Not one by one: each removal moves all that is left.
      if (texts.length === keep + 100) first += texts.splice(0, 100).length;
      return Promise.resolve(id);
    },
    after(id) {
      const last = idOf(first + texts.length - 1);
      if (id === null) return Promise.resolve({ last, texts: [] });
      const oldest = first + Math.max(texts.length - keep, 0);
      const number = id === "0" ? oldest - 1 : Number(id.slice(instance.length + 1));
      const isKnown = id === "0" || (id === idOf(number) && number >= oldest - 1 && number < first + texts.length);
      const begin = number - first + 1;
      return Promise.resolve({ last, texts: isKnown ? texts.slice(begin, begin + 100) : undefined });
    },
  }, Infinity);
}
