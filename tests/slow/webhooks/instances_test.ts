/**
 * Webhooks of three instances that are killed every few seconds, to receivers that fail: each committed order arrives, in
 * order, and none that was rolled back.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Webhook } from "standardwebhooks";
import { deliveryTable, eventTables } from "../../../src/postgres/mod.ts";
import { createSchema, DATABASE_URL } from "../../examples/postgres_schema.ts";
import { FLAGS } from "../../support/flags.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { pause, until } from "../../support/until.ts";

const ORDERS = 1000;
const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

/** A receiver that fails 15 of 100 times, and responds too late 5 of 100 times. */
function startReceiver() {
  const numbers: number[] = [];
  const ids = new Map<number, Set<string>>();
  let [failed, late] = [0, 0];
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const body = await request.text();
    new Webhook(SECRET).verify(body, Object.fromEntries(request.headers));
    const { data: { number } } = JSON.parse(body);
    const chance = Math.random();
    if (chance < 0.15) {
      failed++;
      return new Response(null, { status: 503 });
    }
    numbers.push(number);
    const known = ids.get(number) ?? new Set();
    ids.set(number, known.add(request.headers.get("webhook-id") ?? ""));
    if (chance < 0.2) {
      late++;
      await Promise.race([ended, pause(3000)]);
    }
    return new Response(null, { status: 204 });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/`,
    numbers,
    ids,
    counts: () => ({ failed, late }),
    async stop() {
      end();
      await server.shutdown();
    },
  };
}

(DATABASE_URL === undefined ? describe.skip : describe)("deliver() on three instances that are killed", () => {
  it("sends each committed order at least once, in order, and none that was rolled back", async () => {
    const schema = await createSchema();
    await schema.sql.unsafe(`${eventTables()} ${deliveryTable()} CREATE TABLE orders (number int PRIMARY KEY)`);
    const receivers = [startReceiver(), startReceiver()];
    const env = {
      DATABASE_URL: DATABASE_URL ?? "",
      PGOPTIONS: `-c search_path=${new URL(schema.url).searchParams.get("search_path")}`,
      SECRET,
      RECEIVERS: receivers.map(({ url }) => url).join(" "),
    };
    const start = () =>
      startServer(Deno.execPath(), [
        ...["run", "--no-check", "--allow-all", ...FLAGS, "tests/slow/webhooks/sender.ts"],
      ], env);
    const instances: ServerProcess[] = await Promise.all([start(), start(), start()]);
    let [kills, isOver] = [0, false];
    const killing = (async () => {
      for (let turn = 0; !isOver; turn++) {
        await pause(3000 + 3000 * Math.random());
        const index = turn % 3;
        await instances[index]?.stop("SIGKILL");
        kills++;
        instances[index] = await start();
      }
    })();
    try {
      const [committed, rolledBack] = [new Set<number>(), new Set<number>()];
      const take = async (number: number): Promise<void> => {
        const fails = number % 10 === 3;
        const init = { method: "POST", body: JSON.stringify({ number, fails }) };
        // A killed instance may have committed the order, or not.
        const response = await fetch(`${instances[number % 3]?.origin}/orders`, init).catch(() => undefined);
        await response?.body?.cancel();
        if (response?.status === 201) committed.add(number);
        if (response?.status === 409) rolledBack.add(number);
        if (response === undefined) await pause(200);
        else assertEquals(response.status, fails ? 409 : 201);
      };
      for (let number = 0; committed.size < ORDERS; number += 5) {
        await Promise.all([0, 1, 2, 3, 4].map((offset) => take(number + offset)));
      }
      const rows = await schema.sql`SELECT number FROM orders`;
      const all = new Set(rows.map((row) => Number(row.number)));
      const told = () => `Of ${all.size}, ${receivers.map(({ ids }) => ids.size)} were received`;
      for (let part = 1; part <= 10; part++) {
        await until(() => receivers.every(({ ids }) => ids.size >= all.size * part / 10), told);
      }
      isOver = true;
      await killing;
      // The ids of the log are the order of the commits.
      const logged = await schema.sql`SELECT message FROM fw_events ORDER BY id`;
      const order = logged.map((row) => JSON.parse(row.message).data.number);
      for (const { numbers, ids, counts } of receivers) {
        assertEquals([...committed].filter((number) => !ids.has(number)), []);
        assertEquals([...rolledBack].filter((number) => ids.has(number)), []);
        assertEquals([...new Set(numbers)], order.filter((number) => ids.has(number)));
        // Each attempt has the same id, so that a receiver tells repeats.
        assertEquals([...ids.values()].filter((each) => each.size > 1).length, 0);
        const repeats = numbers.length - ids.size;
        const { failed, late } = counts();
        console.log(`    ${ids.size} orders, ${repeats} repeats: ${late} late, ${failed} failed, ${kills} kills`);
        assert(repeats <= late + kills, "Only what was late, or being sent when an instance was killed, comes again");
      }
      assert(kills >= 5);
      assertEquals(instances.some((instance) => instance.printed().includes("MISSED")), false);
    } finally {
      isOver = true;
      await killing;
      await Promise.all(instances.map((instance) => instance.stop("SIGKILL")));
      await Promise.all(receivers.map((receiver) => receiver.stop()));
      await schema.drop();
    }
  });
});
