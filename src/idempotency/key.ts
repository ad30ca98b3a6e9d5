import type { BodyBeside, BodyIn, InitIn, OwnAnswer, OwnAnswerWith } from "../core/responses/reply_arguments.ts";
import type { AnyAnswer, AsJson, InferredInit, Reply, ReplyInit } from "../core/responses/reply_type.ts";
import { requireThat } from "../core/values/assert.ts";
import { isPromise } from "../core/values/maybe_promise.ts";
import type { IdempotencyStore, Reservation, SyncIdempotencyStore } from "../stores/stores.ts";
import { readAnswer, writeReply, writeResponse } from "./stored_response.ts";

/**
 * The key of a request, for a handler whose work is a transaction: it writes the response in that transaction. So both
 * are stored or neither is, even if a process or the database crashes. The handler returns the result of these methods.
 */
export interface Key {
  /**
   * Writes the response. Call it last, directly before the commit: from then on, a retry waits for the end of the
   * transaction.
   *
   * In SQLite, use `keepNow`: while a transaction waits, other requests on the same connection would be part of it.
   *
   * @param store An `idempotencyStore` of the transaction: made of its client, with the same name as the store of
   * `idempotent`.
   * @param response The response. Its body is read.
   * @returns The response, for the handler to return.
   * @throws A {@linkcode KeyLost} if another request has the key now; an `Error` if the response cannot be kept. Let
   * both end the transaction. In a transaction that is `REPEATABLE READ` or stricter, PostgreSQL also fails with the
   * code 40001, as for any row that has changed: begin the transaction again.
   */
  keep<Sent extends Response>(store: IdempotencyStore, response: Sent): Promise<Sent>;
  /** Writes a response without a pause: for SQLite, whose transaction must not wait. */
  readonly keepNow: KeepNow;
}

/** Writes a response of a status, a body and headers in SQLite: `keepNow` of a {@linkcode Key}. */
export interface KeepNow {
  /**
   * Writes a response of a status, a body and headers, as {@linkcode reply} makes it, without a pause: for SQLite, whose
   * transaction must not wait.
   *
   * @param store An `idempotencyStore` of the database.
   * @param status The status.
   * @param body The value to send as JSON; `undefined` for no body.
   * @returns The response, for the handler to return.
   * @throws As `keep`.
   */
  <
    const Status extends Answers["status"],
    const Body,
    Answers extends AnyAnswer = OwnAnswer<Status, Body, AsJson>,
  >(
    store: SyncIdempotencyStore,
    status: Status,
    body: Exclude<BodyIn<Answers, Status, Body, OwnAnswer<Status, Body, AsJson>>, Response>,
  ): Reply<Answers>;
  /** The same with headers, or with another media type. */
  <
    const Status extends Answers["status"],
    const Body,
    const Init extends InferredInit,
    Answers extends AnyAnswer = OwnAnswerWith<Status, Body, Init>,
  >(
    store: SyncIdempotencyStore,
    status: Status,
    body: BodyBeside<Answers, Status, Body, Init, OwnAnswerWith<Status, Body, Init>>,
    init: InitIn<Answers, Status, Init, OwnAnswerWith<Status, Body, Init>>,
  ): Reply<Answers>;
}

/**
 * Another request has the key now: this one took longer than its lease, as after a pause of its process. Its
 * transaction must be rolled back.
 */
export class KeyLost extends Error {
  /** The name of the class. */
  override name = "KeyLost";
}

/** Makes the key of a reservation. `kept` returns the response that was written last, in a transaction or not. */
export function createKey(
  reservation: Reservation,
  lifetime: number,
  maxBytes: number,
): { readonly key: Key; readonly kept: () => Response | undefined } {
  let kept: Response | undefined;
  return {
    key: {
      async keep<Sent extends Response>(store: IdempotencyStore, response: Sent) {
        requireStore(store);
        const text = await writeResponse(response, maxBytes);
        requireKept(await store.keep(reservation, text, lifetime));
        const sent = readAnswer(text) as Sent;
        kept = sent;
        return sent;
      },
      keepNow(store: SyncIdempotencyStore, status: number, body: unknown, init?: ReplyInit): never {
        requireStore(store);
        const text = writeReply(status, body, init, maxBytes);
        const result: unknown = store.keep(reservation, text, lifetime);
        if (isPromise(result)) {
          Promise.resolve(result).catch(() => {}); // what is thrown here says more
          throw new TypeError("keepNow() must have a store that does not wait, as in SQLite: write await key.keep(…)");
        }
        requireKept(result);
        kept = readAnswer(text);
        return kept as never; // the overloads say what it is
      },
    },
    kept: () => kept,
  };
}

function requireStore(store: IdempotencyStore): void {
  requireThat(typeof store?.keep === "function", "Store of a Key", "an idempotencyStore of the transaction", store);
}

function requireKept(isKept: unknown): void {
  requireThat(typeof isKept === "boolean", "keep() of the store of a Key", "a function that returns a boolean", isKept);
  if (isKept) return;
  throw new KeyLost(
    "The key is no longer that of this request: it took longer than its lease, it has a response already, or the " +
      "store of the transaction has another table than that of idempotent",
  );
}
