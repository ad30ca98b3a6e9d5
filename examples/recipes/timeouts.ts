// npx -y deno@2.9.6 serve --host 127.0.0.1 --unstable-no-legacy-abort --allow-net=example.com examples/recipes/timeouts.ts
//
// Bounds the time of a handler. The 503 is a response like any other: it has a request id and a line in the log.
//
// On Deno, the flag keeps `request.signal` from being aborted after each response.
//
// curl -i http://localhost:8000/size

import { type App, reply, route, setup } from "@fw/core";
import { accessLog, compose, requestId } from "@fw/core/hooks";
import { z } from "zod";
import { within } from "./timeouts/timeouts.ts";

export interface TimeoutsOptions {
  /** The page that it measures. */
  readonly upstream: string;
  /** The time that a handler may take until it has a response, in milliseconds. */
  readonly bound: number;
  readonly log: (line: string) => void;
}

export function createApp({ upstream, bound, log }: TimeoutsOptions): App {
  return setup({
    handlers: [
      // Pass the signal to all that the handler awaits: `fetch`, queries, timers, processes.
      route.get("/size", {
        // The compiler knows what `within` adds, so both statuses must be here.
        responses: {
          200: { schema: z.object({ bytes: z.int() }) },
          499: { description: "The client has gone away" },
          503: { description: "Took too long" },
        },
        resolve: within(bound, async (_c, signal) => {
          const page = await fetch(upstream, { signal });
          return reply(200, { bytes: (await page.arrayBuffer()).byteLength });
        }),
      }),
    ],
    ...compose(
      requestId(),
      accessLog({ log: ({ requestId, method, route, status }) => log(`${requestId} ${method} ${route} ${status}`) }),
    ),
    // Other errors than the time-out: without it, their responses would have no id, and no line in the log.
    onError: ({ error, context: { locals } }) => {
      log(`${locals.requestId} ${error}`);
      return reply(500, { error: "Internal server error" });
    },
  });
}

export default createApp({ upstream: "https://example.com/", bound: 2000, log: console.log });
