/**
 * What a call of a store costs beside the same statement or script by hand, and beside a simpler one: a rate limit and a
 * session lookup, on each engine and driver. All run in turn, in batches, and ratios are those of the medians. Then what messages cost: `append` with readers, and
 * 1,000 clients of three instances. Also prints how large what is stored is.
 *
 * Usage: deno task bench stores. It starts PostgreSQL and Redis by itself.
 */
import { Redis } from "ioredis";
import { DatabaseSync } from "node:sqlite";
import pg from "pg";
import postgres from "postgres";
import { createClient } from "redis";
import * as inPostgres from "../../../src/postgres/mod.ts";
import * as inRedis from "../../../src/redis/mod.ts";
import * as inSqlite from "../../../src/sqlite/mod.ts";
import { eventLog } from "../../../src/memory/mod.ts";
import { createCluster } from "../../slow/faults/cluster.ts";
import { startRedis } from "../../slow/stores/redis_servers.ts";
import { measureAppend, measureFanOut } from "./event_logs.ts";

const HOURLY = { quota: 1e9, window: 3600 };
const NOW = Date.now();
const ADA = { digest: "a".repeat(64), user: "ada@example.com", begunAt: NOW, endsAt: NOW + 3_600_000 };

/** The usual counter by hand in SQL: a window that begins anew. The stores give requests back evenly. */
const SQL_LIMIT = (now: string, p: (n: number) => string) =>
  `INSERT INTO by_hand AS old VALUES (${p(1)}, 1, ${now}) ON CONFLICT (key) DO UPDATE SET
  count = CASE WHEN old.at < ${now} - ${p(3)} THEN 1 ELSE least_count(old.count + 1, ${p(2)}) END,
  at = CASE WHEN old.at < ${now} - ${p(3)} THEN ${now} ELSE old.at END RETURNING count`;
const PG_NOW = "extract(epoch FROM clock_timestamp())::float8";
const PG_LIMIT = SQL_LIMIT(PG_NOW, (n) => n === 1 ? "$1" : `$${n}::float8`).replace("least_count", "least");
const SQLITE_LIMIT = SQL_LIMIT("unixepoch('subsec')", (n) => `?${n}`).replace("least_count", "min");
const PG_SESSION = "SELECT user_id, begun_at, ends_at FROM fw_sessions WHERE digest = $1 AND ends_at > $2";

/** A token bucket by hand, as blogs have it. */
const LUA_LIMIT = `local t=redis.call('TIME') local now=t[1]+t[2]/1e6
local b=redis.call('HMGET',KEYS[1],'tokens','at')
local tokens=math.min(tonumber(ARGV[1]),(tonumber(b[1]) or tonumber(ARGV[1]))+(now-(tonumber(b[2]) or now))*ARGV[1]/ARGV[2])
local ok=tokens>=1 if ok then tokens=tokens-1 end
redis.call('HSET',KEYS[1],'tokens',tokens,'at',now) redis.call('EXPIRE',KEYS[1],ARGV[2])
return {ok and 1 or 0,tostring(tokens)}`;

type Call = () => unknown;

/** Runs the store's call, the same by hand and a simpler one in turn. Prints the medians of a call, and their ratios. */
async function compare(name: string, calls: readonly [own: Call, same: Call, simpler: Call], batch: number) {
  const times: readonly number[][] = calls.map(() => []);
  for (let round = 0; round < 32; round++) {
    for (const index of round % 2 === 0 ? [0, 1, 2] : [2, 1, 0]) {
      const start = performance.now();
      for (let turn = 0; turn < batch; turn++) await calls[index]?.();
      if (round > 1) times[index]?.push((performance.now() - start) * 1000 / batch);
    }
  }
  const [own = 0, same = 0, simpler = 0] = times.map((all) => all.toSorted((a, b) => a - b)[all.length >> 1] ?? 0);
  const columns = [
    own.toFixed(1),
    same.toFixed(1),
    (own / same).toFixed(2),
    simpler.toFixed(1),
    (own / simpler).toFixed(2),
  ];
  console.log(`${name.padEnd(32)} ${columns.map((column) => column.padStart(7)).join(" ")}`);
}

/** What a store has sent last. */
let sent: Call = () => {};
/** Calls a method, which can be called again by `sent`. */
const send = <Args extends readonly unknown[], Result>(method: (...args: Args) => Result, ...args: Args): Result => {
  sent = () => method(...args);
  return method(...args);
};

/** Calls a store, and returns what it has sent. */
async function sentBy(call: Call): Promise<Call> {
  await call();
  return sent;
}

