// npx -y deno@2.9.6 serve --host 127.0.0.1 --allow-env=PROXIES examples/recipes/rate_limit.ts
//
// Limits the requests of one client by a token bucket, and tells the client by `RateLimit` headers.
// To use it, copy the folder rate_limit/, and from this file the guard, `onRequest` and `onResponse`.
//
// for i in 1 2 3 4 5 6 7 8 9 10 11; do curl -si http://localhost:8000/search | grep -iE '^(HTTP|RateLimit|Retry)'; done
//
// PROXIES is how many proxies of yours are in front, 0 by default. If it is too high, clients can choose their address.
//
// With many instances, each would allow the whole quota. Keep the buckets in PostgreSQL instead:
// `createApp(LIMIT, createPostgresBuckets(sql, LIMIT))`, from rate_limit/postgres_bucket.ts.

import { type App, beforeBody, reply, route, setup } from "@fw/core";
import process from "node:process";
import { z } from "zod";
import { createBuckets, type Limit, type Take, type Taken } from "./rate_limit/bucket.ts";
import type { Connection } from "./rate_limit/client_of.ts";
import { describeLimit, limitRequests } from "./rate_limit/rate_limit.ts";

const LIMIT: Limit = { quota: 10, window: 60 };

/** Creates the app. It gets what the server passes after the request: see rate_limit/client_of.ts. */
export function createApp(limit: Limit, take: Take, proxies: number | string = 0): App<[Connection?]> {
  const limited = beforeBody(limitRequests(limit, take, proxies));
  return setup({
    handlers: [
      route.get("/search", {
        responses: {
          200: { schema: z.object({ data: z.array(z.string()) }) },
          429: { schema: z.object({ error: z.string() }) },
        },
        guards: [limited],
        resolve: () => reply(200, { data: [] }),
      }),
      route.get("/health", {
        responses: { 200: { contentType: "text/plain" } },
        resolve: () => reply(200, new Response("OK")),
      }),
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

export default createApp(LIMIT, createBuckets(LIMIT), process.env.PROXIES ?? 0) satisfies Deno.ServeDefaultExport;
