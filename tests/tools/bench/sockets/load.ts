/**
 * The client of all contenders, on Node.js: measures in turn, checks each answer, and prints messages a second as JSON.
 *
 * Its argument is the contenders with their origins, as JSON.
 */
import process from "node:process";

/** A contender, and the messages a second of each case. */
export interface Measured {
  readonly name: string;
  readonly rates: readonly number[];
}

/** Packages that only the benchmark installs have no types here. */
// deno-lint-ignore no-explicit-any
type Untyped = any;

interface Client {
  receive: (name: string, data: string) => void;
  send(name: string, data: string): void;
}

const load = (name: string): Promise<Untyped> => import(name);
const { WebSocket } = await load("ws");
const { io } = await load("socket.io-client");

const CLIENTS = 1000;
const IN_FLIGHT = 32;
const ROUNDS = 7;
const MILLISECONDS = 700;
/** With it, a message of a WebSocket has 100 bytes. */
const PADDING = "x".repeat(100 - '{"name":"say","data":"12345678"}'.length);

const origins: Readonly<Record<string, string>> = JSON.parse(process.argv[2] ?? "{}");
const contenders = [];
for (const [name, origin] of Object.entries(origins)) {
  const clients: Client[] = [];
  while (clients.length < CLIENTS) {
    const opening = Array.from({ length: 50 }, () => name === "Socket.IO" ? openSocketIo(origin) : open(origin));
    clients.push(...await Promise.all(opening));
  }
  for (const client of clients) client.send("join", "");
  contenders.push({ name, clients, rates: [[], [], []] as [number[], number[], number[]] });
}
for (let round = -1; round < ROUNDS; round++) {
  for (const { clients, rates } of contenders) {
    const measured = [await echo(clients.slice(0, 1), IN_FLIGHT), await echo(clients, 1), await fanOut(clients)];
    if (round < 0) continue; // engines optimize first
    for (const [index, rate] of measured.entries()) rates[index]?.push(rate);
  }
}
const results: readonly Measured[] = contenders.map(({ name, rates }) => ({ name, rates: rates.map(median) }));
console.log(JSON.stringify(results));
process.exit();

function open(origin: string): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(origin.replace("http", "ws"), { perMessageDeflate: false });
    const client: Client = {
      receive() {},
      send: (name, data) => socket.send(JSON.stringify({ name, data })),
    };
    socket.on("message", (bytes: Uint8Array) => {
      const { name, data } = JSON.parse(`${bytes}`);
      if (name !== undefined) client.receive(name, data); // no heartbeat
    });
    socket.on("open", () => resolve(client));
    socket.on("error", reject);
  });
}

function openSocketIo(origin: string): Promise<Client> {
  return new Promise((resolve, reject) => {
    const socket = io(origin, { transports: ["websocket"], forceNew: true, reconnection: false });
    const client: Client = { receive() {}, send: (name, data) => socket.emit(name, data) };
    for (const name of ["say", "all"]) socket.on(name, (data: string) => client.receive(name, data));
    socket.on("connect", () => resolve(client));
    socket.on("connect_error", reject);
  });
}

/** Each client has so many messages in flight. Each answer must be the next one. */
async function echo(clients: readonly Client[], inFlight: number): Promise<number> {
  const start = performance.now();
  const end = start + MILLISECONDS;
  let count = 0;
  await Promise.all(clients.map((client) =>
    new Promise<void>((resolve) => {
      let sent = 0;
      let received = 0;
      const next = () => client.send("say", `${PADDING}${10_000_000 + sent++}`);
      client.receive = (name, data) => {
        requireThat(name === "say" && data === `${PADDING}${10_000_000 + received++}`);
        count++;
        if (performance.now() < end) next();
        else if (received === sent) resolve();
      };
      for (let n = 0; n < inFlight; n++) next();
    })
  ));
  return count / (performance.now() - start) * 1000;
}

/** One message after the other goes to all clients. */
async function fanOut(clients: readonly Client[]): Promise<number> {
  const start = performance.now();
  let count = 0;
  for (let n = 10_000_000; performance.now() < start + MILLISECONDS; n++) {
    let missing = clients.length;
    await new Promise<void>((resolve) => {
      for (const client of clients) {
        let isNew = true;
        client.receive = (name, data) => {
          requireThat(name === "all" && data === `${PADDING}${n}` && isNew);
          isNew = false;
          count++;
          if (--missing === 0) resolve();
        };
      }
      clients[0]?.send("all", `${PADDING}${n}`);
    });
  }
  return count / (performance.now() - start) * 1000;
}

function requireThat(isRight: boolean): void {
  if (!isRight) throw new Error("wrong answer");
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
