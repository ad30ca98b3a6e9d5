/** How much one key may use: `quota` requests at once, and as many again within `window` seconds. */
export interface Limit {
  readonly quota: number;
  readonly window: number;
}

/** What came of one request. */
export interface Taken {
  readonly allowed: boolean;
  /** How many requests are left. */
  readonly remaining: number;
  /** After how many seconds there is one more. */
  readonly next: number;
}

/** Takes one request of a key from its quota. */
export type Take = (key: string) => Taken | Promise<Taken>;

/** How many keys are remembered. Beyond that, the one that asked least recently is forgotten: memory is bounded. */
const MAX_KEYS = 100_000;

/**
 * Creates a token bucket for each key, in memory, for one instance. All that is kept of a bucket is when it will be full
 * again. Taking a token moves that time on by what one token takes to come back.
 *
 * @param limit How much one key may use.
 * @param now The time in milliseconds, by a clock that nobody sets.
 * @param maxKeys How many keys are remembered.
 * @returns Takes a token.
 */
export function createBuckets(
  limit: Limit,
  now: () => number = () => performance.now(),
  maxKeys: number = MAX_KEYS,
): Take {
  const fullAt = new Map<string, number>();
  const { most, perToken } = inMilliseconds(limit);
  return (key) => {
    const time = now();
    // No more than all: if the clock goes back, nobody waits longer than the window.
    const missing = Math.min(Math.max((fullAt.get(key) ?? time) - time, 0), limit.window * 1000);
    const allowed = missing <= most;
    const left = allowed ? missing + perToken : missing;
    fullAt.delete(key); // set again, it is the youngest key
    fullAt.set(key, time + left);
    const [oldest] = fullAt.keys();
    if (fullAt.size > maxKeys && oldest !== undefined) fullAt.delete(oldest);
    return describeTaken(limit, allowed, left);
  };
}

/** What one token takes to come back, and what may at most be missing for one to be there. */
export function inMilliseconds({ quota, window }: Limit): { readonly perToken: number; readonly most: number } {
  const perToken = window * 1000 / quota;
  return { perToken, most: window * 1000 - perToken + ROUNDING };
}

/** Without this millisecond, sums of fractions could cost the last token. */
const ROUNDING = 1;

/** Describes a bucket that will be full after `left` milliseconds. */
export function describeTaken(limit: Limit, allowed: boolean, left: number): Taken {
  const { perToken, most } = inMilliseconds(limit);
  const remaining = Math.max(Math.floor((most + perToken - left) / perToken), 0);
  const next = Math.ceil((left - (limit.quota - remaining - 1) * perToken) / 1000);
  return { allowed, remaining, next: Math.max(next, 1) };
}
