import { requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { pause } from "../core/values/pause.ts";
import { requireSeconds } from "../core/values/whole_number.ts";
import type { DeliveryStore } from "../stores/delivery.ts";
import type { EventLog } from "../stores/event_log.ts";
import { publicSender, type Send } from "./public_sender.ts";
import type { AnyWebhook } from "./publish.ts";
import { importKey, sign, standardKey } from "./hmac.ts";

/** Who receives webhooks. */
export interface Receiver {
  /** Its id in the store: at most 250 characters. */
  readonly id: string;
  /** The url at which it receives webhooks. */
  readonly url: string;
  /** The secret that the webhooks are signed with: base64, with or without the prefix `whsec_`. */
  readonly secret: string;
  /**
   * The id of the message after which a new receiver begins, such as the one that `publish` returned. By default `"0"`:
   * with the oldest message that the log keeps.
   */
  readonly begin?: string | undefined;
}

/** An attempt that has failed. */
export interface Attempt<out Sent> {
  /** The receiver. */
  readonly receiver: Receiver;
  /** The webhook. */
  readonly webhook: Sent;
  /** The header `webhook-id`: the same for each attempt of a webhook. */
  readonly id: string;
  /** How many attempts of this webhook this instance has made: 1 for the first one. */
  readonly attempts: number;
  /** The response, unread; `undefined` if there was none in time, or no connection. */
  readonly response: Response | undefined;
  /** What `send` has rejected with, if there was no response. */
  readonly error: unknown;
}

/** Where {@linkcode deliver} continues if the log no longer has some webhooks. */
export type Missed = "oldest" | "latest";

/** What {@linkcode deliver} needs to know. */
export interface DeliverOptions<Sent extends AnyWebhook> {
  /** The log of the webhooks. */
  readonly log: EventLog<Sent>;
  /** Keeps which instance sends, and which webhook was delivered last: a `deliveryStore` of the engine of the log. */
  readonly store: DeliveryStore;
  /** The receiver. */
  readonly receiver: Receiver;
  /**
   * Decides what to do after a failed attempt. It returns the number of seconds to wait before the next attempt, at
   * most 24 days; `"skip"` to continue with the next webhook; or `"stop"` to end, for example if the receiver responds
   * with 410. Later webhooks wait.
   */
  readonly after: (attempt: Attempt<Sent>) => number | "skip" | "stop" | Promise<number | "skip" | "stop">;
  /**
   * Called if the log no longer has webhooks that were not delivered yet: the receiver was away for too long, or the
   * engine has lost them. Tell the receiver that it must reload everything, and return where to continue:
   *
   * - `"oldest"`: with the oldest webhook that the log keeps. After a failover, the receiver may have got some of them.
   * - `"latest"`: with the next one that is published.
   */
  readonly missed: (receiver: Receiver) => Missed | Promise<Missed>;
  /** Called if the log or the store fails, for a log. `deliver` then tries again. */
  readonly whenStoreFails: (error: unknown, receiver: Receiver) => void;
  /** Ends the delivery. */
  readonly signal: AbortSignal;
  /** Whether the receiver gets a webhook; each one by default. */
  readonly wants?: ((webhook: Sent) => boolean) | undefined;
  /** Sends a request; by default {@linkcode publicSender}, which connects to public addresses only. */
  readonly send?: Send | undefined;
  /** How many seconds to wait for a response, from 1 to 300; 10 by default. */
  readonly timeout?: number | undefined;
  /**
   * For how many seconds an instance has a receiver without renewing that, from 1 to 3600; 30 by default. If it is
   * killed, another instance continues after this time.
   */
  readonly lease?: number | undefined;
}

/**
 * Sends the webhooks of a log to one receiver, in order, each at least once. Call it for each receiver, on any number of
 * instances: the store lets one of them send at a time.
 *
 * A webhook is a POST of JSON, signed by [Standard Webhooks](https://www.standardwebhooks.com). Any status from 200 to
 * 299 says that it was received. A webhook is sent again if its response was lost, or if the instance was killed before
 * it noted the delivery. This affects at most one webhook, the one that was being sent. Receivers recognize it by the
 * header `webhook-id`.
 *
 * @typeParam Sent The webhooks of the log.
 * @param options The log, the store, the receiver, and what to do after a failure.
 * @returns `"stopped"` if `after` has returned that; `"aborted"` if the signal has ended it. Rejects with what `after`,
 * `missed` or `wants` throws.
 * @throws A `TypeError` if an option is missing, unknown or wrong.
 *
 * @example A receiver
 * ```ts
 * import { deliveryStore, eventLog } from "@fw/core/memory";
 * import { deliver, publish, type Webhook } from "@fw/core/webhooks";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const schemas = { "order.paid": z.object({ id: z.string() }) };
 * const log = eventLog<Webhook<typeof schemas>>({ keep: 10_000 });
 * await publish(log, "order.paid", { id: "7" });
 *
 * const ending = new AbortController();
 * const received: unknown[] = [];
 * const outcome = await deliver({
 *   log,
 *   store: deliveryStore(),
 *   receiver: { id: "ada", url: "https://ada.example/webhooks", secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3" },
 *   after: ({ response, attempts }) => response?.status === 410 ? "stop" : Math.min(2 ** attempts, 3600),
 *   missed({ id }) {
 *     console.error(`${id} must load everything anew`);
 *     return "oldest";
 *   },
 *   whenStoreFails: (error) => console.error(error),
 *   signal: ending.signal,
 *   // In place of a request:
 *   async send(request) {
 *     received.push(await request.json());
 *     ending.abort();
 *     return new Response(null, { status: 204 });
 *   },
 * });
 * assertEquals(outcome, "aborted");
 * assertEquals(received.length, 1);
 * ```
 */
export async function deliver<Sent extends AnyWebhook>(options: DeliverOptions<Sent>): Promise<"stopped" | "aborted"> {
  const delivery = await readOptions(options);
  const { store, receiver, signal, lease, whenStoreFails } = delivery;
  const owner = crypto.randomUUID();
  while (!signal.aborted) {
    const held = createLease(lease);
    const taken = await attempt(() => store.take(receiver.id, owner, lease), whenStoreFails, receiver);
    if (taken === undefined) {
      // At random, so that instances do not ask all at once.
      await pause(lease * (250 + Math.random() * 250), signal);
      continue;
    }
    const end = () => held.end();
    signal.addEventListener("abort", end);
    if (signal.aborted) end();
    const renewing = renew(delivery, owner, held);
    try {
      if (await sendAll(delivery, owner, held, taken.position ?? receiver.begin ?? "0") === "stopped") return "stopped";
    } finally {
      held.end();
      signal.removeEventListener("abort", end);
      await renewing;
      await attempt(() => store.release(receiver.id, owner), whenStoreFails, receiver);
    }
    // The log or the store has failed, or the time was over: another instance may go on.
    await pause(lease * Math.random() * 250, signal);
  }
  return "aborted";
}

/** The options, with their defaults and the key. */
interface Delivery<Sent extends AnyWebhook> extends DeliverOptions<Sent> {
  readonly wants: (webhook: Sent) => boolean;
  readonly send: Send;
  readonly timeout: number;
  readonly lease: number;
  readonly key: CryptoKey;
}

async function readOptions<Sent extends AnyWebhook>(options: DeliverOptions<Sent>): Promise<Delivery<Sent>> {
  const functions = ["after", "missed", "whenStoreFails"] as const;
  requireOptions(options, OWNER, ["log", "store", "receiver", ...functions, "signal"], [
    "wants",
    "send",
    "timeout",
    "lease",
  ]);
  const { log, store, receiver, wants = () => true, send = publicSender(), timeout = 10, lease = 30 } = options;
  for (const name of functions) requireFunction(`Option ${name} of ${OWNER}`, options[name]);
  requireFunction(`Option wants of ${OWNER}`, wants);
  requireFunction(`Option send of ${OWNER}`, send);
  requireThat(
    typeof log?.read === "function",
    `Option log of ${OWNER}`,
    "a log of messages, such as eventLog of @fw/core/memory",
    log,
  );
  requireThat(
    typeof store?.take === "function",
    `Option store of ${OWNER}`,
    "a store of deliveries, such as deliveryStore of @fw/core/memory",
    store,
  );
  requireOptions(receiver, `receiver of ${OWNER}`, ["id", "url", "secret"], ["begin"]);
  const { id, url, secret } = receiver;
  const isId = typeof id === "string" && id !== "" && id.length <= 250;
  requireThat(isId, `Id of the receiver of ${OWNER}`, "1 to 250 characters", id);
  requireThat(typeof url === "string" && URL.canParse(url), `Url of the receiver of ${OWNER}`, "an absolute url", url);
  requireThat(typeof secret === "string", `Secret of the receiver of ${OWNER}`, "a string", secret);
  requireSeconds(timeout, `Option timeout of ${OWNER}`, 300);
  requireSeconds(lease, `Option lease of ${OWNER}`, 3600);
  return { ...options, wants, send, timeout, lease, key: await importKey(standardKey(secret, OWNER)) };
}

const OWNER = "deliver";

/** For how long an instance has a receiver, by its own clocks. */
interface Lease {
  /** Aborted when the receiver may have another owner. */
  readonly signal: AbortSignal;
  /** How many milliseconds are left. */
  left(): number;
  /** Begins to renew it. The time counts from this call; it is set by the function that is returned. */
  renew(): () => void;
  /** Ends it. */
  end(): void;
}

function createLease(seconds: number): Lease {
  const ending = new AbortController();
  const later = () => [performance.now() + seconds * 1000, Date.now() + seconds * 1000] as const;
  let endsAt = later();
  return {
    signal: ending.signal,
    // The monotonic clock may stop while a machine is suspended, and the other one may be set. The earlier one counts.
    left: () => Math.min(endsAt[0] - performance.now(), endsAt[1] - Date.now()),
    renew() {
      const next = later();
      return () => endsAt = next;
    },
    end: () => ending.abort(),
  };
}

/** Renews a lease after each third of it, until it is ended or lost. */
async function renew<Sent extends AnyWebhook>(delivery: Delivery<Sent>, owner: string, held: Lease): Promise<void> {
  const { store, receiver, lease, whenStoreFails } = delivery;
  let wait = lease / 3;
  while (!held.signal.aborted) {
    await pause(Math.min(wait * 1000, held.left()), held.signal);
    if (held.signal.aborted) return;
    if (held.left() <= 0) return held.end();
    const succeed = held.renew();
    try {
      if (await store.take(receiver.id, owner, lease) === undefined) return held.end();
      succeed();
      wait = lease / 3;
    } catch (error) {
      whenStoreFails(error, receiver);
      wait = lease / 12;
    }
  }
}

/** Sends all webhooks after a message, until the lease ends or an engine fails. */
async function sendAll<Sent extends AnyWebhook>(
  delivery: Delivery<Sent>,
  owner: string,
  held: Lease,
  position: string,
): Promise<"stopped" | "ended"> {
  const { log, store, receiver, missed, wants, whenStoreFails } = delivery;
  const items = failing(log.read(position, held.signal), whenStoreFails, receiver);
  for await (const [id, webhook] of items) {
    if (held.signal.aborted) return "ended";
    let done = id;
    if (webhook === undefined) {
      if (requireMissed(await missed(receiver)) === "oldest") done = "0";
    } else if (wants(webhook)) {
      const outcome = await sendOne(delivery, held, id, webhook);
      if (outcome === "ended") return "ended";
      if (outcome === "stop") return "stopped";
    }
    const noted = await attempt(() => store.advance(receiver.id, owner, done), whenStoreFails, receiver);
    // If it could not be noted, the webhook is sent again by whoever is next.
    if (noted !== true) return "ended";
    if (done !== id) return await sendAll(delivery, owner, held, done);
  }
  return "ended";
}

function requireMissed(result: unknown): Missed {
  const isMissed = result === "oldest" || result === "latest";
  requireThat(isMissed, `Result of missed of ${OWNER}`, '"oldest" or "latest"', result);
  return result;
}

/** Reads a log, and ends if it fails. */
async function* failing<Item>(
  items: AsyncIterable<Item>,
  whenStoreFails: (error: unknown, receiver: Receiver) => void,
  receiver: Receiver,
): AsyncGenerator<Item> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await attempt(() => iterator.next(), whenStoreFails, receiver);
      if (next === undefined || next.done) return;
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** Sends one webhook until it is received, or `after` gives it up, or the lease ends. */
async function sendOne<Sent extends AnyWebhook>(
  delivery: Delivery<Sent>,
  held: Lease,
  position: string,
  webhook: Sent,
): Promise<"received" | "skip" | "stop" | "ended"> {
  const { receiver, after } = delivery;
  const id = `msg_${position}`;
  const body = new TextEncoder().encode(JSON.stringify(webhook));
  for (let attempts = 1; !held.signal.aborted && held.left() > 0; attempts++) {
    const { response, error } = await request(delivery, held, id, body);
    if (response?.ok) return "received";
    if (held.signal.aborted) break;
    const next = await after({ receiver, webhook, id, attempts, response, error });
    if (next === "skip" || next === "stop") return next;
    const isPause = typeof next === "number" && next >= 0 && next < Infinity;
    requireThat(isPause, `Result of after of ${OWNER}`, 'a number of seconds, "skip" or "stop"', next);
    await pause(next * 1000, held.signal);
  }
  return "ended";
}

/** Sends one request. Not by `AbortSignal.any`: on Node.js 20, it keeps memory for as long as one of the signals lives. */
async function request<Sent extends AnyWebhook>(
  { receiver, send, timeout, key }: Delivery<Sent>,
  held: Lease,
  id: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<{ readonly response?: Response; readonly error?: unknown }> {
  const time = String(Math.floor(Date.now() / 1000));
  const signature = await sign(key, `${id}.${time}.`, body);
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, timeout * 1000);
  held.signal.addEventListener("abort", end);
  if (held.signal.aborted) end();
  try {
    const response = await send(
      new Request(receiver.url, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": time,
          "webhook-signature": `v1,${btoa(String.fromCharCode(...signature))}`,
        },
        body,
        redirect: "manual",
        signal: ending.signal,
      }),
    );
    response.body?.cancel().catch(() => {}); // it is not read, so it does not matter how it ends
    return { response };
  } catch (error) {
    return { error };
  } finally {
    clearTimeout(timer);
    held.signal.removeEventListener("abort", end);
  }
}

/** Calls the engine. `undefined` if it fails. */
async function attempt<Result>(
  call: () => Result | Promise<Result>,
  whenStoreFails: (error: unknown, receiver: Receiver) => void,
  receiver: Receiver,
): Promise<Result | undefined> {
  try {
    return await call();
  } catch (error) {
    whenStoreFails(error, receiver);
    return undefined;
  }
}
