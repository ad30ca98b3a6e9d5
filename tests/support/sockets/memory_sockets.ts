/** Sockets without a network, for tests of what is the same on every runtime. */
import type { SocketEvents, Sockets, SocketsOptions } from "../../../src/sockets/mod.ts";
import { denoSockets } from "../../../src/sockets/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

/** A socket as a test sees it. */
export interface MemorySocket {
  /** What the application has to hear. */
  readonly events: SocketEvents;
  /** What the server has sent, its close, and its end. */
  readonly log: string[];
  /** How many bytes are unsent. */
  unsent: number | undefined;
  /** Opens the socket. */
  open(): void;
  /** Sends a message as the client. */
  send(name: string, data?: unknown): void;
}

/** Creates sockets. */
export function memorySockets(
  options: Partial<SocketsOptions> = {},
  tellsUnsent = true,
): Sockets & { readonly accepted: MemorySocket[] } {
  const accepted: MemorySocket[] = [];
  // The options are read in the same way everywhere.
  const { policy } = denoSockets({ validator: standardSchema, onError: () => {}, ...options });
  return {
    accepted,
    policy,
    tellsUnsent,
    upgrade(_request, events) {
      const log: string[] = [];
      const socket: MemorySocket = {
        events,
        log,
        unsent: tellsUnsent ? 0 : undefined,
        open: () =>
          events.open({
            send: (text) => void log.push(text),
            close: (code, reason) => void log.push(`close ${code} ${reason}`.trim()),
            terminate: () => void log.push("terminate"),
            unsent: () => socket.unsent,
          }),
        send: (name, data) => events.message(JSON.stringify({ name, data })),
      };
      accepted.push(socket);
      return Object.defineProperty(new Response(null), "status", { value: 101 });
    },
  };
}

/** A handshake, as a browser sends it. */
export function handshakeOf(url = "http://localhost/", headers: Readonly<Record<string, string>> = {}): Request {
  const request = new Request(url);
  const all = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
    ...headers,
  };
  // A `Request` may drop some of these headers.
  return Object.defineProperty(request, "headers", { value: new Headers(all) });
}
