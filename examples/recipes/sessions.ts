// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/recipes/sessions.ts
//
// Signs users in by the form at http://localhost:8000/sign-in, and keeps their sessions on the server, behind a cookie.
// It also runs on Bun and Node.js.

import { allow, type App, beforeBody, type Context, deny, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { hashPassword, verifyPassword } from "../users/password.ts";
import { fromOwnPages } from "./csrf.ts";
import { acceptedForm, shortForm } from "./forms/short_form.ts";
import { forgetSessionId, readSessionId, sendSessionId } from "./sessions/cookie.ts";
import { createSessions, type Sessions } from "./sessions/store.ts";

const credentials = z.object({ email: z.string().max(254), password: z.string().max(1000) });

const shown = z.object({ email: z.string(), name: z.string() });

/** The accounts, by e-mail address. */
type Accounts = ReadonlyMap<string, { readonly name: string; readonly passwordHash: string }>;

/** Creates the app. Its pages are at one of the origins. */
export function createApp(accounts: Accounts, sessions: Sessions, origins: ReadonlySet<string>): App {
  // The sign-in needs it, too: another site could sign a visitor in to an account of its own.
  const ownPages = beforeBody(fromOwnPages(origins));

  // The account is looked up for each request, so that a session ends when its account is deleted.
  const signedIn = async (c: Context) => {
    const email = await sessions.find(readSessionId(c.request));
    const account = email === undefined ? undefined : accounts.get(email);
    if (email === undefined || account === undefined) return deny(redirect("/sign-in"));
    return allow({ user: { email, name: account.name } });
  };

  return setup({
    validator: standardSchema,
    handlers: [
      route.on(["GET", "HEAD"], "/sign-in", { resolve: () => new Response(PAGE, { headers: PAGE_HEADERS }) }),

      route.post("/sign-in", {
        request: { body: credentials, bodyReader: shortForm, maxBodyBytes: 8 * 1024 },
        guards: [ownPages, acceptedForm],
        resolve: async (c) => {
          const { email, password } = c.input.body;
          // Limit the attempts and how many hashes run at once, as examples/users.ts does.
          const verified = await verifyPassword(password, accounts.get(email)?.passwordHash);
          if (!verified) return new Response("Wrong e-mail address or password", { status: 403 });
          // A new id for each sign-in. An id that somebody planted in the browser before is worthless.
          await sessions.delete(readSessionId(c.request));
          const response = redirect("/me");
          await sessions.add(sendSessionId(response), email);
          return response;
        },
      }),

      route.post("/sign-out", {
        guards: [ownPages],
        resolve: async (c) => {
          await sessions.delete(readSessionId(c.request));
          const response = redirect("/sign-in");
          forgetSessionId(response);
          return response;
        },
      }),

      route.get("/me", {
        responses: { 200: { schema: shown }, 303: { description: "To the sign-in" } },
        guards: [signedIn],
        resolve: (c) => reply(200, c.locals.user, { headers: { "cache-control": "no-store" } }),
      }),
    ],
  });
}

const PAGE =
  `<!doctype html><title>Sign in</title><form method="post"><input name="email" type="email" aria-label="E-mail">
<input name="password" type="password" aria-label="Password"><button>Sign in</button></form>`;
const PAGE_HEADERS = { "content-type": "text/html", "content-security-policy": "frame-ancestors 'none'" };

/** Not `Response.redirect`, whose headers cannot be changed. */
function redirect(location: string) {
  return reply(303, undefined, { headers: { location } });
}

/** For the example only. */
const ada = { name: "Ada", passwordHash: await hashPassword("correct horse") };

export default createApp(
  new Map([["ada@example.com", ada]]),
  createSessions(),
  new Set(["http://localhost:8000"]),
);
