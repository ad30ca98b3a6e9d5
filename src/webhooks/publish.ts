import type { DataIn } from "../core/responses/stream_items.ts";
import type { EventLog } from "../stores/event_log.ts";

/**
 * Adds a webhook to a log, from which {@linkcode deliver} sends it. If you make the log from the client of a
 * transaction, the webhook is sent if the transaction commits, and otherwise not.
 *
 * @typeParam Sent The webhooks of the log, as {@linkcode Webhook} names them.
 * @typeParam Type The type of the webhook.
 * @typeParam Data The data. It must fit the schema, without a key that the schema lacks.
 * @param log The log: `eventLog<Webhook<typeof schemas>>(…)`.
 * @param type The type.
 * @param data The data of the event: the output type of the schema, sent as JSON.
 * @returns The id of the message in the log.
 *
 * @example An order that is paid
 * ```ts
 * import { eventLog } from "@fw/core/memory";
 * import { publish, type Webhook } from "@fw/core/webhooks";
 * import { z } from "zod";
 *
 * const schemas = { "order.paid": z.object({ id: z.string(), cents: z.int() }) };
 * const log = eventLog<Webhook<typeof schemas>>({ keep: 10_000 });
 *
 * await publish(log, "order.paid", { id: "7", cents: 500 });
 * ```
 */
export async function publish<Sent extends AnyWebhook, const Type extends Sent["type"], const Data>(
  log: EventLog<Sent>,
  type: Type,
  data: DataIn<Data, WebhookData<Sent>, Type>,
): Promise<string> {
  return await log.append(webhookOf<Sent>(type, data));
}

/**
 * Like {@linkcode publish}, but synchronous, for a log in SQLite: do not `await` between BEGIN and COMMIT on a
 * connection that others use.
 *
 * @typeParam Sent The webhooks of the log.
 * @typeParam Type The type of the webhook.
 * @typeParam Data The data, as for {@linkcode publish}.
 * @param log The log, as `eventLog` of `@fw/core/sqlite` returns it.
 * @param type The type.
 * @param data The data of the event: the output type of the schema, sent as JSON.
 * @returns The id of the message in the log.
 * @throws The error of the database. Roll the transaction back.
 */
export function publishNow<Sent extends AnyWebhook, const Type extends Sent["type"], const Data>(
  log: SynchronousLog<Sent>,
  type: Type,
  data: DataIn<Data, WebhookData<Sent>, Type>,
): string {
  return log.appendNow(webhookOf<Sent>(type, data));
}

/**
 * A log that adds messages at once.
 *
 * @typeParam Message A message.
 */
export interface SynchronousLog<in Message> {
  /** Adds a message, and returns its id. */
  appendNow(message: Message): string;
}

function webhookOf<Sent extends AnyWebhook>(type: string, data: unknown): Sent {
  const webhook: AnyWebhook = { type, timestamp: new Date().toISOString(), data };
  return webhook as Sent;
}

/**
 * The data of webhooks by type.
 *
 * @typeParam Sent The webhooks of the log.
 */
export type WebhookData<Sent extends AnyWebhook> = { readonly [Each in Sent as Each["type"]]: Each["data"] };

/** A webhook of any type. */
export interface AnyWebhook {
  /** The type. */
  readonly type: string;
  /** When it happened, by RFC 3339. */
  readonly timestamp: string;
  /** What happened. */
  readonly data: unknown;
}
