import { toHex } from "../core/values/hex.ts";
import type { Context } from "../core/guards/context.ts";
import { type Allow, allow, deny, type GuardResult } from "../core/guards/guard.ts";
import { isRead } from "../core/routing/method.ts";
import { describeRoute, requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { requireSeconds, requireWhole } from "../core/values/whole_number.ts";
import { readId, writeId } from "./cookie.ts";
import { dataSchemaOf, type NoSessionData, readData, type SessionDataSchema, writeData } from "./session_data.ts";
import type { OwnPage } from "./own_pages.ts";
import type { SessionStore } from "../stores/stores.ts";
import { sha256Hex } from "../core/values/sha256.ts";

/**
 * What {@linkcode createSessions} needs to know.
 *
 * @typeParam Denial The response to a request without a session.
 */
export interface SessionsOptions<out Denial extends Response> {
  /**
   * Where the sessions are kept. Two `createSessions` may share a store if their cookies have other names: neither
   * accepts a session of the other. `perUser` and `endOthers` count the sessions of both by the id of the user.
   */
  readonly store: SessionStore;
  /**
   * After how many seconds without a request a session ends, from 1 to `absolute`. More than a week must be whole days.
   * A session may end a tenth earlier: see {@linkcode Sessions}.
   */
  readonly idle: number;
  /**
   * After how many seconds a session ends in any case, from `idle` to 34,560,000 (400 days, as browsers do). More than
   * a week must be whole days.
   */
  readonly absolute: number;
  /** How many sessions a user may have, from 1 to 1000. A further session ends another one of the same user. */
  readonly perUser: number;
  /** Builds the response to a request without a session, or with one that has ended. */
  readonly refuse: (c: Context) => Denial;
  /**
   * The name of the cookie, of letters, digits, `_` and `-`, without a prefix; `session` by default. The cookie is
   * called `__Host-session`: browsers accept a cookie with this prefix only from this very host. It is `Secure`,
   * `HttpOnly`, for all paths, and `SameSite=Lax`: requests that another site makes do not have it, except links.
   */
  readonly cookie?: string | undefined;
}

/**
 * What {@linkcode createSessions} needs to know if its sessions keep data.
 *
 * @typeParam Denial The response to a request without a session.
 * @typeParam Given The data that `begin` takes.
 * @typeParam Data The data that guards and handlers see.
 */
export interface SessionsDataOptions<out Denial extends Response, Given, Data> extends SessionsOptions<Denial> {
  /**
   * The schema of the data that a session keeps beside its user, such as a tenant or a role: a Standard Schema. Its
   * input is given to `begin` and kept as JSON; its output is `c.locals.session.data`. If the data of a session does
   * not fit the schema, as after a change of the schema, the session is ignored, and the user must sign in again.
   */
  readonly data: SessionDataSchema<Given, Data>;
}

/** A session, as guards and handlers see it. */
export interface Session {
  /** The user, as `begin` received it. */
  readonly user: string;
  /** When it began, in milliseconds since 1970: a route may ask for a recent sign-in. */
  readonly begunAt: number;
}

/**
 * A session with data: of a {@linkcode createSessions} with the option `data`.
 *
 * @typeParam Data The data: the output type of the schema.
 */
export interface SessionWith<out Data> extends Session {
  /** The data, as `begin` received it, then as JSON, and then as the schema returns it. Each request has its own. */
  readonly data: Data;
}

/**
 * The local that the guards of {@linkcode Sessions} add.
 *
 * @typeParam Known The session.
 */
export interface InSession<out Known extends Session = Session> {
  /** The session of the request. */
  readonly session: Known;
}

/**
 * How a session begins: see {@linkcode Sessions}.
 *
 * @typeParam Given The data that it takes. `undefined` without data.
 */
export type BeginSession<Given> = [Given] extends [undefined]
  ? (request: Request, user: string) => Promise<SessionHeaders>
  : undefined extends Given ? (request: Request, user: string, data?: Given) => Promise<SessionHeaders>
  : (request: Request, user: string, data: Given) => Promise<SessionHeaders>;

// Not an interface: that could have further names, whose values `reply` does not accept.
/** Headers for the response. Use them as its only headers, or spread them into others. */
export type SessionHeaders = {
  /** The cookie. */
  readonly "set-cookie": string;
};

/**
 * Sessions behind a cookie. {@linkcode createSessions} makes them.
 *
 * The guards renew a session by at most one write for each tenth of `idle`, and send its cookie again with the header
 * `cache-control: no-store`, unless the response has one. A request that has no session changes no cookie: it may have
 * been sent before a sign-in.
 *
 * @typeParam Denial The response to a request without a session.
 * @typeParam Known The session, with its data if there are any.
 * @typeParam Given The data that `begin` takes.
 */
export interface Sessions<out Denial extends Response, out Known extends Session = Session, Given = undefined> {
  /**
   * A guard for routes that only read. It adds the local `session`. For a request whose method is not GET, HEAD or
   * QUERY it throws a `TypeError`: such a route needs `writing`.
   */
  readonly reading: (c: Context) => Promise<GuardResult<InSession<Known>, Denial>>;
  /**
   * A guard for routes that change something. It adds the local `session`. It needs the local `ownPage`: a route
   * without {@linkcode ownPages} before it does not compile, and fails.
   */
  readonly writing: (c: Context<OwnPage>) => Promise<GuardResult<InSession<Known>, Denial>>;
  /**
   * Begins a session, after a sign-in. Its id is new, whatever cookie the request has. The session that the browser had
   * ends.
   *
   * @param request The request of the sign-in. Let `ownPages` guard its route.
   * @param user The id of the user: a string that is not empty and well-formed, without NUL. Databases change others.
   * @param data With the option `data`: what to keep with the session, at most 4,096 bytes of JSON. It cannot be
   * changed while the session lasts. To change it, for example for another tenant, begin a new session.
   * @returns The headers for the response.
   * @throws A `TypeError` if the data does not fit the schema, also once it was JSON, or is too long.
   */
  readonly begin: BeginSession<Given>;
  /**
   * Ends the session of a request, if it has one, in the store and in the browser.
   *
   * @param request The request of the sign-out.
   * @returns The headers for the response.
   */
  readonly end: (request: Request) => Promise<SessionHeaders>;
  /**
   * Ends all sessions of a user except the session of the request, for example after a new password, or when a role is
   * removed.
   *
   * Call it after the change is stored. A sign-in may verify the old password at the same time: after `begin`, it must
   * read the account again, and call `endOthers` if the password has changed. That ends its new session, too.
   *
   * @param request The request. The session of this request does not end.
   * @param user The id of the user.
   */
  readonly endOthers: (request: Request, user: string) => Promise<void>;
}

/**
 * Makes sessions: who is signed in is kept on the server, behind a random id in a cookie. The store has only a digest
 * of the cookie.
 *
 * A session ends after `idle` seconds without a request and after `absolute` seconds in any case, checked on the
 * server. A request with two cookies of this name has no session: a browser sends two if another host has planted one.
 *
 * @typeParam Denial The response to a request without a session. If `reply` makes it, routes that declare `responses`
 * must declare it.
 * @typeParam Given The data that `begin` takes: the input type of the schema.
 * @typeParam Data The data that guards and handlers see: the output type of the schema.
 * @param options The store, the times, the response to others, and the schema of the data.
 * @returns Two guards, and functions for the sign-in, the sign-out and a new password.
 * @throws A `TypeError` if an option is missing, unknown or out of its bounds.
 *
 * @example Sign-in, and a route for members
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { createSessions, ownPages } from "@fw/core/session";
 * import { sessionStore } from "@fw/core/memory";
 * import { assertEquals } from "@std/assert";
 *
 * const ownPage = ownPages({ origins: [], refuse: () => reply(403, { error: "Cross-site request" }) });
 * const sessions = createSessions({
 *   store: sessionStore({ most: 100_000 }),
 *   idle: 30 * 60,
 *   absolute: 8 * 60 * 60,
 *   perUser: 10,
 *   refuse: () => reply(401, { error: "Sign in" }),
 * });
 *
 * const app = setup({
 *   handlers: [
 *     route.post("/sign-in", {
 *       guards: [ownPage],
 *       resolve: async (c) => reply(204, undefined, { headers: { ...await sessions.begin(c.request, "ada") } }),
 *     }),
 *     route.get("/me", { guards: [sessions.reading], resolve: (c) => reply(200, c.locals.session.user) }),
 *     route.delete("/me", { guards: [ownPage, sessions.writing], resolve: () => reply(204) }),
 *   ],
 * });
 *
 * const headers = { "sec-fetch-site": "same-origin" };
 * const signedIn = await app.fetch(new Request("http://localhost/sign-in", { method: "POST", headers }));
 * const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
 * assertEquals((await app.fetch(new Request("http://localhost/me", { headers: { cookie } }))).status, 200);
 * assertEquals((await app.fetch(new Request("http://localhost/me"))).status, 401);
 * ```
 *
 * @example A tenant and a role beside the user
 * ```ts
 * import { allow, deny, reply, route } from "@fw/core";
 * import { createSessions, type InSession, type SessionWith } from "@fw/core/session";
 * import { sessionStore } from "@fw/core/memory";
 * import type { Context } from "@fw/core";
 * import { z } from "zod";
 *
 * const account = z.object({ tenant: z.string(), role: z.enum(["admin", "member"]) });
 * const sessions = createSessions({
 *   store: sessionStore({ most: 100_000 }),
 *   idle: 30 * 60,
 *   absolute: 8 * 60 * 60,
 *   perUser: 10,
 *   refuse: () => reply(401, { error: "Sign in" }),
 *   data: account,
 * });
 *
 * const admins = ({ locals }: Context<InSession<SessionWith<z.infer<typeof account>>>>) =>
 *   locals.session.data.role === "admin" ? allow() : deny(reply(403, { error: "For admins" }));
 *
 * const settings = route.get("/settings", {
 *   guards: [sessions.reading, admins],
 *   resolve: (c) => reply(200, { tenant: c.locals.session.data.tenant }),
 * });
 *
 * // In the handler of the sign-in:
 * const signedIn = (request: Request) => sessions.begin(request, "ada", { tenant: "north", role: "admin" });
 * ```
 */
export function createSessions<const Denial extends Response, Given, Data>(
  options: SessionsDataOptions<Denial, Given, Data>,
): Sessions<Denial, SessionWith<Data>, Given>;
/**
 * Makes sessions without data.
 *
 * @typeParam Denial The response to a request without a session.
 * @param options The store, the times, the response to others.
 * @returns Two guards, and functions for the sign-in, the sign-out and a new password.
 * @throws A `TypeError` if an option is missing, unknown or out of its bounds.
 */
export function createSessions<const Denial extends Response>(
  options: SessionsOptions<Denial> & NoSessionData,
): Sessions<Denial>;
export function createSessions(
  options: SessionsOptions<Response> & { readonly data?: unknown },
): Omit<Sessions<Response>, "begin"> & { readonly begin: unknown } {
  requireOptions(options, OWNER, ["store", "idle", "absolute", "perUser", "refuse"], ["cookie", "data"]);
  const { store, idle, absolute, perUser, refuse, cookie = "session" } = options;
  requireThat(
    typeof store?.renew === "function",
    `Option store of ${OWNER}`,
    "a store of sessions, such as sessionStore of @fw/core/memory",
    store,
  );
  requireSeconds(absolute, `Option absolute of ${OWNER}`, 34_560_000);
  requireSeconds(idle, `Option idle of ${OWNER}`, absolute);
  requireWhole(perUser, `Option perUser of ${OWNER}`, 1000);
  requireFunction(`Option refuse of ${OWNER}`, refuse);
  const isName = typeof cookie === "string" && /^(?!_)[\w-]+$/.test(cookie);
  requireThat(isName, `Option cookie of ${OWNER}`, "a name such as session, without __Host-", cookie);
  const schema = dataSchemaOf(options.data, store);
  const name = `__Host-${cookie}`;

  async function digestIn(request: Request): Promise<string | undefined> {
    const id = readId(request, name);
    return id && await digestOf(name, id);
  }

  /** Finds the session of a request, and renews it if need be; `undefined` if it is not there, or has ended. */
  async function admit(request: Request): Promise<Allow<InSession> | undefined> {
    const id = readId(request, name);
    if (!id) return undefined;
    const digest = await digestOf(name, id);
    const found = await store.find(digest);
    if (!found) return undefined;
    const { user, begunAt } = found;
    const time = Date.now();
    const left = absolute * 1000 - (time - begunAt);
    // Whatever is not a number ends the session, and so does whatever is not a name.
    if (!(left > 0 && found.endsAt > time && typeof user === "string")) return undefined;
    const data = schema && await readData(schema, found.data);
    if (data !== undefined && !data.fits) return undefined;
    const locals = { session: data === undefined ? { user, begunAt } : { user, begunAt, data: data.value } };
    const endsAt = time + Math.min(idle * 1000, left);
    const least = left < idle * 1000 ? 1 : idle * 100;
    if (endsAt - found.endsAt < least) return allow(locals);
    // A session that was ended meanwhile stays ended.
    if (!await store.renew(digest, endsAt)) return undefined;
    const maxAge = Math.ceil((endsAt - time) / 1000);
    const renewed = writeId(name, id, maxAge);
    return allow(locals, { headers: { "set-cookie": renewed, "cache-control": "no-store" } });
  }

  async function end(request: Request): Promise<SessionHeaders> {
    const digest = await digestIn(request);
    if (digest) await store.end(digest);
    return { "set-cookie": writeId(name, "", 0) };
  }

  return {
    async reading(c) {
      requireGuard(
        isRead(c.request.method),
        "reading",
        c,
        "for GET, HEAD and QUERY: for other methods, list a guard of ownPages, then writing",
      );
      return await admit(c.request) ?? deny(await refuse(c));
    },
    async writing(c) {
      // An own property: a polluted prototype is no proof.
      const isOwn = Object.hasOwn(c.locals, "ownPage") && c.locals.ownPage === true;
      requireGuard(isOwn, "writing", c, "behind ownPages: list a guard of ownPages before it");
      return await admit(c.request) ?? deny(await refuse(c));
    },
    async begin(request: Request, user: string, data?: unknown): Promise<SessionHeaders> {
      requireThat(
        typeof user === "string" && /^[^\0\p{Cs}]+$/u.test(user),
        "User of begin",
        "a well-formed string without NUL",
        user,
      );
      const text = await writeData(schema, data);
      await end(request);
      const id = toHex(crypto.getRandomValues(new Uint8Array(32)));
      const digest = await digestOf(name, id);
      const begunAt = Date.now();
      const session = { digest, user, begunAt, endsAt: begunAt + idle * 1000 };
      await store.add(text === undefined ? session : { ...session, data: text }, perUser);
      return { "set-cookie": writeId(name, id, idle) };
    },
    end,
    async endOthers(request, user) {
      await store.endOthers(user, await digestIn(request));
    },
  };
}

const OWNER = "createSessions";

/** Fails for a mistake in the list of guards: the request goes no further. */
function requireGuard(holds: boolean, guard: string, { route }: Context, rule: string): void {
  if (!holds) throw new TypeError(`Guard ${guard} of route ${describeRoute(route)} must be ${rule}`);
}

/**
 * The digest by which the store knows a session. It includes the name of the cookie: a session of another name, in the
 * same store, is not one of ours. SHA-256 is enough for a random id. A password takes a slow hash.
 */
async function digestOf(name: string, id: string): Promise<string> {
  return await sha256Hex(`${name}=${id}`);
}
