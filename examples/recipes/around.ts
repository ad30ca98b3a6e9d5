// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/around.ts
//
// What surrounds a request: a store for the code it calls, a transaction, and the time until the last byte is sent.
//
// curl -i -d '{"from":"ada","to":"bob","amount":30}' http://localhost:8000/transfers
// curl -i http://localhost:8000/accounts

import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { inTransaction, log, timed, withRequestId } from "./around/around.ts";

const db = new DatabaseSync(":memory:");
db.exec("CREATE TABLE accounts (owner TEXT PRIMARY KEY, balance INTEGER NOT NULL) STRICT");
db.exec("INSERT INTO accounts VALUES ('ada', 100), ('bob', 0)");

const account = z.object({ owner: z.string(), balance: z.int() });
const name = z.string().max(100);
const transfer = z.object({ from: name, to: name, amount: z.int().positive() });
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
      request: { body: transfer },
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
  const update = db.prepare("UPDATE accounts SET balance = balance + ?1 WHERE owner = ?2 AND balance + ?1 >= 0");
  return update.run(amount, owner).changes === 1;
}
