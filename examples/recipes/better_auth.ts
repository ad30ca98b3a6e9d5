// npx -y deno@2.9.6 serve --host 127.0.0.1 --allow-env --allow-sys=hostname examples/recipes/better_auth.ts
//
// Sign-in by Better Auth, a library with sessions, OAuth, passkeys and more. Its handler is one route, and a guard asks it
// for the session. The compiler checks that each route that reads the user has the guard.
//
// curl -c jar -H 'origin: http://localhost:8000' --json '{"name":"Ada","email":"ada@example.com","password":"a long one"}' \
//   http://localhost:8000/api/auth/sign-up/email
// curl -b jar http://localhost:8000/me

import { type App, reply, route, setup } from "@fw/core";
import { z } from "zod";
import { createAuth } from "./better_auth/auth.ts";
import { signedIn } from "./better_auth/signed_in.ts";

/** Creates the app, with an instance of Better Auth. */
export function createApp(auth: Awaited<ReturnType<typeof createAuth>>): App {
  const members = route.with({ guards: [signedIn(auth, () => reply(401, { error: "Sign in first" }))] });
  return setup({
    maxBodyBytes: 64 * 1024,
    handlers: [
      // The library reads the body itself, and has its own bounds, rate limit and protection against forged requests.
      route.on(["GET", "POST"], "/api/auth/*", { resolve: (c) => auth.handler(c.request) }),

      members.get("/me", {
        responses: {
          200: { schema: z.object({ name: z.string(), email: z.string() }) },
          401: { schema: z.object({ error: z.string() }) },
        },
        resolve: ({ locals: { user: { name, email } } }) => reply(200, { name, email }),
      }),
    ],
  });
}

export default createApp(
  await createAuth({
    origin: "http://localhost:8000",
    secret: crypto.randomUUID() + crypto.randomUUID(), // in production, from the environment
    database: ":memory:",
    addressHeader: "x-real-ip",
  }),
);
