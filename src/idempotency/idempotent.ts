import type { Context, NoLocals } from "../core/guards/context.ts";
import { describeRoute, isResponse, requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireSeconds, requireWhole } from "../core/values/whole_number.ts";
import type { IdempotencyStore, Reservation, Reserved } from "../stores/stores.ts";
import { sha256Hex } from "../core/values/sha256.ts";
import { fingerprint } from "./fingerprint.ts";
import { createKey, type Key, KeyLost } from "./key.ts";
import { createOrphans } from "./orphans.ts";
import { readAnswer, writeFailure, writeResponse } from "./stored_response.ts";

/**
 * What {@linkcode idempotent} needs to know.
 *
 * @typeParam Locals The locals that the options read.
 * @typeParam Denial The response to a request that does not run.
 * @typeParam Failure The response if the store fails.
 */
export interface IdempotencyOptions<
  in Locals extends object,
  out Denial extends Response,
  out Failure extends Response,
> {
  /** Who sends the request, such as the id of the user. Nobody gets the response to another client. */
  readonly client: (c: Context<Locals>) => string;
  /**
   * The key of the request: 1 to 255 visible ASCII characters, or nothing. By default, it is the header
   * `Idempotency-Key`. For a webhook, it is the sender's id of the message, such as the header `webhook-id`, or the
   * `id` in the body of Stripe. Read only an id that the signature covers. An attacker who replays the message can
   * change any other id, such as `x-github-delivery`.
   *
   * @example Webhooks, each of which is handled once
   * ```ts
   * import { denyInvalid, reply, route, setup } from "@fw/core";
   * import { idempotent } from "@fw/core/idempotency";
   * import { idempotencyStore } from "@fw/core/memory";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { signed, standardWebhooks } from "@fw/core/webhooks";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const STATUSES = { missing: 400, running: 409, mismatch: 422, full: 503 } as const;
   * const once = idempotent({
   *   client: () => "shop",
   *   key: (c) => c.request.headers.get("webhook-id"),
   *   store: idempotencyStore({ most: 10_000 }),
   *   lifetime: 24 * 60 * 60, // longer than the sender repeats a message, and than its signature is valid
   *   perClient: 10_000,
   *   refuse: (_c, why) => reply(STATUSES[why]),
   *   whenStoreFails: () => reply(503),
   * });
   *
   * const app = setup({
   *   validator: standardSchema,
   *   handlers: [
   *     route.post("/webhooks", {
   *       request: {
   *         body: z.object({ type: z.literal("order.paid"), data: z.object({ id: z.string() }) }),
   *         bodyReader: signed(standardWebhooks({ secrets: ["whsec_c2VjcmV0IG9mIGF0IGxlYXN0IDI0IGJ5dGVz"] })),
   *       },
   *       guards: [denyInvalid(() => reply(400))],
   *       resolve: once(() => reply(204)),
   *     }),
   *   ],
   * });
   * const unsigned = new Request("http://localhost/webhooks", { method: "POST", body: "{}" });
   * assertEquals((await app.fetch(unsigned)).status, 400);
   * ```
   */
  readonly key?: ((c: Context<Locals>) => string | null | undefined) | undefined;
  /**
   * For how many seconds a key and its response are kept, from 1 to 2,592,000 (30 days): longer than clients repeat
   * requests, and longer than the handler takes. More than a week must be whole days.
   */
  readonly lifetime: number;
  /** How many keys of one client are kept, from 1 to 10,000. */
  readonly perClient: number;
  /**
   * Builds the response to a request that does not run:
   *
   * - `missing`: it has no valid key, which has 1 to 255 visible ASCII characters. Usually 400.
   * - `running`: the first request has not ended, or its instance has died. Usually 409, with `Retry-After`.
   * - `mismatch`: the key belongs to a request with another method, target or body. Usually 422.
   * - `full`: the client has as many keys as it may have, or the store has no space. Usually 503.
   */
  readonly refuse: (c: Context<Locals>, why: Refusal) => Denial;
  /**
   * Builds the response if the store fails before the handler runs, such as 503. It is also called if the store fails
   * after the handler, or with a {@linkcode KeyLost}, so that you can log the error. Then its result is ignored: the
   * client gets what the handler returned or threw, or the response of `refuse`. If it throws, `onError` receives the
   * error.
   */
  readonly whenStoreFails: (error: unknown, c: Context<Locals>) => Failure;
  /** Where the keys are kept: an `idempotencyStore` of `@fw/core/memory`, `/sqlite`, `/postgres` or `/redis`. */
  readonly store: IdempotencyStore;
  /** How many bytes a response may have, from 0 to 1,048,576; 65,536 by default. A longer response is an error. */
  readonly maxResponseBytes?: number | undefined;
  /** Only in {@linkcode LeaseOptions}: the handler then receives a {@linkcode Key}. */
  readonly lease?: undefined;
}

