// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/rate_limit.ts
//
// Limits the requests of one client by a token bucket in bounded memory, and tells the client by `RateLimit` headers.
//
// for i in 1 2 3 4 5 6 7 8 9 10 11; do curl -si http://localhost:8000/search | grep -iE '^(HTTP|RateLimit|Retry)'; done
//
// With many instances, each would allow the whole quota. Keep the buckets in PostgreSQL instead:
// `createApp(LIMIT, createPostgresBuckets(sql, LIMIT))`, from rate_limit/postgres_bucket.ts.

import { allow, type App, deny, type GuardFn, type NoLocals, route, setup } from "@fw/core";
import { createBuckets, type Limit, type Take, type Taken } from "./rate_limit/bucket.ts";
import { clientAddress } from "./rate_limit/client_address.ts";

const LIMIT: Limit = { quota: 10, window: 60 };

/** How many proxies of yours are in front. If the number is too high, clients can choose their address. */
const PROXIES = 0;

/**
 * Creates the guard. On a route with a body schema, it runs after the body has been read: bound the body as well. Behind a
 * guard that adds the user, use the user's id as the key instead, as many users can share an address.
 */
export function limitRequests(
  limit: Limit,
  take: Take,
): GuardFn<NoLocals, { readonly taken: Taken }, [Deno.ServeHandlerInfo]> {
  return async ({ request }, { remoteAddr }) => {
    const connected = "hostname" in remoteAddr ? remoteAddr.hostname : "";
    const taken = await take(clientAddress(request, connected, PROXIES));
    if (taken.allowed) return allow({ taken });
    const refused = Response.json({ error: "Too many requests" }, { status: 429 });
    refused.headers.set("retry-after", String(taken.next));
    return deny(tell(refused, limit, taken));
  };
}

/** Tells the client where it stands (draft-ietf-httpapi-ratelimit-headers-10). */
function tell(response: Response, { quota, window }: Limit, { remaining, next }: Taken): Response {
  response.headers.set("ratelimit-policy", `"address";q=${quota};w=${window}`);
  response.headers.set("ratelimit", `"address";r=${remaining};t=${next}`);
  return response;
}

/** Creates the app. */
export function createApp(limit: Limit, take: Take): App<[Deno.ServeHandlerInfo]> {
  const limited = limitRequests(limit, take);
  return setup({
    handlers: [
      route.get("/search", { guards: [limited], resolve: () => Response.json({ data: [] }) }),
      route.get("/health", { resolve: () => new Response("OK") }),
    ],
    // Gives `onResponse` the type of `taken`: it sees only the locals of `onRequest`. The guard sets the value.
    onRequest: (): { readonly taken?: Taken } => ({}),
    // A copy: the headers of some responses, as those of `fetch`, cannot be changed.
    onResponse: ({ response, locals: { taken } }) => taken && tell(new Response(response.body, response), limit, taken),
  });
}

export default createApp(LIMIT, createBuckets(LIMIT)) satisfies Deno.ServeDefaultExport;
