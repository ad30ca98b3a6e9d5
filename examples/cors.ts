// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/cors.ts
//
// CORS: lets scripts of two other origins use this API, with the cookies of their users. Responds with 405 to the wrong method.
//
// A browser sends a cookie from a page of another site only if the cookie has `SameSite=None; Secure`. `Lax` and `Strict`
// are for pages of the same site, such as another host of example.com. With `None`, check `Origin` before each write.
//
// curl -i -H 'origin: https://app.example.com' http://localhost:8000/books
// curl -i -X OPTIONS -H 'origin: https://app.example.com' -H 'access-control-request-method: DELETE' http://localhost:8000/books

import { reply, route, setup } from "@fw/core";
import { compose, cors, unmatched } from "@fw/core/hooks";
import { z } from "zod";

const policy = cors({
  origins: ["https://app.example.com", "http://localhost:5173"], // compared as a whole
  credentials: true,
  allowHeaders: ["content-type", "authorization"],
  exposeHeaders: ["x-total-count"],
  maxAge: 600, // seconds
});

const app = setup({
  // Responds to the preflights of browsers: OPTIONS, before each request that a form could not send.
  handlers: policy.preflights([
    route.get("/books", {
      responses: { 200: { schema: z.object({ data: z.array(z.string()) }) } },
      resolve: () => reply(200, { data: ["Emma", "Ulysses"] }, { headers: { "x-total-count": "2" } }),
    }),
    route.delete("/books", { responses: { 204: {} }, resolve: () => reply(204) }),

    route.get("/catalogue", {
      responses: { 302: {} },
      resolve: () => reply(302, Response.redirect("https://example.com/catalogue")),
    }),

    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ]),

  // The headers of the policy are on every response: scripts cannot read an error that lacks them.
  ...compose(
    policy,
    unmatched({
      notFound: () => new Response(null, { status: 404 }),
      methodNotAllowed: () => new Response(null, { status: 405 }),
    }),
  ),

  onError: ({ error }) => {
    console.error(error);
    return reply(500, { error: "Internal server error" });
  },
});

export default app satisfies Deno.ServeDefaultExport;
