import { allow, type Context, deny, denyInvalid, reply, type Route, route } from "@fw/core";
import { z } from "zod";

/** What `onRequest` gives to every route. */
export interface OnEachRequest {
  readonly requestId: string;
}

/** What a feature may return: routes that ask for no more than `onRequest` gives. */
export type Routes = readonly Route<OnEachRequest>[];

export interface User {
  readonly name: string;
  readonly role: "librarian" | "reader";
}

/** Tokens for the example only: see jwt.ts and sessions.ts. */
const USERS: ReadonlyMap<string, User> = new Map([
  ["Bearer ada", { name: "Ada", role: "librarian" }],
  ["Bearer bob", { name: "Bob", role: "reader" }],
]);

export const failure = z.object({ error: z.string() });

/** What `authenticated` denies with. A route declares what its guards deny with, or it does not compile. */
export const UNAUTHORIZED = { description: "Send a token" };
export const FORBIDDEN = { description: "Only for librarians", schema: failure };

export const authenticated = ({ request }: Context) => {
  const user = USERS.get(request.headers.get("authorization") ?? "");
  return user === undefined
    ? deny(reply(401, undefined, { headers: { "www-authenticate": "Bearer" } }))
    : allow({ user });
};

export const librarianOnly = ({ locals }: Context<{ readonly user: User }>) =>
  locals.user.role === "librarian" ? allow() : deny(reply(403, { error: "Forbidden" }));

/** A scope that the features share. Its handlers have valid input, and read the id of the request. */
export const api = route.with<OnEachRequest>().with({
  responses: { 400: { schema: failure.extend({ issues: z.array(z.unknown()) }) } },
  guards: [denyInvalid(({ issues }) => reply(400, { error: "Invalid input", issues }))],
});
