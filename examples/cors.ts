// npx -y deno@2.9.6 serve examples/cors.ts
//
// CORS: scripts of some other origins, and of no others, may use this API with their users' cookies.
//
// curl -i -H 'origin: https://app.example.com' http://localhost:8000/books
// curl -i -X OPTIONS -H 'origin: https://app.example.com' http://localhost:8000/books

import { type Context, route, setup } from "@fw/core";

/** Compared whole. Patterns and `endsWith` let `https://evil-example.com` in; `null` is the origin of any sandboxed frame. */
const ALLOWED_ORIGINS = new Set(["https://app.example.com", "http://localhost:5173"]);

const app = setup({
  handlers: [
    route.get("/books", { resolve: () => Response.json({ data: ["Emma", "Ulysses"] }) }),
    route.delete("/books", { resolve: () => new Response(null, { status: 204 }) }),
    route.options("/books", { resolve: preflight("GET, DELETE") }),

    route.get("/catalogue", { resolve: () => Response.redirect("https://example.com/catalogue") }),

    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ],

  // For every response, errors too, or scripts could not read them.
  onResponse: ({ context: { request }, response }) => {
    // A copy: the headers of some responses, those of Response.redirect and fetch among them, cannot be changed. Only the
    // 101 of a WebSocket cannot be copied: an app that has one returns it as it is.
    const sent = new Response(response.body, response);
    // Also for origins that are not allowed: no cache may give their answer to one that is.
    sent.headers.append("vary", "Origin");
    const origin = allowedOrigin(request);
    if (origin !== undefined) {
      // The origin itself: browsers refuse `*` together with credentials.
      sent.headers.set("access-control-allow-origin", origin);
      sent.headers.set("access-control-allow-credentials", "true");
    }
    return sent;
  },

  onError: ({ error }) => {
    console.error(error);
    return new Response("Internal server error", { status: 500 });
  },
});

export default app satisfies Deno.ServeDefaultExport;

/** Answers what a browser asks before it sends a request that a form could not send. */
function preflight(methods: string): (c: Context) => Response {
  const headers = {
    "access-control-allow-methods": methods,
    "access-control-allow-headers": "content-type, authorization",
    "access-control-max-age": "600", // seconds
  };
  return ({ request }) => new Response(null, { status: 204, headers: allowedOrigin(request) ? headers : {} });
}

function allowedOrigin({ headers }: Request): string | undefined {
  const origin = headers.get("origin");
  return origin !== null && ALLOWED_ORIGINS.has(origin) ? origin : undefined;
}
