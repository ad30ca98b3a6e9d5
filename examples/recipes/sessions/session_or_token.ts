import { allow, type Context, deny, type GuardResult } from "@fw/core";
import type { OwnPage, Session, Sessions, SessionStore } from "@fw/core/session";
import { createHash } from "node:crypto";

export interface SessionOrTokenOptions<out Denial extends Response, out Forged extends Response> {
  /** Behind the cookie of a browser. */
  readonly sessions: Pick<Sessions<Denial>, "reading" | "writing">;
  /** The guard of `ownPages`, which denies requests that other sites forge. */
  readonly ownPage: (c: Context) => GuardResult<OwnPage, Forged>;
  /** Behind `authorization: Bearer …` of a program. Not the store of the sessions: no session id is a token. */
  readonly tokens: Pick<SessionStore, "find">;
  /** Builds the response to a request with an invalid token, or without a cookie. */
  readonly refuse: (c: Context) => Denial;
}

/**
 * Creates the guard that requires a session or a bearer token, and adds the session.
 *
 * A browser adds the cookie to requests that other sites make, but no bearer token. So only requests with a session must
 * come from your own pages, except those with GET and HEAD, which must not change anything.
 *
 * An `authorization` header alone decides, whatever cookie there is. So no request can choose to have its cookie
 * unchecked: browsers also send `authorization: Basic …` by themselves, which is denied like an invalid token.
 */
export function sessionOrToken<Denial extends Response, Forged extends Response>(
  { sessions, ownPage, tokens, refuse }: SessionOrTokenOptions<Denial, Forged>,
): (c: Context) => Promise<GuardResult<{ readonly session: Pick<Session, "user"> }, Denial | Forged>> {
  return async (c) => {
    const { headers, method } = c.request;
    const authorization = headers.get("authorization");
    if (authorization !== null) {
      const [, token] = BEARER.exec(authorization) ?? [];
      const found = token === undefined ? undefined : await tokens.find(digestOf(token));
      const isValid = found !== undefined && found.endsAt > Date.now();
      return isValid ? allow({ session: { user: found.user } }) : deny(refuse(c));
    }
    if (!headers.has("cookie")) return deny(refuse(c));
    if (method === "GET" || method === "HEAD") return await sessions.reading(c);
    const own = ownPage(c);
    return "deny" in own ? own : await sessions.writing({ ...c, locals: { ...c.locals, ownPage: true } });
  };
}

/** The scheme in any case, then one token (RFC 9110). */
const BEARER = /^bearer +(\S+)$/i;

/** Returns what the store has of a token. SHA-256 is enough for a random token. A password takes a slow hash. */
export function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
