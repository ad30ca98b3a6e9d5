import { type App, reply, route, setup } from "@fw/core";

const responses = { 200: { contentType: "text/plain" } } as const;

/** A finished app. It knows nothing of a prefix. */
export const shop: App = setup({
  handlers: [
    route.get("/", { responses, resolve: () => reply(200, new Response("The shop")) }),
    route.all("/orders/:id", {
      responses,
      resolve: async ({ raw, request }) => reply(200, new Response(`Order ${raw.params.id}: ${await request.text()}`)),
    }),
    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ],
});
