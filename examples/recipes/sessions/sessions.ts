// Keeps who is signed in on the server, behind a cookie with a random id. It also runs on Bun and Node.js.

import { allow, type Context, deny, reply } from "@fw/core";
import { forgetSessionId, readSessionId, sendSessionId } from "./cookie.ts";
import type { Sessions } from "./store.ts";

/**
 * Creates the guard that requires a session, and adds its user. The user is looked up for each request, so that a session
 * ends when its account is deleted.
 *
 * @param sessions The sessions.
 * @param findUser Finds a user by the name that the session began with.
 * @returns The guard. It redirects to the sign-in.
 */
export function signedInBy<User>(sessions: Sessions, findUser: (name: string) => Promise<User | undefined>) {
  return async ({ request }: Context) => {
    const name = await sessions.find(readSessionId(request));
    const user = name === undefined ? undefined : await findUser(name);
    return user === undefined ? deny(redirect("/sign-in")) : allow({ user });
  };
}

/**
 * Begins a session, after a sign-in. The id is always new: one that somebody planted in the browser before is worthless.
 *
 * @param sessions The sessions.
 * @param request The request. A session that the browser has ends.
 * @param headers The headers of the response. They get the cookie.
 * @param name The name of the user.
 */
export async function beginSession(
  sessions: Sessions,
  request: Request,
  headers: Headers,
  name: string,
): Promise<void> {
  await sessions.delete(readSessionId(request));
  await sessions.add(sendSessionId(headers), name);
}

/** Ends the session that the browser has, on the server, and has the browser forget its cookie. */
export async function endSession(sessions: Sessions, request: Request, headers: Headers): Promise<void> {
  await sessions.delete(readSessionId(request));
  forgetSessionId(headers);
}

/** Not `Response.redirect`, whose headers cannot be changed. */
export function redirect(location: string) {
  return reply(303, undefined, { headers: { location } });
}
