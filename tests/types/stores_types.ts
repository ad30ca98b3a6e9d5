/** Types of the stores. If this file compiles, the tests have passed: each driver fits without a cast, and no other. */
import type { Cluster, Redis } from "ioredis";
import type { DatabaseSync } from "node:sqlite";
import type pg from "pg";
import type postgres from "postgres";
import type { createClient, createClientPool, createCluster } from "redis";
import type { IdempotencyStore } from "../../src/idempotency/mod.ts";
import * as inPostgres from "../../src/postgres/mod.ts";
import type { RateLimitStore } from "../../src/rate_limit/mod.ts";
import * as inRedis from "../../src/redis/mod.ts";
import type { SessionStore } from "../../src/session/mod.ts";
import * as inSqlite from "../../src/sqlite/mod.ts";

/** `Database` of `bun:sqlite`, as its types say: a statement returns `null` for no row, and has a parameter for types. */
interface BunDatabase {
  exec<Bindings extends unknown[]>(sql: string, ...bindings: Bindings[]): { changes: number };
  prepare<Row, Params extends unknown[]>(sql: string, params?: Params): BunStatement<Row, Params>;
  query<Row, Params extends unknown[]>(sql: string): BunStatement<Row, Params>;
}
interface BunStatement<Row, Params extends unknown[]> {
  get(...params: Params): Row | null;
}

void ((db: DatabaseSync, bun: BunDatabase) => {
  inSqlite.sessionStore(db) satisfies SessionStore;
  inSqlite.rateLimitStore(bun) satisfies RateLimitStore;
  inSqlite.idempotencyStore(bun, { name: "mine" }) satisfies IdempotencyStore;
  // @ts-expect-error at `table`: Object literal may only specify known properties, and 'table' does not exist in type
  //   'StoreOptions'.
  inSqlite.sessionStore(db, { table: "mine" });
});

void ((pool: pg.Pool, client: pg.Client, sql: postgres.Sql) => {
  inPostgres.sessionStore(pool) satisfies SessionStore;
  inPostgres.rateLimitStore(client) satisfies RateLimitStore;
  inPostgres.idempotencyStore(sql, {}) satisfies IdempotencyStore;
});

void ((
  redis: Redis,
  cluster: Cluster,
  node: ReturnType<typeof createClient>,
  nodeCluster: ReturnType<typeof createCluster>,
  nodePool: ReturnType<typeof createClientPool>,
) => {
  inRedis.sessionStore(redis) satisfies SessionStore;
  inRedis.sessionStore(cluster) satisfies SessionStore;
  inRedis.rateLimitStore(node) satisfies RateLimitStore;
  inRedis.rateLimitStore(nodeCluster) satisfies RateLimitStore;
  inRedis.idempotencyStore(nodePool) satisfies IdempotencyStore;
});

void ((db: DatabaseSync, pool: pg.Pool, redis: Redis) => {
  // Another driver.
  // @ts-expect-error at `pool`: Type 'Pool' is missing the following properties from type 'SqliteClient': exec, prepare
  inSqlite.sessionStore(pool);
  // Another driver.
  // @ts-expect-error at `db`: Argument of type 'DatabaseSync' is not assignable to parameter of type 'PostgresClient'.
  inPostgres.sessionStore(db);
  // Another driver.
  // @ts-expect-error at `redis`: Argument of type 'Redis<"legacy">' is not assignable to parameter of type
  //   'PostgresClient'.
  inPostgres.sessionStore(redis);
  // Another driver.
  // @ts-expect-error at `pool`: Argument of type 'Pool' is not assignable to parameter of type 'RedisClient'.
  inRedis.sessionStore(pool);
});
