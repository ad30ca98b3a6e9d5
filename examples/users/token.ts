import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const LIFETIME = 24 * 60 * 60 * 1000;

/** A bearer token as it is kept. Whoever reads the database cannot make a token of it. */
export interface KeptToken {
  /** What it is found by: the part of the token that is no secret. */
  readonly id: string;
  /** SHA-256 of the part that is. Enough for a random secret; a password takes a slow hash. */
  readonly digest: Uint8Array;
  /** From when on it is good for nothing. */
  readonly expiresAt: Date;
}

/**
 * Makes a token, good for 24 hours.
 *
 * @returns The token, `<id>.<secret>`, for its user alone, and what to keep of it.
 */
export function createToken(): { readonly token: string; readonly kept: KeptToken } {
  const id = crypto.randomUUID();
  const secret = randomBytes(32).toString("base64url");
  return {
    token: `${id}.${secret}`,
    kept: { id, digest: digestOf(secret), expiresAt: new Date(Date.now() + LIFETIME) },
  };
}

/**
 * Finds what was kept of a token, and checks the token against it.
 *
 * @param token Any text at all, as clients send it.
 * @param find Finds by id, among the tokens that have not expired.
 * @returns What `find` returned, if it was kept of this very token.
 */
export function redeemToken<Found extends { readonly digest: Uint8Array }>(
  token: string,
  find: (id: string) => Found | undefined,
): Found | undefined {
  const [id = "", secret = "", ...rest] = token.split(".");
  const found = rest.length === 0 ? find(id) : undefined;
  return found !== undefined && timingSafeEqual(found.digest, digestOf(secret)) ? found : undefined;
}

function digestOf(secret: string): Uint8Array {
  return createHash("sha256").update(secret).digest();
}
