import type { Recording } from "./clients.ts";

/**
 * Compares a record with what the documents promise.
 *
 * @param record What clients did and saw.
 * @param effects The keys of the orders that were done, once for each time.
 * @param resets How often the documents let quotas be whole again.
 * @returns The broken promises, in words; empty if there are none.
 */
export function judge(record: Recording, effects: readonly string[], resets: number): readonly string[] {
  return [...record.faults, ...judgeOrders(record, effects), ...judgeLimits(record, resets), ...judgeStreams(record)];
}

function* judgeOrders({ orders }: Recording, effects: readonly string[]): Generator<string> {
  const done = new Map<string, number>();
  for (const key of effects) done.set(key, (done.get(key) ?? 0) + 1);
  for (const [key, times] of done) if (times > 1) yield `Done ${times} times: ${key}`;
  for (const [key, { ids }] of orders) {
    if (ids.size > 1) yield `Two responses to one order: ${key}`;
    if (ids.size === 1 && !done.has(key)) yield `Acknowledged and not done: ${key}`;
  }
}

function* judgeLimits({ limits }: Recording, resets: number): Generator<string> {
  for (const { name, quota, window, allowed, seconds } of limits) {
    const most = quota * (1 + resets) + seconds * quota / window + 1;
    if (allowed > most) yield `${name} allowed ${allowed} requests of ${most}`;
  }
}

function* judgeStreams({ streams, log, messages }: Recording): Generator<string> {
  const texts = new Map(log);
  for (const [id, text] of messages) if (texts.get(id) !== text) yield `Acknowledged and not in the log: ${text}`;
  if (new Set(texts.values()).size < log.length) yield "The log has a message twice";
  const expected = log.map(([id]) => id);
  for (const [number, ids] of streams.entries()) {
    const at = expected.findIndex((id, index) => ids[index] !== id);
    if (at >= 0 || ids.length !== expected.length) {
      yield `Listener ${number} received ${ids.slice(at, at + 3)} in place of ${expected.slice(at, at + 3)}`;
    }
  }
}
