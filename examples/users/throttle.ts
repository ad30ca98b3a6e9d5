import { createHash } from "node:crypto";

/** How many sign-ins may fail within the time. */
const PER_ACCOUNT = 10;
const PER_ADDRESS = 100;
const WINDOW = 15 * 60 * 1000; // milliseconds

/** How many accounts and addresses are known at most. Beyond that, the one that has not failed for longest is forgotten. */
const MAX_KEYS = 20_000;

/** An attempt to sign in. While it lasts it counts as failed, so that many attempts at once do not pass the limit. */
export interface Attempt extends Disposable {
  /** How many seconds to wait before another attempt; 0 if this one may go on. */
  readonly retryAfter: number;
  /** Makes the attempt count as failed for good. */
  fail(): void;
}

/**
 * Makes a function that limits failed sign-ins to 10 for an account and 100 from an address, within 15 minutes from the first.
 *
 * The limit for an account stops guesses that come from many addresses. Its price: strangers can keep a user from signing in,
 * though not from using tokens.
 *
 * @param now The time in milliseconds.
 * @returns Begins an attempt to sign in as an account, whatever text that is, from an address.
 */
export function createThrottle(now: () => number = Date.now): (account: string, address: string) => Attempt {
  const counts = new Map<string, { readonly failures: number; readonly until: number }>();

  function find(key: string): { readonly failures: number; readonly until: number } {
    const found = counts.get(key);
    return found !== undefined && found.until > now() ? found : { failures: 0, until: now() + WINDOW };
  }

  function add(key: string, change: number): void {
    const { failures, until } = find(key);
    counts.delete(key); // set again, it is the youngest key
    if (failures + change > 0) counts.set(key, { failures: failures + change, until });
    const [oldest] = counts.keys();
    if (counts.size > MAX_KEYS && oldest !== undefined) counts.delete(oldest);
  }

  return (account, address) => {
    const limits = [[accountKey(account), PER_ACCOUNT], [networkOf(address), PER_ADDRESS]] as const;
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

/** Short, whatever the client sent; and no password in clear that somebody typed into the wrong field. */
function accountKey(account: string): string {
  return createHash("sha256").update(account).digest("base64");
}

/** The address in IPv4; in IPv6 the network of 64 bits, as a client has all addresses of one. */
function networkOf(address: string): string {
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !address.includes(":")) return mapped ?? address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":");
  const rest = tail?.split(":") ?? [];
  while (tail !== undefined && groups.length + rest.length < 8) groups.push("0");
  return [...groups, ...rest].slice(0, 4).join(":");
}
