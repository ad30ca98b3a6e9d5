// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/around.ts
//
// What surrounds a request: a store for the code it calls, a transaction, and the time until the last byte is sent.
//
// `AsyncLocalStorage` is the same on Bun and Node.js. `info.completed` is Deno's.
//
// curl -i -d '{"from":"ada","to":"bob","amount":30}' http://localhost:8000/transfers
// curl -i http://localhost:8000/accounts

import { type App, denyInvalid, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

const db = new DatabaseSync(":memory:");
db.exec("CREATE TABLE accounts (owner TEXT PRIMARY KEY, balance INTEGER NOT NULL) STRICT");
db.exec("INSERT INTO accounts VALUES ('ada', 100), ('bob', 0)");

const requestIds = new AsyncLocalStorage<string>();

const transfer = z.object({ from: z.string(), to: z.string(), amount: z.int().positive() });

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    route.get("/accounts", { resolve: () => Response.json(db.prepare("SELECT * FROM accounts").all()) }),

    route.post("/transfers", {
      request: { body: transfer },
      guards: [denyInvalid(({ issues }) => Response.json({ issues }, { status: 400 }))],
      resolve: inTransaction(({ input: { body } }) => {
        if (!add(body.from, -body.amount)) return new Response("Not enough money", { status: 409 });
        if (add(body.to, body.amount)) return new Response(null, { status: 204 });
        return new Response("No such account", { status: 404 }); // the money that was taken goes back
      }),
    }),
  ],
  onError: ({ error }) => {
    log(String(error));
    return new Response("Internal server error", { status: 500 });
  },
});

// From the outside in: the id, the time, the hooks of the app, its guards, the transaction, the handler.
export default { fetch: withRequestId(timed(app.fetch)) } satisfies Deno.ServeDefaultExport;

/** Knows the id of the request without being passed it. */
function log(text: string): void {
  console.log(`${requestIds.getStore()} ${text}`);
}

export function add(owner: string, amount: number): boolean {
  log(`add ${JSON.stringify([owner, amount])}`);
  const update = db.prepare("UPDATE accounts SET balance = balance + ?1 WHERE owner = ?2 AND balance + ?1 >= 0");
  return update.run(amount, owner).changes === 1;
}

/** A fetch handler, with what the runtime passes on after the request. */
type Fetch<Platform extends readonly unknown[]> = App<Platform>["fetch"];

/**
 * Runs everything that a request calls with an id of its own. On Deno and Node.js that does not include the `pull` of a streamed
 * body, which runs later: wrap it in `AsyncLocalStorage.bind`.
 */
function withRequestId<Platform extends readonly unknown[]>(fetch: Fetch<Platform>): Fetch<Platform> {
  return (request, ...platform) => requestIds.run(crypto.randomUUID(), () => fetch(request, ...platform));
}

/** Logs the time until the response has been sent, or the client has gone away. Hooks end earlier: when the response begins. */
function timed(fetch: Fetch<[Deno.ServeHandlerInfo]>): Fetch<[Deno.ServeHandlerInfo]> {
  return (request, info) => {
    const startedAt = performance.now();
    const report = () => log(`ended after ${(performance.now() - startedAt).toFixed(1)} ms`);
    info.completed.then(report, report);
    return fetch(request, info);
  };
}

/**
 * Wraps a handler: its changes are kept if it returns, and undone if it throws or answers with an error.
 *
 * The handler must not be asynchronous: this connection is shared, and others would write into the transaction. A pool has a
 * connection for each, as with `postgres`: `(c) => sql.begin((tx) => handler(c, tx))`.
 */
export function inTransaction<C, Platform extends readonly unknown[], Sent extends Response>(
  handler: (c: C, ...platform: Platform) => Sent,
): (c: C, ...platform: Platform) => Sent {
  return (c, ...platform) => {
    db.exec("BEGIN IMMEDIATE");
    try {
      const response = handler(c, ...platform);
      db.exec(response.status < 400 ? "COMMIT" : "ROLLBACK");
      return response;
    } catch (error) {
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  };
}
