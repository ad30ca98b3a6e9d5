// Limits the requests of one client by a token bucket, and tells the client by `RateLimit` headers.
// It also runs on Bun and Node.js.

import { allow, type Context, deny, reply } from "@fw/core";
import type { Limit, Take, Taken } from "./bucket.ts";
import { createClientAddress } from "./client_address.ts";
import { clientOf, type Connection } from "./client_of.ts";

/**
 * Creates the guard. Mark it by `beforeBody`, so that a request beyond the limit is not received. Behind a guard that adds the
 * user, use the user's id as the key instead, as many users can share an address.
 */
export function limitRequests(limit: Limit, take: Take, proxies: number | string) {
  const clientAddress = createClientAddress(proxies);
  return async ({ request }: Context, connection?: Connection) => {
    const taken = await take(clientAddress(request, clientOf(request, connection).address));
    if (taken.allowed) return allow({ taken });
    const headers = { "retry-after": String(taken.next), ...describeLimit(limit, taken) };
    return deny(reply(429, { error: "Too many requests" }, { headers }));
  };
}

/** The headers with what is left of the limit (draft-ietf-httpapi-ratelimit-headers-10). */
export function describeLimit({ quota, window }: Limit, { remaining, next }: Taken) {
  return {
    "ratelimit-policy": `"address";q=${quota};w=${window}`,
    "ratelimit": `"address";r=${remaining};t=${next}`,
  };
}
