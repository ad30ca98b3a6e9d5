// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/recipes/sessions.ts
//
// Signs users in by the form at http://localhost:8000/sign-in. For the example, Ada has the password `correct horse`.
// To use it, copy the folder sessions/. Every route that changes something needs `fromOwnPages`, as the routes here do, or
// `sessionOrToken`, which includes it.
//
// Pages and programs use the same API: with the session, or with a bearer token. For the example, one is `battery-staple`.
//
// curl -i -X PUT -H 'authorization: Bearer battery-staple' -d '{"name":"Ada L."}' http://localhost:8000/api/me

import { type App, beforeBody, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { fromOwnPages } from "./sessions/csrf.ts";
import { hashPassword, verifyPassword } from "./sessions/password.ts";
import { sessionOrToken } from "./sessions/session_or_token.ts";
import { beginSession, endSession, redirect, signedInBy } from "./sessions/sessions.ts";
import { acceptedForm, shortForm } from "./sessions/short_form.ts";
import { createSessions, type Sessions } from "./sessions/store.ts";

const credentials = z.object({ email: z.string().max(254), password: z.string().max(1000) });
const shown = z.object({ email: z.string(), name: z.string() });
const failure = z.object({ error: z.string() });

/** The accounts, by e-mail address. */
type Accounts = Map<string, { readonly name: string; readonly passwordHash: string }>;

/** How many passwords are hashed at once. Each hash occupies a core for about an eighth of a second. */
const MAX_HASHES = 4;

/** Creates the app. Its pages are at one of the origins. Tokens last as long as sessions here. */
export function createApp(
  accounts: Accounts,
  sessions: Sessions,
  origins: ReadonlySet<string>,
  tokens: Sessions = createSessions(),
): App {
  const findUser = (email: string) => {
    const account = accounts.get(email);
    return Promise.resolve(account && { email, name: account.name });
  };
  const signedIn = signedInBy(sessions, findUser);
  // The sign-in needs it, too: another site could sign a visitor in to an account of its own.
  const ownPages = beforeBody(fromOwnPages(origins));
  const api = route.with({
    prefix: "/api",
    responses: { 400: { schema: failure }, 401: { schema: failure }, 403: { schema: failure } },
    guards: [
      beforeBody(sessionOrToken({ sessions, tokens, findUser, ownPages: fromOwnPages(origins) })),
      denyInvalid(() => reply(400, { error: "Invalid input" })),
    ],
  });
  let hashing = 0;

  return setup({
    validator: standardSchema,
    handlers: [
      route.on(["GET", "HEAD"], "/sign-in", {
        responses: { 200: { description: "The form", contentType: "text/html" } },
        resolve: () => reply(200, new Response(PAGE, { headers: PAGE_HEADERS })),
      }),

      route.post("/sign-in", {
        request: { body: credentials, bodyReader: shortForm, maxBodyBytes: 8 * 1024 },
        responses: {
          303: { description: "Signed in" },
          400: { schema: z.looseObject(failure.shape) },
          403: { schema: failure },
          408: { schema: failure },
          413: { schema: failure },
          415: { schema: failure },
          503: { schema: failure },
        },
        guards: [ownPages, acceptedForm],
        resolve: async ({ request, input: { body: { email, password } } }) => {
          // Also limit the attempts of a client and for an account, as examples/users/throttle.ts does.
          if (hashing >= MAX_HASHES) return reply(503, { error: "Try again" }, { headers: { "retry-after": "1" } });
          hashing++;
          const verified = await verifyPassword(password, accounts.get(email)?.passwordHash).finally(() => hashing--);
          if (!verified) return reply(403, { error: "Wrong e-mail address or password" });
          const response = redirect("/me");
          await beginSession(sessions, request, response.headers, email);
          return response;
        },
      }),

      route.post("/sign-out", {
        responses: { 303: { description: "Signed out" }, 403: { schema: failure } },
        guards: [ownPages],
        resolve: async ({ request }) => {
          const response = redirect("/sign-in");
          await endSession(sessions, request, response.headers);
          return response;
        },
      }),

      route.get("/me", {
        responses: { 200: { schema: shown }, 303: { description: "To the sign-in" } },
        guards: [signedIn],
        resolve: (c) => reply(200, c.locals.user, { headers: { "cache-control": "no-store" } }),
      }),

      api.get("/me", {
        responses: { 200: { schema: shown } },
        resolve: (c) => reply(200, c.locals.user, { headers: { "cache-control": "no-store" } }),
      }),

      api.put("/me", {
        request: { body: z.object({ name: z.string().trim().min(1).max(100) }), maxBodyBytes: 8 * 1024 },
        responses: { 200: { schema: shown }, 404: { schema: failure } },
        resolve: ({ input: { body: { name } }, locals: { user: { email } } }) => {
          const account = accounts.get(email);
          if (account === undefined) return reply(404, { error: "The account is gone" }); // while the body arrived
          accounts.set(email, { ...account, name });
          return reply(200, { email, name });
        },
      }),
    ],
    onError: ({ error, context }) => {
      console.error(`${context.request.method} ${context.route?.path} failed:`, error);
      return reply(500, { error: "Internal server error" });
    },
  });
}

const PAGE =
  `<!doctype html><title>Sign in</title><form method="post"><input name="email" type="email" aria-label="E-mail">
<input name="password" type="password" aria-label="Password"><button>Sign in</button></form>`;
const PAGE_HEADERS = { "content-type": "text/html", "content-security-policy": "frame-ancestors 'none'" };

const ada = { name: "Ada", passwordHash: await hashPassword("correct horse") };

const tokens = createSessions();
await tokens.add("battery-staple", "ada@example.com");

export default createApp(
  new Map([["ada@example.com", ada]]),
  createSessions(),
  new Set(["http://localhost:8000"]),
  tokens,
);
