// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/around.ts
//
// What surrounds a request: a store for the code it calls, a transaction, and the time until the last byte is sent.
//
// curl -i -d '{"from":"ada","to":"bob","amount":30}' http://localhost:8000/transfers
// curl -i http://localhost:8000/accounts

import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { AsyncLocalStorage } from "node:async_hooks";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

const requestIds = new AsyncLocalStorage<string>();

/** Writes a line with the id of the request, without being passed it. */
function log(text: string): void {
  console.log(`${requestIds.getStore()} ${text}`);
}

/** A fetch handler, with what the runtime passes on after the request. */
type Fetch<Extra extends readonly unknown[]> = App<Extra>["fetch"];

/**
 * Runs everything that a request calls with an id of its own. On Deno and Node.js that does not include the `pull` of a
 * streamed body, which runs later: wrap it in `AsyncLocalStorage.bind`.
 */
function withRequestId<Extra extends readonly unknown[]>(fetch: Fetch<Extra>): Fetch<Extra> {
  return (request, ...extra) => requestIds.run(crypto.randomUUID(), () => fetch(request, ...extra));
}

/**
 * Logs the time until the response has been sent, or the client has gone away. Hooks end earlier: when the response
 * begins. `completed` is of `Deno.ServeHandlerInfo`, on Deno only.
 */
export function timed(fetch: Fetch<[{ completed: Promise<void> }]>): Fetch<[{ completed: Promise<void> }]> {
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

const db = new DatabaseSync(":memory:");
db.exec("CREATE TABLE accounts (owner TEXT PRIMARY KEY, balance INTEGER NOT NULL) STRICT");
db.exec("INSERT INTO accounts VALUES ('ada', 100), ('bob', 0)");

const account = z.object({ owner: z.string(), balance: z.int() });
const name = z.string().max(100);
const failure = z.object({ error: z.string() });

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    route.get("/accounts", {
      responses: { 200: { schema: z.array(account) } },
      resolve: () => reply(200, z.array(account).parse(db.prepare("SELECT * FROM accounts").all())),
    }),

    route.post("/transfers", {
      request: { body: z.object({ from: name, to: name, amount: z.int().positive() }) },
      responses: {
        204: {},
        400: { schema: failure.extend({ issues: z.array(z.unknown()) }) },
        404: { schema: failure },
        409: { schema: failure },
      },
      guards: [denyInvalid(({ issues }) => reply(400, { error: "Invalid input", issues }))],
      resolve: inTransaction(db, ({ input: { body } }) => {
        if (!add(body.from, -body.amount)) return reply(409, { error: "Not enough money" });
        if (add(body.to, body.amount)) return reply(204);
        return reply(404, { error: "No such account" }); // the money that was taken goes back
      }),
    }),
  ],
  onError: ({ error }) => {
    log(String(error));
    return reply(500, { error: "Internal server error" });
  },
});

// From the outside in: the id, the time, the hooks of the app, its guards, the transaction, the handler.
export default { fetch: withRequestId(timed(app.fetch)) } satisfies Deno.ServeDefaultExport;

function add(owner: string, amount: number): boolean {
  log(`add ${JSON.stringify([owner, amount])}`);
  const update = db.prepare("UPDATE accounts SET balance = balance + ? WHERE owner = ? AND balance + ? >= 0");
  return update.run(amount, owner, amount).changes === 1;
}
