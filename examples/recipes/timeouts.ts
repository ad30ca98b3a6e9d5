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

/**
 * Wraps a handler: responds with 503 if it takes too long, and 499, for the log, if the client has gone away.
 *
 * A handler that ignores the signal goes on in the background, and its result is discarded. Nothing can stop it. A write may
 * happen although the client got a 503. A loop that never awaits blocks the timer, too, so it is not bounded.
 *
 * The bound ends with the response: a streamed body may take longer. The signal is still aborted if the client goes away.
 *
 * @param milliseconds The bound. It does not include guards and the reading of a body: a proxy bounds slow clients.
 * @param handler The handler. Its second argument is aborted after the bound, and when the client goes away.
 */
export function within<
  C extends { readonly request: Request },
  Extra extends readonly unknown[],
  Sent extends Response,
>(
  milliseconds: number,
  handler: (c: C, signal: AbortSignal, ...extra: Extra) => Sent | Promise<Sent>,
) {
  return async (c: C, ...extra: Extra) => {
    const bound = new AbortController();
    const timer = setTimeout(() => bound.abort(), milliseconds);
    const signal = AbortSignal.any([bound.signal, c.request.signal]);
    const aborted = new Promise<undefined>((resolve) => {
      if (signal.aborted) resolve(undefined);
      else signal.addEventListener("abort", () => resolve(undefined));
    });
    const work = (async () => await handler(c, signal, ...extra))();
    try {
      const response = await Promise.race([work, aborted]);
      if (response !== undefined) return response;
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      clearTimeout(timer);
    }
    // A response that comes too late may hold a connection, and an error must not be unhandled.
    work.then((late) => late.body?.cancel()).catch(() => {});
    return c.request.signal.aborted
      ? reply(499)
      : reply(503, new Response("Took too long", { status: 503, headers: LATE }));
  };
}

/** With a media type: a response of Bun that is made of a string has none until it is sent, so copies of it have none. */
const LATE = { "content-type": "text/plain", "retry-after": "1" };

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
