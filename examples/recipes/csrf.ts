// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/csrf.ts
//
// Rejects requests that pages of other sites forge (CSRF).
// To use it, copy the folder csrf/.
//
// curl -i -H 'origin: http://localhost:8000' -H 'content-type: application/json' \
//   -d '{"to":"grace","amount":5}' http://localhost:8000/transfers

import { type App, beforeBody, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { fromOwnPages, jsonBody } from "./csrf/csrf.ts";

const failure = z.object({ error: z.string() });
const transfer = z.object({ to: z.string().min(1), amount: z.int().positive() });

const ownPages = beforeBody(fromOwnPages(new Set(["http://localhost:8000"])));

/** All routes of this scope have the guards. They come before `denyInvalid`: a forged request learns nothing of its input. */
const protectedRoute = route.with({
  responses: {
    400: { schema: z.object({ issues: z.array(z.unknown()) }) },
    403: { schema: failure },
    415: { schema: failure },
  },
  guards: [ownPages, beforeBody(jsonBody), denyInvalid(({ issues }) => reply(400, { issues }))],
});

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    protectedRoute.post("/transfers", {
      request: { body: transfer },
      responses: { 201: { schema: transfer } },
      // Here, the guard of the sessions recipe would add the user.
      resolve: ({ input }) => reply(201, input.body),
    }),
  ],
  onError: ({ error, context }) => {
    console.error(`${context.request.method} ${context.route?.path} failed:`, error);
    return reply(500, { error: "Internal server error" });
  },
});

export default app;
