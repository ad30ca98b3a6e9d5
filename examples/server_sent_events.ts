// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/server_sent_events.ts
//
// Server-sent events: sends the next number every second. A client that reconnects continues after the last number it
// received.
//
// curl -N http://localhost:8000/count
// curl http://localhost:8000/subscribers

import { route, setup } from "@fw/core";
import { ServerSentEventStream } from "@std/http/server-sent-event-stream";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

const INTERVAL = 1000; // milliseconds

let subscribers = 0;

const stopping = stopOnSigterm();

const app = setup({
  handlers: [
    route.get("/count", {
      resolve: ({ request }) =>
        new Response(count(lastEventId(request) + 1).pipeThrough(new ServerSentEventStream()), {
          headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
        }),
    }),

    route.get("/subscribers", { resolve: () => Response.json({ subscribers }) }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;

/**
 * Counts until the client disconnects or the server is stopped. The next event is created only when the client has
 * taken the last one, so that no events accumulate for a slow client.
 */
function count(first: number): ReadableStream<{ readonly id: number; readonly data: string }> {
  let next = first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  subscribers++;
  return new ReadableStream({
    pull: (controller) =>
      new Promise((resolve) => {
        timer = setTimeout(() => {
          // The browser reconnects, and reaches an instance that is not stopping.
          if (stopping.aborted) controller.close();
          else controller.enqueue({ id: next, data: `${next}` });
          next++;
          resolve();
        }, INTERVAL);
      }),
    cancel() {
      clearTimeout(timer);
      subscribers--;
    },
  });
}

/**
 * Reads the id of the last event, which a browser sends when it reconnects. Returns 0 for an id that `count` cannot
 * have sent.
 */
function lastEventId({ headers }: Request): number {
  const id = headers.get("last-event-id") ?? "";
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}