/**
 * What {@linkcode idempotent} needs to know if handlers keep their response in the transaction of their work.
 *
 * @typeParam Locals The locals that the options read.
 * @typeParam Denial The response to a request that does not run.
 * @typeParam Failure The response if the store fails.
 */
export interface LeaseOptions<
  in Locals extends object,
  out Denial extends Response,
  out Failure extends Response,
> extends Omit<IdempotencyOptions<Locals, Denial, Failure>, "lease"> {
  /**
   * For how many seconds a key is reserved while the handler runs, from 1 to 600 and at most `lifetime`. It is renewed
   * each third of it. If the process dies, the key is free after this time.
   */
  readonly lease: number;
}

/** Why a request does not run. */
export type Refusal = "missing" | "running" | "mismatch" | "full";

/**
 * Makes a wrapper for handlers that must not run twice: clients repeat a request safely, with the same
 * `Idempotency-Key`. With the option `key`, it is another one, such as the sender's id of a webhook.
 *
 * The wrapper is the last guard of a route. Before the handler runs, it reserves the key of the request. A retry gets
 * the stored response. While the first request runs, a retry is refused. Another request under the same key is refused,
 * too. The body is compared as the schema's reader returned it. A body that no schema declares is not compared, nor is one
 * of `parts`, which the handler reads.
 *
 * If the handler throws, or returns a status of 500 or above, the key is free again: its work must have left nothing
 * behind. If the work is done and its response cannot be kept, a retry must not do it again, so the error is kept: it
 * goes to `onError` for each retry. A response cannot be kept if it is too long, if its body was already read or does
 * not end within 10 seconds, or if its stream fails.
 *
 * If the instance dies while the handler runs, nobody knows how much of its work is done. Then retries are refused as
 * `running` until the lifetime is over. If the work is a transaction in a database, set `lease`: the handler receives a
 * {@linkcode Key} after the context, and writes the response in that transaction. Then both are stored or neither is,
 * and a retry runs after the lease. Such a handler returns what `key.keep` returned, or a status of 400 or above if it
 * has done nothing: then the key is free again.
 *
 * The response is stored whole, with its headers, and cookies among them.
 *
 * @typeParam Locals The locals that the options read. Guards must add them.
 * @typeParam Denial The response to a request that does not run. If `reply` makes it, routes that declare `responses`
 * must declare it.
 * @typeParam Failure The response if the store fails; the same holds for it.
 * @param options The client, the bounds, the responses.
 * @returns The wrapper, for any number of routes.
 * @throws A `TypeError` if an option is missing, unknown or out of its bounds.
 *
 * @example A payment that is made once
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { idempotent } from "@fw/core/idempotency";
 * import { idempotencyStore } from "@fw/core/memory";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const STATUSES = { missing: 400, running: 409, mismatch: 422, full: 503 } as const;
 * const once = idempotent({
 *   client: (c) => c.request.headers.get("authorization") ?? "",
 *   store: idempotencyStore({ most: 10_000 }),
 *   lifetime: 24 * 60 * 60,
 *   perClient: 1000,
 *   refuse: (_c, why) => reply(STATUSES[why], { error: why }),
 *   whenStoreFails: () => reply(503, { error: "Try again" }),
 * });
 *
 * let payments = 0;
 * const app = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     route.post("/payments", {
 *       request: { body: z.object({ amount: z.int() }) },
 *       resolve: once((c) => c.input.ok ? reply(201, { id: ++payments }) : reply(400, { error: "No amount" })),
 *     }),
 *   ],
 * });
 *
 * const pay = (amount: number, key: string) =>
 *   app.fetch(
 *     new Request("http://localhost/payments", {
 *       method: "POST",
 *       headers: { "idempotency-key": key },
 *       body: JSON.stringify({ amount }),
 *     }),
 *   );
 * assertEquals(await (await pay(5, "a")).json(), { id: 1 });
 * assertEquals(await (await pay(5, "a")).json(), { id: 1 });
 * assertEquals((await pay(6, "a")).status, 422);
 * assertEquals(await (await pay(5, "b")).json(), { id: 2 });
 * ```
 */
