import { allow, type Context, deny, denyInvalid, type GuardResult, type Route, route } from "@fw/core";

/** What `onRequest` gives to every route. */
export interface OnEachRequest {
  readonly requestId: string;
}

/** What a feature may return: routes that ask for no more than `onRequest` gives. */
export type Routes = readonly Route<OnEachRequest>[];

/** A user. */
export interface User {
  readonly name: string;
  readonly role: "librarian" | "reader";
}

/** Tokens for the example only: see jwt.ts and sessions.ts. */
const USERS: ReadonlyMap<string, User> = new Map([
  ["Bearer ada", { name: "Ada", role: "librarian" }],
  ["Bearer bob", { name: "Bob", role: "reader" }],
]);

/** Adds the user. */
export const authenticated = ({ request }: Context): GuardResult<{ readonly user: User }> => {
  const user = USERS.get(request.headers.get("authorization") ?? "");
  return user === undefined
    ? deny(new Response(null, { status: 401, headers: { "www-authenticate": "Bearer" } }))
    : allow({ user });
};

/** Needs the user. */
export const librarianOnly = ({ locals }: Context<{ readonly user: User }>): GuardResult =>
  locals.user.role === "librarian" ? allow() : deny(Response.json({ error: "Forbidden" }, { status: 403 }));

/** A scope that the features share. Its handlers have valid input, and read the id of the request. */
export const api = route.with<OnEachRequest>().with({
  guards: [denyInvalid(({ issues }) => Response.json({ error: "Invalid input", issues }, { status: 400 }))],
});
