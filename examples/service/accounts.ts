import { reply, route } from "@fw/core";
import { z } from "zod";
import { acceptedForm, shortForm } from "../recipes/forms/short_form.ts";
import { forgetSessionId, readSessionId, sendSessionId } from "../recipes/sessions/cookie.ts";
import { createQueue } from "../shared/queue.ts";
import { hashPassword, verifyAndRenew } from "../users/password.ts";
import { createThrottle } from "../users/throttle.ts";
import type { Parts, Routes } from "./app.ts";
import { FAILURES, type Guards } from "./guards.ts";

const email = z.string().trim().toLowerCase().pipe(z.email().max(254));
const name = z.string().trim().min(1).max(100);
const credentials = z.object({ email, password: z.string().min(8).max(1000) });
const newAccount = credentials.extend({ name });
const shown = z.object({ email, name });
const MAX_BYTES = 8 * 1024;

/** Sign-up, sign-in and sign-out by forms, and who is signed in. */
export function createAccountRoutes({ store }: Parts, { findClient, ownPages, limited, signedIn }: Guards): Routes {
  const form = route.with({ guards: [ownPages, limited], responses: FAILURES });
  const responses = { 303: { description: "Done: to the page" } };
  const asForm = { bodyReader: shortForm, maxBodyBytes: MAX_BYTES };
  // Passwords cost processor time: two at once, and no long line of those that wait.
  const slowly = createQueue({ running: 2, waiting: 20, maxWait: 10_000 });
  const beginSignIn = createThrottle();

  /** Ends the session that the browser has, and begins one for this account, if any. */
  const switchTo = async (request: Request, email?: string) => {
    await store.sessions.delete(readSessionId(request));
    const response = reply(303, undefined, { headers: { location: "/" } });
    if (email === undefined) forgetSessionId(response);
    else await store.sessions.add(sendSessionId(response), email);
    return response;
  };

  return [
    form.post("/sign-up", {
      request: { body: newAccount, ...asForm },
      responses,
      guards: [acceptedForm],
      resolve: async ({ request, input }) => {
        const { email, name, password } = input.body;
        const passwordHash = await slowly(() => hashPassword(password));
        const isNew = store.addAccount({ email, name, passwordHash });
        return isNew ? await switchTo(request, email) : reply(409, { error: "This address has an account" });
      },
    }),

    form.post("/sign-in", {
      request: { body: credentials, ...asForm },
      responses,
      guards: [acceptedForm],
      resolve: async ({ request, input }, info: Deno.ServeHandlerInfo) => {
        const { email, password } = input.body;
        using attempt = beginSignIn(email, findClient(request, info).address);
        if (attempt.retryAfter > 0) {
          const headers = { "retry-after": String(attempt.retryAfter) };
          return reply(429, { error: "Too many failed sign-ins" }, { headers });
        }
        const { passwordHash } = store.findAccount(email) ?? {};
        const renewed = await slowly(() => verifyAndRenew(password, passwordHash));
        if (passwordHash === undefined || renewed === undefined) {
          attempt.fail();
          return reply(403, { error: "Wrong e-mail address or password" });
        }
        store.replaceHash(email, passwordHash, renewed);
        return await switchTo(request, email);
      },
    }),

    form.post("/sign-out", { responses, resolve: ({ request }) => switchTo(request) }),

    route.get("/api/me", {
      responses: { 200: { schema: shown }, ...FAILURES },
      docs: { security: [{ session: [] }] },
      guards: [signedIn],
      resolve: ({ locals: { account: { email, name } } }) => reply(200, { email, name }),
    }),
  ];
}
