import { freePort } from "../../support/free_port.ts";
import { until } from "../../support/until.ts";
import type { Cluster } from "./cluster.ts";

/** A pooler in front of a database. */
export interface Pooler {
  /** Its port on the loopback interface. */
  readonly port: number;
  /** Ends it. */
  stop(): Promise<void>;
}

/**
 * Starts PgBouncer in transaction mode, with fewer connections to the database than its clients have to it.
 *
 * @param cluster The database.
 * @returns The pooler. The caller must stop it.
 */
export async function startPgBouncer({ url, port: databasePort }: Cluster): Promise<Pooler> {
  const directory = await Deno.makeTempDir({ dir: "/tmp" });
  const port = freePort();
  const { username, password } = new URL(url);
  await Deno.writeTextFile(`${directory}/users`, `"${username}" "${password}"\n`);
  await Deno.writeTextFile(
    `${directory}/pgbouncer.ini`,
    `[databases]
postgres = host=127.0.0.1 port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${directory}/users
pool_mode = transaction
default_pool_size = 4
max_client_conn = 100
`,
  );
  await Deno.chmod(directory, 0o755);
  // PgBouncer does not run as root.
  const child = new Deno.Command("/usr/sbin/pgbouncer", {
    args: ["--quiet", `${directory}/pgbouncer.ini`],
    ...(Deno.uid() === 0 ? { uid: await idOf("postgres") } : {}),
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await listening(port);
  return {
    port,
    async stop() {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(directory, { recursive: true });
    },
  };
}

async function idOf(user: string): Promise<number> {
  const { stdout } = await new Deno.Command("id", { args: ["-u", user] }).output();
  return Number(new TextDecoder().decode(stdout));
}

async function listening(port: number): Promise<void> {
  await until(async () => {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port })).close();
      return true;
    } catch {
      return false;
    }
  }, () => "PgBouncer must be installed, and start: apt-get install pgbouncer");
}
