// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/ndjson.ts
//
// Reads lines of JSON by a body reader of its own, within a bound in bytes, and validates them like any body.
// To use it, copy the folder ndjson/.
//
// printf '{"title":"Emma"}\n{"title":"Ulysses"}\n' | \
//   curl -i -H 'content-type: application/x-ndjson' --data-binary @- http://localhost:8000/books

import { type App, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { ndjson } from "./ndjson/ndjson.ts";

const books = z.array(z.object({ title: z.string().min(1) })).min(1);
const issue = z.object({ path: z.array(z.string()), message: z.string(), code: z.string().optional() });

/** At most ten issues: each line of two bytes can have one. */
const validLines = denyInvalid(({ issues }) =>
  reply(400, { issues: issues.slice(0, 10).map(({ path, message, code }) => ({ path, message, code })) })
);

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    route.post("/books", {
      request: { body: books, bodyReader: ndjson },
      responses: {
        201: { schema: z.object({ created: z.int() }) },
        400: { schema: z.object({ issues: z.array(issue) }) },
      },
      guards: [validLines],
      resolve: ({ input }) => reply(201, { created: input.body.length }),
    }),
  ],
  onError: ({ error, context }) => {
    console.error(`${context.request.method} ${context.route?.path} failed:`, error);
    return reply(500, { error: "Internal server error" });
  },
});

export default app;
