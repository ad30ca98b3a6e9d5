// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/two_sign_ins.ts
//
// The same feature under two prefixes, behind two sign-ins: people by a cookie, services by a token.
//
// curl -i -H "cookie: session=ada" http://localhost:8000/app/notes/1
// curl -i -H "authorization: Bearer report" http://localhost:8000/services/notes/1
// curl -i http://localhost:8000/app/notes/1

import {
  allow,
  type Answer,
  type Context,
  deny,
  type GuardFn,
  type NoLocals,
  type Reply,
  reply,
  route,
  setup,
} from "@fw/core";
import { z } from "zod";

/** What each sign-in adds, and what it denies with. One that adds less, or denies otherwise, does not fit. */
type SignIn = GuardFn<NoLocals, { readonly userId: string }, [], Reply<Answer<401, undefined>>>;

/**
 * Makes the scope of a sign-in. All scopes that it makes have one type, so a function may take any of them, and no other:
 * neither `route` nor a scope without a sign-in.
 */
export function signedIn(prefix: string, signIn: SignIn) {
  return route.with({ prefix, responses: { 401: { description: "Sign in first" } }, guards: [signIn] });
}

/** The feature: its routes, in the scope that it is given. */
export function notes(scope: ReturnType<typeof signedIn>) {
  return [
    scope.get("/notes/:id", {
      responses: { 200: { schema: z.object({ id: z.string(), readBy: z.string() }) } },
      resolve: (c) => reply(200, { id: c.raw.params.id, readBy: c.locals.userId }),
    }),
  ];
}

const byCookie = ({ request }: Context) => {
  const userId = /(?:^|; )session=(\w+)/.exec(request.headers.get("cookie") ?? "")?.[1];
  return userId === undefined ? deny(reply(401)) : allow({ userId });
};

const byToken = async ({ request }: Context) => {
  const service = await findService(request.headers.get("authorization"));
  return service === undefined ? deny(reply(401)) : allow({ userId: service.name, quota: service.quota });
};

/** A look-up, as of a database. */
function findService(header: string | null): Promise<{ readonly name: string; readonly quota: number } | undefined> {
  return Promise.resolve(header === "Bearer report" ? { name: "report", quota: 10 } : undefined);
}

export default setup({
  handlers: [...notes(signedIn("/app", byCookie)), ...notes(signedIn("/services", byToken))],
});
