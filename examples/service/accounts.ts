import { reply, route } from "@fw/core";
import { acceptedForm } from "../recipes/forms/short_form.ts";
import { forgetSessionId, readSessionId, sendSessionId } from "../recipes/sessions/cookie.ts";
import type { Connection } from "../recipes/rate_limit/client_of.ts";
import { createQueue } from "../shared/queue.ts";
import { hashPassword, verifyAndRenew } from "../recipes/sessions/password.ts";
import { createThrottle } from "../users/throttle.ts";
import * as api from "./api.ts";
import type { Dependencies, Routes } from "./app.ts";
import type { Guards } from "./guards.ts";

/** Sign-up, sign-in and sign-out by forms, and who is signed in. */
export function createAccountRoutes(
  { store }: Dependencies,
  { findClient, ownPages, limited, signedIn }: Guards,
): Routes {
  const form = route.with({ guards: [ownPages, limited] });
  // Passwords cost processor time: two at once, and no long line of those that wait.
  const limitHashing = createQueue({ running: 2, waiting: 20, maxWait: 10_000 });
  const beginSignIn = createThrottle();

  /** Ends the session that the browser has, and begins one for this account, if any. */
  const switchTo = async (request: Request, email?: string) => {
    await store.sessions.delete(readSessionId(request));
    const response = reply(303, undefined, { headers: { location: "/" } });
    if (email === undefined) forgetSessionId(response.headers);
    else await store.sessions.add(sendSessionId(response.headers), email);
    return response;
  };

  return [
    form.on(api.signUp, {
      guards: [acceptedForm],
      resolve: async ({ request, input }) => {
        const { email, name, password } = input.body;
        const passwordHash = await limitHashing(() => hashPassword(password));
        const isNew = store.addAccount({ email, name, passwordHash });
        return isNew ? await switchTo(request, email) : reply(409, { error: "This address has an account" });
      },
    }),

    form.on(api.signIn, {
      guards: [acceptedForm],
      resolve: async ({ request, input }, connection: Connection) => {
        const { email, password } = input.body;
        using attempt = beginSignIn(email, findClient(request, connection).address);
        if (attempt.retryAfter > 0) {
          const headers = { "retry-after": String(attempt.retryAfter) };
          return reply(429, { error: "Too many failed sign-ins" }, { headers });
        }
        const { passwordHash } = store.findAccount(email) ?? {};
        const renewed = await limitHashing(() => verifyAndRenew(password, passwordHash));
        if (passwordHash === undefined || renewed === undefined) {
          attempt.fail();
          return reply(403, { error: "Wrong e-mail address or password" });
        }
        store.replaceHash(email, passwordHash, renewed);
        return await switchTo(request, email);
      },
    }),

    form.on(api.signOut, { resolve: ({ request }) => switchTo(request) }),

    route.on(api.showMe, {
      guards: [signedIn],
      resolve: ({ locals: { account: { email, name } } }) => reply(200, { email, name }),
    }),
  ];
}
