import { type Endpoint, endpoint } from "../../../../mod.ts";
import { socket } from "../../../../src/sockets/mod.ts";
import { z } from "zod";

/** A chat in one room. A client says after which message it reads on. */
export const api = {
  chat: endpoint.get("/chat", {
    request: { query: z.object({ after: z.string() }) },
    responses: {
      101: socket({ client: { say: z.string() }, server: { said: z.string(), missed: z.null() } }),
      400: {},
      403: {},
      426: {},
    },
  }),
  ready: endpoint.get("/ready", { responses: { 200: { contentType: "text/plain" } } }),
} satisfies Record<string, Endpoint>;
