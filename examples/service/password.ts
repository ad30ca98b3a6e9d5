import { Buffer } from "node:buffer";
import { randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The minimum that OWASP recommends for PBKDF2 with SHA-256. You can raise it: a sign-in replaces a hash with a lower
 * number. Never lower it: the time of a sign-in would reveal old accounts.
 */
const ITERATIONS = 600_000;
const HASH_BYTES = 32;

/** Hashes a password with a slow algorithm. Returns a PHC string: `$pbkdf2-sha256$i=600000$<salt>$<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  return format(salt, await derive(password, salt, ITERATIONS));
}

/**
 * Verifies a password at a sign-in, and returns the hash to store from now on: a new one if the old one has too few
 * iterations. `undefined` for a wrong password. The duration does not reveal whether the password is correct, or
 * whether there is a hash.
 */
export async function verifyAndRenew(password: string, hash: string | undefined): Promise<string | undefined> {
  const [, iterations = "", salt = "", derived = ""] = HASH.exec(hash ?? UNKNOWN) ?? [];
  if (derived === "") throw new TypeError("A password hash must be what hashPassword returned");
  const given = await derive(password, Buffer.from(salt, "base64"), Number(iterations));
  const isSame = timingSafeEqual(given, Buffer.from(derived, "base64"));
  const missing = ITERATIONS - Number(iterations);
  // Do the others too, or less time would reveal that there is a hash.
  if (missing > 0) await derive(password, Buffer.from(salt, "base64"), missing);
  if (!isSame || hash === undefined) return undefined;
  return missing > 0 ? await hashPassword(password) : hash;
}

/** Normalizes the text: some keyboards enter é as one character, others as e and an accent. */
async function derive(password: string, salt: Uint8Array, iterations: number): Promise<Buffer> {
  const bytes = new TextEncoder().encode(password.normalize("NFKC"));
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: new Uint8Array(salt), iterations };
  return Buffer.from(await crypto.subtle.deriveBits(algorithm, key, HASH_BYTES * 8));
}

function format(...parts: readonly Buffer[]): string {
  const texts = parts.map((part) => part.toString("base64").replace(/=+$/, ""));
  return `$pbkdf2-sha256$i=${ITERATIONS}$${texts.join("$")}`;
}

const HASH = /^\$pbkdf2-sha256\$i=([1-9]\d*)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** A hash that no password matches. */
const UNKNOWN = format(randomBytes(16), randomBytes(HASH_BYTES));
