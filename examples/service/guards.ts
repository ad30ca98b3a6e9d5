import { allow, beforeBody, type Context, deny, denyInvalid, reply } from "@fw/core";
import { fromOwnPages } from "../recipes/csrf/csrf.ts";
import { createBuckets } from "../recipes/rate_limit/bucket.ts";
import { createClientAddress } from "../recipes/rate_limit/client_address.ts";
import { readSessionId } from "../recipes/sessions/cookie.ts";
import { type Client, clientOf, type Connection } from "../recipes/rate_limit/client_of.ts";
import type { Dependencies } from "./app.ts";

export type Guards = ReturnType<typeof createGuards>;

/** The guards that the features share. All but the last run before the body is read: a stranger sends none. */
export function createGuards({ store, origins, proxies }: Dependencies) {
  // For what costs much: passwords and uploads.
  const take = createBuckets({ quota: 20, window: 60 });
  const clientAddress = createClientAddress(proxies);

  /** Who sent a request. The connection of a proxy carries the requests of many. */
  const findClient = (request: Request, connection: Connection): Client => {
    const connected = clientOf(request, connection);
    return Number(proxies) === 0 ? connected : { address: clientAddress(request, connected.address) };
  };

  const findAccount = async (request: Request) => {
    const email = await store.sessions.find(readSessionId(request));
    return email === undefined ? undefined : store.findAccount(email);
  };

  return {
    findClient,

    /** The account of the session. It may have ended since `signedIn`: look again after a long wait. */
    findAccount,

    /** Lets in requests of our own pages. What changes something needs it. */
    ownPages: beforeBody(fromOwnPages(origins)),

    /** Limits what one address may do. */
    limited: beforeBody(async ({ request }: Context, connection: Connection) => {
      const { allowed, next } = await take(findClient(request, connection).address);
      if (allowed) return allow();
      return deny(reply(429, { error: "Too many requests" }, { headers: { "retry-after": String(next) } }));
    }),

    /** Adds the account. */
    signedIn: beforeBody(async ({ request }: Context) => {
      const account = await findAccount(request);
      return account === undefined ? deny(signInFirst()) : allow({ account });
    }),

    validInput: denyInvalid(({ issues: [issue] }) =>
      reply(400, { error: `${issue?.path.join(".")}: ${issue?.message}` })
    ),
  };
}

export function signInFirst() {
  return reply(401, { error: "Sign in first" }, { headers: { "www-authenticate": "Cookie" } });
}
