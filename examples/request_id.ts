// npx -y deno@2.9.6 serve examples/request_id.ts
//
// An id for every request and the version of the API, on every response: 404s, denials and failures included.
//
// curl -i http://localhost:8000/hello
// curl -i http://localhost:8000/broken

import { deny, route, setup } from "@fw/core";

const API_VERSION = "v1";

// Its handlers read the id from the locals: without an `onRequest` that returns one, the app does not compile.
const identified = route.with<{ requestId: string }>();

const app = setup({
  handlers: [
    identified.get("/hello", { resolve: ({ locals }) => new Response(`Hello, request ${locals.requestId}`) }),

    route.get("/closed", {
      guards: [() => deny(new Response("Closed", { status: 403 }))],
      resolve: () => new Response("Never sent"),
    }),

    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ],

  // Always a new id. What a client sends as `x-request-id` could be anybody else's id, or anything at all.
  onRequest: () => ({ requestId: crypto.randomUUID() }),

  onResponse: ({ response, locals }) => {
    // A copy: the headers of some responses, those of Response.redirect and fetch among them, cannot be changed. Only the
    // 101 of a WebSocket cannot be copied: an app that has one returns it as it is.
    const sent = new Response(response.body, response);
    if (locals.requestId !== undefined) sent.headers.set("x-request-id", locals.requestId);
    sent.headers.set("x-api-version", API_VERSION);
    return sent;
  },

  // The log has the error, the client the id to ask with.
  onError: ({ error, context }) => {
    console.error(`Request ${context.locals.requestId} failed:`, error);
    return new Response("Internal server error", { status: 500 });
  },
});

export default app satisfies Deno.ServeDefaultExport;
