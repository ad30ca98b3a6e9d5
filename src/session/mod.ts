/**
 * Sessions behind a cookie, for users who sign in with a browser, and a guard against requests that other sites forge.
 *
 * `writing` of a session, the guard for routes that change something, does not compile without it.
 *
 * @example A route that writes
 * ```ts
 * import { beforeBody, reply, route } from "@fw/core";
 * import { createSessions, ownPages } from "@fw/core/session";
 * import { sessionStore } from "@fw/core/memory";
 *
 * const refuse = () => reply(401, { error: "Sign in" });
 * const store = sessionStore({ most: 100_000 });
 * const sessions = createSessions({ store, idle: 1800, absolute: 28_800, perUser: 10, refuse });
 * const ownPage = ownPages({ origins: [], refuse: () => reply(403, { error: "Cross-site request" }) });
 *
 * const members = route.with({ guards: [beforeBody(ownPage), beforeBody(sessions.writing)] });
 * const rename = members.put("/me", { resolve: (c) => reply(200, `${c.locals.session.user} has a new name`) });
 * ```
 *
 * @module
 */

export { type OwnPage, ownPages, type OwnPagesOptions } from "./own_pages.ts";
export {
  type BeginSession,
  createSessions,
  type InSession,
  type Session,
  type SessionHeaders,
  type Sessions,
  type SessionsDataOptions,
  type SessionsOptions,
  type SessionWith,
} from "./sessions.ts";
export type { NoSessionData, SessionDataSchema } from "./session_data.ts";
export type { SessionStore, StoredSession } from "../stores/stores.ts";