export function idempotent<
  const Denial extends Response,
  const Failure extends Response,
  Locals extends object = NoLocals,
>(options: IdempotencyOptions<Locals, Denial, Failure>): Once<Locals, Denial | Failure>;
/**
 * Makes a wrapper for handlers that keep their response in the transaction of their work.
 *
 * @typeParam Locals The locals that the options read. Guards must add them.
 * @typeParam Denial The response to a request that does not run.
 * @typeParam Failure The response if the store fails.
 * @param options The client, the bounds, the responses, and the lease.
 * @returns The wrapper, for any number of routes.
 * @throws A `TypeError` if an option is missing, unknown or out of its bounds.
 *
 * @example An order and the response to it in one transaction of SQLite
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { idempotent } from "@fw/core/idempotency";
 * import { idempotencyStore, idempotencyTable } from "@fw/core/sqlite";
 * import { assertEquals } from "@std/assert";
 * import { DatabaseSync } from "node:sqlite";
 *
 * const db = new DatabaseSync(":memory:");
 * db.exec("CREATE TABLE orders (id INTEGER PRIMARY KEY);" + idempotencyTable());
 * const store = idempotencyStore(db);
 *
 * const STATUSES = { missing: 400, running: 409, mismatch: 422, full: 503 } as const;
 * const once = idempotent({
 *   client: (c) => c.request.headers.get("authorization") ?? "",
 *   store,
 *   lease: 10,
 *   lifetime: 24 * 60 * 60,
 *   perClient: 1000,
 *   refuse: (_c, why) => reply(STATUSES[why], { error: why }),
 *   whenStoreFails: () => reply(503, { error: "Try again" }),
 * });
 *
 * const app = setup({
 *   handlers: [
 *     route.post("/orders", {
 *       resolve: once((_c, key) => {
 *         db.exec("BEGIN IMMEDIATE");
 *         try {
 *           const row = db.prepare("INSERT INTO orders DEFAULT VALUES RETURNING id").get();
 *           const response = key.keepNow(store, 201, { id: Number(row?.id) });
 *           db.exec("COMMIT");
 *           return response;
 *         } catch (error) {
 *           db.exec("ROLLBACK");
 *           throw error;
 *         }
 *       }),
 *     }),
 *   ],
 * });
 *
 * const init = { method: "POST", headers: { "idempotency-key": "a" } };
 * for (let turn = 0; turn < 2; turn++) {
 *   const response = await app.fetch(new Request("http://localhost/orders", init));
 *   assertEquals([response.status, await response.json()], [201, { id: 1 }]);
 * }
 * ```
 */
export function idempotent<
  const Denial extends Response,
  const Failure extends Response,
  Locals extends object = NoLocals,
>(options: LeaseOptions<Locals, Denial, Failure>): OnceWithKey<Locals, Denial | Failure>;
// `extends never`: with wider types, TypeScript would say at each mistake that the call fits this signature (TS2793).
export function idempotent<Options extends never>(options: Options): AnyOnce {
  return createOnce(options) as AnyOnce;
}

