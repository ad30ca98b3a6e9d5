import { assert } from "@std/assert";
import { freePort } from "../../support/free_port.ts";
import { until } from "../../support/until.ts";
import { type Disk, mountDisk } from "./disk.ts";
import { run } from "./run.ts";

/** Whether there are programs of PostgreSQL to start one. */
export const hasPostgres: boolean = await Deno.stat("/usr/lib/postgresql").then(() => true, () => false);

/** A PostgreSQL server started by the tests. */
export interface Cluster {
  /** Its port on the loopback interface. */
  readonly port: number;
  /** The url of its database. */
  readonly url: string;
  /** Runs statements, and returns what the last one does, as text. */
  exec(statements: string): Promise<string>;
  /** Writes a backup of the tables whose names begin so, and returns a function that restores it. */
  backUp(tables: string): Promise<() => Promise<unknown>>;
  /** Sends a signal to the server and all its processes. */
  signal(signal: Deno.Signal): Promise<void>;
  /** Whether it has not ended by itself. */
  running(): Promise<boolean>;
  /** Starts it again when it was killed or has ended. */
  start(): Promise<void>;
  /** Fills the disk, which must be one of its own. */
  fillDisk(): Promise<void>;
  /** Makes room on the disk again. */
  freeDisk(): Promise<void>;
  /** Changes the time that the server sees: so many seconds from now. The cluster must have a clock of its own. */
  shiftClock(seconds: number): Promise<void>;
  /** Makes a standby into a primary. */
  promote(): Promise<void>;
  /**
   * Creates a standby that replicates this server.
   *
   * @param port The port at which the standby reaches this server.
   * @returns The standby.
   */
  createStandby(port: number): Promise<Cluster>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
}

/** What a cluster has that is not the machine's. */
export interface ClusterOptions {
  /** A disk of its own: the size in MiB. */
  readonly disk?: number;
  /** Whether it has a clock of its own. */
  readonly clock?: boolean;
}

/**
 * Creates a cluster with PostgreSQL's own tools, and starts it. It runs without `fsync`: a crash of the machine would lose
 * data, a crash of the server does not.
 *
 * @param options What it has of its own.
 * @returns The running cluster.
 */
export async function createCluster({ disk, clock = false }: ClusterOptions = {}): Promise<Cluster> {
  const mounted = disk === undefined ? undefined : await mountDisk(disk);
  const directory = mounted?.directory ?? await Deno.makeTempDir({ dir: "/tmp" });
  await Deno.writeTextFile(`${directory}/clock`, "+0");
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
  return await startCluster(directory, mounted, clock ? await preloadClock(`${directory}/clock`) : []);
}

const PASSWORD = crypto.randomUUID();

/** What a command begins with whose clock is as many seconds ahead as a file says. */
async function preloadClock(file: string): Promise<readonly string[]> {
  const folders = await Array.fromAsync(Deno.readDir("/usr/lib"), ({ name }) => `/usr/lib/${name}/faketime`);
  const present = await Promise.all(folders.map((folder) => Deno.stat(folder).then(() => true, () => false)));
  const folder = folders.find((_, index) => present[index]);
  assert(folder !== undefined, "libfaketime must be installed: apt-get install faketime");
  const settings = { FAKETIME_TIMESTAMP_FILE: file, FAKETIME_NO_CACHE: 1, FAKETIME_DONT_FAKE_MONOTONIC: 1 };
  return ["env", `LD_PRELOAD=${folder}/libfaketime.so.1`, ...Object.entries(settings).map((one) => one.join("="))];
}

async function startCluster(directory: string, disk?: Disk, prefix: readonly string[] = []): Promise<Cluster> {
  const data = `${directory}/data`;
  const port = freePort();
  const options = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off"].map((one) => `-c ${one}`);
  const start = async () => {
    const args = ["start", "-D", data, "-w", "-l", `${directory}/log`, "-o", `-p ${port} ${options.join(" ")}`];
    await asUser(...prefix, await findProgram("pg_ctl"), ...args);
  };
  await start();

  const url = `postgres://books:${PASSWORD}@127.0.0.1:${port}/postgres`;
  return {
    port,
    url,
    exec: (statements) => asPostgres("psql", "-XAtq", "-c", statements, url),
    async backUp(tables) {
      const file = `${directory}/backup_${crypto.randomUUID()}`;
      await asPostgres("pg_dump", "--clean", "--if-exists", "-t", `${tables}*`, "-f", file, url);
      return () => asPostgres("psql", "-Xq", "-1", "-v", "ON_ERROR_STOP=1", "-f", file, url);
    },
    async signal(signal) {
      const send = async () => {
        const pids = await processesIn(data);
        await new Deno.Command("kill", { args: ["-s", signal.slice("SIG".length), ...pids] }).output();
        return pids.length;
      };
      await send();
      // It may have started others meanwhile. While one of them is left, the server cannot start again.
      if (signal === "SIGKILL") await until(async () => await send() === 0);
    },
    running: () => Deno.stat(`${data}/postmaster.pid`).then(() => true, () => false),
    start: async () => {
      // Where nobody collects dead processes, the one that was killed would seem to run.
      await Deno.remove(`${data}/postmaster.pid`).catch(() => {});
      await start();
    },
    fillDisk: async () => await disk?.fill(),
    freeDisk: async () => await disk?.free(),
    shiftClock: (seconds) => Deno.writeTextFile(`${directory}/clock`, seconds < 0 ? `${seconds}` : `+${seconds}`),
    promote: async () => {
      await asPostgres("pg_ctl", "promote", "-D", data, "-w");
    },
    async createStandby(port) {
      const standby = await Deno.makeTempDir({ dir: "/tmp" });
      if (Deno.uid() === 0) await run("chown", "-R", "postgres", standby);
      const primary = `host=127.0.0.1 port=${port} user=books password=${PASSWORD} application_name=standby`;
      await asPostgres("pg_basebackup", "-D", `${standby}/data`, "-d", primary, "-R", "-c", "fast", "--no-sync");
      return await startCluster(standby);
    },
    async remove() {
      await asPostgres("pg_ctl", "stop", "-D", data, "-m", "immediate", "-w").catch(() => {});
      await (disk?.remove() ?? Deno.remove(directory, { recursive: true }));
    },
  };
}

/** The processes of a server. All of them work in the directory of its data. */
async function processesIn(directory: string): Promise<readonly string[]> {
  const pids: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    // It may have ended, or belong to another user.
    const place = await Deno.readLink(`/proc/${name}/cwd`).catch(() => "");
    if (place === directory) pids.push(name);
  }
  return pids;
}

async function asPostgres(program: string, ...args: readonly string[]): Promise<string> {
  return await asUser(await findProgram(program), ...args);
}

/** Runs a command as a user: PostgreSQL refuses to run as root. */
async function asUser(...command: readonly string[]): Promise<string> {
  return Deno.uid() === 0 ? await run("runuser", "-u", "postgres", "--", ...command) : await run(...command);
}

async function findProgram(name: string): Promise<string> {
  const versions = Array.fromAsync(Deno.readDir("/usr/lib/postgresql"), ({ name }) => Number(name));
  const newest = Math.max(...await versions.catch(() => []));
  assert(Number.isFinite(newest), "PostgreSQL must be installed: apt-get install postgresql");
  return `/usr/lib/postgresql/${newest}/bin/${name}`;
}
