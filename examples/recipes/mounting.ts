// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/mounting.ts
//
// Apps in apps: a finished app under a prefix, an app of another framework beside ours, and ours inside Hono.
// mounting_express.ts shows ours inside Express.
//
// curl http://localhost:8000/shop/orders/7
// curl http://localhost:8000/legacy/orders/7

import { type AnyRoute, type App, type Context, reply, route, setup } from "@fw/core";
import { Hono } from "hono";
import { mount } from "hono/mount";
import { shop } from "./mounting/shop.ts";

/**
 * Mounts an app under a prefix: gives routes for `handlers`. Its hooks run inside those of the outer app, and its 404 is final.
 *
 * The app does not know the prefix: links, redirects and the paths of cookies that it writes lack it. If the routes are yours,
 * declare them with `route.with({ prefix })` instead, and list `...inner.routes` in the outer app.
 *
 * @param prefix The prefix: literal segments, without a slash at the end.
 * @throws If the prefix has a parameter or a wildcard: paths would be cut at a wrong place.
 */
export function under(
  prefix: `/${string}`,
  fetch: (request: Request) => Response | Promise<Response>,
): readonly AnyRoute[] {
  if (/[:*]/.test(prefix)) throw new TypeError(`Prefix must have literal segments: received ${JSON.stringify(prefix)}`);
  const { length } = new URL(prefix, "http://localhost").pathname; // as it arrives: percent-encoded
  const resolve = ({ request }: Context) => {
    const url = new URL(request.url);
    // The raw path, not the decoded parameter `*`. The setter keeps a path that begins with `//` a path.
    url.pathname = url.pathname.slice(length) || "/";
    return fetch(new Request(url, request));
  };
  return [route.all(prefix, { resolve }), route.all(`${prefix}/*`, { resolve })];
}

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
