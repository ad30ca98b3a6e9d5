import { type App, route, setup } from "@fw/core";

/** A finished app. It knows nothing of a prefix. */
export const shop: App = setup({
  handlers: [
    route.get("/", { resolve: () => new Response("The shop") }),
    route.all("/orders/:id", {
      resolve: async ({ raw, request }) => new Response(`Order ${raw.params.id}: ${await request.text()}`),
    }),
    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ],
});
