import { networkOf } from "@fw/core/rate-limit";
import { createHash } from "node:crypto";

/** How many sign-ins may fail within the window. */
const PER_ACCOUNT = 10;
const PER_ADDRESS = 100;
const WINDOW = 15 * 60 * 1000; // milliseconds

/**
 * The maximum number of stored accounts and addresses. Beyond it, the one whose last failure is the oldest is removed.
 */
const MAX_KEYS = 20_000;

/** An attempt to sign in. It counts as failed until it ends, so that concurrent attempts cannot exceed the limit. */
export interface Attempt extends Disposable {
  /** How many seconds to wait before another attempt. 0 if this attempt is permitted. */
  readonly retryAfter: number;
  /** Marks the attempt as failed. */
  fail(): void;
}

/**
 * Creates a function that limits failed sign-ins to 10 per account and 100 per address, in the 15 minutes after the
 * first one.
 *
 * The limit per account stops guesses from many addresses. It has a drawback: strangers can prevent a user from signing
 * in. Existing tokens keep working.
 *
 * @param now Returns the time in milliseconds.
 * @returns Begins an attempt to sign in. The account may be any text.
 */
export function createThrottle(now: () => number = Date.now): (account: string, address: string) => Attempt {
  const counts = new Map<string, { readonly failures: number; readonly until: number }>();

  function find(key: string): { readonly failures: number; readonly until: number } {
    const found = counts.get(key);
    return found !== undefined && found.until > now() ? found : { failures: 0, until: now() + WINDOW };
  }

  function add(key: string, change: number): void {
    const { failures, until } = find(key);
    counts.delete(key); // moves the key to the end
    if (failures + change > 0) counts.set(key, { failures: failures + change, until });
    const [oldest] = counts.keys();
    if (counts.size > MAX_KEYS && oldest !== undefined) counts.delete(oldest);
  }

  return (account, address) => {
    const limits = [[accountKey(account), PER_ACCOUNT], [networkOf(address) ?? address, PER_ADDRESS]] as const;
    const waits = limits.map(([key, limit]) => find(key).failures < limit ? 0 : find(key).until - now());
    const retryAfter = Math.ceil(Math.max(...waits) / 1000);
    const counted = retryAfter === 0 ? limits : [];
    for (const [key] of counted) add(key, 1);
    let failed = false;
    return {
      retryAfter,
      fail() {
        failed = true;
      },
      [Symbol.dispose]() {
        if (!failed) { for (const [key] of counted) add(key, -1); }
      },
    };
  };
}

/** A hash: it is short, and does not store a password that a user typed into the wrong field. */
function accountKey(account: string): string {
  return createHash("sha256").update(account).digest("base64");
}
