import type { Client } from "./client_of.ts";

/** How much of a resource may be in use at once. */
export interface Limits {
  /** By all clients. */
  readonly total: number;
  /** By the connections of one address. */
  readonly perAddress: number;
  /** By one connection. Over HTTP/2 a connection carries many requests. */
  readonly perConnection: number;
}

/**
 * Takes an amount for a client, and returns a `Disposable` that gives it back: dispose it once. Returns `undefined` if too
 * little is left.
 */
export type Budget = (amount: number, client: Client) => Disposable | undefined;

/** Creates a counter for a limited resource. No client can take all of it. */
export function createBudget({ total, perAddress, perConnection }: Limits): Budget {
  const used = new Map<string, number>();
  return (amount, { address, connection }) => {
    const shares = new Map([["all", total], [`address ${address}`, perAddress]]);
    if (connection !== undefined) shares.set(`connection ${connection}`, perConnection);
    for (const [key, max] of shares) {
      if ((used.get(key) ?? 0) + amount > max) return undefined;
    }
    const add = (change: number) => {
      for (const key of shares.keys()) {
        const sum = (used.get(key) ?? 0) + change;
        if (sum === 0) used.delete(key);
        else used.set(key, sum);
      }
    };
    add(amount);
    return { [Symbol.dispose]: () => add(-amount) };
  };
}
