import { freePort } from "../../support/free_port.ts";
import { until } from "../../support/until.ts";

/** Redis servers started by a test. */
export interface RedisServers extends AsyncDisposable {
  /** Their ports on the loopback interface. */
  readonly ports: readonly number[];
  /** Runs a command at the first one, and returns what it prints. */
  command(...args: readonly string[]): Promise<string>;
  /** Sends a signal to all of them. */
  signal(signal: Deno.Signal): void;
  /** Kills them, and starts them again: empty, unless they keep their writes. */
  restart(): Promise<void>;
}

/** Whether there is a server to start. */
export const hasRedis: boolean = await new Deno.Command("redis-server", { args: ["--version"] }).output()
  .then(({ success }) => success, () => false);

/**
 * Starts one server, or three masters of a cluster.
 *
 * @param count How many.
 * @param options `keepsWrites`: whether they write to disk, so that a crash of the process loses nothing.
 * @returns The servers, which are ready. The caller must dispose them.
 */
export async function startRedis(count: 1 | 3 = 1, { keepsWrites = false } = {}): Promise<RedisServers> {
  const directory = await Deno.makeTempDir();
  const ports = Array.from({ length: count }, freePort);
  const at = (port: number) => ["-h", "127.0.0.1", "-p", String(port)];
  const start = () =>
    Promise.all(ports.map(async (port) => {
      const cluster = ["--cluster-enabled", "yes", "--cluster-config-file", `${port}.conf`];
      const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", directory];
      const child = new Deno.Command("redis-server", {
        args: [
          ...args,
          "--maxmemory",
          "100mb",
          // By default, Redis may wait up to two seconds before it writes: a crash then loses what it has acknowledged.
          ...keepsWrites ? ["--appendonly", "yes", "--appendfsync", "always"] : [],
          ...count > 1 ? cluster : [],
        ],
        stdout: "null",
        stderr: "null",
      }).spawn();
      await until(async () => (await cli(...at(port), "PING").catch(() => "")) === "PONG");
      return child;
    }));
  let children = await start();
  if (count > 1) {
    const addresses = ports.map((port) => `127.0.0.1:${port}`);
    await cli("--cluster", "create", ...addresses, "--cluster-yes");
    for (const port of ports) {
      await until(async () => (await cli(...at(port), "CLUSTER", "INFO")).includes("cluster_state:ok"));
    }
  }
  const end = async () => {
    for (const child of children) {
      try {
        child.kill("SIGKILL");
      } catch { /* it has ended */ }
    }
    await Promise.all(children.map(({ status }) => status));
  };
  return {
    ports,
    command: (...args) => cli(...at(ports[0] ?? 0), ...args),
    signal: (signal) => children.forEach((child) => child.kill(signal)),
    async restart() {
      await end();
      children = await start();
    },
    async [Symbol.asyncDispose]() {
      await end();
      await Deno.remove(directory, { recursive: true });
    },
  };
}

async function cli(...args: readonly string[]): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command("redis-cli", { args: [...args] }).output();
  const text = new TextDecoder().decode(stdout).trim();
  if (!success) throw new Error(text + new TextDecoder().decode(stderr));
  return text;
}
