import { createHash } from "node:crypto";
import { z } from "zod";

/** The header, for `request.headers`: visible ASCII characters. One that is sent twice has a space in it, and is invalid. */
export const idempotencyHeaders = z.object({ "idempotency-key": z.string().regex(/^[!-~]{1,255}$/) });

export interface IdempotencyLimits {
  /** How long a result is kept, in milliseconds from the first request: longer than clients repeat requests. */
  readonly lifetime: number;
  readonly max: number;
  /** How many results are kept for one client: no client can take all places. */
  readonly maxPerClient: number;
}

export interface Identified {
  /** Who sent it, such as the id of the account. Nobody gets the result of another client. */
  readonly client: string;
  readonly key: string;
  /** What was sent, which JSON can hold. */
  readonly input: unknown;
}

/**
 * - `done`: the work has been done, now or before, with this result.
 * - `running`: the first request is still running. Respond with 409.
 * - `mismatch`: the client used the key for another input. Respond with 422.
 * - `full`: no place is left, and the work has not been done. Respond with 503.
 */
export type Outcome<Result> =
  | { readonly state: "done"; readonly result: Result }
  | { readonly state: "running" | "mismatch" | "full" };

interface Entry<Result> {
  readonly client: string;
  readonly digest: string;
  readonly endsAt: number;
  outcome: Outcome<Result>;
}

/**
 * Creates the memory of one route. It is that of one process: with many instances, keep the key in a table, under a unique
 * index, and write the result in the transaction of the work, as `examples/books/` does.
 *
 * @returns Does the work of a request, unless it has been done. If the work throws, the key is free again: the work must have
 * left nothing behind. The work must end at some time, since its key is kept until then.
 */
export function createIdempotency<Result>(limits: IdempotencyLimits, now: () => number = () => performance.now()) {
  // In the order in which they end, as all of them last as long.
  const entries = new Map<string, Entry<Result>>();
  const counts = new Map<string, number>();

  function remove(id: string, { client }: Entry<Result>): void {
    entries.delete(id);
    const count = (counts.get(client) ?? 0) - 1;
    if (count > 0) counts.set(client, count);
    else counts.delete(client);
  }

  return async ({ client, key, input }: Identified, work: () => Promise<Result>): Promise<Outcome<Result>> => {
    const digest = createHash("sha256").update(JSON.stringify(input)).digest("base64"); // the input may be long
    // Up to `entries.set` nothing is awaited: no other request comes between.
    for (const [id, entry] of entries) {
      if (entry.endsAt > now()) break;
      if (entry.outcome.state === "done") remove(id, entry);
    }
    const id = JSON.stringify([client, key]);
    const known = entries.get(id);
    if (known !== undefined) return known.digest === digest ? known.outcome : { state: "mismatch" };
    const count = counts.get(client) ?? 0;
    if (entries.size >= limits.max || count >= limits.maxPerClient) return { state: "full" };

    const entry: Entry<Result> = { client, digest, endsAt: now() + limits.lifetime, outcome: { state: "running" } };
    entries.set(id, entry);
    counts.set(client, count + 1);
    try {
      return entry.outcome = { state: "done", result: await work() };
    } catch (error) {
      remove(id, entry);
      throw error;
    }
  };
}
