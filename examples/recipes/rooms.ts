// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/rooms.ts
//
// Rooms over sockets: who is in a room gets what is said there, and a client that connects again gets what it has missed.
// All messages are in one event log, which each socket reads. With the log of @fw/core/redis or @fw/core/postgres in
// place of the one in memory, all instances have the same rooms. `../websocket.ts` bounds how many sockets may be open.
//
// Open http://localhost:8000 in two browsers, then type in their consoles:
// const room = new WebSocket("/rooms/1?name=Ada"); room.onmessage = ({ data }) => console.log(data);
// room.send('{"name":"say","data":"Hello"}');

import { denyInvalid, endpoint, reply, route, setup } from "@fw/core";
import { eventLog } from "@fw/core/memory";
import { accept, denoSockets, handshake, socket, type Sockets } from "@fw/core/sockets";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

/** What happens in a room. */
type Happening =
  & { readonly room: string; readonly by: string }
  & (
    | { readonly name: "joined" | "left" }
    | { readonly name: "said"; readonly text: string }
  );

/** A socket reads the messages of all rooms. If that is too much for it, let each room have a log of its own. */
const log = eventLog<Happening>({ keep: 10_000 });

const person = z.object({ by: z.string() });

export const api = {
  start: endpoint.on(["GET", "HEAD"], "/", { responses: { 200: { contentType: "text/plain" } } }),
  room: endpoint.get("/rooms/:id", {
    request: {
      // In your app, the name is that of the signed-in user: a guard adds it.
      query: z.object({ name: z.string().min(1).max(40), after: z.string().optional() }),
    },
    responses: {
      101: socket({
        client: { say: z.string().min(1).max(1000) },
        server: { said: person.extend({ text: z.string() }), joined: person, left: person, missed: z.null() },
      }),
      400: {},
      403: {},
      426: {},
    },
  }),
};

export const app = setup({
  validator: standardSchema,
  endpoints: api,
  handlers: [
    route.on(api.start, { resolve: () => reply(200, new Response("There are WebSockets at /rooms/1?name=Ada")) }),

    route.on(api.room, {
      // A client asks without a handshake what its handshake was denied with. So `handshake` is last.
      guards: [denyInvalid(() => reply(400)), handshake({ origins: [] })],
      resolve: (c, sockets: Sockets) => {
        const { name: by, after } = c.input.query;
        const room = c.raw.params.id;
        let isIn = false;
        return accept(c, api.room, sockets, {
          async *send(signal, message) {
            isIn = true;
            const joined = await log.append({ room, by, name: "joined" });
            if (after === undefined) yield message("joined", { by }, { id: joined });
            for await (const [id, happening] of log.read(after ?? joined, signal)) {
              if (happening === undefined) yield message("missed", null, { id });
              else if (happening.room !== room) continue;
              else if (happening.name === "said") {
                yield message("said", { by: happening.by, text: happening.text }, { id });
              } else yield message(happening.name, { by: happening.by }, { id });
            }
          },
          receive: {
            say: async (text) => {
              await log.append({ room, by, name: "said", text });
            },
          },
          invalid: (_invalid, peer) => peer.close(4000, "Not understood"),
          // An instance that is killed tells nobody that its clients have left.
          closed: async () => {
            if (isIn) await log.append({ room, by, name: "left" });
          },
        });
      },
    }),
  ],
});

const sockets = denoSockets({ validator: standardSchema, onError: (error) => console.error("Socket:", error) });

export default {
  fetch: (request) => app.fetch(request, sockets),
} satisfies Deno.ServeDefaultExport;
