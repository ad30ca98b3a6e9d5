import { allow, type Context, deny, type GuardResult, reply } from "@fw/core";
import { forbidden, unauthorized } from "./responses.ts";
import type { Account, Role, UserStore } from "./store.ts";
import { redeemToken } from "./token.ts";

/** The locals of a request from a signed-in user. */
export interface Session {
  readonly user: Account;
  readonly userId: string;
  readonly tokenId: string;
}

/** What the guards deny with. Routes that declare responses must declare it. */
type Unauthorized = ReturnType<typeof unauthorized>;

/** The locals of a request from anybody. All are `undefined` if the request has no credential. */
export type Visitor = { readonly [Key in keyof Session]: Session[Key] | undefined };

/** Creates a guard that requires a valid token, `authorization: Bearer <token>`. It denies other requests with 401. */
export function authenticatedBy(store: UserStore): (c: Context) => GuardResult<Session, Unauthorized> {
  return ({ request }) => {
    const token = BEARER.exec(request.headers.get("authorization") ?? "")?.[1] ?? "";
    const session = redeemToken(token, store.findSession);
    if (session === undefined) return deny(unauthorized());
    return allow({ user: session.user, userId: session.user.id, tokenId: session.tokenId });
  };
}

/** The scheme in any case, then one token (RFC 9110). */
const BEARER = /^bearer +(\S+)$/i;

/**
 * Creates a guard for routes where a credential is optional. A request without a credential passes. An invalid
 * credential is still denied with 401, because its sender expects to be signed in.
 */
export function optionally(
  authenticated: (c: Context) => GuardResult<Session, Unauthorized>,
): (c: Context) => GuardResult<Visitor, Unauthorized> {
  return (c) => c.request.headers.has("authorization") ? authenticated(c) : allow(NOBODY);
}

const NOBODY: Visitor = { user: undefined, userId: undefined, tokenId: undefined };

/**
 * Creates a guard that requires a role on the whole platform. It needs the user that `authenticated` adds: without that
 * guard before it, the app does not compile.
 */
export function requireRole(role: Role) {
  return ({ locals: { user } }: Context<{ user: Account }>) => user.role === role ? allow() : deny(forbidden());
}

/** Denies bodies whose content type is not JSON with 415. The framework parses a body whatever its content type is. */
export function jsonBody({ request: { headers } }: Context) {
  const isJson = JSON_TYPE.test(headers.get("content-type") ?? "");
  return isJson ? allow() : deny(reply(415, { error: "Content-Type must be JSON" }));
}

/** `application/json` or `application/*+json`, with or without parameters. */
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;
