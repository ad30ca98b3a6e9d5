/** A client of WebSockets that sends what it is told, byte by byte. */
import { assert } from "@std/assert";

/** A frame that has arrived. */
export interface Frame {
  /** 1 text, 2 binary, 8 close, 9 ping, 10 pong. */
  readonly opcode: number;
  /** The payload. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The payload as text; of a close, its code and its reason. */
  readonly text: string;
}

/** A connection. */
export interface RawClient extends Disposable {
  /** The status of the response to the handshake. */
  readonly status: number;
  /** The headers of the response. */
  readonly headers: Headers;
  /** Sends a frame, masked. */
  send(opcode: number, payload: string | Uint8Array<ArrayBuffer>, isFinal?: boolean): Promise<void>;
  /** Sends bytes. */
  write(bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** The next frame that is no heartbeat and no ping, which it answers; `undefined` at the end. */
  next(): Promise<Frame | undefined>;
  /** Reads so many bytes, as text. */
  body(length: number): Promise<string>;
  /** Reads the rest, as text. */
  rest(): Promise<string>;
  /** The connection. */
  readonly connection: Deno.TcpConn;
}

const HANDSHAKE = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
};

/** Requests a path. A header that is `undefined` is not sent. */
export async function connectRaw(
  origin: string,
  path: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): Promise<RawClient> {
  const { hostname, port, host } = new URL(origin);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  await connection.write(encodeHandshake(path, { host, ...headers }));

  let pending = new Uint8Array(0);
  const more = async (): Promise<boolean> => {
    const chunk = new Uint8Array(65_536);
    const count = await connection.read(chunk).catch(() => null);
    if (count === null) return false;
    pending = concat([pending, chunk.subarray(0, count)]);
    return true;
  };
  const take = async (count: number): Promise<Uint8Array<ArrayBuffer> | undefined> => {
    while (pending.length < count) if (!await more()) return undefined;
    const taken = pending.subarray(0, count);
    pending = pending.subarray(count);
    return taken;
  };
  const latin1 = (bytes: Uint8Array) => new TextDecoder("latin1").decode(bytes);
  while (!latin1(pending).includes("\r\n\r\n")) assert(await more(), `No response: ${latin1(pending)}`);
  const end = latin1(pending).indexOf("\r\n\r\n");
  const [first = "", ...lines] = latin1((await take(end + 4) ?? pending).slice(0, -4)).split("\r\n");
  const received = new Headers();
  for (const line of lines) received.append(line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim());

  const frame = async (): Promise<Frame | undefined> => {
    const start = await take(2);
    if (start === undefined) return undefined;
    const [opcode, length] = [(start[0] ?? 0) & 15, (start[1] ?? 0) & 127];
    const extended = await take(length === 126 ? 2 : length === 127 ? 8 : 0) ?? new Uint8Array(0);
    const size = extended.length === 0 ? length : extended.reduce((sum, byte) => sum * 256 + byte, 0);
    const bytes = await take(size);
    if (bytes === undefined) return undefined;
    const text = opcode === 8 && bytes.length >= 2
      ? `${(bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)} ${new TextDecoder().decode(bytes.subarray(2))}`.trim()
      : new TextDecoder().decode(bytes);
    return { opcode, bytes, text };
  };

  const client: RawClient = {
    status: Number(first.split(" ")[1]),
    headers: received,
    connection,
    async write(bytes) {
      for (let done = 0; done < bytes.length;) done += await connection.write(bytes.subarray(done));
    },
    send: (opcode, payload, isFinal = true) => client.write(encodeFrame(opcode, payload, isFinal)),
    async next() {
      for (;;) {
        const next = await frame();
        if (next?.opcode === 9) await client.send(10, next.bytes);
        else if (next?.opcode !== 1 || next.text !== "{}") return next;
      }
    },
    body: async (length) => latin1(await take(length) ?? pending),
    async rest() {
      while (await more());
      return latin1(pending);
    },
    [Symbol.dispose]: () => {
      try {
        connection.close();
      } catch {
        // It is closed.
      }
    },
  };
  return client;
}

/** Encodes the head of a handshake. A header that is `undefined` is not sent. */
export function encodeHandshake(
  path: string,
  headers: Readonly<Record<string, string | undefined>> = {},
): Uint8Array<ArrayBuffer> {
  const sent = Object.entries({ host: "h", ...HANDSHAKE, ...headers }).filter(([, value]) => value !== undefined);
  const lines = [`GET ${path} HTTP/1.1`, ...sent.map((header) => header.join(": "))];
  return new TextEncoder().encode(`${lines.join("\r\n")}\r\n\r\n`);
}

/** Encodes a frame as a client does: masked, here with zeros. */
export function encodeFrame(
  opcode: number,
  payload: string | Uint8Array<ArrayBuffer>,
  isFinal = true,
): Uint8Array<ArrayBuffer> {
  const bytes = typeof payload === "string" ? new TextEncoder().encode(payload) : payload;
  const length = bytes.length < 126
    ? [bytes.length]
    : bytes.length < 65_536
    ? [126, bytes.length >> 8, bytes.length & 255]
    : [127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((shift) => (bytes.length >>> shift) & 255)];
  const frame = new Uint8Array(1 + length.length + 4 + bytes.length);
  frame.set([(isFinal ? 128 : 0) | opcode, 128 | (length[0] ?? 0), ...length.slice(1)]);
  frame.set(bytes, frame.length - bytes.length);
  return frame;
}

/** Joins bytes. */
export function concat(parts: readonly Uint8Array<ArrayBuffer>[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
