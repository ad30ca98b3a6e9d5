// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/csrf.ts
//
// Rejects requests that pages of other sites forge (CSRF). Every route that changes something for a user who is known by
// a cookie needs this guard, and must not answer to GET.
//
// A JSON body is no defence: a form with `enctype="text/plain"` can send JSON without a preflight. `SameSite=Lax` is not
// enough by itself: a page on another subdomain is of the same site.
//
// curl -i -H 'origin: http://localhost:8000' -d '{"to":"grace","amount":5}' http://localhost:8000/transfers

import { type App, beforeBody, denyInvalid, reply, route, setup } from "@fw/core";
import { ownPages } from "@fw/core/session";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

const transfer = z.object({ to: z.string().min(1), amount: z.int().positive() });

const ownPage = ownPages({
  origins: ["http://localhost:8000"],
  refuse: () => reply(403, { error: "Cross-site request" }),
});

/** All routes of this scope have the guards. A forged request learns nothing of its input, which is not even read. */
const protectedRoute = route.with({
  responses: {
    400: { schema: z.object({ issues: z.array(z.unknown()) }) },
    403: { schema: z.object({ error: z.string() }) },
  },
  guards: [beforeBody(ownPage), denyInvalid(({ issues }) => reply(400, { issues }))],
});

const app: App = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,
  handlers: [
    protectedRoute.post("/transfers", {
      request: { body: transfer },
      responses: { 201: { schema: transfer } },
      // Here, the guard `writing` of recipes/sessions.ts would add the user.
      resolve: ({ input }) => reply(201, input.body),
    }),
  ],
});

export default app;
