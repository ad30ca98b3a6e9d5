import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";
import { freePort } from "./free_port.ts";

/** The mode of a proxy: forward, accept and forward nothing, or accept and close. */
export type Mode = "forward" | "stall" | "refuse";

/** A proxy in front of a server. It can simulate network failures. */
export interface TcpProxy {
  /** Where it listens, on the loopback interface. */
  readonly port: number;
  /** How many connections it has accepted. */
  accepted(): number;
  /** Changes the mode. A connection that stalled stays dead: nothing is sent on it again, not even its end. */
  set(mode: Mode): void;
  /**
   * Forwards so many more bytes from clients, then nothing in either direction, as if the clients had vanished.
   *
   * @returns Fulfilled when they have vanished.
   */
  cut(bytes: number): Promise<void>;
  /** Resets all connections, and accepts no new ones until `reopen`. */
  shut(): void;
  /** Accepts connections again, on the same port. */
  reopen(): Promise<void>;
  /** Resets all connections, and forwards new ones to another port, as an address that moves to another server. */
  moveTo(port: number): void;
}

/**
 * Starts a proxy.
 *
 * @param target The port of the server, on the loopback interface.
 * @param delay How long to delay data in each direction, in milliseconds.
 * @returns The proxy. The caller must shut it.
 */
export async function openTcpProxy(target: number, delay = 0): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  const stalled = new WeakSet<Socket>();
  let current = target;
  let mode: Mode = "forward";
  let accepted = 0;
  let left = Infinity;
  let vanished = Promise.withResolvers<void>();

  /** Returns the bytes of a client that still pass. */
  const pass = (bytes: Uint8Array): Uint8Array => {
    const passing = bytes.subarray(0, left);
    left -= passing.length;
    if (left === 0) {
      for (const socket of sockets) stalled.add(socket);
      vanished.resolve();
    }
    return passing;
  };
  const forward = (from: Socket, to: Socket, filter = (bytes: Uint8Array) => bytes) => {
    from.setNoDelay(true);
    from.on("error", () => {});
    from.on("close", () => stalled.has(from) || to.destroy());
    from.on("data", (received: Uint8Array) => {
      if (stalled.has(from)) return;
      const bytes = filter(received);
      if (delay === 0) to.write(bytes);
      else setTimeout(() => to.writable && to.write(bytes), delay);
    });
    sockets.add(from);
  };
  const server = createServer((near) => {
    accepted++;
    if (mode === "refuse") {
      near.destroy();
      return;
    }
    const far = createConnection(current, "127.0.0.1");
    forward(near, far, pass);
    forward(far, near);
    if (mode === "stall" || left === 0) stalled.add(near).add(far);
  });

  const reset = (): void => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };

  const port = freePort();
  const listen = async (): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  await listen();
  return {
    port,
    accepted: () => accepted,
    set(next) {
      mode = next;
      if (mode === "stall") { for (const socket of sockets) stalled.add(socket); }
    },
    cut(bytes) {
      left = bytes;
      vanished = Promise.withResolvers();
      pass(new Uint8Array());
      return vanished.promise;
    },
    shut() {
      server.close();
      reset();
    },
    reopen: listen,
    moveTo(next) {
      current = next;
      reset();
    },
  };
}
