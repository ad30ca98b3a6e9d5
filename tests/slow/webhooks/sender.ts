/** An instance that takes orders, and sends their webhooks to the receivers. All state is in PostgreSQL. */
import { denyInvalid, reply, route, setup } from "@fw/core";
import { deliveryStore, eventLog } from "@fw/core/postgres";
import { standardSchema } from "@fw/core/standard-schema";
import { deliver, publish, type Webhook } from "@fw/core/webhooks";
import pg from "pg";
import { z } from "zod";
import process from "node:process";

const schemas = { "order.created": z.object({ number: z.int() }) };
type Sent = Webhook<typeof schemas>;

const { DATABASE_URL, RECEIVERS = "", SECRET = "" } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 20 });
pool.on("error", () => {});
const log = eventLog<Sent>(pool, { keep: 100_000 });

const order = route.post("/orders", {
  request: { body: z.object({ number: z.int(), fails: z.boolean() }) },
  guards: [denyInvalid(() => reply(400))],
  resolve: async ({ input: { body: { number, fails } } }) => {
    const client = await pool.connect();
    client.on("error", () => {});
    try {
      await client.query("BEGIN");
      await client.query("INSERT INTO orders VALUES ($1)", [number]);
      await publish(eventLog<Sent>(client, { keep: 100_000 }), "order.created", { number });
      await client.query(fails ? "ROLLBACK" : "COMMIT");
      return reply(fails ? 409 : 201);
    } catch (error) {
      await client.query("ROLLBACK").catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  },
});

for (const url of RECEIVERS.split(" ")) {
  deliver({
    log,
    store: deliveryStore(pool),
    receiver: { id: url, url, secret: SECRET },
    after: () => 0.05,
    missed: () => {
      console.log("MISSED");
      return "oldest";
    },
    whenStoreFails: (error) => console.log(`STORE ${error}`),
    signal: new AbortController().signal,
    send: fetch,
    timeout: 1,
    lease: 2,
  });
}

const app = setup({ validator: standardSchema, handlers: [order] });
Deno.serve({ hostname: "127.0.0.1", port: 0 }, app.fetch);