console.log(`${"in µs a call".padEnd(32)}   store    same   ratio simpler   ratio`);

{
  const db = new DatabaseSync(":memory:");
  for (const table of [inSqlite.sessionTable(), inSqlite.rateLimitTable()]) db.exec(table);
  db.exec("CREATE TABLE by_hand (key TEXT PRIMARY KEY, count REAL, at REAL) STRICT, WITHOUT ROWID");
  const [sessions, limits] = [inSqlite.sessionStore(db), inSqlite.rateLimitStore(db)];
  await sessions.add(ADA, 9);
  const find = db.prepare("SELECT user_id, begun_at, ends_at FROM fw_sessions WHERE digest = ? AND ends_at > ?");
  const take = db.prepare(SQLITE_LIMIT);
  const spy: inSqlite.SqliteClient = {
    exec: (sql) => db.exec(sql),
    prepare(sql) {
      const statement = db.prepare(sql);
      return { get: (...values) => send((...values) => statement.get(...values), ...values) };
    },
  };
  const sameFind = await sentBy(() => inSqlite.sessionStore(spy).find(ADA.digest));
  const own = () => sessions.find(ADA.digest);
  await compare("sqlite: session", [own, sameFind, () => find.get(ADA.digest, Date.now())], 500);
  await limits.take("a", HOURLY);
  const sameTake = await sentBy(() => inSqlite.rateLimitStore(spy).take("a", HOURLY));
  const simpler = () => take.get("a", 1e9, 3600);
  await compare("sqlite: rate limit", [() => limits.take("a", HOURLY), sameTake, simpler], 500);
}

const cluster = await createCluster();
await using _cluster = { [Symbol.asyncDispose]: () => cluster.remove() };
await using servers = await startRedis();
{
  for (const table of [inPostgres.sessionTable(), inPostgres.rateLimitTable(), inPostgres.idempotencyTable()]) {
    await cluster.exec(table);
  }
  await cluster.exec("CREATE UNLOGGED TABLE by_hand (key text PRIMARY KEY, count float8, at float8)");
  const pool = new pg.Pool({ connectionString: cluster.url, max: 1 });
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} });
  await inPostgres.sessionStore(pool).add(ADA, 9);
  type Values = (string | number)[];
  const spies: Readonly<Record<"pg" | "postgres", inPostgres.PostgresClient>> = {
    pg: {
      query: (text, values = []) => send((text: string, values: Values) => pool.query(text, values), text, values),
    },
    postgres: {
      unsafe: (text, values = []) =>
        send((text: string, values: Values) => sql.unsafe(text, values, { prepare: true }), text, values),
    },
  };
  for (const [name, client] of [["pg", pool], ["postgres", sql]] as const) {
    const [sessions, limits] = [inPostgres.sessionStore(client), inPostgres.rateLimitStore(client)];
    const run = name === "pg"
      ? (text: string, values: Values) => pool.query(text, values)
      : (text: string, values: Values) => sql.unsafe(text, values, { prepare: true });
    const sameFind = await sentBy(() => inPostgres.sessionStore(spies[name]).find(ADA.digest));
    const simpler = () => run(PG_SESSION, [ADA.digest, Date.now()]);
    await compare(`${name}: session`, [() => sessions.find(ADA.digest), sameFind, simpler], 25);
    const spied = inPostgres.rateLimitStore(spies[name]);
    await spied.take(name, HOURLY); // the first call also removes buckets
    const sameTake = await sentBy(() => spied.take(name, HOURLY));
    const counter = () => run(PG_LIMIT, [name, 1e9, 3600]);
    await compare(`${name}: rate limit`, [() => limits.take(name, HOURLY), sameTake, counter], 25);
  }
  const many = 100_000;
  await cluster.exec(
    `INSERT INTO fw_sessions SELECT encode(sha256(n::text::bytea), 'hex'), 'user' || n || '@example.com',
    ${NOW}, ${NOW} + n FROM generate_series(1, ${many}) AS n;
    INSERT INTO fw_rate_limits SELECT '"address";q=20;w=60 198.51.100.' || n, 1, 0, n, true FROM generate_series(1, ${many}) AS n;
    INSERT INTO fw_idempotency SELECT encode(sha256(n::text::bytea), 'hex'), encode(sha256(n::text::bytea), 'hex'),
    encode(sha256(n::text::bytea), 'hex'), gen_random_uuid(), '', now() FROM generate_series(1, ${many}) AS n`,
  );
  for (const table of ["fw_sessions", "fw_rate_limits", "fw_idempotency"]) {
    const size = Number(await cluster.exec(`SELECT pg_total_relation_size('${table}')`));
    console.log(`PostgreSQL: ${Math.round(size / many)} bytes for each row of ${table}, indexes included`);
  }
  await pool.end();
  await sql.end();
}

