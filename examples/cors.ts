// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/cors.ts
//
// CORS: lets scripts of two other origins use this API, with the cookies of their users. Answers the wrong method with 405.
//
// A browser sends a cookie from a page of another site only if the cookie has `SameSite=None; Secure`. `Lax` and `Strict`
// are for pages of the same site, such as another host of example.com. With `None`, check `Origin` before each write.
//
// curl -i -H 'origin: https://app.example.com' http://localhost:8000/books
// curl -i -X OPTIONS -H 'origin: https://app.example.com' http://localhost:8000/books

import { reply, route, setup } from "@fw/core";
import { z } from "zod";

/**
 * Compare the whole origin: a pattern or `endsWith` can also match `https://evil-example.com`. Never allow `null`,
 * which is the origin of every sandboxed frame.
 */
const ALLOWED_ORIGINS = new Set(["https://app.example.com", "http://localhost:5173"]);

const app = setup({
  handlers: [
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
  ],

  // Adds the headers to every response. Scripts cannot read an error that lacks them.
  onResponse: ({ context: { request, allowedMethods = [] }, response }) => {
    const origin = allowedOrigin(request);
    // No route matches, but the path has routes for these methods.
    const isWrongMethod = allowedMethods.length > 0;
    // Browsers send a preflight, OPTIONS, before each request that a form could not send. Declare no route for it, such as
    // `options("/*")`: with that, all paths would have a method, and get 405 instead of 404.
    const isPreflight = isWrongMethod && request.method === "OPTIONS";
    const sent = isPreflight
      ? new Response(null, { status: 204 })
      : isWrongMethod
      ? new Response(null, { status: 405, headers: { allow: [...allowedMethods, "OPTIONS"].join(", ") } })
      // Copy the response: the headers of some responses are immutable, such as those of Response.redirect and fetch.
      // The 101 response of a WebSocket cannot be copied. An app with WebSockets must return that response itself.
      : new Response(response.body, response);
    // Needed for every origin: otherwise a cache could send the response for one origin to another.
    sent.headers.append("vary", "Origin");
    if (origin === undefined) return sent;

    // Browsers reject `*` together with credentials.
    sent.headers.set("access-control-allow-origin", origin);
    sent.headers.set("access-control-allow-credentials", "true");
    if (isPreflight) {
      sent.headers.set("access-control-allow-methods", allowedMethods.join(", "));
      sent.headers.set("access-control-allow-headers", "content-type, authorization");
      sent.headers.set("access-control-max-age", "600"); // seconds
    } else {
      // Scripts can read these headers besides `content-type`, `cache-control` and a few more.
      sent.headers.set("access-control-expose-headers", "x-total-count");
    }
    return sent;
  },

  onError: ({ error }) => {
    console.error(error);
    return new Response("Internal server error", { status: 500 });
  },
});

export default app satisfies Deno.ServeDefaultExport;

function allowedOrigin({ headers }: Request): string | undefined {
  const origin = headers.get("origin");
  return origin !== null && ALLOWED_ORIGINS.has(origin) ? origin : undefined;
}
