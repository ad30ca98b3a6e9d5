/**
 * Many large uploads at once, to handlers that read slowly: what the process buffers of them is bounded.
 *
 * It is counted: the bytes that the clients have sent, without those that the handlers have taken, and without those that
 * the kernel keeps in the queues of the sockets.
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { granted } from "../../support/granted.ts";
import { pause, until } from "../../support/until.ts";
import { HEAD, RUNTIMES, TAIL } from "../runtimes/uploads/runtimes.ts";

const MB = 1_000_000;
const UPLOADS = 200;
const SIZE = 100 * MB;
const MOST_BUFFERED = 64 * MB;

/**
 * What a runtime keeps of each request before anybody reads it, in bytes. Bun 1.4 reads 1.0 to 1.3 MB of a body that no
 * handler touches, and up to 1.9 MB of one that is read slowly, whether by `getReader()`, `for await` or `pipeTo`: nothing
 * that a handler does changes that. Only a stream of `node:http` there, which is no `Request`, keeps 0.13 MB: the adapters
 * of `@hono/node-server` and srvx keep 1.57 and 1.04 MB there, and one that pulls from the request 0.52 MB.
 */
const OWN_BUFFER: Readonly<Record<string, number>> = { Bun: 2 * MB };

/** How far the handlers read before they wait and what is buffered is counted. */
const STOPS = [1 * MB, 50 * MB];

for (const [name, start] of Object.entries(RUNTIMES)) {
  const canRun = Deno.build.os === "linux" && granted("net", "read", "run", "write");
  (canRun ? describe : describe.skip)(`${UPLOADS} uploads of ${SIZE / MB} MB at once to ${name}`, () => {
    const most = MOST_BUFFERED + UPLOADS * (OWN_BUFFER[name] ?? 0);
    it(`take at most ${most / MB} MB more than none while the handlers wait`, async () => {
      const server = await start();
      try {
        const port = Number(new URL(server.origin).port);
        const residentBefore = await residentBytes(server.pid);
        const told = { sent: 0 };
        const statuses = Promise.all(Array.from({ length: UPLOADS }, () => upload(port, told)));
        statuses.catch(() => {}); // of a server that is stopped, since the test has failed
        const report: string[] = [];
        for (const stop of STOPS) {
          await fetch(`${server.origin}/allowed/${stop}`, { method: "PUT" }).then((response) => response.text());
          const buffered = await bufferedBytes(server.origin, port, told);
          const resident = await residentBytes(server.pid) - residentBefore;
          report.push(`at ${stop / MB} MB each: ${inMb(buffered)} buffered, resident ${inMb(resident)} more`);
          assert(buffered >= 0 && buffered <= most, `${inMb(buffered)} are buffered`);
        }
        await fetch(`${server.origin}/allowed/${2 * SIZE}`, { method: "PUT" }).then((response) => response.text());
        assertEquals(new Set(await statuses), new Set([`HTTP/1.1 200 OK ${SIZE}`]));
        console.log(`    ${name}: ${report.join("; ")}`);
      } finally {
        await server.stop("SIGKILL");
      }
    });
  });
}

const BLOCK = new Uint8Array(262_144).fill(7);

/** Uploads a file, and counts what was sent of all of them. Returns the first line and the body of the response. */
async function upload(port: number, told: { sent: number }): Promise<string> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const write = async (bytes: Uint8Array) => {
    for (let sent = 0; sent < bytes.length;) {
      const count = await connection.write(bytes.subarray(sent));
      sent += count;
      told.sent += count;
    }
  };
  const length = HEAD.length + SIZE + TAIL.length;
  await connection.write(new TextEncoder().encode(
    `POST /slow HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: multipart/form-data; boundary=x\r\n` +
      `connection: close\r\ncontent-length: ${length}\r\n\r\n${HEAD}`,
  ));
  for (let sent = 0; sent < SIZE; sent += BLOCK.length) await write(BLOCK.subarray(0, SIZE - sent));
  await connection.write(new TextEncoder().encode(TAIL));
  const text = await new Response(connection.readable).text();
  return `${text.split("\r\n", 1)} ${/\d+(?=(\r\n0)?\s*$)/.exec(text)?.[0]}`;
}

/** Waits until nothing moves any more, and counts what neither the handlers nor the kernel have. */
async function bufferedBytes(origin: string, port: number, told: { readonly sent: number }): Promise<number> {
  let last = "";
  let buffered = 0;
  await until(async () => {
    await pause(300);
    const { taken, waiting } = await (await fetch(`${origin}/taken`)).json();
    const queued = await queuedBytes(port);
    const now = `${told.sent} ${taken} ${waiting} ${queued}`;
    const isStill = waiting === UPLOADS && now === last;
    last = now;
    buffered = told.sent - taken - queued;
    return isStill;
  }, () => last);
  return buffered;
}

/** What the kernel keeps of what was sent to a port: not yet acknowledged, or not yet read. */
async function queuedBytes(port: number): Promise<number> {
  const wanted = port.toString(16).toUpperCase().padStart(4, "0");
  let bytes = 0;
  for (const line of (await Deno.readTextFile("/proc/net/tcp")).split("\n").slice(1, -1)) {
    const [, local = "", remote = "", , queues = ""] = line.trim().split(/\s+/);
    const [unacknowledged = "", unread = ""] = queues.split(":");
    if (remote.endsWith(`:${wanted}`)) bytes += parseInt(unacknowledged, 16);
    if (local.endsWith(`:${wanted}`)) bytes += parseInt(unread, 16);
  }
  return bytes;
}

/** The memory of a process, as the system sees it. */
async function residentBytes(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(await Deno.readTextFile(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes) * 1024;
}

function inMb(bytes: number): string {
  return `${(bytes / MB).toFixed(1)} MB`;
}
