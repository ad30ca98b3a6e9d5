/** What clients see: the server implements it, a typed client calls it, and the document describes it. */
import { endpoint } from "@fw/core";
import { z } from "zod";

export const greet = endpoint.get("/hello/:name", {
  docs: { summary: "Greets somebody" },
  request: { params: z.object({ name: z.string().min(1).max(40) }) },
  responses: {
    200: { schema: z.object({ message: z.string() }) },
    400: { schema: z.object({ error: z.string() }) },
  },
});
