// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/rate_limit.ts
//
// Limits the requests of an address, and those of a user at a route that costs more. `RateLimit` headers tell clients.
// With several instances, each would allow the whole quota. Keep the counts in PostgreSQL or Redis instead:
// `createApp({ store: rateLimitStore(client), proxies: 1 })`, of `@fw/core/postgres` or `@fw/core/redis`.
//
// for i in 1 2 3 4 5 6 7 8 9 10 11; do curl -si http://localhost:8000/search | grep -iE '^(HTTP|RateLimit|Retry)'; done
// curl -i -X POST -H 'authorization: Bearer ada' http://localhost:8000/exports

import { allow, type App, beforeBody, type Context, deny, reply, route, setup } from "@fw/core";
import { byAddress, limit, type RateLimitStore } from "@fw/core/rate-limit";
import { rateLimitStore } from "@fw/core/memory";
import { z } from "zod";
import { addressOf, type Connection } from "./rate_limit/address_of.ts";

export interface RateLimitOptions {
  readonly store: RateLimitStore;
  /** How many proxies of yours are in front. If it is too high, clients can choose their address. */
  readonly proxies: number;
}

const failure = { schema: z.object({ error: z.string() }) };

/** Tokens for the example only: see the recipes jwt and sessions. */
const USERS = new Map([["Bearer ada", "ada"], ["Bearer bob", "bob"]]);

const authenticated = ({ request }: Context) => {
  const userId = USERS.get(request.headers.get("authorization") ?? "");
  if (userId !== undefined) return allow({ userId });
  return deny(reply(401, { error: "Sign in" }, { headers: { "www-authenticate": "Bearer" } }));
};

/** Creates the app. It gets what the server passes after the request. */
export function createApp({ store, proxies }: RateLimitOptions): App<[Connection?]> {
  const common = {
    store,
    refuse: () => reply(429, { error: "Too many requests" }),
    // Without its database, the service answers nobody. Return nothing to let everybody in instead.
    whenStoreFails: (error: unknown) => {
      console.error("The store of the rate limits failed:", error);
      return reply(503, { error: "Try again" }, { headers: { "retry-after": "5" } });
    },
  };
  const perAddress = limit({
    name: "address",
    quota: 10,
    window: 60,
    key: byAddress({ proxies, address: addressOf }),
    ...common,
  });
  const perUser = limit({
    name: "user",
    quota: 3,
    window: 3600,
    key: (c: Context<{ userId: string }>) => c.locals.userId,
    ...common,
  });
  // Before the body is read: a request beyond the limit is not received.
  const limited = route.with({ guards: [beforeBody(perAddress)] });
  const limits = { 429: failure, 503: failure };

  return setup({
    handlers: [
      limited.get("/search", {
        responses: { 200: { schema: z.object({ data: z.array(z.string()) }) }, ...limits },
        resolve: () => reply(200, { data: [] }),
      }),
      limited.post("/exports", {
        responses: { 202: { schema: z.object({ id: z.string() }) }, 401: failure, ...limits },
        // Many users may share an address, so they have a limit of their own as well.
        guards: [beforeBody(authenticated), beforeBody(perUser)],
        resolve: () => reply(202, { id: crypto.randomUUID() }),
      }),
      route.get("/health", {
        responses: { 200: { contentType: "text/plain" } },
        resolve: () => reply(200, new Response("OK")),
      }),
    ],
  });
}

export default createApp({ store: rateLimitStore({ most: 100_000 }), proxies: 0 }) satisfies Deno.ServeDefaultExport;
