import { type App, beforeBody, reply, route, setup } from "@fw/core";
import { z } from "zod";
import { authenticatedBy, requireScope, type Trust } from "./jwt.ts";

/** Creates the app. */
export function createApp(trust: Trust): App {
  // Before the body is read: a stranger cannot make the server receive one.
  const api = route.with({
    responses: {
      401: { description: "No valid token" },
      503: { description: "The keys of the issuer are not available" },
    },
    guards: [beforeBody(authenticatedBy(trust))],
  });
  const writeBooks = beforeBody(requireScope("books:write"));
  return setup({
    handlers: [
      api.get("/books", {
        responses: { 200: { schema: z.object({ readBy: z.string() }) } },
        resolve: (c) => reply(200, { readBy: c.locals.userId }),
      }),
      api.post("/books", {
        responses: {
          201: { schema: z.object({ createdBy: z.string() }) },
          403: { description: "The scope is missing" },
        },
        guards: [writeBooks],
        resolve: (c) => reply(201, { createdBy: c.locals.userId }),
      }),
    ],
  });
}
