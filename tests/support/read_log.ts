import type { EventLog } from "../../src/events/mod.ts";

/** Reads the first items of a log after an id, and ends the iteration. */
export async function readLog<Message>(
  log: EventLog<Message>,
  after: string | null,
  count: number,
): Promise<readonly (readonly [id: string, message: Message | undefined])[]> {
  const ending = new AbortController();
  const items: (readonly [string, Message | undefined])[] = [];
  for await (const item of log.read(after, ending.signal)) {
    items.push(item);
    if (items.length === count) break;
  }
  return items;
}
