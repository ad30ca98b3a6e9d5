import { connect, type Socket } from "node:net";
import type { Host } from "./postgres_url.ts";

/** Opens sockets to a database with one or more hosts. */
export interface SocketOpener {
  /** Opens a socket, after a pause if earlier ones failed. */
  open(): Promise<Socket>;
  /** Reports that a socket works. The next one opens without a pause. */
  confirm(): void;
  /** Reports that a socket does not work. The next one connects to the next host. */
  reject(socket: Socket): void;
}

/**
 * Creates an opener of sockets. While no socket works, it pauses longer before each attempt, so that a database that
 * recovers is not flooded with connections.
 *
 * @param hosts The hosts, in the order in which they are tried.
 * @param free How many sockets open without a pause after one that worked.
 * @returns The opener.
 */
export function createSocketOpener(hosts: readonly Host[], free: number): SocketOpener {
  const hostOf = new WeakMap<Socket, number>();
  let current = 0;
  let unconfirmed = 0;
  return {
    async open() {
      const pause = Math.min(10 * 2 ** (unconfirmed++ - free), MAX_PAUSE);
      if (pause >= 10) await new Promise((resolve) => setTimeout(resolve, pause));
      const index = current;
      const { host = "", port = 0 } = hosts[index] ?? {};
      // The driver needs the host for error messages and to check the certificate.
      const socket = Object.assign(connect(port, host), { host, port });
      // Statements that are sent together must not wait for each other to be acknowledged.
      socket.setNoDelay(true);
      hostOf.set(socket, index);
      return socket;
    },
    confirm() {
      unconfirmed = 0;
    },
    reject(socket) {
      // If many sockets fail together, only the first switches to the next host.
      if (hostOf.get(socket) === current) current = (current + 1) % hosts.length;
    },
  };
}

/** In milliseconds. */
const MAX_PAUSE = 500;
