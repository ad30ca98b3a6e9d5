/** `examples/server_sent_events.ts` in three instances on one engine: clients that move between them miss nothing. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { createSchema, DATABASE_URL } from "../../examples/postgres_schema.ts";
import { readMessages } from "./read_messages.ts";
import { hasRedis, startRedis } from "./redis_servers.ts";
import { FLAGS } from "../../support/flags.ts";

const CLIENTS = 50;
const MESSAGES = 100;

const start = (env: Readonly<Record<string, string>>): Promise<ServerProcess> =>
  startServer(Deno.execPath(), [
    ...["serve", "--allow-all", "--host", "127.0.0.1", "--port", "0", ...FLAGS, "examples/server_sent_events.ts"],
  ], env);

/**
 * Sends messages to instances in turn, while clients listen, each at another instance for a while. One instance is killed
 * in between, and another takes its place.
 *
 * @param env The variable that names the engine.
 */
async function moveBetweenInstances(env: Readonly<Record<string, string>>): Promise<void> {
  const instances = await Promise.all([start(env), start(env), start(env)]);
  const texts = Array.from({ length: MESSAGES }, (_, number) => `message ${number}`);
  let moves = 0;
  let missed = 0;
  try {
    const send = async (text: string, turn: number): Promise<void> => {
      const body = JSON.stringify({ text });
      const response = await fetch(`${instances[turn % 3]?.origin}/messages`, { method: "POST", body });
      await response.body?.cancel();
      assertEquals(response.status, 202);
    };
    await send("first", 0);

    /** Listens until the last message has come. */
    const listen = async (number: number): Promise<readonly string[]> => {
      const received: string[] = [];
      let lastEventId = "0";
      for (let turn = number; !received.includes(texts.at(-1) ?? ""); turn++) {
        moves++;
        const rest = 5 + (number * 7 + turn) % 30;
        const headers = { "last-event-id": lastEventId };
        const origin = instances[turn % 3]?.origin;
        const response = await fetch(`${origin}/events`, { headers }).catch(() => undefined);
        if (response?.status !== 200) {
          await response?.body?.cancel();
          await new Promise((resolve) => setTimeout(resolve, 50));
          continue;
        }
        let count = 0;
        try {
          for await (const { id, data, isMissed } of readMessages(response)) {
            if (isMissed) missed++;
            lastEventId = id;
            received.push(data);
            if (++count >= rest || received.at(-1) === texts.at(-1)) break;
          }
        } catch { /* the instance was killed: what came before counts */ }
      }
      return received;
    };

    const listening = Promise.all(Array.from({ length: CLIENTS }, (_, number) => listen(number)));
    for (const [number, text] of texts.entries()) {
      if (number === 30) {
        await instances[0]?.stop("SIGKILL");
        instances[0] = await start(env);
      }
      await send(text, number);
      await new Promise((resolve) => setTimeout(resolve, 20)); // as from people: the clients need the processors, too
    }
    for (const received of await listening) assertEquals(received, ["first", ...texts]);
    assertEquals(missed, 0);
    assert(moves > 2 * CLIENTS, `Only ${moves} connections`);
  } finally {
    await Promise.all(instances.map((instance) => instance.stop("SIGKILL")));
  }
}

(hasRedis ? describe : describe.skip)("server_sent_events.ts on Redis", () => {
  it("gives 50 clients that move between three instances every message once, in order", async () => {
    await using redis = await startRedis();
    await moveBetweenInstances({ DATABASE_URL: "", REDIS_URL: `redis://127.0.0.1:${redis.ports[0]}` });
  });
});

(DATABASE_URL === undefined ? describe.skip : describe)("server_sent_events.ts on PostgreSQL", () => {
  it("gives 50 clients that move between three instances every message once, in order", async () => {
    const schema = await createSchema();
    try {
      // The driver sends no parameters of the url.
      const name = new URL(schema.url).searchParams.get("search_path") ?? "";
      await moveBetweenInstances({ DATABASE_URL: DATABASE_URL ?? "", PGOPTIONS: `-c search_path=${name}` });
    } finally {
      await schema.drop();
    }
  });
});
