import { beforeBody, type Context, reply } from "@fw/core";
import { byAddress, limit } from "@fw/core/rate-limit";
import { rateLimitStore } from "@fw/core/memory";
import { addressOf } from "../recipes/rate_limit/address_of.ts";
import type { UserStore } from "./store.ts";

/**
 * Creates guards that limit sign-ins: 300 for an address, and 10 for an account since the last one that succeeded. Both
 * come back evenly within 15 minutes.
 *
 * The limit per account stops guesses from many addresses. It has a drawback: strangers can prevent a user from signing
 * in. Existing tokens keep working.
 */
export function createSignInLimits(store: UserStore) {
  const common = {
    window: 15 * 60,
    refuse: () => reply(429, { error: "Too many sign-ins" }),
    whenStoreFails: () => undefined, // it is in memory
  };
  return {
    ofAddress: beforeBody(limit({
      ...common,
      name: "address",
      quota: 300,
      store: rateLimitStore({ most: 20_000 }),
      // Behind proxies, write how many there are. Otherwise, all users share the limit of a proxy.
      key: byAddress({ proxies: 0, address: addressOf }),
    })),

    ofAccount: limit({
      ...common,
      name: "account",
      quota: 10,
      store: rateLimitStore({ most: 20_000 }),
      // Each sign-in that succeeds begins a new count. So only those that fail add up.
      key: ({ locals: { email } }: Context<{ email: string }>) => `${email} ${store.findLastSignIn(email)}`,
    }),
  };
}
