import { setTimeout } from "node:timers/promises";
import { Webhook as Signer } from "standardwebhooks";

export interface Webhook {
  /** Where to. Check it by `refuseTarget` when it is entered. */
  readonly url: string;
  /** The secret of this receiver: 32 random bytes. */
  readonly secret: Uint8Array;
  /** The id of the event. It is the same for each attempt, so that the receiver can ignore a repetition. */
  readonly id: string;
  readonly body: string;
}

export interface DeliveryOptions {
  readonly attempts?: number;
  /** How long to wait for a response, in milliseconds. */
  readonly timeout?: number;
  /** How long to wait after the first failure, in milliseconds. It doubles with each one. */
  readonly delay?: number;
  /** The longest wait, in milliseconds, also where the receiver asks for a longer one. */
  readonly maxDelay?: number;
  readonly signal?: AbortSignal;
}

/** How a delivery has ended. The response of the receiver is not read: it is of no use, and could be anything. */
export interface Delivery {
  readonly delivered: boolean;
  readonly attempts: number;
  /** Of the last attempt; `undefined` if there was no response. */
  readonly status?: number;
}

/**
 * Sends a webhook, and again if there is no response in time, or one that says to try later: 408, 429 or 5xx.
 *
 * It is signed as https://www.standardwebhooks.com says, so receivers verify it with the same library.
 * Redirects are not followed: they could lead to an address that `refuseTarget` would not let pass.
 *
 * @returns How the delivery has ended. It does not reject.
 */
export async function deliver(webhook: Webhook, options: DeliveryOptions = {}): Promise<Delivery> {
  // For a minute of failures. Keep what could not be delivered, and try again hours later from there.
  const { attempts = 5, timeout = 5_000, delay = 1_000, maxDelay = 30_000, signal } = options;
  for (let attempt = 1;; attempt++) {
    const response = await sendWithin(timeout, webhook, signal);
    const mayTryAgain = response === undefined || [408, 429].includes(response.status) || response.status >= 500;
    if (!mayTryAgain || attempt >= attempts || signal?.aborted) {
      const delivered = response?.ok === true;
      return { delivered, attempts: attempt, ...response && { status: response.status } };
    }
    // At random, so that the receiver does not get everything at once when it is back.
    const own = delay * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    const after = response?.headers.get("retry-after") ?? ""; // a date is not read
    const asked = /^\d{1,6}$/.test(after) ? Number(after) * 1000 : 0;
    await setTimeout(Math.min(Math.max(own, asked), maxDelay), undefined, { signal }).catch(() => {}); // aborted
  }
}

/**
 * Sends it once, and ends that after a time or by the signal. Not `AbortSignal.any`: on Node.js 20 and 22 it keeps
 * kilobytes for each call as long as the signal lives.
 */
async function sendWithin(timeout: number, webhook: Webhook, signal?: AbortSignal): Promise<Response | undefined> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const bound = AbortSignal.timeout(timeout);
  for (const ends of [bound, signal]) ends?.addEventListener("abort", end);
  if (signal?.aborted) end();
  try {
    return await send(webhook, ending.signal);
  } finally {
    for (const ends of [bound, signal]) ends?.removeEventListener("abort", end);
  }
}

/** Sends it once. Returns `undefined` if there is no connection, no response in time, or the delivery is ended. */
async function send({ url, secret, id, body }: Webhook, signal: AbortSignal): Promise<Response | undefined> {
  const sentAt = new Date();
  const headers = {
    "content-type": "application/json",
    "webhook-id": id,
    "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
    "webhook-signature": new Signer(secret, { format: "raw" }).sign(id, sentAt, body),
  };
  try {
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return response;
  } catch {
    return undefined;
  }
}
