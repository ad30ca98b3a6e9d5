// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/websocket.ts
//
// A WebSocket that echoes each message, on Deno. Its messages are declared, and guards run before the upgrade.
//
// Open http://localhost:8000 in a browser, then type in its console:
// const socket = new WebSocket("/echo"); socket.onmessage = console.log;
// socket.onopen = () => socket.send('{"name":"say","data":"Hello"}');

import { allow, type Context, deny, endpoint, reply, route, setup } from "@fw/core";
import { accept, denoSockets, handshake, socket, type Sockets } from "@fw/core/sockets";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { createBudget } from "./recipes/forms/budget.ts";
import { clientOf } from "./recipes/forms/client_of.ts";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";

/** How many sockets may be open. Behind a proxy, all clients have its address: see recipes/forms/client_of.ts. */
const places = createBudget({ total: 256, perAddress: 64, perConnection: 1 });

const sockets = denoSockets({
  validator: standardSchema,
  onError: (error) => console.error("Socket:", error),
  // Deno buffers each message, up to 64 MiB, before this limit applies. If that is too much memory for the number of open
  // sockets, set a lower limit in your proxy.
  maxMessageBytes: 64 * 1024,
  // Closes with 1001, "going away". Clients then connect to another instance.
  signal: stopOnSigterm(),
});

const tooMany = { headers: { "retry-after": { required: true } } } as const;

export const api = {
  start: endpoint.on(["GET", "HEAD"], "/", { responses: { 200: { contentType: "text/plain" } } }),
  echo: endpoint.get("/echo", {
    responses: {
      101: socket({ client: { say: z.string() }, server: { said: z.string(), refused: z.array(z.string()) } }),
      400: {},
      403: {},
      426: {},
      503: tooMany,
    },
  }),
};

/** Takes a place, which is free again when the socket has ended. */
function takePlace({ request }: Context, _sockets: Sockets, info: Deno.ServeHandlerInfo) {
  const place = places(1, clientOf(request, info));
  return place === undefined
    ? deny(reply(503, undefined, { headers: { "retry-after": 5 } }))
    : allow({ leave: () => place[Symbol.dispose]() });
}

export const app = setup({
  endpoints: api,
  handlers: [
    route.on(api.start, { resolve: () => reply(200, new Response("There is a WebSocket at /echo")) }),

    route.on(api.echo, {
      guards: [handshake({ origins: [] }), takePlace],
      resolve: (c, sockets: Sockets) =>
        accept(c, api.echo, sockets, {
          receive: {
            say: (text, peer) => peer.send("said", text),
          },
          invalid: ({ issues }, peer) => peer.send("refused", issues.map(({ message }) => message)),
          closed: () => c.locals.leave(),
        }),
    }),
  ],
});

export default {
  fetch: (request, info) => app.fetch(request, sockets, info),
} satisfies Deno.ServeDefaultExport;
