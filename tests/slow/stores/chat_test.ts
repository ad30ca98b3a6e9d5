/**
 * A chat over sockets in three instances behind HAProxy, whose messages go through an event log. Instances are killed at
 * random while 500 clients listen: each client receives every message once, in order, or is told that it missed some.
 * `CHAT_SECONDS=600 deno task slow stores` kills for ten minutes in each test.
 */
import { assert, assertEquals } from "@std/assert";
import { afterEach, describe, it } from "@std/testing/bdd";
import { connect } from "../../../src/sockets/mod.ts";
import { assertMaySkip } from "../../support/assert_may_skip.ts";
import { FLAGS } from "../../support/flags.ts";
import { freePort } from "../../support/free_port.ts";
import { granted } from "../../support/granted.ts";
import { type ServerProcess, startServer } from "../../support/server_process.ts";
import { pause, until } from "../../support/until.ts";
import { createCluster, hasPostgres } from "../faults/cluster.ts";
import { api } from "./chat/api.ts";
import { openLog } from "./chat/open_log.ts";
import { balanceRequests, hasBalancer } from "./proof/haproxy.ts";
import { endAll, type Ends } from "./proof/prove.ts";
import { hasRedis, startRedis } from "./redis_servers.ts";

const CLIENTS = 500;
/** How many of them say something, each once a second. */
const SPEAKERS = 10;
/** How many go away again and again, for long enough to miss what a short log does not keep. */
const WANDERERS = 25;
const SECONDS = Number(Deno.env.get("CHAT_SECONDS") ?? "8");
const END = "the end";

/** What a client received: a text, or `null` if it was told that it missed messages. */
type Received = string | null;

const ends: Ends = [];
afterEach(() => endAll(ends));

/**
 * Says what is wrong with what a client received.
 *
 * @param received What it received.
 * @param log All messages, in order.
 * @returns The first fault, in words; `undefined` if each message came once, in order, or was told to be missed.
 */
function findFault(received: readonly Received[], log: readonly string[]): string | undefined {
  let next = 0;
  let isTold = false;
  for (const text of received) {
    if (text === null) {
      isTold = true;
      continue;
    }
    const place = log.indexOf(text, next);
    if (place === -1) return `${text}: twice, out of order, or never said`;
    if (place > next && !isTold) return `${text}: ${place - next} messages before it are missing`;
    next = place + 1;
    isTold = false;
  }
  return next === log.length ? undefined : `${log.length - next} messages at the end are missing`;
}

/**
 * Lets 500 clients chat while instances are killed.
 *
 * @param engine The url of the event log.
 * @param keep How many messages the log keeps.
 * @param burst How many messages come at once while an instance is away.
 * @returns How many times clients were told that they missed messages.
 */
