// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/idempotency.ts
//
// Lets clients repeat a POST safely: the work of an `Idempotency-Key` is done once, whatever dies meanwhile. The payment
// and the response to it are written together. Here, that is in memory. To keep them, pass `openLedger(db)`, with a
// database of SQLite. In PostgreSQL, `await key.keep(idempotencyStore(client), reply(201, …))` is the last statement of
// the transaction: see `.github/manual/retries.md`.
//
// curl -i -H 'authorization: Bearer ada' -H 'idempotency-key: 1' -d '{"amount":5}' http://localhost:8000/payments

import {
  allow,
  type Answer,
  type App,
  beforeBody,
  type Context,
  deny,
  denyInvalid,
  type Reply,
  reply,
  route,
  setup,
} from "@fw/core";
import { type IdempotencyStore, idempotent, type Key } from "@fw/core/idempotency";
import { idempotencyStore as memoryStore } from "@fw/core/memory";
import { idempotencyStore, idempotencyTable } from "@fw/core/sqlite";
import { standardSchema } from "@fw/core/standard-schema";
import type { DatabaseSync } from "node:sqlite";
import { z } from "zod";

export interface PaymentOptions {
  /**
   * Moves the money, and returns its id. If the instance dies before the payment is written, it is called again with
   * the same key: pass the key on to the bank, or the client pays twice.
   */
  readonly pay: (amount: number, key: string) => Promise<string>;
  readonly ledger: Ledger;
}

/** Where payments are written, with the responses to them. */
export interface Ledger {
  readonly store: IdempotencyStore;
  /** Writes a payment and keeps the response to it: both, or neither. */
  readonly add: (payment: Payment, payer: string, key: Key) => Reply<Answer<201, Payment>>;
}

export interface Payment {
  readonly id: string;
  readonly amount: number;
}

/** Declared, so that the document says so, a typed client must send it, and `fuzz` does. */
const headers = z.object({
  "idempotency-key": z.string().regex(/^[!-~]{1,255}$/, "Send 1 to 255 visible ASCII characters"),
});

const failure = { schema: z.object({ error: z.string() }) };

/** Tokens for the example only: see the recipes jwt and sessions. */
const USERS = new Map([["Bearer ada", "ada"], ["Bearer bob", "bob"]]);

const authenticated = beforeBody(({ request }: Context) => {
  const userId = USERS.get(request.headers.get("authorization") ?? "");
  if (userId !== undefined) return allow({ userId });
  return deny(reply(401, { error: "Sign in" }, { headers: { "www-authenticate": "Bearer" } }));
});

const validInput = denyInvalid(({ issues: [issue] }) =>
  reply(400, { error: `${issue?.path.join(".")}: ${issue?.message}` })
);

export function createApp({ pay, ledger: { store, add } }: PaymentOptions): App {
  const once = idempotent({
    store,
    client: (c: Context<{ userId: string }>) => c.locals.userId,
    lease: 10,
    lifetime: 24 * 60 * 60,
    perClient: 200,
    refuse: (_c, why) => {
      if (why === "missing") return reply(400, { error: "Send an Idempotency-Key" }); // `validInput` refuses it first
      if (why === "mismatch") return reply(422, { error: "The key belongs to another payment" });
      if (why === "full") return reply(503, { error: "Too many payments" }, { headers: { "retry-after": "60" } });
      return reply(409, { error: "The first request is still running" }, { headers: { "retry-after": "1" } });
    },
    whenStoreFails: (error) => {
      console.error("The store of the idempotency keys failed:", error);
      return reply(503, { error: "Try again" }, { headers: { "retry-after": "5" } });
    },
  });

  return setup({
    validator: standardSchema,
    maxBodyBytes: 16 * 1024,
    handlers: [
      route.post("/payments", {
        request: { headers, body: z.object({ amount: z.int().positive() }) },
        responses: {
          201: { schema: z.object({ id: z.string(), amount: z.int() }) },
          400: failure,
          401: failure,
          409: failure,
          422: failure,
          503: failure,
        },
        guards: [authenticated, validInput],
        resolve: once(async ({ request, input: { body: { amount } }, locals: { userId } }, key) => {
          const id = await pay(amount, `${userId}/${request.headers.get("idempotency-key")}`);
          return add({ id, amount }, userId, key);
        }),
      }),
    ],
    onError: ({ error, context }) => {
      console.error(`${context.request.method} ${context.route?.path} failed:`, error);
      return reply(500, { error: "Internal server error" });
    },
  });
}

/** Opens a ledger in SQLite. */
export function openLedger(db: DatabaseSync): Ledger {
  db.exec("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 2000");
  db.exec("CREATE TABLE IF NOT EXISTS payments (id TEXT PRIMARY KEY, payer TEXT NOT NULL, amount INTEGER NOT NULL)");
  db.exec(idempotencyTable());
  const store = idempotencyStore(db);
  const insert = db.prepare("INSERT INTO payments (id, payer, amount) VALUES (?, ?, ?)");
  return {
    store,
    // Nothing waits between the first statement and the last one: all requests share the connection.
    add(payment, payer, key) {
      db.exec("BEGIN IMMEDIATE");
      try {
        insert.run(payment.id, payer, payment.amount);
        const response = key.keepNow(store, 201, payment);
        db.exec("COMMIT");
        return response;
      } catch (error) {
        try {
          db.exec("ROLLBACK");
        } catch { /* a full disk has ended the transaction */ }
        throw error;
      }
    },
  };
}

/** A ledger for a single instance, whose keys and responses are all that it writes. They are lost with the process. */
function openMemoryLedger(): Ledger {
  const store = memoryStore({ most: 20_000 });
  return { store, add: (payment, _payer, key) => key.keepNow(store, 201, payment) };
}

export default createApp({ pay: () => Promise.resolve(crypto.randomUUID()), ledger: openMemoryLedger() });
