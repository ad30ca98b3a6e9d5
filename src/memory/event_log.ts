import { requireOptions } from "../core/values/assert.ts";
import { requireWhole } from "../core/values/whole_number.ts";
import type { EventLog } from "../stores/event_log.ts";
import { createTag, firstNumber, idOfRow, type LogRow, pageOf } from "../stores/log_page.ts";
import { createEventLog } from "../stores/shared_log.ts";

/**
 * Makes a log of messages in memory, for a single instance. After a restart, the log does not know its earlier ids:
 * readers that reconnect are told that they have missed messages.
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
  // One for all rows: nothing is lost but with the process, whose log is another one.
  const tag = createTag();
  const rows: LogRow[] = [];
  /** The number of `rows[0]`. */
  let first = 1;

  const append = (text: string): string => {
    const row: LogRow = [`${first + rows.length}`, tag, text];
    rows.push(row);
    // Not one by one: each removal moves all that is left.
    if (rows.length === keep + 101) first += rows.splice(0, 100).length;
    return idOfRow(row);
  };

  return createEventLog<Message>({
    appendAll: (texts) => Promise.resolve(texts.map(append)),
    after(id) {
      const begin = Math.max(firstNumber(id) - first, rows.length - keep - 1, 0);
      return Promise.resolve(pageOf(id, rows.at(-1), rows.slice(begin, begin + 101), keep));
    },
  }, Infinity).log;
}
