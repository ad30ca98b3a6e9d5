// npx -y deno@2.9.6 serve --host 127.0.0.1 --allow-net examples/recipes/webhook.ts
//
// Sends webhooks after the response: signed, with a time-out, and again after a failure.
//
// curl -i -d '{"url":"https://example.com/webhooks"}' http://localhost:8000/receivers
// curl -i -d '{"book":"Emma"}' http://localhost:8000/orders

import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { refuseTarget } from "./webhook/target.ts";
import { deliver, type Delivery, type Webhook } from "./webhook/webhook.ts";

export interface WebhookOptions {
  /** Why a url must not be requested, if it must not. */
  readonly refuse: (url: string) => string | undefined;
  readonly deliver: (webhook: Webhook) => Promise<Delivery>;
  readonly log: (line: string) => void;
}

/** How many receivers there may be, and how many deliveries at once. */
const MAX_RECEIVERS = 100;
const MAX_DELIVERIES = 1000;

/** Of what the schema accepts: shown by documents, and sent by generated requests. */
const EXAMPLE = "https://example.com/webhooks";

const failure = z.object({ error: z.string() });

/** Creates the app. Here, anyone may add a receiver. Put a guard before it: for a user, only that user's events. */
export function createApp({ refuse, deliver, log }: WebhookOptions): App {
  const receivers: Pick<Webhook, "url" | "secret">[] = [];
  let delivering = 0;

  /**
   * Delivers after the response: the client does not wait for the receivers. On Workers, pass the promise to `waitUntil`.
   * Elsewhere, timers and connections keep the process alive at its shutdown: see examples/runtimes/background.ts.
   *
   * What is being delivered is lost if the process is killed. To lose nothing, write the event to a table in the transaction
   * of the order, and deliver from there.
   */
  const publish = (event: object) => {
    const [id, body] = [crypto.randomUUID(), JSON.stringify(event)];
    for (const receiver of receivers) {
      if (delivering >= MAX_DELIVERIES) {
        log(`${id} to ${receiver.url} dropped: too many deliveries`);
        continue;
      }
      delivering++;
      deliver({ ...receiver, id, body })
        .then(({ delivered, attempts, status }) => {
          log(`${id} to ${receiver.url} ${delivered ? "delivered" : "failed"} after ${attempts}, status ${status}`);
        })
        .catch((error) => log(`${id} to ${receiver.url} failed: ${error}`)) // a rejection here would end the process
        .finally(() => delivering--);
    }
  };

  /** A rule of the schema: a url that must not be requested is invalid input. */
  const requireTarget = (url: string, context: z.RefinementCtx) => {
    const reason = refuse(url);
    if (reason !== undefined) context.addIssue(reason);
  };
  const validInput = denyInvalid(({ issues: [issue] }) => reply(400, { error: issue?.message ?? "Invalid input" }));

  return setup({
    validator: standardSchema,
    maxBodyBytes: 16 * 1024,
    handlers: [
      route.post("/receivers", {
        request: { body: z.object({ url: z.string().superRefine(requireTarget).meta({ examples: [EXAMPLE] }) }) },
        responses: {
          201: { description: "The secret to verify signatures with", schema: z.object({ secret: z.string() }) },
          400: { schema: failure },
          409: { schema: failure },
        },
        guards: [validInput],
        resolve: ({ input: { body } }) => {
          if (receivers.length >= MAX_RECEIVERS) return reply(409, { error: "There are too many receivers" });
          const secret = crypto.getRandomValues(new Uint8Array(32));
          receivers.push({ url: new URL(body.url).href, secret });
          return reply(201, { secret: `whsec_${btoa(String.fromCharCode(...secret))}` });
        },
      }),

      route.post("/orders", {
        request: { body: z.object({ book: z.string().min(1).max(200) }) },
        responses: { 201: { schema: z.object({ id: z.string() }) }, 400: { schema: failure } },
        guards: [validInput],
        resolve: ({ input: { body: { book } } }) => {
          const id = crypto.randomUUID();
          publish({ type: "order.created", timestamp: new Date().toISOString(), data: { id, book } });
          return reply(201, { id });
        },
      }),
    ],
  });
}

export default createApp({ refuse: refuseTarget, deliver, log: console.log });
