import { denyInvalid, reply } from "@fw/core";
import { z } from "zod";
import { newMember, notification } from "./schemas.ts";

/** A user, as the API sends it. The id is a UUID that is never reused, the e-mail address unique and in lower case. */
export const shownUser = z.object({ id: z.string(), name: z.string(), email: z.string(), createdAt: z.iso.datetime() })
  .meta({ id: "User" });

export type User = z.output<typeof shownUser>;

/** A new user in an org, and how it is notified. */
export const shownMember = shownUser.extend({ ...newMember.pick({ role: true }).shape, ...notification.shape })
  .extend({ orgId: z.string() }).meta({ id: "Member" });

const error = z.object({ error: z.string() }).meta({ id: "Error" });
const invalidInput = error.extend({ issues: z.array(z.unknown()) }).meta({ id: "InvalidInput" });

export const FAILURE = { schema: error };

export const INVALID = { 400: { schema: invalidInput }, 413: { schema: invalidInput } };

/**
 * Creates a guard that denies invalid input: 413 if the body is too large, otherwise 400. Both list the issues of all
 * parts of the request. After SIGTERM, Deno stops reading bodies that are still arriving: 503.
 */
export const createValidInput = (stopping: AbortSignal) =>
  denyInvalid(({ issues }) => {
    const codes = issues.map(({ code }) => code);
    if (stopping.aborted && codes.includes("incomplete_body")) return overloaded();
    return codes.includes("body_too_large")
      ? reply(413, { error: "Body too large", issues })
      : reply(400, { error: "Invalid input", issues });
  });

export const created = <Created extends User>(user: Created) =>
  reply(201, user, { headers: { location: `/users/${user.id}` } });

/** It does not reveal what is wrong with the credential, which would help attackers to guess. */
export const unauthorized = () => reply(401, { error: "Unauthorized" }, { headers: { "www-authenticate": "Bearer" } });
/** The user is known, but not allowed to do this. */
export const forbidden = () => reply(403, { error: "Forbidden" });
export const notFound = () => reply(404, { error: "Not found" });
export const emailTaken = () => reply(409, { error: "E-mail is already taken" });
/** The client can retry, and may reach another instance. */
export const overloaded = () => reply(503, { error: "Overloaded" }, { headers: { "retry-after": "1" } });
