import { connect } from "node:net";
import { freePort } from "../../support/free_port.ts";
import { startServer } from "../../support/server_process.ts";
import { until } from "../../support/until.ts";
import type { EventLog } from "../../../src/events/mod.ts";
import { FLAGS } from "../../support/flags.ts";

/**
 * Prints what `append` costs with this many readers in the process, and after how long all of them have the message: the
 * medians, in microseconds.
 */
export async function measureAppend(name: string, log: EventLog<number>, readers: number): Promise<void> {
  const ending = new AbortController();
  let missing = 0;
  let resolve = () => {};
  const id = await log.append(-1);
  const reading = Array.from({ length: readers }, async () => {
    for await (const [, message] of log.read(id, ending.signal)) {
      if (message !== undefined && --missing === 0) resolve();
    }
  });
  await new Promise((resolve) => setTimeout(resolve, 300)); // until they wait
  const [appended, received]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 250; turn++) {
    missing = readers;
    const all = readers === 0 ? undefined : new Promise<void>((done) => resolve = done);
    const start = performance.now();
    await log.append(turn);
    const end = performance.now();
    await all;
    if (turn >= 50) {
      appended.push((end - start) * 1000);
      received.push((performance.now() - start) * 1000);
    }
  }
  ending.abort();
  await Promise.all(reading);
  const columns = [`${readers}`, at(appended, 0.5).toFixed(0), readers === 0 ? "" : at(received, 0.5).toFixed(0)];
  console.log(`${name.padEnd(32)} ${columns.map((column) => column.padStart(9)).join(" ")}`);
}

/**
 * Prints after how long messages have reached 1,000 clients of three instances, from the request that sends them on.
 *
 * @param env The variable that names the engine.
 */
export async function measureFanOut(name: string, env: Readonly<Record<string, string>>): Promise<void> {
  const [clients, messages] = [1000, 50];
  const directory = await Deno.makeTempDir();
  const ports = [freePort(), freePort(), freePort()];
  const flags = ["--no-check", "--allow-all", ...FLAGS];
  const settings = { DATABASE_URL: "", ...env, DATA: directory, EFFECTS: `${directory}/effects` };
  const instances = await Promise.all(
    ports.map((port) =>
      startServer(Deno.execPath(), ["run", ...flags, "tests/slow/stores/proof/instance.ts"], {
        ...settings,
        PORT: `${port}`,
      })
    ),
  );
  try {
    const times: number[] = [];
    let sentAt = 0;
    let listening = 0;
    let missing = 0;
    const sockets = Array.from({ length: clients }, (_, index) => {
      const socket = connect(ports[index % 3] ?? 0, "127.0.0.1");
      socket.write("GET /own/events HTTP/1.1\r\nhost: localhost\r\n\r\n");
      let head = "";
      socket.setEncoding("latin1").on("error", () => {}).on("data", (text: string) => {
        if (!head.includes("\r\n\r\n")) {
          head += text;
          if (head.includes("\r\n\r\n")) listening++;
        }
        // A message is one chunk: only heartbeats and it are sent.
        if (!text.includes("data: ")) return;
        times.push(performance.now() - sentAt);
        missing--;
      });
      return socket;
    });
    await until(() => listening === clients);
    await new Promise((resolve) => setTimeout(resolve, 1000)); // until they wait for messages
    for (let turn = 0; turn < messages; turn++) {
      missing = clients;
      sentAt = performance.now();
      const response = await fetch(`http://127.0.0.1:${ports[turn % 3]}/own/messages`, { method: "POST", body: '"x"' });
      await response.body?.cancel();
      await until(() => missing === 0, () => `${missing} of ${clients} clients have no message ${turn}`);
    }
    sockets.forEach((socket) => socket.destroy());
    const shown = [0.5, 0.99, 1].map((part) => at(times, part).toFixed(0).padStart(9));
    console.log(`${name.padEnd(32)} ${shown.join(" ")}`);
  } finally {
    await Promise.all(instances.map((instance) => instance.stop("SIGKILL")));
    await Deno.remove(directory, { recursive: true });
  }
}

function at(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? 0;
}
