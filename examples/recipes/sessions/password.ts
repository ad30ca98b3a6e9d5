import { Buffer } from "node:buffer";
import { randomBytes, timingSafeEqual } from "node:crypto";

/**
 * The minimum that OWASP recommends for PBKDF2 with SHA-256. You can raise it at any time: each hash contains its
 * number, and a sign-in replaces a hash with a lower one. Never lower it: the time of a sign-in would reveal old accounts.
 */
const ITERATIONS = 600_000;
const SALT_BYTES = 16;
const HASH_BYTES = 32;

/**
 * Hashes a password with a slow algorithm, so that it can be stored.
 *
 * @param password The password.
 * @returns A PHC string, `$pbkdf2-sha256$i=600000$<salt>$<hash>`. The salt is random.
 */
export async function hashPassword(password: string): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  return format(ITERATIONS, salt, await derive(password, salt, ITERATIONS));
}

/**
 * Verifies a password. The duration does not reveal whether the password is correct, or whether there is a hash.
 *
 * @param password The password.
 * @param hash The hash that `hashPassword` returned, or `undefined` if there is none. Then no password is correct.
 * @returns Whether the password is correct.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const { iterations, salt, derived } = parse(hash ?? UNKNOWN);
  const same = timingSafeEqual(await derive(password, salt, iterations), derived);
  // An old hash has fewer iterations. Do the others too, or less time would reveal that there is a hash.
  if (iterations < ITERATIONS) await derive(password, salt, ITERATIONS - iterations);
  return same && hash !== undefined;
}

/**
 * Verifies a password at a sign-in, as `verifyPassword` does, and renews its hash.
 *
 * @param password The password.
 * @param hash The stored hash, or `undefined` if there is none.
 * @returns The hash to store from now on: a new one if the old one has too few iterations, otherwise the same. `undefined`
 * if the password is wrong.
 */
export async function verifyAndRenew(password: string, hash: string | undefined): Promise<string | undefined> {
  const verified = await verifyPassword(password, hash);
  if (!verified || hash === undefined) return undefined;
  return parse(hash).iterations < ITERATIONS ? await hashPassword(password) : hash;
}

async function derive(password: string, salt: Uint8Array<ArrayBuffer>, iterations: number): Promise<Uint8Array> {
  // Normalize the text: some keyboards enter é as one character, others as e and an accent.
  const bytes = new TextEncoder().encode(password.normalize("NFKC"));
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const algorithm = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, HASH_BYTES * 8));
}

function format(iterations: number, salt: Uint8Array, derived: Uint8Array): string {
  return `$pbkdf2-sha256$i=${iterations}$${toBase64(salt)}$${toBase64(derived)}`;
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64").replace(/=+$/, "");
}

function parse(hash: string): { iterations: number; salt: Uint8Array<ArrayBuffer>; derived: Uint8Array } {
  const [, iterations, salt, derived] = HASH.exec(hash) ?? [];
  if (iterations === undefined || salt === undefined || derived === undefined) {
    throw new TypeError("A password hash must be what hashPassword returned");
  }
  return { iterations: Number(iterations), salt: fromBase64(salt), derived: fromBase64(derived) };
}

const HASH = /^\$pbkdf2-sha256\$i=([1-9]\d*)\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, "base64"));
}

/** A hash that no password matches. */
const UNKNOWN = format(ITERATIONS, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
