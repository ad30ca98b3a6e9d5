// npx -y deno@2.9.6 serve --host 127.0.0.1 --allow-env --allow-sys=hostname examples/recipes/better_auth.ts
//
// Sign-in by Better Auth, a library with sessions, OAuth, passkeys and more. Its handler is one route, and a guard asks it
// for the session. The compiler checks that each route that reads the user has the guard.
//
// curl -c jar -H 'origin: http://localhost:8000' --json '{"name":"Ada","email":"ada@example.com","password":"a long one"}' \
//   http://localhost:8000/api/auth/sign-up/email
// curl -b jar http://localhost:8000/me

import { allow, type App, beforeBody, type Context, deny, reply, route, setup } from "@fw/core";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";

export interface AuthOptions {
  /** The origin that browsers see. Requests to sign in are accepted from its pages only. */
  readonly origin: string;
  /** Signs the cookies: at least 32 random characters, the same for all instances. */
  readonly secret: string;
  /** The file of the database, or `:memory:`. */
  readonly database: string;
  /** The header in which your proxy sends the address of the client, for the rate limit. Nobody else may set it. */
  readonly addressHeader: string;
}

/** Creates an instance of Better Auth with sign-in by e-mail and password, and the tables that it needs. */
export async function createAuth({ origin, secret, database, addressHeader }: AuthOptions) {
  // Imported here, since the library reads the environment on import.
  const { betterAuth } = await import("better-auth");
  const { getMigrations } = await import("better-auth/db/migration");
  const auth = betterAuth({
    baseURL: origin,
    secret,
    database: new DatabaseSync(database),
    emailAndPassword: { enabled: true, minPasswordLength: 10 },
    rateLimit: { enabled: true },
    advanced: { ipAddress: { ipAddressHeaders: [addressHeader] } },
    telemetry: { enabled: false },
  });
  const { runMigrations } = await getMigrations(auth.options);
  await runMigrations();
  return auth;
}

export function createApp(auth: Awaited<ReturnType<typeof createAuth>>): App {
  const signedIn = beforeBody(async ({ request }: Context) => {
    const session = await auth.api.getSession({ headers: request.headers });
    return session === null ? deny(reply(401, { error: "Sign in first" })) : allow(session);
  });
  const members = route.with({ guards: [signedIn] });

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
