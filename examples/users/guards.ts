import { allow, type Context, deny, type GuardFn, type GuardResult, type NoLocals } from "@fw/core";
import { forbidden, unauthorized, unsupportedMediaType } from "./responses.ts";
import type { Account, Role, UserStore } from "./store.ts";
import { redeemToken } from "./token.ts";

/** What guards know of who sends a request. */
export interface Session {
  /** The user. */
  readonly user: Account;
  /** The user's id. */
  readonly userId: string;
  /** Which of the user's tokens it is. */
  readonly tokenId: string;
}

/** What guards know of who sends a request, if it is anybody known. */
export type Visitor = { readonly [Key in keyof Session]: Session[Key] | undefined };

/**
 * Makes the guard that lets in only who sends a valid token: `authorization: Bearer <token>`. All others get a 401.
 *
 * @param store Where the tokens are.
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

/** One scheme, in any case, and one token (RFC 9110). */
const BEARER = /^bearer +(\S+)$/i;

/**
 * Makes the guard for routes that are open to all, and do more for some. Who sends no credential passes as nobody. A bad one
 * is a 401 all the same: whoever sends it believes to be somebody.
 *
 * @param authenticated The guard for those who send one.
 * @returns The guard. It adds to the locals what there is of a session.
 */
export function optionally(authenticated: GuardFn<NoLocals, Session>): GuardFn<NoLocals, Visitor> {
  return (c) => c.request.headers.has("authorization") ? authenticated(c) : allow(NOBODY);
}

const NOBODY: Visitor = { user: undefined, userId: undefined, tokenId: undefined };

/**
 * Makes the guard that lets in only users of this role. It needs the user that `authenticated` adds: without that guard
 * before it, the app does not compile.
 *
 * @param role The role on the whole platform, which no role in an org gives.
 * @returns The guard.
 */
export function requireRole(role: Role): GuardFn<{ user: Account }> {
  return ({ locals: { user } }) => user.role === role ? allow() : deny(forbidden());
}

/**
 * Lets in only bodies that claim to be JSON. The framework parses a body as JSON whatever it claims to be.
 *
 * @param c The context.
 * @returns 415 for all others.
 */
export function jsonBody({ request }: Context): GuardResult {
  return JSON_TYPE.test(request.headers.get("content-type") ?? "") ? allow() : deny(unsupportedMediaType());
}

/** `application/json` or `application/*+json`, with or without parameters. */
const JSON_TYPE = /^application\/(?:[\w!#$&^.+-]+\+)?json[ \t]*(?:;|$)/i;
