import type { Context, NoLocals } from "../core/guards/context.ts";
import { describeRoute, requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import type { IdempotencyStore, Reservation, Reserved } from "../stores/stores.ts";
import { requireSeconds, requireWhole } from "../core/values/whole_number.ts";
import { digestOfText, fingerprint } from "./fingerprint.ts";
import { readResponse, writeResponse } from "./stored_response.ts";

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
   * For how many seconds a key and its response are kept, from 1 to 2,592,000 (30 days): longer than clients repeat
   * requests, and longer than the handler takes. More than a week must be whole days.
   */
  readonly lifetime: number;
  /** How many keys of one client are kept, from 1 to 10,000. */
  readonly perClient: number;
  /**
   * Builds the response to a request that does not run:
   *
   * - `missing`: it has no `Idempotency-Key`, or none of 1 to 255 visible ASCII characters. Usually 400.
   * - `running`: the first request has not ended, or its instance has died. Usually 409, with `Retry-After`.
   * - `mismatch`: the key belongs to a request with another method, target or body. Usually 422.
   * - `full`: the client has as many keys as it may have, or the store has no place. Usually 503.
   */
  readonly refuse: (c: Context<Locals>, why: Refusal) => Denial;
  /**
   * Builds the response if the store fails before the handler runs, such as 503. Also called, for a log, if the store
   * fails after it. Then its result is ignored: the client gets what the handler returned or threw. What it throws goes
   * to `onError`.
   */
  readonly whenStoreFails: (error: unknown, c: Context<Locals>) => Failure;
  /** Where the keys are kept: an `idempotencyStore` of `@fw/core/memory`, `/sqlite`, `/postgres` or `/redis`. */
  readonly store: IdempotencyStore;
  /** How many bytes a response may have, from 0 to 1,048,576; 65,536 by default. A longer one is an error. */
  readonly maxResponseBytes?: number | undefined;
}

/** Why a request does not run. */
export type Refusal = "missing" | "running" | "mismatch" | "full";

/**
 * Makes a wrapper for handlers that must not run twice: clients repeat a request safely, with the same
 * `Idempotency-Key`.
 *
 * The wrapper is the last guard of a route. Before the handler runs, it reserves the key of the request. A repeat gets
 * the first response. While the first request runs, a repeat is refused. Another request under the same key is refused,
 * too. The body is compared as the schema's reader returned it. A body that no schema declares is not compared.
 *
 * If the handler throws, or returns a status of 500 or above, the key is free again: its work must have left nothing
 * behind. If the instance dies while the handler runs, nobody knows what it has done. Then repeats are refused as
 * `running` until the lifetime is over.
 *
 * The response is stored whole, with its headers, and cookies among them.
 *
 * A transaction of your own is stronger: if the key is in the table of the work, under a unique index, both are there
 * or neither is, whatever dies.
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
>(options: IdempotencyOptions<Locals, Denial, Failure>): Once<Locals, Denial | Failure> {
  const required = ["client", "lifetime", "perClient", "refuse", "whenStoreFails", "store"];
  requireOptions(options, OWNER, required, ["maxResponseBytes"]);
  const { client, lifetime, perClient, refuse, whenStoreFails, store, maxResponseBytes = 65_536 } = options;
  for (const option of ["client", "refuse", "whenStoreFails"] as const) {
    requireFunction(`Option ${option} of ${OWNER}`, options[option]);
  }
  requireSeconds(lifetime, `Option lifetime of ${OWNER}`, 2_592_000);
  requireWhole(perClient, `Option perClient of ${OWNER}`, 10_000);
  requireWhole(maxResponseBytes, `Option maxResponseBytes of ${OWNER}`, 1_048_576, 0);
  requireThat(typeof store?.reserve === "function", `Option store of ${OWNER}`, "a store of idempotency keys", store);

  /**
   * Reservations for which no request runs, with the time from which a call to free them is the last one: an engine
   * that was away may still make them when it is back. At most 1,000, since no more calls wait for an engine.
   */
  const orphans = new Map<Reservation, number>();
  const remember = (reservation: Reservation) => {
    if (orphans.size < 1000) orphans.set(reservation, Date.now() + 60_000);
  };
  let nextRound = 0;
  /** Frees the orphans, at most once a second. Not by a timer, which would keep a process alive. */
  const freeOrphans = async (): Promise<void> => {
    const now = Date.now();
    if (now < nextRound) return;
    nextRound = now + 1000;
    await Promise.allSettled(Array.from(orphans, async ([own, last]) => {
      await store.free(own);
      if (now >= last) orphans.delete(own);
    }));
  };

  return <C extends Context<Locals>, Extra extends readonly unknown[], Sent extends Response>(
    handler: (c: C, ...extra: Extra) => Sent | Promise<Sent>,
  ) => {
    requireFunction(`Handler of ${OWNER}`, handler);
    return async (c: C, ...extra: Extra): Promise<Sent | Denial | Failure> => {
      const key = c.request.headers.get("idempotency-key") ?? "";
      if (!/^[!-~]{1,255}$/.test(key)) return refuse(c, "missing");
      const whose = client(c);
      requireThat(
        typeof whose === "string",
        `Client of ${OWNER} for route ${describeRoute(c.route)}`,
        "a string",
        whose,
      );
      const reservation = {
        key: await digestOfText(JSON.stringify([whose, key])),
        client: await digestOfText(JSON.stringify(whose)),
        request: await fingerprint(c.request, c.raw.body),
        owner: crypto.randomUUID(),
      };
      const reserve = () => store.reserve(reservation, { lifetime, perClient });
      let reserved: Reserved;
      try {
        reserved = await reserve();
        await freeOrphans();
        if (orphans.size > 0 && reserved.state === "running") reserved = await reserve();
      } catch (error) {
        remember(reservation);
        return whenStoreFails(error, c);
      }
      if (reserved.state === "done") return readResponse(reserved.response) as Sent;
      if (reserved.state !== "reserved") return refuse(c, reserved.state);

      /** Keeps the response, or frees the key. The client gets its response whether or not that succeeds. */
      const tell = async (text?: string) => {
        try {
          await (text === undefined ? store.free(reservation) : store.keep(reservation, text));
        } catch (error) {
          if (text === undefined) remember(reservation);
          whenStoreFails(error, c);
        }
      };
      let response: Sent;
      try {
        response = await handler(c, ...extra);
      } catch (error) {
        await tell();
        throw error;
      }
      if (response.status >= 500) {
        await tell();
        return response;
      }
      // If the response is too long, the key stays taken: the work is done.
      const text = await writeResponse(response, maxResponseBytes);
      await tell(text);
      return readResponse(text) as Sent;
    };
  };
}

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

const OWNER = "idempotent";
