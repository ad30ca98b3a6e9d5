/**
 * Receives webhooks that are signed, and sends webhooks: exactly those whose transaction was committed, in order, each at
 * least once, from any number of instances.
 *
 * Receiving: {@linkcode signed} verifies the bytes before anything is parsed, by a scheme such as
 * {@linkcode standardWebhooks} or {@linkcode stripe}, and {@linkcode oneOf} types the body.
 *
 * Sending: {@linkcode publish} adds a webhook to a log, and {@linkcode deliver} sends what a log has.
 *
 * @example From the log to the handler
 * ```ts
 * import { denyInvalid, reply, route, setup } from "@fw/core";
 * import { deliveryStore, eventLog } from "@fw/core/memory";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { deliver, oneOf, publish, signed, standardWebhooks, type Webhook } from "@fw/core/webhooks";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const schemas = { "order.paid": z.object({ id: z.string() }) };
 * const secret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
 *
 * const ending = new AbortController();
 * const paid: string[] = [];
 * const receiver = setup({
 *   validator: standardSchema,
 *   maxBodyBytes: 65_536,
 *   handlers: [
 *     route.post("/webhooks", {
 *       request: { body: oneOf(schemas), bodyReader: signed(standardWebhooks({ secrets: [secret] })) },
 *       guards: [denyInvalid(({ issues }) => reply(401, issues[0]?.code))],
 *       resolve: ({ input }) => {
 *         paid.push(input.body.data.id);
 *         ending.abort();
 *         return reply(204);
 *       },
 *     }),
 *   ],
 * });
 *
 * const log = eventLog<Webhook<typeof schemas>>({ keep: 10_000 });
 * await publish(log, "order.paid", { id: "7" });
 * await deliver({
 *   log,
 *   store: deliveryStore(),
 *   receiver: { id: "ada", url: "https://ada.example/webhooks", secret },
 *   after: () => 1,
 *   missed: () => "oldest",
 *   whenStoreFails: console.error,
 *   signal: ending.signal,
 *   send: async (request) => await receiver.fetch(request), // in place of a request
 * });
 * assertEquals(paid, ["7"]);
 * ```
 *
 * @module
 */

export { deliver } from "./deliver.ts";
export type { Attempt, DeliverOptions, Missed, Receiver } from "./deliver.ts";
export { oneOf } from "./one_of.ts";
export type { WebhookIssue, WebhookResult, WebhookSchema } from "./one_of.ts";
export { isPublicAddress, publicSender } from "./public_sender.ts";
export type { PublicSenderOptions, Send } from "./public_sender.ts";
export { publish, publishNow } from "./publish.ts";
export type { AnyWebhook, SynchronousLog, WebhookData } from "./publish.ts";
export { github, hmacScheme, slack, standardWebhooks, stripe } from "./schemes.ts";
export type {
  HmacOptions,
  HmacSignature,
  SecretOptions,
  SignatureScheme,
  TimedSecretOptions,
  Verdict,
} from "./schemes.ts";
export { signed } from "./signed.ts";
export type { SignedReader } from "./signed.ts";
export type { JsonReader } from "../core/input/json.ts";
export type { Webhook, WebhookSchemas } from "./webhook.ts";
export type { DeliveryStore, TakenDelivery } from "../stores/delivery.ts";
export type { EventLog } from "../stores/event_log.ts";
