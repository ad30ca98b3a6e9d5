import { z } from "zod";
import { characters, text, trimmed } from "../shared/text.ts";

/** The most that SMTP can deliver to (RFC 5321). */
const MAX_EMAIL = 254;

/** Trimmed and in lower case, so that one address is one text. */
const email = text.trim().pipe(z.email().max(MAX_EMAIL).toLowerCase()).meta({ format: "email", maxLength: MAX_EMAIL });

/** In lower case, as ids are kept: clients may send either. */
export const uuid = z.uuid().toLowerCase();

/** Bounded, as is all that clients send. */
const MAX_PASSWORD = 1_000;

/** What a user is created from. Fields that it does not name, `id` or `role` say, are dropped. */
export const newUser = z.object({
  name: trimmed(100),
  email,
  password: characters(text, 8, MAX_PASSWORD),
});

/** What may be changed of a user: each field by itself. */
export const userChanges = newUser.partial();

/** What a user in an org is created from. */
export const newMember = newUser.pick({ name: true, email: true }).extend({
  role: z.enum(["admin", "member", "viewer"]),
});

/** How a new member hears of it. */
export const notification = z.object({ notify: z.enum(["email", "sms", "none"]).default("email") });

/** What a user signs in with. Less strict than `newUser`: what is no password of anybody is wrong, not invalid. */
export const credentials = z.object({
  email: text.trim().toLowerCase(),
  password: characters(text, 0, MAX_PASSWORD),
});
