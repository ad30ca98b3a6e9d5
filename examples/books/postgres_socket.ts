import { connect, type Socket } from "node:net";
import type { Host } from "./postgres_url.ts";

/** Opens sockets to a database that may have several hosts. */
export interface SocketOpener {
  /** Starts to connect, perhaps after a pause. */
  open(): Promise<Socket>;
  /** Says that the socket works: the next one is opened without a pause. */
  confirm(): void;
  /** Says that the socket does not work: the next one goes to the next host. */
  reject(socket: Socket): void;
}

/**
 * Makes an opener of sockets. While none works it opens them ever more slowly, so that a database that comes back is not met
 * by a storm of connections.
 *
 * @param hosts The hosts, in the order to try them.
 * @param free How many sockets may be opened without a pause after one that worked.
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
      // The driver names the host in errors, and checks the certificate against it.
      const socket = Object.assign(connect(port, host), { host, port });
      // Statements that are sent together must not wait for each other's acknowledgement.
      socket.setNoDelay(true);
      hostOf.set(socket, index);
      return socket;
    },
    confirm() {
      unconfirmed = 0;
    },
    reject(socket) {
      // Of many sockets that break together, only the first moves on.
      if (hostOf.get(socket) === current) current = (current + 1) % hosts.length;
    },
  };
}

/** In milliseconds. */
const MAX_PAUSE = 500;
