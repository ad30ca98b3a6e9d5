// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/server_sent_events.ts
//
// Server-sent events: everybody who subscribes gets the messages that others send, and `/count` counts for one client. A
// client that connects again continues after the last event that it received.
//
// nginx holds events back unless `proxy_buffering off` is set.
//
// curl -N http://localhost:8000/events
// curl -i -H 'content-type: application/json' -d '{"text":"Hello"}' http://localhost:8000/messages
// curl -N http://localhost:8000/count

import { denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { createBudget } from "./recipes/forms/budget.ts";
import { clientOf, type Connection } from "./recipes/rate_limit/client_of.ts";
import { createHub, encodeEvent } from "./server_sent_events/hub.ts";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

const INTERVAL = 1000; // milliseconds

/** Each stream keeps a connection. One client cannot take all of them, and HTTP/2 carries many over one connection. */
const takeStream = createBudget({ total: 1000, perAddress: 100, perConnection: 20 });
let subscribers = 0;

const stopping = stopOnSigterm();
const hub = createHub({ kept: 1000, heartbeat: 15_000, maxAge: 60 * 60_000, stopping });

const failure = z.object({ error: z.string() });
const stream = {
  200: { description: "Events, without end", contentType: "text/event-stream" },
  503: { description: "Too many streams", schema: failure },
};

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 16 * 1024,
  handlers: [
    route.get("/events", {
      responses: stream,
      resolve: ({ request }, connection?: Connection) =>
        sendStream(request, connection, (onEnd) => hub.subscribe(request.headers.get("last-event-id"), onEnd)),
    }),

    // Here, anyone may send a message. Put a guard before it, and a rate limit: recipes/rate_limit/.
    route.post("/messages", {
      request: { body: z.object({ text: z.string().min(1).max(1000) }) },
      responses: { 202: { description: "Sent" }, 400: { schema: failure } },
      guards: [denyInvalid(() => reply(400, { error: "Send a text of 1 to 1000 characters" }))],
      resolve: ({ input }) => {
        hub.publish(input.body.text);
        return reply(202);
      },
    }),

    route.get("/count", {
      responses: stream,
      resolve: ({ request }, connection?: Connection) =>
        sendStream(request, connection, (onEnd) => count(lastNumber(request) + 1, onEnd)),
    }),

    route.get("/subscribers", {
      responses: { 200: { schema: z.object({ subscribers: z.int() }) } },
      resolve: () => reply(200, { subscribers }),
    }),
  ],
  onError: ({ error, context }) => {
    console.error(`${context.request.method} ${context.route?.path} failed:`, error);
    return reply(500, { error: "Internal server error" });
  },
});

export default app satisfies Deno.ServeDefaultExport;

/** Answers with a stream, or 503 if there are too many of all clients or of this one. */
function sendStream(
  request: Request,
  connection: Connection | undefined,
  open: (onEnd: () => void) => ReadableStream<Uint8Array>,
) {
  const place = takeStream(1, clientOf(request, connection));
  if (place === undefined) return reply(503, { error: "Too many streams" }, { headers: { "retry-after": "5" } });
  subscribers++;
  const body = open(() => {
    subscribers--;
    place[Symbol.dispose]();
  });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store" };
  return reply(200, new Response(body, { headers }));
}

/**
 * Counts until the client disconnects or the server is stopped. The next event is created only when the client has
 * taken the last one, so that no events accumulate for a slow client.
 */
function count(first: number, onEnd: () => void): ReadableStream<Uint8Array> {
  let next = first;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return new ReadableStream({
    pull: (controller) =>
      new Promise((resolve) => {
        timer = setTimeout(() => {
          // The browser connects again, and reaches an instance that is not stopping.
          if (stopping.aborted) {
            controller.close();
            onEnd();
          } else {
            controller.enqueue(encodeEvent({ data: `${next}`, id: `${next}` }));
          }
          next++;
          resolve();
        }, INTERVAL);
      }),
    cancel() {
      clearTimeout(timer);
      onEnd();
    },
  }, { highWaterMark: 0 });
}

/**
 * Reads the id of the last event, which a browser sends when it connects again. Returns 0 for an id that `count` cannot
 * have sent.
 */
function lastNumber({ headers }: Request): number {
  const id = headers.get("last-event-id") ?? "";
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}
