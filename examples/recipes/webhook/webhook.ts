// Sends webhooks: signed, with a time-out, and again after a failure. It also runs on Bun, Node.js and Workers.
//
// The headers are those of https://www.standardwebhooks.com, for which receivers have libraries.

/** A webhook to send. */
export interface Webhook {
  /** Where to. Check it by `refuseTarget` when it is entered. */
  readonly url: string;
  /** The secret of this receiver: 32 random bytes. */
  readonly secret: Uint8Array<ArrayBuffer>;
  /** The id of the event. It is the same for each attempt, so that the receiver can ignore a repetition. */
  readonly id: string;
  /** The body. */
  readonly body: string;
}

/** The bounds of a delivery. */
export interface DeliveryOptions {
  /** How often to try. */
  readonly attempts: number;
  /** How long to wait for a response, in milliseconds. */
  readonly timeout: number;
  /** How long to wait after the first failure, in milliseconds. It doubles with each one. */
  readonly delay: number;
  /** The longest wait, in milliseconds, also where the receiver asks for a longer one. */
  readonly maxDelay: number;
  /** Ends the delivery. */
  readonly signal?: AbortSignal;
}

/** How a delivery has ended. The response of the receiver is not read: it is of no use, and could be anything. */
export interface Delivery {
  readonly delivered: boolean;
  readonly attempts: number;
  /** Of the last attempt; `undefined` if there was no response. */
  readonly status?: number;
}

/** For a minute of failures. Keep what could not be delivered, and try again hours later from there. */
const DEFAULTS: DeliveryOptions = { attempts: 5, timeout: 5_000, delay: 1_000, maxDelay: 30_000 };

/**
 * Sends a webhook, and again if there is no response in time, or one that says to try later: 408, 429 or 5xx.
 *
 * Redirects are not followed: they could lead to an address that `refuseTarget` would not let pass.
 *
 * @param webhook The webhook.
 * @param options The bounds.
 * @returns How the delivery has ended. It does not reject.
 */
export async function deliver(webhook: Webhook, options: Partial<DeliveryOptions> = {}): Promise<Delivery> {
  const { attempts, timeout, delay, maxDelay, signal } = { ...DEFAULTS, ...options };
  for (let attempt = 1;; attempt++) {
    const response = await send(webhook, timeout, signal);
    const ended: Delivery = {
      delivered: response?.ok === true,
      attempts: attempt,
      ...response && { status: response.status },
    };
    const isFinal = response !== undefined && !mayTryAgain(response.status);
    if (isFinal || attempt >= attempts || signal?.aborted) return ended;
    // At random, so that the receiver does not get everything at once when it is back.
    const own = delay * 2 ** (attempt - 1) * (0.5 + Math.random() / 2);
    await pause(Math.min(Math.max(own, response?.retryAfter ?? 0), maxDelay), signal);
  }
}

function mayTryAgain(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

/** What is used of a response. */
interface Sent {
  readonly ok: boolean;
  readonly status: number;
  /** In milliseconds. A date is not read. */
  readonly retryAfter: number;
}

/** Sends it once. Returns `undefined` if there is no response in time. */
async function send(webhook: Webhook, timeout: number, signal?: AbortSignal): Promise<Sent | undefined> {
  const timedOut = AbortSignal.timeout(timeout);
  try {
    const response = await fetch(webhook.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...await sign(webhook, Math.floor(Date.now() / 1000)) },
      body: webhook.body,
      redirect: "manual",
      signal: signal === undefined ? timedOut : AbortSignal.any([timedOut, signal]),
    });
    await response.body?.cancel();
    const after = response.headers.get("retry-after") ?? "";
    return { ok: response.ok, status: response.status, retryAfter: /^\d{1,6}$/.test(after) ? Number(after) * 1000 : 0 };
  } catch {
    return undefined; // no connection, no response in time, or the delivery is ended
  }
}

/**
 * Signs a webhook. The receiver computes the same, compares it in constant time, and rejects an old timestamp: nobody can
 * forge a webhook, or send an old one again.
 *
 * @param webhook The webhook.
 * @param timestamp The time, in seconds.
 * @returns The headers.
 */
export async function sign(
  { id, secret, body }: Pick<Webhook, "id" | "secret" | "body">,
  timestamp: number,
): Promise<Record<string, string>> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  const signature = new Uint8Array(await crypto.subtle.sign("HMAC", key, signed));
  return {
    "webhook-id": id,
    "webhook-timestamp": String(timestamp),
    "webhook-signature": `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

/** Waits, or until the signal is aborted. */
function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end);
  });
}
