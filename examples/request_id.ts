// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/request_id.ts
//
// Adds a request id and the version of the API to every response, including 404s, denials and errors. Logs one line of
// JSON for each request, with the pattern of the route and not with the path: it contains no text from the client.
//
// curl -i http://localhost:8000/books/emma
// curl -i http://localhost:8000/broken

import { deny, reply, route, setup } from "@fw/core";
import { accessLog, compose, requestId } from "@fw/core/hooks";
import { inspect } from "node:util";
import { z } from "zod";

/** A string, as `reply` sends it, and as `responses` declares it. */
const text = { contentType: "text/plain;charset=UTF-8" } as const;
const textBody = { ...text, schema: z.string() } as const;

// Routes whose handlers read the id from the locals. The app compiles only with hooks that add one.
const identified = route.with<{ requestId: string }>();

const app = setup({
  handlers: [
    identified.get("/books/:id", {
      responses: { 200: textBody },
      resolve: ({ raw, locals }) => reply(200, `${raw.params.id}, for request ${locals.requestId}`, text),
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

  ...compose(
    requestId(), // always a new id: a client can send any text as `x-request-id`
    accessLog({ log: (entry) => console.log(JSON.stringify(entry)) }), // with the time until the response starts
    { headers: { "x-api-version": "v1" } }, // a concern of this app
  ),

  // The error is on a line of its own, with the same id. The client receives only the id, in the header.
  onError: ({ error, context: { locals, route } }) => {
    console.error(JSON.stringify({ requestId: locals.requestId, route: route?.path, error: inspect(error) }));
    return reply(500, "Internal server error", text);
  },
});

export default app satisfies Deno.ServeDefaultExport;
