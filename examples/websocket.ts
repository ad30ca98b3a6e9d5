// npx -y deno@2.9.6 serve examples/websocket.ts
//
// A WebSocket that echoes, on Deno. Guards run before the upgrade, as before any handler.
//
// In a browser at http://localhost:8000, in its console:
// const socket = new WebSocket("/echo"); socket.onmessage = console.log; socket.onopen = () => socket.send("Hello");

import { allow, type Context, deny, route, setup } from "@fw/core";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

const MAX_SOCKETS = 256;
const MAX_UNSENT_BYTES = 1024 * 1024;

/**
 * In characters of text or bytes. Deno has no such limit: it passes on messages of up to 64 MiB, once it has all of one. Set a
 * lower limit in a proxy, too, where that is too much for the sockets that are open at once.
 */
const MAX_MESSAGE_LENGTH = 64 * 1024;

const sockets = new Set<WebSocket>();

// Clients connect again, to another instance. 1001: going away.
stopOnSigterm().addEventListener("abort", () => {
  for (const socket of sockets) socket.close(1001);
});

const app = setup({
  handlers: [
    route.get("/", { resolve: () => new Response("There is a WebSocket at /echo") }),
    route.get("/echo", { guards: [handshake, sameOrigin], resolve: ({ request }) => echo(request) }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;

/** Denies what is no WebSocket handshake (RFC 6455, 4.2.1): left to it, `Deno.upgradeWebSocket` would throw, or let it pass. */
function handshake({ request: { headers } }: Context) {
  if (!lists(headers.get("upgrade"), "websocket") || headers.get("sec-websocket-version") !== "13") {
    const wanted = { connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" };
    return deny(new Response("Only WebSockets here", { status: 426, headers: wanted }));
  }
  if (!lists(headers.get("connection"), "upgrade") || !KEY.test(headers.get("sec-websocket-key") ?? "")) {
    return deny(new Response("No WebSocket handshake", { status: 400 }));
  }
  return allow();
}

/** Whether a header that is a list, case-insensitive, has this item. */
function lists(header: string | null, item: string): boolean {
  return header?.toLowerCase().split(",").some((each) => each.trim() === item) ?? false;
}

/** 16 bytes in Base64. */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/**
 * Denies pages of other sites: a browser lets any page open a WebSocket anywhere, and sends the cookies along. Clients that
 * are no browsers send no `Origin`. The schemes are not compared, as behind a proxy that ends TLS they differ.
 */
function sameOrigin({ request }: Context) {
  const origin = request.headers.get("origin");
  return origin === null || URL.parse(origin)?.host === new URL(request.url).host
    ? allow()
    : deny(new Response("Not from this site", { status: 403 }));
}

/** Nothing in a listener may throw: there is no onError behind it, and the process would end. */
function echo(request: Request): Response {
  if (sockets.size === MAX_SOCKETS) {
    return new Response("Too many WebSockets", { status: 503, headers: { "retry-after": "5" } });
  }
  const { socket, response } = Deno.upgradeWebSocket(request);
  sockets.add(socket);
  socket.addEventListener("close", () => sockets.delete(socket));
  socket.addEventListener("error", () => sockets.delete(socket)); // an upgrade that fails is no close
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const length = typeof data === "string" ? data.length : data.byteLength;
    if (length > MAX_MESSAGE_LENGTH) socket.close(1009, "Message too long");
    // A client that sends and never reads would fill the memory with what it has not taken yet.
    else if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.close();
    else socket.send(data);
  });
  return response;
}
