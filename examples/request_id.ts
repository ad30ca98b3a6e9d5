// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/request_id.ts
//
// Adds a request id and the version of the API to every response, including 404s, denials and errors.
//
// curl -i http://localhost:8000/hello
// curl -i http://localhost:8000/broken

import { deny, reply, route, setup } from "@fw/core";

const API_VERSION = "v1";

/** Without a schema, `reply` takes a ready `Response`. */
const text = { contentType: "text/plain" };

// Routes whose handlers read the id from the locals. The app compiles only with an `onRequest` that returns one.
const identified = route.with<{ requestId: string }>();

const app = setup({
  handlers: [
    identified.get("/hello", {
      responses: { 200: text },
      resolve: ({ locals }) => reply(200, new Response(`Hello, request ${locals.requestId}`)),
    }),

    route.get("/closed", {
      responses: { 200: text, 403: text },
      guards: [() => deny(reply(403, new Response("Closed", { status: 403 })))],
      resolve: () => reply(200, new Response("Never sent")),
    }),

    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ],

  // Always a new id. A client can send any text as `x-request-id`, including the id of another request.
  onRequest: () => ({ requestId: crypto.randomUUID() }),

  onResponse: ({ response, locals }) => {
    // Copy the response: the headers of some responses are immutable, such as those of Response.redirect and fetch.
    // The 101 response of a WebSocket cannot be copied. An app with WebSockets must return that response itself.
    const sent = new Response(response.body, response);
    if (locals.requestId !== undefined) sent.headers.set("x-request-id", locals.requestId);
    sent.headers.set("x-api-version", API_VERSION);
    return sent;
  },

  // Logs the error with the id. The client receives only the id, in the header, and can report it.
  onError: ({ error, context }) => {
    console.error(`Request ${context.locals.requestId} failed:`, error);
    return new Response("Internal server error", { status: 500 });
  },
});

export default app satisfies Deno.ServeDefaultExport;
