// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/websocket.ts
//
// A WebSocket that echoes each message, on Deno. Guards run before the upgrade and can deny it.
//
// Open http://localhost:8000 in a browser, then type in its console:
// const socket = new WebSocket("/echo"); socket.onmessage = console.log; socket.onopen = () => socket.send("Hello");

import { allow, type Context, deny, reply, route, setup } from "@fw/core";
import { createBudget } from "./recipes/forms/budget.ts";
import { clientOf } from "./recipes/forms/client_of.ts";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

/** How many sockets may be open. Behind a proxy, all clients have its address: see recipes/forms/client_of.ts. */
const places = createBudget({ total: 256, perAddress: 64, perConnection: 1 });

const MAX_UNSENT_BYTES = 1024 * 1024;

/**
 * In characters for text, in bytes for binary messages. Deno has no setting for this: it buffers each message, up to 64
 * MiB, before this limit applies. If that is too much memory for the number of open sockets, set a lower limit in your
 * proxy.
 */
const MAX_MESSAGE_LENGTH = 64 * 1024;

/**
 * How long a socket may take to open, in milliseconds. Deno emits no event if the client resets its connection first.
 */
const MAX_OPENING = 5_000;

const sockets = new Set<WebSocket>();

// 1001 means "going away". Clients then reconnect to another instance.
stopOnSigterm().addEventListener("abort", () => {
  for (const socket of sockets) socket.close(1001);
});

const app = setup({
  handlers: [
    route.on(["GET", "HEAD"], "/", {
      responses: { 200: { contentType: "text/plain" } },
      resolve: () => reply(200, new Response("There is a WebSocket at /echo")),
    }),

    // Without `responses`: the 101 that opens a WebSocket is no `reply`.
    route.get("/echo", {
      guards: [handshake, sameOrigin],
      resolve: ({ request }, info: Deno.ServeHandlerInfo) => echo(request, info),
    }),
  ],
});

export default app satisfies Deno.ServeDefaultExport;

/**
 * Denies requests that are not a WebSocket handshake (RFC 6455, 4.2.1). `Deno.upgradeWebSocket` throws for some of them
 * and accepts others.
 */
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

/** Whether a comma-separated header contains an item. Case is ignored. */
function lists(header: string | null, item: string): boolean {
  return header?.toLowerCase().split(",").some((each) => each.trim() === item) ?? false;
}

/** 16 bytes in Base64. */
const KEY = /^[A-Za-z0-9+/]{22}==$/;

/**
 * Denies pages of other sites. Browsers let any page open a WebSocket to any site, and send the cookies of that site.
 * Clients other than browsers send no `Origin`. The schemes are not compared: they differ behind a proxy that
 * terminates TLS.
 */
function sameOrigin({ request }: Context) {
  const origin = request.headers.get("origin");
  return origin === null || URL.parse(origin)?.host === new URL(request.url).host
    ? allow()
    : deny(new Response("Not from this site", { status: 403 }));
}

/** Listeners must not throw: `onError` does not cover them, and an uncaught error ends the process. */
function echo(request: Request, info: Deno.ServeHandlerInfo): Response {
  const place = places(1, clientOf(request, info));
  if (place === undefined) {
    return new Response("Too many WebSockets", { status: 503, headers: { "retry-after": "5" } });
  }
  const { socket, response } = Deno.upgradeWebSocket(request);
  sockets.add(socket);
  const leave = () => {
    clearTimeout(opening);
    if (sockets.delete(socket)) place[Symbol.dispose]();
  };
  const opening = setTimeout(leave, MAX_OPENING);
  socket.addEventListener("open", () => sockets.has(socket) ? clearTimeout(opening) : socket.close());
  socket.addEventListener("close", leave);
  socket.addEventListener("error", leave); // a failed upgrade emits no "close"
  socket.binaryType = "arraybuffer";
  socket.addEventListener("message", ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    const length = typeof data === "string" ? data.length : data.byteLength;
    if (length > MAX_MESSAGE_LENGTH) socket.close(1009, "Message too long");
    // Without this limit, the replies to a client that sends but never reads would fill the memory.
    else if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.close();
    else socket.send(data);
  });
  return response;
}
