import { assert } from "@std/assert";
import postgres from "postgres";
import { freePort } from "./free_port.ts";

/** A PostgreSQL server of our own. */
export interface Cluster {
  /** Where it listens, on the loopback interface. */
  readonly port: number;
  /** The url of its database. */
  readonly url: string;
  /** Runs statements. */
  exec(statements: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Sends a signal to the server and all its processes. */
  signal(signal: Deno.Signal): Promise<void>;
  /** Starts it again after SIGKILL. */
  start(): Promise<void>;
  /** Makes a standby into a primary. */
  promote(): Promise<void>;
  /**
   * Makes a standby, which follows this server.
   *
   * @param port Where the standby reaches this server.
   * @returns The standby.
   */
  createStandby(port: number): Promise<Cluster>;
  /** Stops it, and removes its files. */
  remove(): Promise<void>;
}

/**
 * Creates a cluster with PostgreSQL's own tools, and starts it.
 *
 * @param settings Settings such as `fsync=on`. Without it, a crash of the machine would lose data, a crash of the server not.
 * @returns The running cluster.
 */
export async function createCluster(...settings: readonly string[]): Promise<Cluster> {
  const directory = await Deno.makeTempDir({ dir: "/tmp" });
  await Deno.writeTextFile(`${directory}/password`, PASSWORD);
  if (Deno.uid() === 0) await run("chown", "-R", "postgres", directory);
  const data = `${directory}/data`;
  await asPostgres(
    "initdb",
    "-D",
    data,
    "-U",
    "books",
    `--pwfile=${directory}/password`,
    "-A",
    "scram-sha-256",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
  );
  return await startCluster(directory, ["fsync=off", ...settings]);
}

const PASSWORD = crypto.randomUUID();

async function startCluster(directory: string, settings: readonly string[]): Promise<Cluster> {
  const data = `${directory}/data`;
  const port = freePort();
  const options = ["listen_addresses=127.0.0.1", "unix_socket_directories=", ...settings].map((one) => `-c ${one}`);
  const start = () =>
    asPostgres("pg_ctl", "start", "-D", data, "-w", "-l", `${directory}/log`, "-o", `-p ${port} ${options.join(" ")}`);
  await start();

  const url = `postgres://books:${PASSWORD}@127.0.0.1:${port}/postgres`;
  return {
    port,
    url,
    async exec(statements) {
      const sql = postgres(url, { max: 1, onnotice: () => {} });
      try {
        return await sql.unsafe(statements);
      } finally {
        await sql.end();
      }
    },
    async signal(signal) {
      const [pid = ""] = (await Deno.readTextFile(`${data}/postmaster.pid`)).split("\n");
      const children = await new Deno.Command("pgrep", { args: ["-P", pid] }).output();
      const pids = [pid, ...new TextDecoder().decode(children.stdout).trim().split("\n")];
      await new Deno.Command("kill", { args: ["-s", signal.slice("SIG".length), ...pids.filter((one) => one !== "")] })
        .output();
    },
    start: async () => {
      // Where nobody collects dead processes, the one that was killed would seem to run.
      await Deno.remove(`${data}/postmaster.pid`);
      await start();
    },
    promote: async () => {
      await asPostgres("pg_ctl", "promote", "-D", data, "-w");
    },
    async createStandby(port) {
      const standby = await Deno.makeTempDir({ dir: "/tmp" });
      if (Deno.uid() === 0) await run("chown", "-R", "postgres", standby);
      const primary = `host=127.0.0.1 port=${port} user=books password=${PASSWORD} application_name=standby`;
      await asPostgres("pg_basebackup", "-D", `${standby}/data`, "-d", primary, "-R", "-c", "fast", "--no-sync");
      return await startCluster(standby, settings);
    },
    async remove() {
      await asPostgres("pg_ctl", "stop", "-D", data, "-m", "immediate", "-w").catch(() => {});
      await Deno.remove(directory, { recursive: true });
    },
  };
}

/** Runs a program of PostgreSQL, which refuses to run as root and complains about a working directory that it may not read. */
async function asPostgres(program: string, ...args: readonly string[]): Promise<string> {
  const command = [`${await findPrograms()}/${program}`, ...args];
  return Deno.uid() === 0 ? await run("runuser", "-u", "postgres", "--", ...command) : await run(...command);
}

async function findPrograms(): Promise<string> {
  const versions = Array.fromAsync(Deno.readDir("/usr/lib/postgresql"), ({ name }) => Number(name));
  const newest = Math.max(...await versions.catch(() => []));
  assert(Number.isFinite(newest), "PostgreSQL must be installed: apt-get install postgresql");
  return `/usr/lib/postgresql/${newest}/bin`;
}

/** What a server prints goes into its log: it must not keep our pipes open. */
async function run(program = "", ...args: readonly string[]): Promise<string> {
  const file = await Deno.makeTempFile();
  const { code } = await new Deno.Command("sh", {
    args: ["-c", '"$@" >"$0" 2>&1', file, program, ...args],
    cwd: "/",
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).output();
  const printed = await Deno.readTextFile(file);
  await Deno.remove(file);
  assert(code === 0, `${program} ${args.join(" ")}: ${printed}`);
  return printed;
}