async function chat(engine: string, keep: number, burst: number): Promise<number> {
  const opened = await openLog(engine, 100_000);
  ends.push(() => opened[Symbol.asyncDispose]());
  const { log } = opened;
  const first = await log.append("the beginning");

  const ports = [0, 1, 2].map(freePort);
  const start = (port: number): Promise<ServerProcess> =>
    startServer(
      Deno.execPath(),
      ["run", "--no-check", "--allow-all", ...FLAGS, "tests/slow/stores/chat/instance.ts"],
      { ENGINE: engine, KEEP: `${keep}`, PORT: `${port}` },
    );
  const instances = await Promise.all(ports.map(start));
  ends.push(() => Promise.all(instances.map((instance) => instance.stop("SIGKILL"))));
  const balancer = await balanceRequests(ports);
  ends.push(() => balancer[Symbol.asyncDispose]());

  /** All messages, as a reader sees them that nobody kills. */
  const said: string[] = [];
  const reading = new AbortController();
  ends.push(() => reading.abort());
  const read = async () => {
    for await (const [, text] of log.read(first, reading.signal)) {
      assert(text !== undefined, "The reader of the test has missed messages");
      said.push(text);
      if (text === END) break;
    }
  };

  let connections = 0;
  class Counted extends WebSocket {
    constructor(url: string) {
      super(url);
      connections++;
    }
  }
  let isOver = false;
  let left = 0;
  let finished = 0;

  /** Listens until the last message has come. */
  const listen = async (number: number): Promise<readonly Received[]> => {
    const received: Received[] = [];
    let lastId = first;
    let turn = 0;
    while (!received.includes(END)) {
      const messages = connect(api.chat, {
        baseUrl: `http://127.0.0.1:${balancer.port}`,
        query: (after = lastId) => ({ after }),
        pause: { first: 0.2, most: 1 },
        silence: 15,
        signal: reading.signal,
        WebSocket: Counted,
      });
      // What is said while an instance is killed may be lost, so nothing is said twice.
      const speak = number >= SPEAKERS ? 0 : setInterval(() => {
        if (!isOver) messages.send("say", `${number} says ${turn++}`);
      }, 1000);
      try {
        let rest = number < CLIENTS - WANDERERS ? Infinity : 10 + number % 7;
        for await (const { name, data, id = "" } of messages) {
          lastId = id;
          received.push(name === "said" ? data : null);
          if (data === END || --rest === 0) break;
        }
      } finally {
        clearInterval(speak);
      }
      if (!isOver && !received.includes(END)) {
        left++;
        await pause(3000);
      }
    }
    finished++;
    return received;
  };
  const listening = Promise.all([read(), Promise.all(Array.from({ length: CLIENTS }, (_, number) => listen(number)))]);
  listening.catch(() => {}); // awaited below, unless something else fails first
  await until(() => connections >= CLIENTS && said.length > SPEAKERS);

  let killed = 0;
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end; killed++) {
    const index = Math.floor(Math.random() * 3);
    await instances[index]?.stop("SIGKILL");
    for (let number = 0; killed === 1 && number < burst; number++) await log.append(`message ${number} of many`);
    await pause(Math.random() * 1000);
    // Another program may have got the port meanwhile, for a connection.
    const port = ports[index] ?? 0;
    instances[index] = await start(port).catch(() => start(port));
    await pause(Math.random() * 1000);
  }
  isOver = true;
  await pause(1000); // what was said last has come to the log
  // Who is told of missed messages reads on after the last one: then that is told by the next one.
  for (let turn = 0; finished < CLIENTS && turn < 60; turn++) {
    await log.append(END);
    await pause(1000);
  }
  assert(finished === CLIENTS, `${CLIENTS - finished} clients have not received the last message`);
  const [, received] = await listening;
  const told = received.flat().filter((text) => text === null).length;
  console.log(
    `${CLIENTS} clients, ${said.length} messages, ${
      received.flat().length - told
    } received in ${connections} connections;`,
    `${killed} instances killed, ${left} times a client went away, ${told} times one was told that it missed messages`,
  );
  assertEquals(received.map((texts) => findFault(texts, said)).filter((fault) => fault !== undefined), []);
  assert(killed > 1 && connections > CLIENTS && left > 0);
  return told;
}

if (!hasBalancer || !hasPostgres || !hasRedis) assertMaySkip("HAProxy, PostgreSQL or Redis");
const canRun = granted("env", "net", "read", "run", "write") && hasBalancer;

/** Starts each engine, and returns its url. */
const ENGINES: Readonly<Record<string, readonly [has: boolean, start: () => Promise<string>]>> = {
  Redis: [hasRedis, async () => {
    const redis = await startRedis();
    ends.push(() => redis[Symbol.asyncDispose]());
    return `redis://127.0.0.1:${redis.ports[0]}`;
  }],
  PostgreSQL: [hasPostgres, async () => {
    const cluster = await createCluster();
    ends.push(() => cluster.remove());
    return cluster.url;
  }],
};

for (const [name, [has, startEngine]] of Object.entries(ENGINES)) {
  (canRun && has ? describe : describe.skip)(`a chat over sockets on ${name}, whose instances are killed`, () => {
    it("gives 500 clients behind HAProxy each message once, in order", async () => {
      assertEquals(await chat(await startEngine(), 10_000, 0), 0);
    });

    it("tells clients that they missed messages, if the log does not keep them", async () => {
      // Redis forgets messages by the hundred.
      assert(await chat(await startEngine(), 20, 300) > 0, "Nobody was away for long enough");
    });
  });
}
