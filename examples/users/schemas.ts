import { z } from "zod";
import { characters, text, trimmed } from "../shared/text.ts";

/** The most that SMTP can deliver to (RFC 5321). */
const MAX_EMAIL = 254;

/** Trimmed and in lower case, so that equal addresses are equal strings. */
const email = text.trim().pipe(z.email().max(MAX_EMAIL).toLowerCase()).meta({ format: "email", maxLength: MAX_EMAIL });

/** Converted to lower case, as ids are stored. Clients may send upper case. */
export const uuid = z.uuid().toLowerCase();

const MAX_PASSWORD = 1_000;

/** The body of a sign-up. Zod removes other fields, such as `id` or `role`. */
export const newUser = z.object({
  name: trimmed(100),
  email,
  password: characters(text, 8, MAX_PASSWORD),
});

export const userChanges = newUser.partial();

export const newMember = newUser.pick({ name: true, email: true }).extend({
  role: z.enum(["admin", "member", "viewer"]),
});

export const notification = z.object({ notify: z.enum(["email", "sms", "none"]).default("email") });

/** The body of a sign-in. Less strict than `newUser`: a password that is too short is wrong, not invalid. */
export const credentials = z.object({
  email: text.trim().toLowerCase(),
  password: characters(text, 0, MAX_PASSWORD),
});
