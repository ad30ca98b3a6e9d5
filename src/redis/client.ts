import { toHex } from "../core/values/hex.ts";
import { requireThat } from "../core/values/assert.ts";
import { boundedCalls } from "../stores/bounded_calls.ts";

/**
 * The methods of a client that stores call. The client is of `ioredis` or of `redis`, for one server or for a cluster.
 */
export type RedisClient = IoredisClient | NodeRedisClient;

/** The methods of an `ioredis` client that stores call. */
export interface IoredisClient {
  /** Runs a script that the server knows. */
  evalsha(digest: string, keyCount: number, ...args: (string | number)[]): PromiseLike<unknown>;
  /** Runs a script. */
  eval(script: string, keyCount: number, ...args: (string | number)[]): PromiseLike<unknown>;
}

/** The methods of a `redis` client that stores call. */
export interface NodeRedisClient {
  /** Runs a script that the server knows. */
  evalSha(digest: string, options: { keys: string[]; arguments: string[] }): PromiseLike<unknown>;
  /** Runs a script. */
  eval(script: string, options: { keys: string[]; arguments: string[] }): PromiseLike<unknown>;
}

/** Runs a script, which is atomic. All keys of a call are in one slot of a cluster. */
export type Script = (keys: string[], ...args: readonly (string | number)[]) => Promise<unknown>;

/**
 * Makes the function that runs the scripts of a store.
 *
 * @param client The client.
 * @returns A function that makes one for a script. It rejects if there is no answer within 2 seconds, and if a replica
 * rejects what the script writes.
 * @throws A `TypeError` if the client lacks a method that the store calls.
 */
export function scriptsOf(client: RedisClient): (script: string) => Script {
  const bounded = boundedCalls("Redis");
  const [runKnown, run] = runnersOf(client);
  return (script) => {
    let digest: string | undefined;
    return async (keys, ...args) => {
      const sha1 = digest ??= await digestOf(script);
      const texts = args.map(String);
      return await bounded(async () => {
        try {
          return await runKnown(sha1, keys, texts);
        } catch (error) {
          // The server has not run it: it was restarted, or this is the first call.
          if (!String((error as Error).message).startsWith("NOSCRIPT")) throw explained(error);
          return await run(script, keys, texts).then(undefined, (error) => Promise.reject(explained(error)));
        }
      });
    };
  };
}

/** Says what to do about a replica. Redis 6 reports the error of a command within that of the script. */
function explained(error: unknown): unknown {
  const isReplica = String((error as Error).message).includes("READONLY");
  return isReplica ? new Error("Redis is a replica (READONLY): connect to the primary", { cause: error }) : error;
}

type Runner = (script: string, keys: string[], args: string[]) => PromiseLike<unknown>;

function runnersOf(client: RedisClient): readonly [known: Runner, Runner] {
  // The client of Upstash has methods of these names, too.
  const isIoredis = has(client, "evalsha") && !has(client, "createScript");
  requireThat(
    (isIoredis || has(client, "evalSha")) && has(client, "eval"),
    "Client of a store in Redis",
    "one of ioredis, with the methods evalsha and eval, or one of redis, with the methods evalSha and eval",
    client,
  );
  if (isIoredis) {
    const ioredis = client as IoredisClient;
    return [
      (script, keys, args) => ioredis.evalsha(script, keys.length, ...keys, ...args),
      (script, keys, args) => ioredis.eval(script, keys.length, ...keys, ...args),
    ];
  }
  const redis = client as NodeRedisClient;
  return [
    (script, keys, args) => redis.evalSha(script, { keys, arguments: args }),
    (script, keys, args) => redis.eval(script, { keys, arguments: args }),
  ];
}

function has(client: unknown, method: string): boolean {
  return typeof (client as { readonly [method: string]: unknown } | undefined)?.[method] === "function";
}

async function digestOf(script: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", new TextEncoder().encode(script)));
  return toHex(digest);
}

/** Begins a script: the clock of the engine, in milliseconds since 1970. */
export const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
`;

/**
 * Begins a script whose first key is a hash, and which reads before it writes. The command counts as a write, so a
 * replica rejects it: what a replica has may be over. It changes nothing, is not replicated, and needs no memory.
 */
export const ON_PRIMARY = "redis.call('HDEL', KEYS[1], '')\n";
