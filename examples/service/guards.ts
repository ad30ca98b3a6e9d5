import { allow, beforeBody, type Context, deny, denyInvalid, reply } from "@fw/core";
import { idempotent, type Key } from "@fw/core/idempotency";
import { byAddress, limit } from "@fw/core/rate-limit";
import { createSessions, ownPages } from "@fw/core/session";
import type { Dependencies } from "./app.ts";
import { addressOf, type Connection } from "./connection.ts";
import { createPlaces, type TakePlace } from "./places.ts";

export type Guards = ReturnType<typeof createGuards>;

/** The guards that the features share. Most run before the body is read: a stranger sends none. */
export function createGuards({ store, origins, proxies, stopping }: Dependencies) {
  const findAddress = byAddress({ proxies, address: (_c, connection: Connection) => addressOf(connection) });
  const takeDownload = createPlaces({ total: 400, each: 150 });
  /** Takes a place. The hooks give it back. */
  const inPlace = (take: TakePlace) => (c: Context, connection: Connection) => {
    const place = take(findAddress(c, connection));
    return place === undefined ? deny(busy()) : allow({ place });
  };
  const once = idempotent({
    store: store.keys,
    client: (c: Context<SignedIn>) => c.locals.session.user,
    lease: 10,
    lifetime: 24 * 60 * 60,
    perClient: 1000,
    refuse: (_c, why) => {
      if (why === "full") return busy();
      if (why === "running") return reply(409, { error: "Still running" }, { headers: { "retry-after": "1" } });
      return reply(422, { error: "The Idempotency-Key belongs to another request" });
    },
    whenStoreFails: busy,
  });
  const attempts = { store: store.limits, whenStoreFails: busy };

  return {
    sessions: createSessions({
      store: store.sessions,
      idle: 8 * 60 * 60,
      absolute: 7 * 24 * 60 * 60,
      perUser: 20,
      refuse: signInFirst,
    }),

    /** Lets in requests of our own pages. What changes something needs it. */
    ownPage: beforeBody(ownPages({ origins, refuse: () => reply(403, { error: "Cross-site request" }) })),

    /** Limits what one address may do that costs much: passwords and uploads. */
    limited: beforeBody(limit({ ...attempts, name: "address", quota: 20, window: 60, key: findAddress, refuse })),

    /** Limits the sign-ins of one account, whatever their addresses. Strangers can so keep a user from signing in. */
    limitedAccount: limit({
      ...attempts,
      name: "account",
      quota: 10,
      window: 15 * 60,
      key: (c: Context<{ email: string }>) => c.locals.email,
      refuse,
    }),

    /** Passwords cost processor time: no long line of those that wait. */
    password: inPlace(createPlaces({ total: 20, each: 20 })),

    /** An upload is up to 5 MiB in memory. */
    upload: beforeBody(inPlace(createPlaces({ total: 40, each: 10 }))),

    /** Takes a place for a download, which the handler gives back when the response has been sent. */
    takeDownload: (c: Context, connection: Connection) => takeDownload(findAddress(c, connection)),

    /** Runs a request with an `Idempotency-Key` once. One without, as of the form of a page, receives no key. */
    repeatable: <C extends Context<SignedIn>, Sent extends Response>(handler: (c: C, key?: Key) => Promise<Sent>) => {
      const repeated = once(handler);
      return (c: C) => c.request.headers.has("idempotency-key") ? repeated(c) : handler(c);
    },

    validInput: denyInvalid(({ issues: [issue] }) => {
      if (issue?.code === "unsupported_media_type") return reply(415, { error: issue.message });
      if (issue?.code === "body_too_large") return reply(413, { error: issue.message });
      if (issue?.code === "body_too_slow") return reply(408, { error: issue.message });
      // Deno cuts off the bodies that are arriving when it is asked to end. That is no fault of the client's.
      if (issue?.code === "incomplete_body" && stopping.aborted) return busy();
      return reply(400, { error: [...issue?.path ?? [], issue?.message].join(": ") });
    }),
  };
}

type SignedIn = { readonly session: { readonly user: string } };

export const signInFirst = () => reply(401, { error: "Sign in first" }, { headers: { "www-authenticate": "Cookie" } });

export const busy = () => reply(503, { error: "Try again" }, { headers: { "retry-after": "5" } });

/** `limit` adds `Retry-After`. */
const refuse = () => reply(429, { error: "Too many requests" });