const [port = 0] = servers.ports;
const ioredis = new Redis(port, "127.0.0.1");
const redis = createClient({ socket: { host: "127.0.0.1", port } });
await redis.connect();
await inRedis.sessionStore(ioredis).add(ADA, 9);
const key = `{fw_sessions}:s:${ADA.digest}`;
const sha = String(await ioredis.script("LOAD", LUA_LIMIT));
const spies: Readonly<Record<"ioredis" | "redis", inRedis.RedisClient>> = {
  ioredis: {
    evalsha: (...args) =>
      send((...args: Parameters<inRedis.IoredisClient["evalsha"]>) => ioredis.evalsha(...args), ...args),
    eval: (...args: Parameters<inRedis.IoredisClient["eval"]>) => ioredis.eval(...args),
  },
  redis: {
    evalSha: (...args) =>
      send((...args: Parameters<inRedis.NodeRedisClient["evalSha"]>) => redis.evalSha(...args), ...args),
    eval: (...args: Parameters<inRedis.NodeRedisClient["eval"]>) => redis.eval(...args),
  },
};
for (
  const [name, client, get, script] of [
    ["ioredis", ioredis, () => ioredis.get(key), () => ioredis.evalsha(sha, 1, "hand", 1e9, 3600)],
    ["redis", redis, () => redis.get(key), () => redis.evalSha(sha, { keys: ["hand"], arguments: ["1e9", "3600"] })],
  ] as const
) {
  const [sessions, limits] = [inRedis.sessionStore(client), inRedis.rateLimitStore(client)];
  const sameFind = await sentBy(() => inRedis.sessionStore(spies[name]).find(ADA.digest));
  await compare(`${name}: session`, [() => sessions.find(ADA.digest), sameFind, get], 50);
  const sameTake = await sentBy(() => inRedis.rateLimitStore(spies[name]).take(name, HOURLY));
  await compare(`${name}: rate limit`, [() => limits.take(name, HOURLY), sameTake, script], 50);
}
const used = async () => Number(/used_memory:(\d+)/.exec(await ioredis.info("memory"))?.[1]);
const before = await used();
const [sessions, limits, keys] = [
  inRedis.sessionStore(ioredis),
  inRedis.rateLimitStore(ioredis),
  inRedis.idempotencyStore(ioredis),
];
const fill: Readonly<Record<string, (n: number) => unknown>> = {
  "session": (n) => sessions.add({ ...ADA, digest: `${n}`.padStart(64, "0"), user: `user${n}@example.com` }, 9),
  "bucket": (n) => limits.take(`"address";q=20;w=60 198.51.100.${n}`, HOURLY),
  "idempotency key": (n) => {
    const digest = `${n}`.padStart(64, "0");
    return keys.reserve({ key: digest, client: digest, request: digest, owner: crypto.randomUUID() }, {
      lifetime: 3600,
      perClient: 9,
    });
  },
};
let base = before;
for (const [name, add] of Object.entries(fill)) {
  for (let n = 0; n < 20_000; n += 500) await Promise.all(Array.from({ length: 500 }, (_, index) => add(n + index)));
  const now = await used();
  console.log(`Redis: ${Math.round((now - base) / 20_000)} bytes for each ${name}`);
  base = now;
}

console.log(`\n${"append, in µs".padEnd(32)}   readers  returned  received`);
{
  const db = new DatabaseSync(":memory:");
  db.exec(inSqlite.eventTable());
  await cluster.exec(inPostgres.eventTables());
  const pool = new pg.Pool({ connectionString: cluster.url });
  const options = { keep: 1000 };
  const logs = {
    memory: () => eventLog<number>(options),
    sqlite: () => inSqlite.eventLog<number>(db, options),
    pg: () => inPostgres.eventLog<number>(pool, options),
    ioredis: () => inRedis.eventLog<number>(ioredis, options),
  };
  for (const [name, open] of Object.entries(logs)) {
    for (const readers of [0, 100, 1000]) await measureAppend(name, open(), readers);
  }
  await pool.end();
}
ioredis.disconnect();
redis.destroy();

console.log(`\n${"1,000 clients, 3 instances, ms".padEnd(32)}    median      99 %      last`);
await measureFanOut("postgres", { DATABASE_URL: cluster.url });
await measureFanOut("ioredis", { REDIS_URL: `redis://127.0.0.1:${port}` });
