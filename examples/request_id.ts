// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/request_id.ts
//
// Adds a request id and the version of the API to every response, including 404s, denials and errors.
//
// curl -i http://localhost:8000/hello
// curl -i http://localhost:8000/broken

import { deny, reply, route, setup } from "@fw/core";
import { compose, requestId } from "@fw/core/hooks";
import { z } from "zod";

/** A string, as `reply` sends it, and as `responses` declares it. */
const text = { contentType: "text/plain;charset=UTF-8" } as const;
const textBody = { ...text, schema: z.string() } as const;

// Routes whose handlers read the id from the locals. The app compiles only with hooks that add one.
const identified = route.with<{ requestId: string }>();

const app = setup({
  handlers: [
    identified.get("/hello", {
      responses: { 200: textBody },
      resolve: ({ locals }) => reply(200, `Hello, request ${locals.requestId}`, text),
    }),

    route.get("/closed", {
      responses: { 200: textBody, 403: textBody },
      guards: [() => deny(reply(403, "Closed", text))],
      resolve: () => reply(200, "Never sent", text),
    }),

    route.get("/broken", {
      resolve: () => {
        throw new Error("The disk is full");
      },
    }),
  ],

  // Always a new id: a client can send any text as `x-request-id`. The second concern is one of this app.
  ...compose(requestId(), { headers: { "x-api-version": "v1" } }),

  // Logs the error with the id. The client receives only the id, in the header, and can report it.
  onError: ({ error, context }) => {
    console.error(`Request ${context.locals.requestId} failed:`, error);
    return reply(500, "Internal server error", text);
  },
});

export default app satisfies Deno.ServeDefaultExport;
