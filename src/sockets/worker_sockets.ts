import { policyOf, type Sockets, type SocketsOptions } from "./runtime.ts";

/**
 * Creates the sockets of Cloudflare Workers.
 *
 * Workers cannot tell how much a client has read, so `socket()` needs a `window`. They send no pings: a client that
 * vanishes is noticed when the connection breaks. Each socket lives in the isolate that accepted it: clients meet
 * through an event log, or in a Durable Object.
 *
 * @param options What checks messages, and the bounds.
 * @returns The sockets: `fetch: (request) => app.fetch(request, sockets)`.
 * @throws A `TypeError` if an option is wrong.
 *
 * @example A Worker
 * ```ts
 * import { type App } from "@fw/core";
 * import { type Sockets, workerSockets } from "@fw/core/sockets";
 * import { standardSchema } from "@fw/core/standard-schema";
 *
 * export function createWorker(app: App<[Sockets]>): { fetch(request: Request): Response | Promise<Response> } {
 *   const sockets = workerSockets({ validator: standardSchema, onError: console.error });
 *   return { fetch: (request) => app.fetch(request, sockets) };
 * }
 * ```
 */
export function workerSockets(options: SocketsOptions): Sockets {
  return {
    policy: policyOf(options, "workerSockets"),
    tellsUnsent: false,
    upgrade(_request, events) {
      const { WebSocketPair }: WorkerGlobals = globalThis;
      if (WebSocketPair === undefined) throw new TypeError("workerSockets runs on Cloudflare Workers");
      const { 0: client, 1: socket } = new WebSocketPair();
      let isOpen = true;
      const end = (code: number, reason: string) => {
        isOpen = false;
        events.close(code, reason);
      };
      socket.accept();
      socket.addEventListener("message", ({ data }) => events.message(data));
      socket.addEventListener("close", ({ code, reason }) => {
        if (isOpen) socket.close(); // agrees
        end(code ?? 1005, reason ?? "");
      });
      socket.addEventListener("error", () => end(1006, ""));
      // After the handler has returned, as on other runtimes.
      queueMicrotask(() =>
        events.open({
          send(text) {
            if (isOpen) socket.send(text);
          },
          close(code, reason) {
            if (isOpen) socket.close(code, reason);
            isOpen = false;
          },
          terminate() {
            if (isOpen) socket.close(1008);
            isOpen = false;
          },
          unsent: () => undefined,
        })
      );
      const init: WorkerResponseInit = { status: 101, webSocket: client };
      return new Response(null, init);
    },
  };
}

/** What Workers have beside the Fetch standard. */
interface WorkerGlobals {
  readonly Response: unknown;
  readonly WebSocketPair?: new () => WorkerSocketPair;
}

/** Both ends of a socket. */
interface WorkerSocketPair {
  /** The end of the client, which the response takes. */
  readonly 0: unknown;
  /** The end of the server. */
  readonly 1: WorkerSocket;
}

/** A socket of a Worker. */
interface WorkerSocket {
  accept(): void;
  send(text: string): void;
  close(code?: number, reason?: string): void;
  addEventListener(type: string, listener: (event: WorkerSocketEvent) => void): void;
}

/** What is read of an event. */
interface WorkerSocketEvent {
  readonly data?: unknown;
  readonly code?: number;
  readonly reason?: string;
}

interface WorkerResponseInit extends ResponseInit {
  readonly webSocket: unknown;
}
