import { allow, reply, route } from "@fw/core";
import * as api from "./api.ts";
import type { Dependencies } from "./app.ts";
import { busy, type Guards, signInFirst } from "./guards.ts";
import { hashPassword, verifyAndRenew } from "./password.ts";
import { createPlaces } from "./places.ts";

/** Sign-up, sign-in and sign-out by forms, and who is signed in. */
export function createAccountRoutes(
  { store }: Dependencies,
  { sessions, ownPage, limited, limitedAccount, validInput }: Guards,
) {
  const form = route.with({ guards: [ownPage, limited] });
  // Passwords cost processor time: no long line of those that wait.
  const takePlace = createPlaces({ total: 20, each: 20 });
  const hash = async <Result>(task: () => Promise<Result>): Promise<Result | typeof BUSY> => {
    const place = takePlace("");
    if (place === undefined) return BUSY;
    return await task().finally(() => place[Symbol.dispose]());
  };

  return [
    form.on(api.signUp, {
      guards: [validInput],
      resolve: async ({ request, input: { body: { email, name, password } } }) => {
        const passwordHash = await hash(() => hashPassword(password));
        if (passwordHash === BUSY) return busy();
        const isNew = store.addAccount({ email, name, passwordHash });
        if (!isNew) return reply(409, { error: "This address has an account" });
        return toPage(await sessions.begin(request, email));
      },
    }),

    form.on(api.signIn, {
      guards: [validInput, ({ input }) => allow({ email: input.ok ? input.body.email : "" }), limitedAccount],
      resolve: async ({ request, input: { body: { email, password } } }) => {
        const { passwordHash } = store.findAccount(email) ?? {};
        const renewed = await hash(() => verifyAndRenew(password, passwordHash));
        if (renewed === BUSY) return busy();
        if (passwordHash === undefined || renewed === undefined) {
          return reply(403, { error: "Wrong e-mail address or password" });
        }
        store.replaceHash(email, passwordHash, renewed);
        return toPage(await sessions.begin(request, email));
      },
    }),

    form.on(api.signOut, { resolve: async ({ request }) => toPage(await sessions.end(request)) }),

    route.on(api.showMe, {
      guards: [sessions.reading],
      resolve: ({ locals: { session } }) => {
        const account = store.findAccount(session.user);
        return account === undefined ? signInFirst() : reply(200, { email: account.email, name: account.name });
      },
    }),
  ];
}

const BUSY = Symbol("busy");

function toPage(cookie: { readonly "set-cookie": string }) {
  return reply(303, undefined, { headers: { location: "/", ...cookie } });
}
