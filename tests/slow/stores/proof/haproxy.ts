import { freePort } from "../../../support/free_port.ts";
import { until } from "../../../support/until.ts";

/** A balancer that runs. */
export interface Balancer extends AsyncDisposable {
  /** Its port on the loopback interface. */
  readonly port: number;
}

const PROGRAM = "/usr/sbin/haproxy";

/** Whether there is one to start. */
export const hasBalancer: boolean = await Deno.stat(PROGRAM).then(() => true, () => false);

/**
 * Starts HAProxy in front of instances. It gives each request to the next one that is ready.
 *
 * @param ports Their ports on the loopback interface.
 * @returns The balancer, which listens. The caller must dispose it.
 */
export function balanceRequests(ports: readonly number[]): Promise<Balancer> {
  const servers = ports.map((port) => `server s${port} 127.0.0.1:${port} check inter 300ms fall 2 rise 1`);
  return start(["mode http", "balance roundrobin", "option forwardfor", "option httpchk GET /ready", ...servers]);
}

/**
 * Starts HAProxy in front of a database. Connections go to the standby while the primary does not accept any.
 *
 * @param primary The port of the primary.
 * @param standby The port of the standby.
 * @returns The balancer, which listens. The caller must dispose it.
 */
export function balanceConnections(primary: number, standby: number): Promise<Balancer> {
  const check = "check inter 300ms fall 2 rise 1";
  return start([
    "mode tcp",
    `server primary 127.0.0.1:${primary} ${check} on-marked-up shutdown-backup-sessions`,
    `server standby 127.0.0.1:${standby} ${check} backup`,
  ]);
}

async function start(lines: readonly string[]): Promise<Balancer> {
  const port = freePort();
  const file = await Deno.makeTempFile();
  const settings = ["timeout connect 1s", "timeout client 1m", "timeout server 1m", "timeout check 1s"];
  const all = ["listen all", `bind 127.0.0.1:${port}`, "option redispatch", ...settings, ...lines];
  await Deno.writeTextFile(file, `${all.join("\n  ")}\n`);
  const child = new Deno.Command(PROGRAM, {
    args: ["-db", "-f", file],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await until(() => Deno.connect({ port }).then((connection) => (connection.close(), true), () => false));
  return {
    port,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      await Deno.remove(file);
    },
  };
}
