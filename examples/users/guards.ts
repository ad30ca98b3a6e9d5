import { allow, type Context, deny, type GuardFn, type GuardResult, type NoLocals } from "@fw/core";
import { forbidden, unauthorized, unsupportedMediaType } from "./responses.ts";
import type { Account, Role, UserStore } from "./store.ts";
import { redeemToken } from "./token.ts";

/** The locals of a request from a signed-in user. */
export interface Session {
  /** The user. */
  readonly user: Account;
  /** The id of the user. */
  readonly userId: string;
  /** The id of the token that the user sent. */
  readonly tokenId: string;
}

/** The locals of a request from anybody. All are `undefined` if the request has no credential. */
export type Visitor = { readonly [Key in keyof Session]: Session[Key] | undefined };

/**
 * Creates a guard that requires a valid token, `authorization: Bearer <token>`. It denies other requests with 401.
 *
 * @param store The store of the tokens.
 * @returns The guard. It adds the session to the locals.
 */
export function authenticatedBy(store: UserStore): GuardFn<NoLocals, Session> {
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
 *
 * @param authenticated The guard for requests with a credential.
 * @returns The guard. It adds the session to the locals, if there is one.
 */
export function optionally(authenticated: GuardFn<NoLocals, Session>): GuardFn<NoLocals, Visitor> {
  return (c) => c.request.headers.has("authorization") ? authenticated(c) : allow(NOBODY);
}

const NOBODY: Visitor = { user: undefined, userId: undefined, tokenId: undefined };

/**
 * Creates a guard that requires a role. It needs the user that `authenticated` adds: without that guard before it, the
 * app does not compile.
 *
 * @param role The role on the whole platform. A role in an org does not count.
 * @returns The guard.
 */
export function requireRole(role: Role): GuardFn<{ user: Account }> {
  return ({ locals: { user } }) => user.role === role ? allow() : deny(forbidden());
}

/**
 * A guard that requires a JSON content type. The framework parses a body as JSON whatever its content type is.
 *
 * @param c The context.
 * @returns Denies other content types with 415.
 */
export function jsonBody({ request }: Context): GuardResult {
  return JSON_TYPE.test(request.headers.get("content-type") ?? "") ? allow() : deny(unsupportedMediaType());
}

/** `application/json` or `application/*+json`, with or without parameters. */
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;
