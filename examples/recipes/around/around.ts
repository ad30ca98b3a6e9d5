import type { App } from "@fw/core";
import { AsyncLocalStorage } from "node:async_hooks";
import type { DatabaseSync } from "node:sqlite";

const requestIds = new AsyncLocalStorage<string>();

/** Writes a line with the id of the request, without being passed it. */
export function log(text: string): void {
  console.log(`${requestIds.getStore()} ${text}`);
}

/** A fetch handler, with what the runtime passes on after the request. */
type Fetch<Extra extends readonly unknown[]> = App<Extra>["fetch"];

/**
 * Runs everything that a request calls with an id of its own. On Deno and Node.js that does not include the `pull` of a
 * streamed body, which runs later: wrap it in `AsyncLocalStorage.bind`.
 */
export function withRequestId<Extra extends readonly unknown[]>(fetch: Fetch<Extra>): Fetch<Extra> {
  return (request, ...extra) => requestIds.run(crypto.randomUUID(), () => fetch(request, ...extra));
}

/** The part of `Deno.ServeHandlerInfo`, on Deno only, that tells when a response has been sent, or cannot be sent. */
export interface Completion {
  readonly completed: Promise<void>;
}

/**
 * Logs the time until the response has been sent, or the client has gone away. Hooks end earlier: when the response
 * begins.
 */
export function timed(fetch: Fetch<[Completion]>): Fetch<[Completion]> {
  return (request, info) => {
    const startedAt = performance.now();
    const report = () => log(`ended after ${(performance.now() - startedAt).toFixed(1)} ms`);
    info.completed.then(report, report);
    return fetch(request, info);
  };
}

/**
 * Wraps a handler: its changes are kept if it returns, and undone if it throws or responds with an error.
 *
 * The handler must not be asynchronous: this connection is shared, and others would write into the transaction. A pool
 * has a connection for each, as with `postgres`: `(c) => sql.begin((tx) => handler(c, tx))`.
 */
export function inTransaction<C, Extra extends readonly unknown[], Sent extends Response>(
  db: DatabaseSync,
  handler: (c: C, ...extra: Extra) => Sent,
): (c: C, ...extra: Extra) => Sent {
  return (c, ...extra) => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const response = handler(c, ...extra);
      db.exec(response.status < 400 ? "COMMIT" : "ROLLBACK");
      return response;
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  };
}
