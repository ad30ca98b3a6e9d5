// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/sessions.ts
//
// Signs users in by the form at http://localhost:8000/sign-in. For the example, Ada has the password `correct horse`.
// The sessions are in memory. To keep them in a database, pass `sessionStore(client)` of `@fw/core/sqlite`, or, for several
// instances, of `@fw/core/postgres` or `@fw/core/redis`.
//
// Pages and programs use the same API: with the session, or with a bearer token. For the example, one is `battery-staple`.
//
// curl -i -X PUT -H 'authorization: Bearer battery-staple' -d '{"name":"Ada L."}' http://localhost:8000/api/me

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { createSessions, ownPages, type Session, type SessionStore } from "@fw/core/session";
import { sessionStore } from "@fw/core/memory";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { hashPassword, verifyAndRenew } from "./sessions/password.ts";
import { digestOf, sessionOrToken } from "./sessions/session_or_token.ts";
import { acceptedForm, shortForm } from "./forms/short_form.ts";

const credentials = z.object({ email: z.string().max(254), password: z.string().max(1000) });
const shown = z.object({ email: z.string(), name: z.string() });
const failure = z.object({ error: z.string() });

export interface SessionsOptions {
  /** The accounts, by e-mail address. */
  readonly accounts: Map<string, { readonly name: string; readonly passwordHash: string }>;
  readonly store: SessionStore;
  /** Where the bearer tokens are kept. Not the same store: no session id is a token. */
  readonly tokens: SessionStore;
  readonly origins: readonly string[];
}

/** How many passwords are hashed at once. Each hash occupies a core for about an eighth of a second. */
const MAX_HASHES = 4;

export function createApp({ accounts, store, tokens, origins }: SessionsOptions): App {
  const times = { idle: 30 * 60, absolute: 8 * 60 * 60, perUser: 10 };
  // Pages lead to the sign-in. The API says that one is missing.
  const pages = createSessions({ store, ...times, refuse: toSignIn });
  const sessions = createSessions({ store, ...times, refuse: signInFirst });
  // The sign-in needs it, too: another site could sign a visitor in to an account of its own.
  const ownPage = ownPages({ origins, refuse: () => reply(403, { error: "Cross-site request" }) });

  /** Adds the user. An account may be deleted while it has sessions and tokens. */
  const findUser = <Denial extends Response>(refuse: () => Denial) => {
    return ({ locals: { session } }: Context<{ session: Pick<Session, "user"> }>) => {
      const account = accounts.get(session.user);
      return account === undefined ? deny(refuse()) : allow({ user: { email: session.user, name: account.name } });
    };
  };
  const userOfPage = findUser(toSignIn);

  const api = route.with({
    prefix: "/api",
    responses: { 400: { schema: failure }, 401: { schema: failure }, 403: { schema: failure } },
    guards: [
      beforeBody(sessionOrToken({ sessions, ownPage, tokens, refuse: signInFirst })),
      beforeBody(findUser(signInFirst)),
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
        guards: [beforeBody(ownPage), acceptedForm],
        resolve: async ({ request, input: { body: { email, password } } }) => {
          // Also limit the attempts of a client and for an account, as examples/users/limits.ts does.
          if (hashing >= MAX_HASHES) return reply(503, { error: "Try again" }, { headers: { "retry-after": "1" } });
          hashing++;
          const account = accounts.get(email);
          const passwordHash = await verifyAndRenew(password, account?.passwordHash).finally(() => hashing--);
          if (account === undefined || passwordHash === undefined) {
            return reply(403, { error: "Wrong e-mail address or password" });
          }
          if (accounts.get(email) === account) accounts.set(email, { ...account, passwordHash });
          return reply(303, undefined, { headers: { location: "/me", ...await sessions.begin(request, email) } });
        },
      }),

      route.post("/sign-out", {
        responses: { 303: { description: "Signed out" }, 403: { schema: failure } },
        guards: [beforeBody(ownPage)],
        resolve: async ({ request }) =>
          reply(303, undefined, { headers: { location: "/sign-in", ...await sessions.end(request) } }),
      }),

      route.get("/me", {
        responses: { 200: { schema: shown }, 303: { description: "To the sign-in" } },
        guards: [pages.reading, userOfPage],
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

function toSignIn() {
  return reply(303, undefined, { headers: { location: "/sign-in" } });
}

function signInFirst() {
  return reply(401, { error: "Sign in" }, { headers: { "www-authenticate": "Bearer" } });
}

const PAGE =
  `<!doctype html><title>Sign in</title><form method="post"><input name="email" type="email" aria-label="E-mail">
<input name="password" type="password" aria-label="Password"><button>Sign in</button></form>`;
const PAGE_HEADERS = { "content-type": "text/html", "content-security-policy": "frame-ancestors 'none'" };

const ada = { name: "Ada", passwordHash: await hashPassword("correct horse") };

const tokens = sessionStore({ most: 1000 });
const begunAt = Date.now();
await tokens.add({ digest: digestOf("battery-staple"), user: "ada@example.com", begunAt, endsAt: begunAt + 1e9 }, 1);

export default createApp({
  accounts: new Map([["ada@example.com", ada]]),
  store: sessionStore({ most: 100_000 }),
  tokens,
  origins: ["http://localhost:8000"],
});
