/**
 * Each sample of a pool or a client, of the documents and of examples, as it is printed: on Deno, Node.js and Bun, it
 * goes on after its engine was killed and started again, twice, while all of its connections are used.
 */
import { assert, assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { connect, createServer, type Socket } from "node:net";
import { Redis } from "ioredis";
import { eventLog, type RedisClient } from "../../../src/redis/mod.ts";
import { granted } from "../../examples/serve.ts";
import { FLAGS } from "../../support/flags.ts";
import { ROOT } from "../../support/server_process.ts";
import { until } from "../../support/until.ts";
import { createCluster, hasPostgres } from "../faults/cluster.ts";
import { BUN, bundle, findProgram } from "../runtimes/programs.ts";
import { hasRedis, startRedis } from "./redis_servers.ts";

/** Code that opens a client of an engine. */
interface Sample {
  /** Where it stands. */
  readonly name: string;
  readonly code: string;
}

/** The files of examples that open one. The books have tests of their own. */
const EXAMPLES = ["examples/service/postgres_pool.ts", "examples/server_sent_events/open_log.ts"];

const OPENS = /from "(?:pg|postgres|ioredis|redis)"|import\("(?:pg|ioredis)"\)/;

/** The samples of all documents. */
async function findSamples(directory: URL): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  for await (const { name, isDirectory } of Deno.readDir(directory)) {
    const url = new URL(isDirectory ? `${name}/` : name, directory);
    if (isDirectory && name !== ".git" && name !== "src" && !/^\.(?:npm|site|coverage|bundle)$/.test(name)) {
      samples.push(...await findSamples(url));
    } else if (name.endsWith(".md")) {
      const text = await Deno.readTextFile(url);
      for (const [block, indent = "", code = ""] of text.matchAll(/^( *)```ts\n([^]*?)^ *```/gm)) {
        if (!OPENS.test(code)) continue;
        const line = text.slice(0, text.indexOf(block)).split("\n").length;
        samples.push({ name: `${name}:${line}`, code: code.replaceAll(new RegExp(`^${indent}`, "gm"), "") });
      }
    }
  }
  return samples;
}

/** A sample with the load on it, as a program. */
async function writeProgram(directory: string, index: number, { code }: Sample): Promise<string> {
  await Deno.writeTextFile(`${directory}/sample_${index}.ts`, code);
  const load = new URL("tests/slow/stores/sample_load.ts", ROOT);
  const entry = `${directory}/program_${index}.ts`;
  await Deno.writeTextFile(
    entry,
    `import * as sample from "./sample_${index}.ts";\nimport { load } from "${load}";\nawait load(sample);\n`,
  );
  return entry;
}

