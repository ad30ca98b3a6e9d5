import { allow, type Context, deny, reply } from "@fw/core";
import { readSessionId } from "./cookie.ts";
import type { fromOwnPages } from "./csrf.ts";
import type { Sessions } from "./store.ts";

/** How users are found. */
export interface Credentials<User> {
  /** Behind the cookie of a browser. */
  readonly sessions: Pick<Sessions, "find">;
  /** Behind `authorization: Bearer …` of a program. Not the same store: no session id is a token. */
  readonly tokens: Pick<Sessions, "find">;
  /** Finds a user by the name that either store has. */
  readonly findUser: (name: string) => Promise<User | undefined>;
  /** Denies requests that other sites forge. */
  readonly ownPages: ReturnType<typeof fromOwnPages>;
}

/**
 * Creates the guard that requires a session or a bearer token, and adds its user.
 *
 * A browser adds the cookie to requests that other sites make, but no bearer token. So only requests with a session must come
 * from our own pages, except those with GET and HEAD, which must not change anything.
 *
 * An `authorization` header alone decides, whatever cookie there is. So no request can choose to have its cookie unchecked:
 * browsers also send `authorization: Basic …` by themselves, which is denied like a wrong token.
 *
 * @param credentials How users are found.
 * @returns The guard. It denies with 401, and with 403 for a forged request.
 */
export function sessionOrToken<User>({ sessions, tokens, findUser, ownPages }: Credentials<User>) {
  return async (c: Context) => {
    const { headers, method } = c.request;
    const authorization = headers.get("authorization");
    const name = authorization === null
      ? await sessions.find(readSessionId(c.request))
      : await tokens.find(BEARER.exec(authorization)?.[1]);
    const user = name === undefined ? undefined : await findUser(name);
    if (user === undefined) {
      return deny(reply(401, { error: "Sign in" }, { headers: { "www-authenticate": "Bearer" } }));
    }
    const canBeForged = authorization === null && method !== "GET" && method !== "HEAD";
    const fromOwn = canBeForged ? ownPages(c) : allow();
    return "deny" in fromOwn ? fromOwn : allow({ user });
  };
}

/** The scheme in any case, then one token (RFC 9110). */
const BEARER = /^bearer +(\S+)$/i;
