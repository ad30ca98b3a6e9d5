/** One of several instances of a chat. `PORT` is its port, `ENGINE` the url of the event log, `KEEP` how much that keeps. */
import { denyInvalid, reply, route, setup } from "../../../../mod.ts";
import { accept, denoSockets, handshake, type Sockets } from "../../../../src/sockets/mod.ts";
import { standardSchema } from "../../../../src/standard_schema/mod.ts";
import { api } from "./api.ts";
import { openLog } from "./open_log.ts";

const { log } = await openLog(Deno.env.get("ENGINE") ?? "", Number(Deno.env.get("KEEP")));

const app = setup({
  validator: standardSchema,
  endpoints: api,
  handlers: [
    route.on(api.ready, { resolve: () => reply(200, new Response("Ready")) }),
    route.on(api.chat, {
      guards: [denyInvalid(() => reply(400)), handshake({ origins: [] })],
      resolve: (c, sockets: Sockets) =>
        accept(c, api.chat, sockets, {
          async *send(signal, message) {
            for await (const [id, text] of log.read(c.input.query.after, signal)) {
              yield text === undefined ? message("missed", null, { id }) : message("said", text, { id });
            }
          },
          receive: {
            say: async (text) => void await log.append(text),
          },
          invalid: (_invalid, peer) => peer.close(4000, "Not understood"),
        }),
    }),
  ],
});

const sockets = denoSockets({ validator: standardSchema, onError: console.error, heartbeat: 5 });
Deno.serve({
  hostname: "127.0.0.1",
  port: Number(Deno.env.get("PORT")),
  onListen: ({ port }) => console.log(`Listening on http://127.0.0.1:${port}`),
}, (request) => app.fetch(request, sockets));
