// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/cors.ts
//
// CORS: lets scripts of two other origins use this API, with the cookies of their users.
//
// curl -i -H 'origin: https://app.example.com' http://localhost:8000/books
// curl -i -X OPTIONS -H 'origin: https://app.example.com' http://localhost:8000/books

import { type Context, route, setup } from "@fw/core";

/**
 * Compare the whole origin: a pattern or `endsWith` can also match `https://evil-example.com`. Never allow `null`,
 * which is the origin of every sandboxed frame.
 */
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

  // Adds the headers to every response. Scripts cannot read an error that lacks them.
  onResponse: ({ context: { request }, response }) => {
    // Copy the response: the headers of some responses are immutable, such as those of Response.redirect and fetch.
    // The 101 response of a WebSocket cannot be copied. An app with WebSockets must return that response itself.
    const sent = new Response(response.body, response);
    // Needed for every origin: otherwise a cache could send the response for one origin to another.
    sent.headers.append("vary", "Origin");
    const origin = allowedOrigin(request);
    if (origin !== undefined) {
      // Browsers reject `*` together with credentials.
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

/** Creates a handler for preflight requests: browsers send one before each request that a form could not send. */
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
