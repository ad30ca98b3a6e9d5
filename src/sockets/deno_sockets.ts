import { policyOf, type Sockets, type SocketsOptions } from "./runtime.ts";

/**
 * Creates the sockets of Deno.
 *
 * Deno itself has no option for the size of a message. It buffers up to 64 MiB of each before `maxMessageBytes`
 * applies. It pings a client that is silent for half of `patience`.
 *
 * @param options What checks messages, and the bounds.
 * @returns The sockets: `Deno.serve((request) => app.fetch(request, sockets))`.
 * @throws A `TypeError` if an option is wrong.
 *
 * @example A server
 * ```ts
 * import { type App } from "@fw/core";
 * import { denoSockets, type Sockets } from "@fw/core/sockets";
 * import { standardSchema } from "@fw/core/standard-schema";
 *
 * export function serve(app: App<[Sockets]>, stopping: AbortSignal): Deno.HttpServer {
 *   const sockets = denoSockets({ validator: standardSchema, onError: console.error, signal: stopping });
 *   return Deno.serve({ port: 8000 }, (request) => app.fetch(request, sockets));
 * }
 * ```
 */
export function denoSockets(options: SocketsOptions): Sockets {
  const policy = policyOf(options, "denoSockets");
  return {
    policy,
    tellsUnsent: true,
    upgrade(request, events) {
      const { socket, response } = Deno.upgradeWebSocket(request, { idleTimeout: policy.patience });
      socket.binaryType = "arraybuffer";
      // Deno emits nothing if the client resets its connection before the socket opens, or if another response is sent.
      const opening = setTimeout(() => events.close(1006, ""), MAX_OPENING);
      let ending: ReturnType<typeof setTimeout> | undefined;
      let received = 0;
      socket.onopen = () => {
        clearTimeout(opening);
        events.open({
          send(text) {
            if (socket.readyState === WebSocket.OPEN) socket.send(text);
          },
          close: (code, reason) => closeWhenQuiet(socket, () => received, code, reason),
          // Deno cannot end a connection without the client.
          terminate: () => socket.close(1008),
          unsent() {
            if (socket.readyState === WebSocket.OPEN) return socket.bufferedAmount;
            // "close" follows, with the code of the client. But if Deno has given the client up, it is emitted once a last
            // frame is written: never, if nobody reads.
            ending ??= setTimeout(() => end(1006, ""), MAX_ENDING);
            return Infinity;
          },
        });
      };
      socket.onmessage = ({ data }) => {
        received++;
        events.message(data);
      };
      const end = (code: number, reason: string) => {
        clearTimeout(opening);
        clearTimeout(ending);
        // Deno keeps a socket whose client has vanished for half of `patience`. What is called would stay with it.
        Object.assign(socket, { onopen: null, onmessage: null, onclose: null, onerror: null });
        events.close(code, reason);
      };
      socket.onclose = ({ code, reason }) => end(code, reason);
      // "close" follows, but not if the upgrade has failed.
      socket.onerror = () => end(1006, "");
      return response;
    },
  };
}

/**
 * Closes a socket when no further message arrives, at the latest after a fifth of a second. Deno drops the connection
 * if a message arrives before it has written the code, and the client would not learn why.
 */
function closeWhenQuiet(socket: WebSocket, received: () => number, code: number, reason: string, turns = 20): void {
  const before = received();
  setTimeout(() => {
    if (turns > 0 && received() !== before) return closeWhenQuiet(socket, received, code, reason, turns - 1);
    socket.close(code, reason);
  }, QUIET);
}

/** In milliseconds. */
const QUIET = 10;

/** In milliseconds. */
const MAX_OPENING = 5000;

/** In milliseconds. */
const MAX_ENDING = 1000;
