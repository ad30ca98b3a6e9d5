// npx -y deno@2.9.6 serve --host 127.0.0.1 --allow-net examples/recipes/webhook.ts
//
// Sends webhooks: signed, in order, each at least once, exactly if the order was committed. Here, the database is in
// memory. Name a file at the end, to keep what is not sent yet when the process ends.
//
// curl -i -d '{"url":"https://example.com/webhooks"}' http://localhost:8000/receivers
// curl -i -d '{"book":"Emma"}' http://localhost:8000/orders

import { DatabaseSync } from "node:sqlite";
import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { deliveryStore, deliveryTable, eventLog, eventTable } from "@fw/core/sqlite";
import { standardSchema } from "@fw/core/standard-schema";
import {
  type Attempt,
  deliver,
  publicSender,
  publishNow,
  type Receiver,
  type Send,
  type Webhook,
} from "@fw/core/webhooks";
import { z } from "zod";

/** What is sent, by type. `openapi({ webhooks })` describes it. */
export const webhooks = { "order.created": z.object({ id: z.string(), book: z.string() }) };

export interface WebhookOptions {
  readonly db: DatabaseSync;
  readonly log: (line: string) => void;
  /** Ends the deliveries. */
  readonly signal: AbortSignal;
  /** Sends a request to a receiver: to public addresses only, unless a test replaces it. */
  readonly send?: Send;
}

const MAX_RECEIVERS = 100;

/** After this many seconds of failures, a receiver is given up. */
const PATIENCE = 3 * 24 * 60 * 60;

/** Of what the schema accepts: shown by documents, and sent by generated requests. */
const EXAMPLE = "https://example.com/webhooks";

const failure = z.object({ error: z.string() });

/** Creates the app. Here, anyone may add a receiver. Put a guard before it: for a user, only that user's events. */
export function createApp({ db, log, signal, send = publicSender() }: WebhookOptions): App {
  db.exec(`
    ${eventTable()}
    ${deliveryTable()}
    CREATE TABLE IF NOT EXISTS orders (id TEXT PRIMARY KEY, book TEXT NOT NULL, message TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS receivers (
      id TEXT PRIMARY KEY, url TEXT NOT NULL, secret TEXT NOT NULL, begin TEXT NOT NULL,
      given_up INTEGER NOT NULL DEFAULT 0
    ) STRICT;
  `);
  const messages = eventLog<Webhook<typeof webhooks>>(db, { keep: 100_000 });
  const store = deliveryStore(db);

  /** Since when a receiver fails. An order may be old when it is sent first: its receiver was away. */
  const failing = new Map<string, number>();

  /** Doubles the pause after each failure, up to an hour. A receiver that is gone, or fails for days, is given up. */
  const after = ({ receiver, attempts, response, webhook }: Attempt<Webhook<typeof webhooks>>) => {
    const status = response?.status ?? "no response";
    log(`${webhook.type} to ${receiver.url}: ${status}, attempt ${attempts}`);
    if (attempts === 1) failing.set(receiver.id, Date.now());
    const waited = (Date.now() - (failing.get(receiver.id) ?? 0)) / 1000;
    if (status === 410 || waited > PATIENCE) {
      db.prepare("UPDATE receivers SET given_up = 1 WHERE id = ?").run(receiver.id);
      return "stop";
    }
    return Math.min(2 ** attempts, 3600) * (0.5 + Math.random() / 2);
  };

  /** Runs until the signal ends it. On several instances, one of them sends at a time. */
  const start = (receiver: Receiver) => {
    deliver({
      log: messages,
      store,
      receiver,
      after,
      signal,
      send,
      missed({ url }) {
        log(`${url} was away for too long: it must load all orders anew`);
        return "oldest";
      },
      whenStoreFails: (error) => log(`The database fails: ${error}`),
    }).catch((error) => log(`The delivery to ${receiver.url} has ended: ${error}`));
  };
  for (const row of db.prepare("SELECT id, url, secret, begin FROM receivers WHERE given_up = 0").all()) {
    start({ id: String(row.id), url: String(row.url), secret: String(row.secret), begin: String(row.begin) });
  }

  const validInput = denyInvalid(({ issues: [issue] }) => reply(400, { error: issue?.message ?? "Invalid input" }));
  return setup({
    validator: standardSchema,
    maxBodyBytes: 16 * 1024,
    handlers: [
      route.post("/receivers", {
        // `publicSender` checks the address when it connects: a check of the name here would be too early.
        request: { body: z.object({ url: z.url({ protocol: /^https$/ }).max(2000).meta({ examples: [EXAMPLE] }) }) },
        responses: {
          201: { description: "The secret to verify signatures with", schema: z.object({ secret: z.string() }) },
          400: { schema: failure },
          409: { schema: failure },
        },
        guards: [validInput],
        resolve: ({ input: { body: { url } } }) => {
          const count = db.prepare("SELECT count(*) AS count FROM receivers").get()?.count;
          if (Number(count) >= MAX_RECEIVERS) return reply(409, { error: "There are too many receivers" });
          const bytes = crypto.getRandomValues(new Uint8Array(32));
          const [id, secret] = [crypto.randomUUID(), `whsec_${btoa(String.fromCharCode(...bytes))}`];
          // It gets no orders of the time before.
          const last = db.prepare("SELECT message FROM orders ORDER BY rowid DESC LIMIT 1").get();
          const begin = String(last?.message ?? "0");
          db.prepare("INSERT INTO receivers (id, url, secret, begin) VALUES (?, ?, ?, ?)").run(id, url, secret, begin);
          start({ id, url, secret, begin });
          return reply(201, { secret });
        },
      }),

      route.post("/orders", {
        request: { body: z.object({ book: z.string().min(1).max(200) }) },
        responses: { 201: { schema: z.object({ id: z.string() }) }, 400: { schema: failure } },
        guards: [validInput],
        resolve: ({ input: { body: { book } } }) => {
          const id = crypto.randomUUID();
          // The order and its webhook are both there, or neither is.
          db.exec("BEGIN IMMEDIATE");
          try {
            const message = publishNow(messages, "order.created", { id, book });
            db.prepare("INSERT INTO orders VALUES (?, ?, ?)").run(id, book, message);
            db.exec("COMMIT");
          } catch (error) {
            db.exec("ROLLBACK");
            throw error;
          }
          return reply(201, { id });
        },
      }),
    ],
  });
}

// With a file instead of `:memory:`, it loses nothing whenever it ends: a webhook that was being sent is sent again.
export default createApp({
  db: new DatabaseSync(":memory:"),
  log: console.log,
  signal: new AbortController().signal,
});