/** Runs a program while its engine is restarted. */
async function survive(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  restart: () => Promise<void>,
): Promise<void> {
  const child = new Deno.Command(program, {
    args: [...args],
    cwd: ROOT,
    env: { ...env, NO_COLOR: "1" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let [printed, hasEnded] = ["", false];
  const read = async (output: ReadableStream<Uint8Array<ArrayBuffer>>) => {
    for await (const text of output.pipeThrough(new TextDecoderStream())) printed = (printed + text).slice(-20_000);
  };
  const ended = Promise.all([read(child.stdout), read(child.stderr), child.status]).then(() => hasEnded = true);
  /** How often each job was done. */
  const done = (): readonly number[] => {
    const [, text = "[]"] = [...printed.matchAll(/^done (\[.*\])$/gm)].at(-1) ?? [];
    return JSON.parse(text);
  };
  const progress = async () => {
    const before = done();
    await until(() => {
      assert(!hasEnded, `${program} has ended: ${printed}`);
      const now = done();
      return now.length > 0 && now.every((count, job) => count >= (before[job] ?? 0) + 10);
    }, () => `${program} does not go on: ${printed}`);
  };
  try {
    await progress();
    for (let turn = 0; turn < 2; turn++) {
      await restart();
      await progress();
    }
    assertEquals(hasEnded, false);
  } finally {
    if (!hasEnded) child.kill("SIGKILL");
    await ended;
  }
}

/** A connection to Redis on the way of which an answer can be lost, and with it the connection. */
async function openLosing(redisPort: number): Promise<{ readonly port: number; loseAnswer(): void; close(): void }> {
  let isLosing = false;
  const server = createServer((client: Socket) => {
    const upstream = connect(redisPort, "127.0.0.1");
    const end = () => [client, upstream].forEach((socket) => socket.destroy());
    [client, upstream].forEach((socket) => socket.on("error", end).on("close", end));
    client.pipe(upstream);
    upstream.on("data", (answer) => {
      if (!isLosing) return void client.write(answer);
      isLosing = false;
      end();
    });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { readonly port: number };
  return { port, loseAnswer: () => void (isLosing = true), close: () => void server.close() };
}

const canRun = granted("env", "net", "read", "run", "write") && hasPostgres && hasRedis;

(canRun ? describe : describe.skip)("each sample of a pool or a client goes on after a restart of its engine", () => {
  let directory = "";
  const runtimes: [name: string, program: string][] = [];
  before(async () => {
    directory = await Deno.makeTempDir();
    runtimes.push(["Deno", Deno.execPath()], ["Node.js", "node"], ["Bun", await findProgram(BUN, "bun")]);
  });
  after(() => Deno.remove(directory, { recursive: true }));

  it("and all of them are found", async () => {
    const samples = await findSamples(ROOT);
    const opening = samples.filter(({ code }) => /new (?:pg\.Pool|Redis)\(|createClient\(/.test(code));
    assertEquals(opening.length, 3);
    assertEquals(samples.filter(({ code }) => /postgres\(|sql\.begin/.test(code)), []);
  });

  for (const engine of ["PostgreSQL", "Redis"]) {
    it(`in ${engine}`, async () => {
      const samples = [...await findSamples(ROOT)];
      for (const name of EXAMPLES) {
        const url = new URL(name, ROOT);
        const code = await Deno.readTextFile(url);
        const absolute = code.replaceAll(/(?<=from ")\.\.?\/[^"]+/g, (path) => new URL(path, url).href);
        samples.push({ name, code: absolute });
      }
      const own = samples.filter(({ code }) => engine === "PostgreSQL" ? code.includes('"pg"') : /redis"/.test(code));
      assert(own.length >= 3, `Only ${own.length} samples`);
      for (const [index, sample] of own.entries()) {
        const entry = await writeProgram(directory, index, sample);
        const bundled = await bundle(entry, directory);
        for (const [runtime, program] of runtimes) {
          const args = runtime === "Deno"
            ? ["run", "--config=deno.json", "--no-check", "--allow-all", ...FLAGS, entry]
            : [bundled];
          if (engine === "PostgreSQL") {
            const cluster = await createCluster();
            try {
              await survive(program, args, { DATABASE_URL: cluster.url, REDIS_URL: "" }, async () => {
                await cluster.signal("SIGKILL");
                await cluster.start();
              });
            } finally {
              await cluster.remove();
            }
          } else {
            await using redis = await startRedis(1, { keepsWrites: true });
            const env = { DATABASE_URL: "", REDIS_URL: `redis://127.0.0.1:${redis.ports[0]}` };
            await survive(program, args, env, () => redis.restart());
          }
          console.log(`${sample.name} on ${runtime}`);
        }
      }
    });
  }

  it("in Redis, and sends no command again whose answer was lost", async () => {
    await using redis = await startRedis();
    const direct = new Redis(redis.ports[0] ?? 0, "127.0.0.1");
    const samples = (await findSamples(ROOT)).filter(({ code }) => code.includes("openRedis"));
    assertEquals(samples.length, 2);
    for (const [index, { name, code }] of samples.entries()) {
      const file = `${directory}/losing_${index}.ts`;
      await Deno.writeTextFile(file, code);
      const losing = await openLosing(redis.ports[0] ?? 0);
      const { openRedis } = await import(`file://${file}`);
      const client = await openRedis(`redis://127.0.0.1:${losing.port}`);
      const log = eventLog<string>(client satisfies RedisClient, { name: `losing_${index}`, keep: 100 });
      const append = (text: string) => log.append(text).then(() => true, () => false);
      await until(() => append("first"));
      losing.loseAnswer();
      assertEquals(await append("lost"), false, name);
      await until(() => append("last"));
      const texts = (await direct.xrange(`losing_${index}`, "-", "+")).map(([, fields]) => JSON.parse(fields[1] ?? ""));
      assertEquals(texts, ["first", "lost", "last"], name);
      await (client.destroy ?? client.disconnect).call(client);
      losing.close();
    }
    direct.disconnect();
  });
});