type AnyOnce = Once<object, Response> & OnceWithKey<object, Response>;

function createOnce<Locals extends object, Denial extends Response, Failure extends Response>(
  options: IdempotencyOptions<Locals, Denial, Failure> | LeaseOptions<Locals, Denial, Failure>,
): Once<Locals, Denial | Failure> {
  const { client, readKey, lifetime, perClient, refuse, whenStoreFails, store, maxResponseBytes, lease } = policyOf(
    options,
  );
  const orphans = createOrphans(store);

  return <C extends Context<Locals>, Extra extends readonly unknown[], Sent extends Response>(
    handler: (c: C, ...extra: Extra) => Sent | Promise<Sent>,
  ) => {
    requireFunction(`Handler of ${OWNER}`, handler);
    return async (c: C, ...extra: Extra): Promise<Sent | Denial | Failure> => {
      const name = readKey(c) ?? "";
      if (!/^[!-~]{1,255}$/.test(name)) return refuse(c, "missing");
      const reservation = await reservationOf(c, client(c), name);
      const reserve = () => store.reserve(reservation, { lifetime, perClient, lease });
      let reserved: Reserved;
      try {
        reserved = await reserve();
        const areLeft = await orphans.free();
        if (areLeft && reserved.state === "running") reserved = await reserve();
      } catch (error) {
        orphans.add(reservation);
        return whenStoreFails(error, c);
      }
      if (reserved.state === "done") return readAnswer(reserved.response) as Sent;
      if (reserved.state !== "reserved") return refuse(c, reserved.state);

      /** Keeps a response, or frees the key. The client gets its response whether or not that succeeds. */
      const tell = async (text?: string) => {
        try {
          if (text === undefined) await store.free(reservation);
          else if (lease === undefined) await store.keep(reservation, text);
          else await store.keep(reservation, text, lifetime);
        } catch (error) {
          if (text === undefined) orphans.add(reservation);
          whenStoreFails(error, c);
        }
      };

      const own = lease === undefined ? undefined : createKey(reservation, lifetime, maxResponseBytes);
      const renewal = lease === undefined ? undefined : startRenewal(store, reservation, lease, lifetime);
      let response: Sent;
      try {
        // With a lease, the type of the wrapper says that the key comes before the other arguments.
        const args = (own === undefined ? extra : [own.key, ...extra]) as Extra;
        response = await handler(c, ...args);
      } catch (error) {
        // A key whose response was committed stays, also if the handler has got no answer to its commit.
        await tell();
        if (!(error instanceof KeyLost)) throw error;
        whenStoreFails(error, c);
        return refuse(c, "running");
      } finally {
        clearInterval(renewal);
      }
      if (isResponse(response) && response === own?.kept()) return response;
      // What is no response is an error, which names the route. With a lease, such a status says that nothing was done.
      if (!isResponse(response) || response.status >= (own === undefined ? 500 : 400)) {
        await tell();
        return response;
      }
      let text: string;
      try {
        if (own !== undefined) throw new TypeError(NOT_KEPT + describeRoute(c.route));
        text = await writeResponse(response, maxResponseBytes);
      } catch (error) {
        // The work is done. So the key stays taken, and retries fail as this request does.
        await tell(writeFailure(error));
        throw error;
      }
      await tell(text);
      return readAnswer(text) as Sent;
    };
  };
}

