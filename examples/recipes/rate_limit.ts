// npx -y deno@2.9.6 serve --host 127.0.0.1 --allow-env=PROXIES examples/recipes/rate_limit.ts
//
// Limits the requests of one client by a token bucket in bounded memory, and tells the client by `RateLimit` headers.
//
// for i in 1 2 3 4 5 6 7 8 9 10 11; do curl -si http://localhost:8000/search | grep -iE '^(HTTP|RateLimit|Retry)'; done
//
// PROXIES is how many proxies of yours are in front, 0 by default. If it is too high, clients can choose their address.
//
// With many instances, each would allow the whole quota. Keep the buckets in PostgreSQL instead:
// `createApp(LIMIT, createPostgresBuckets(sql, LIMIT))`, from rate_limit/postgres_bucket.ts.

import { allow, type App, beforeBody, type Context, deny, reply, route, setup } from "@fw/core";
import { readVariable } from "../shared/read_variable.ts";
import { createBuckets, type Limit, type Take, type Taken } from "./rate_limit/bucket.ts";
import { createClientAddress } from "./rate_limit/client_address.ts";

const LIMIT: Limit = { quota: 10, window: 60 };

/**
 * Creates the guard. Mark it by `beforeBody`, so that a request beyond the limit is not received. Behind a guard that adds the
 * user, use the user's id as the key instead, as many users can share an address.
 */
export function limitRequests(limit: Limit, take: Take, proxies: number | string) {
  const clientAddress = createClientAddress(proxies);
  return async ({ request }: Context, { remoteAddr }: Deno.ServeHandlerInfo) => {
    const connected = "hostname" in remoteAddr ? remoteAddr.hostname : "";
    const taken = await take(clientAddress(request, connected));
    if (taken.allowed) return allow({ taken });
    const headers = { "retry-after": String(taken.next), ...describeLimit(limit, taken) };
    return deny(reply(429, { error: "Too many requests" }, { headers }));
  };
}

/** The headers with what is left of the limit (draft-ietf-httpapi-ratelimit-headers-10). */
function describeLimit({ quota, window }: Limit, { remaining, next }: Taken) {
  return {
    "ratelimit-policy": `"address";q=${quota};w=${window}`,
    "ratelimit": `"address";r=${remaining};t=${next}`,
  };
}

/** Creates the app. */
export function createApp(limit: Limit, take: Take, proxies: number | string = 0): App<[Deno.ServeHandlerInfo]> {
  const limited = beforeBody(limitRequests(limit, take, proxies));
  return setup({
    handlers: [
      route.get("/search", { guards: [limited], resolve: () => Response.json({ data: [] }) }),
      route.get("/health", { resolve: () => new Response("OK") }),
    ],
    // Gives `onResponse` the type of `taken`: it sees only the locals of `onRequest`. The guard sets the value.
    onRequest: (): { readonly taken?: Taken } => ({}),
    onResponse: ({ response, locals: { taken } }) => {
      if (taken === undefined) return;
      const sent = new Response(response.body, response); // the headers of some responses are immutable
      for (const [name, value] of Object.entries(describeLimit(limit, taken))) sent.headers.set(name, value);
      return sent;
    },
  });
}

export default createApp(LIMIT, createBuckets(LIMIT), readVariable("PROXIES") ?? 0) satisfies Deno.ServeDefaultExport;
