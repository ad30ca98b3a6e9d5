import { allow, reply, route } from "@fw/core";
import * as api from "./api.ts";
import type { Dependencies } from "./app.ts";
import { type Guards, signInFirst } from "./guards.ts";
import { hashPassword, verifyAndRenew } from "./password.ts";

/** Sign-up, sign-in and sign-out by forms, and who is signed in. */
export function createAccountRoutes(
  { store }: Dependencies,
  { sessions, ownPage, limited, limitedAccount, password, validInput }: Guards,
) {
  const form = route.with({ guards: [ownPage, limited, validInput] });

  return [
    form.on(api.signUp, {
      guards: [password],
      resolve: async ({ request, input: { body: { email, name, password } } }) => {
        const isNew = await store.addAccount({ email, name, passwordHash: await hashPassword(password) });
        if (!isNew) return reply(409, { error: "This address has an account" });
        return toPage(await sessions.begin(request, email));
      },
    }),

    form.on(api.signIn, {
      guards: [({ input }) => allow({ email: input.body.email }), limitedAccount, password],
      resolve: async ({ request, input: { body: { email, password } } }) => {
        const { passwordHash } = await store.findAccount(email) ?? {};
        const renewed = await verifyAndRenew(password, passwordHash);
        if (passwordHash === undefined || renewed === undefined) {
          return reply(403, { error: "Wrong e-mail address or password" });
        }
        await store.replaceHash(email, passwordHash, renewed);
        return toPage(await sessions.begin(request, email));
      },
    }),

    form.on(api.signOut, { resolve: async ({ request }) => toPage(await sessions.end(request)) }),

    route.on(api.showMe, {
      guards: [sessions.reading],
      resolve: async ({ locals: { session } }) => {
        const account = await store.findAccount(session.user);
        return account === undefined ? signInFirst() : reply(200, { email: account.email, name: account.name });
      },
    }),
  ];
}

function toPage(cookie: { readonly "set-cookie": string }) {
  return reply(303, undefined, { headers: { location: "/", ...cookie } });
}