/** The options, with their defaults. */
function policyOf<Locals extends object, Denial extends Response, Failure extends Response>(
  options: IdempotencyOptions<Locals, Denial, Failure> | LeaseOptions<Locals, Denial, Failure>,
) {
  const required = ["client", "lifetime", "perClient", "refuse", "whenStoreFails", "store"];
  requireOptions(options, OWNER, required, ["key", "maxResponseBytes", "lease"]);
  const {
    client,
    key: readKey = keyInHeader,
    lifetime,
    perClient,
    refuse,
    whenStoreFails,
    store,
    maxResponseBytes = 65_536,
    lease,
  } = options;
  for (const option of ["client", "refuse", "whenStoreFails"] as const) {
    requireFunction(`Option ${option} of ${OWNER}`, options[option]);
  }
  requireFunction(`Option key of ${OWNER}`, readKey);
  requireSeconds(lifetime, `Option lifetime of ${OWNER}`, 2_592_000);
  requireWhole(perClient, `Option perClient of ${OWNER}`, 10_000);
  requireWhole(maxResponseBytes, `Option maxResponseBytes of ${OWNER}`, 1_048_576, 0);
  requireThat(
    typeof store?.reserve === "function",
    `Option store of ${OWNER}`,
    "a store of idempotency keys, such as idempotencyStore of @fw/core/memory",
    store,
  );
  if (lease !== undefined) {
    requireWhole(lease, `Option lease of ${OWNER}`, Math.min(lifetime, 600));
    const canRenew = typeof store.renew === "function";
    requireThat(canRenew, `Option store of ${OWNER} with a lease`, "a store with the method renew", store);
  }
  return { client, readKey, lifetime, perClient, refuse, whenStoreFails, store, maxResponseBytes, lease };
}

/** What is asked for a request: digests, so that the store knows neither the client nor the key. */
async function reservationOf(c: Context<object>, client: string, name: string): Promise<Reservation> {
  requireThat(
    typeof client === "string",
    `Client of ${OWNER} for route ${describeRoute(c.route)}`,
    "a string",
    client,
  );
  return {
    key: await sha256Hex(JSON.stringify([client, name])),
    client: await sha256Hex(JSON.stringify(client)),
    request: await fingerprint(c.request, c.raw.body),
    owner: crypto.randomUUID(),
  };
}

function keyInHeader({ request }: Context<object>): string | null {
  return request.headers.get("idempotency-key");
}

const NOT_KEPT = "With a lease, a handler must return what key.keep() or key.keepNow() returned, or a status of 400 " +
  "or above: received another response for route ";

/**
 * The wrapper that {@linkcode idempotent} makes.
 *
 * @typeParam Locals The locals that guards must add.
 * @typeParam Denial The responses to requests that do not run.
 */
export type Once<in Locals extends object, out Denial extends Response> = <
  C extends Context<Locals>,
  Extra extends readonly unknown[],
  Sent extends Response,
>(
  handler: (c: C, ...extra: Extra) => Sent | Promise<Sent>,
) => (c: C, ...extra: Extra) => Promise<Sent | Denial>;

/**
 * The wrapper that {@linkcode idempotent} makes with a `lease`. The handler receives the {@linkcode Key} after the
 * context.
 *
 * @typeParam Locals The locals that guards must add.
 * @typeParam Denial The responses to requests that do not run.
 */
export type OnceWithKey<in Locals extends object, out Denial extends Response> = <
  C extends Context<Locals>,
  Extra extends readonly unknown[],
  Sent extends Response,
>(
  handler: (c: C, key: Key, ...extra: Extra) => Sent | Promise<Sent>,
) => (c: C, ...extra: Extra) => Promise<Sent | Denial>;

const OWNER = "idempotent";

/**
 * Renews a lease each third of it, for as long as the handler may run. A call that fails is followed by the next one,
 * and `keep` finds a key that was lost. One call at a time: while a transaction has the key, it waits.
 */
function startRenewal(store: IdempotencyStore, reservation: Reservation, lease: number, lifetime: number) {
  const end = performance.now() + lifetime * 1000;
  let isRenewing = false;
  const renewal = setInterval(async () => {
    if (performance.now() > end) return clearInterval(renewal);
    if (isRenewing) return;
    isRenewing = true;
    try {
      await store.renew?.(reservation, lease);
    } catch { /* the next call, or `keep`, tells */ }
    isRenewing = false;
  }, lease * 1000 / 3);
  return renewal;
}
