// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/server_sent_events.ts
//
// Server-sent events: everybody who subscribes gets the messages that others send, and `/count` counts for one client. A
// client that connects again continues after the last event that it received.
//
// curl -N http://localhost:8000/events
// curl -i -H 'content-type: application/json' -d '{"text":"Hello"}' http://localhost:8000/messages
// curl -N http://localhost:8000/count

import { denyInvalid, reply, route, setup } from "@fw/core";
import { events, replyEvents } from "@fw/core/events";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { createBudget } from "./recipes/forms/budget.ts";
import { type Client, clientOf, type Connection } from "./recipes/rate_limit/client_of.ts";
import { createHub } from "./server_sent_events/hub.ts";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

const INTERVAL = 1000; // milliseconds

/** Each stream keeps a connection. One client cannot take all of them, and HTTP/2 carries many over one connection. */
const takeStream = createBudget({ total: 1000, perAddress: 100, perConnection: 20 });
let subscribers = 0;

// On SIGTERM, the streams end. The browser connects again, and reaches an instance that is not stopping.
const options = { heartbeat: 15_000, retry: 3000, signal: stopOnSigterm(), onError: console.error };
const hub = createHub<string>({ kept: 1000, maxAge: 60 * 60_000 });

const failure = z.object({ error: z.string() });
const tooMany = { 503: { description: "Too many streams", schema: failure } };

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 16 * 1024,
  handlers: [
    route.get("/events", {
      responses: { 200: events({ message: z.string(), missed: z.null() }), ...tooMany },
      resolve: ({ request }, connection?: Connection) => {
        const client = clientOf(request, connection);
        if (!mayStream(client)) return full();
        return replyEvents(200, async function* (signal, event) {
          using place = enter(client);
          if (place === undefined) return; // others were quicker
          for await (const item of hub.subscribe(request.headers.get("last-event-id"), signal)) {
            yield item === "missed" ? event("missed", null) : event("message", item.message, { id: item.id });
          }
        }, options);
      },
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
      responses: { 200: events(z.int()), ...tooMany },
      resolve: ({ request }, connection?: Connection) => {
        const client = clientOf(request, connection);
        if (!mayStream(client)) return full();
        return replyEvents(200, async function* (signal, event) {
          using place = enter(client);
          if (place === undefined) return; // others were quicker
          for (let number = lastNumber(request) + 1;; number++) {
            await pause(INTERVAL, signal);
            yield event("message", number, { id: `${number}` });
          }
        }, options);
      },
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

/** Whether one more stream of this client fits. It takes its place when it begins: a stream that nobody reads never does. */
function mayStream(client: Client): boolean {
  const place = takeStream(1, client);
  place?.[Symbol.dispose]();
  return place !== undefined;
}

const full = () => reply(503, { error: "Too many streams" }, { headers: { "retry-after": "5" } });

/** Takes the place of a stream, which gives it back when it ends. */
function enter(client: Client): Disposable | undefined {
  const place = takeStream(1, client);
  if (place === undefined) return undefined;
  subscribers++;
  return {
    [Symbol.dispose]() {
      subscribers--;
      place[Symbol.dispose]();
    },
  };
}

/** Waits, or until the signal is aborted. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end);
  });
}

/**
 * Reads the id of the last event, which a browser sends when it connects again. Returns 0 for an id that `count` cannot
 * have sent.
 */
function lastNumber({ headers }: Request): number {
  const id = headers.get("last-event-id") ?? "";
  return /^\d{1,15}$/.test(id) ? Number(id) : 0;
}
