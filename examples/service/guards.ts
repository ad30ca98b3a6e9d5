import { allow, beforeBody, type Context, deny, denyInvalid } from "@fw/core";
import { z } from "zod";
import { fromOwnPages } from "../recipes/csrf.ts";
import { createBuckets } from "../recipes/rate_limit/bucket.ts";
import { createClientAddress } from "../recipes/rate_limit/client_address.ts";
import { readSessionId } from "../recipes/sessions/cookie.ts";
import { type Client, clientOf } from "../shared/client_of.ts";
import type { Parts } from "./app.ts";

export type Guards = ReturnType<typeof createGuards>;

/** The guards that the features share. All but the last run before the body is read: a stranger sends none. */
export function createGuards({ store, origins, proxies }: Parts) {
  // For what costs much: passwords and uploads.
  const take = createBuckets({ quota: 20, window: 60 });
  const clientAddress = createClientAddress(proxies);

  /** Who sent a request. The connection of a proxy carries the requests of many. */
  const findClient = (request: Request, info: Deno.ServeHandlerInfo): Client => {
    const connected = clientOf(info);
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
    limited: beforeBody(async ({ request }: Context, info: Deno.ServeHandlerInfo) => {
      const { allowed, next } = await take(findClient(request, info).address);
      return allowed ? allow() : deny(failed(429, "Too many requests", { "retry-after": String(next) }));
    }),

    /** Adds the account. */
    signedIn: beforeBody(async ({ request }: Context) => {
      const account = await findAccount(request);
      return account === undefined ? deny(signInFirst()) : allow({ account });
    }),

    validInput: denyInvalid(({ issues: [issue] }) => failed(400, `${issue?.path.join(".")}: ${issue?.message}`)),
  };
}

/** What every failure looks like. */
export const failure = z.looseObject({ error: z.string() });

export function signInFirst(): Response {
  return failed(401, "Sign in first", { "www-authenticate": "Cookie" });
}

export function failed(status: number, error: string, headers: Readonly<Record<string, string>> = {}): Response {
  return Response.json({ error }, { status, headers });
}
