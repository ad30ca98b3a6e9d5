import { allow, beforeBody, type Context, deny } from "@fw/core";

/** The part of an instance of Better Auth that the guard uses. */
interface Auth<Session> {
  readonly api: { getSession(call: { headers: Headers }): Promise<Session | null> };
}

/**
 * A guard that lets only people pass who are signed in with Better Auth. It adds the session and the user as locals. It
 * runs before the body is read.
 *
 * @param auth The instance of Better Auth.
 * @param refuse Makes the response for everybody else.
 */
export const signedIn = <Session extends object, Denial extends Response>(
  auth: Auth<Session>,
  refuse: (c: Context) => Denial,
) =>
  beforeBody(async (c: Context) => {
    const session = await auth.api.getSession({ headers: c.request.headers });
    return session === null ? deny(refuse(c)) : allow(session);
  });
