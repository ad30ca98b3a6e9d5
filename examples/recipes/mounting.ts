// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/mounting.ts
//
// Apps in apps: a finished app under a prefix, an app of another framework beside ours, and ours inside Hono.
// mounting_express.ts shows ours inside Express.
//
// curl http://localhost:8000/shop/orders/7
// curl http://localhost:8000/legacy/orders/7

import { type App, reply, route, setup } from "@fw/core";
import { Hono } from "hono";
import { mount } from "hono/mount";
import { under } from "./mounting/mounting.ts";
import { shop } from "./mounting/shop.ts";

/** An app of another framework, here Hono, with the paths that its clients know. */
const legacy = new Hono().get("/legacy/orders/:id", (c) => c.text(`Old order ${c.req.param("id")}`));

const app: App = setup({
  handlers: [
    ...under("/shop", shop.fetch),

    // It keeps its paths, so it gets the request as it is. Paths move over one by one: the most specific route wins.
    route.all("/legacy/*", { resolve: ({ request }) => legacy.fetch(request) }),
    route.get("/legacy/orders/latest", {
      responses: { 200: { contentType: "text/plain" } },
      resolve: () => reply(200, new Response("New order 7")),
    }),
  ],
});

export default app;

/** Ours inside Hono: `mount` takes the prefix off the path. */
export const outer: Hono = new Hono()
  .get("/", (c) => c.text("Hono"))
  .all("/shop/*", mount(shop.fetch));
