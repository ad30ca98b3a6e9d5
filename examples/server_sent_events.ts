// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/server_sent_events.ts
//
// Server-sent events: everybody who subscribes gets the messages that others send, and `/count` counts for one client.
// A client that connects again continues after the last event that it received. With several instances, set DATABASE_URL
// or REDIS_URL, and permit it: --allow-env --allow-net --allow-read, and --import-map=tests/import_map.json in this clone.
//
// curl -N http://localhost:8000/events
// curl -i -H 'content-type: application/json' -d '{"text":"Hello"}' http://localhost:8000/messages
// curl -N http://localhost:8000/count

import { allow, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { events, replyEvents } from "@fw/core/events";
import { standardSchema } from "@fw/core/standard-schema";
import { setTimeout as pause } from "node:timers/promises";
import { z } from "zod";
import { createBudget } from "./recipes/forms/budget.ts";
import { clientOf, type Connection } from "./recipes/forms/client_of.ts";
import { openLog } from "./server_sent_events/open_log.ts";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

/** Each stream keeps a connection. One client cannot take all of them, and HTTP/2 carries many over one connection. */
const takeStream = createBudget({ total: 1000, perAddress: 100, perConnection: 20 });
let subscribers = 0;

/** A stream takes its place when it begins: one that nobody reads never does. */
const mayStream = ({ request }: Context, connection?: Connection) => {
  const client = clientOf(request, connection);
  using place = takeStream(1, client);
  if (place === undefined) return deny(reply(503, { error: "Too many streams" }, { headers: { "retry-after": "5" } }));
  return allow({
    /** Takes the place; `undefined` if others were quicker. */
    enter(): Disposable | undefined {
      const place = takeStream(1, client);
      if (place === undefined) return undefined;
      subscribers++;
      return {
        [Symbol.dispose]() {
          subscribers--;
          place[Symbol.dispose]();
        },
      };
    },
  });
};

// On SIGTERM, the streams end. The browser connects again, and reaches an instance that is not stopping.
const options = { heartbeat: 5, retry: 3, signal: stopOnSigterm(), onError: console.error };
const log = await openLog<string>();
const failure = z.object({ error: z.string() });
const tooMany = { 503: { description: "Too many streams", schema: failure } };

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 16 * 1024,
  handlers: [
    route.get("/events", {
      responses: { 200: events({ message: z.string(), missed: z.null() }), ...tooMany },
      guards: [mayStream],
      resolve: ({ request, locals: { enter } }) =>
        replyEvents(200, async function* (signal, event) {
          using place = enter();
          if (place === undefined) return;
          for await (const [id, text] of log.read(request.headers.get("last-event-id"), signal)) {
            yield text === undefined ? event("missed", null, { id }) : event("message", text, { id });
          }
        }, options),
    }),

    // Here, anyone may send a message. Put a guard before it, and a rate limit: recipes/rate_limit.ts.
    route.post("/messages", {
      request: { body: z.object({ text: z.string().min(1).max(1000) }) },
      responses: { 202: { description: "Sent" }, 400: { schema: failure } },
      guards: [denyInvalid(() => reply(400, { error: "Send a text of 1 to 1000 characters" }))],
      resolve: async ({ input }) => {
        await log.append(input.body.text);
        return reply(202);
      },
    }),

    route.get("/count", {
      responses: { 200: events(z.int()), ...tooMany },
      guards: [mayStream],
      resolve: ({ request, locals: { enter } }) =>
        replyEvents(200, async function* (signal, event) {
          using place = enter();
          if (place === undefined) return;
          const id = request.headers.get("last-event-id") ?? "";
          // `count` cannot have sent an id of another form.
          for (let number = /^\d{1,15}$/.test(id) ? Number(id) + 1 : 1;; number++) {
            await pause(1000, undefined, { signal });
            yield event("message", number, { id: `${number}` });
          }
        }, options),
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
