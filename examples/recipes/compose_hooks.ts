// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/compose_hooks.ts
//
// Several concerns in the hooks: each is a plain function that takes what it needs, and the hook calls them in order.
// To use it, copy the folder compose_hooks/.
//
// curl -i http://localhost:8000/hello
// curl -i http://localhost:8000/nowhere

import { type App, reply, route, setup } from "@fw/core";
import { z } from "zod";
import {
  createId,
  describeExchange,
  describeMissingRoute,
  type RequestId,
  setRequestId,
  setSecurityHeaders,
  setServerTiming,
  startTimer,
} from "./compose_hooks/compose_hooks.ts";

/** @param log Writes a line of the log. */
export function createApp(log: (line: string) => void): App {
  return setup({
    handlers: [
      route.with<RequestId>().get("/hello", {
        responses: { 200: { schema: z.object({ hello: z.string() }) } },
        resolve: ({ locals }) => reply(200, { hello: locals.requestId }),
      }),
      route.get("/broken", {
        resolve: () => {
          throw new Error("The disk is full");
        },
      }),
    ],

    // Each returns an object. What `onRequest` returns, and so the type of the locals, is all of them together.
    onRequest: () => ({ ...createId(), ...startTimer() }),

    // The error becomes a response, which passes `onResponse` as any other.
    onError: ({ error, context }) => {
      log(`${context.locals.requestId} ${error}`);
      return reply(500, { error: "Internal server error" });
    },

    // First what replaces the response, then what sets headers, on one copy. The log is last: it shows what is sent.
    onResponse: ({ context, response, locals }) => {
      const replaced = describeMissingRoute(context) ?? response;
      const sent = new Response(replaced.body, replaced); // the headers of some responses are immutable
      setSecurityHeaders(sent.headers);
      setRequestId(sent.headers, locals);
      setServerTiming(sent.headers, locals);
      log(describeExchange(context, sent));
      return sent;
    },
  });
}

export default createApp(console.log);
