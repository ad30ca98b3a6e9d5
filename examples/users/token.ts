import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const LIFETIME = 24 * 60 * 60 * 1000;

/** The stored form of a bearer token. Nobody can derive the token from it. */
export type KeptToken = ReturnType<typeof createToken>["kept"];

/** Creates a token that is valid for 24 hours: `<id>.<secret>` for the user only, and its stored form. */
export function createToken() {
  const id = crypto.randomUUID();
  const secret = randomBytes(32).toString("base64url");
  return {
    token: `${id}.${secret}`,
    kept: { id, digest: digestOf(secret), expiresAt: new Date(Date.now() + LIFETIME) },
  };
}

/**
 * Returns the stored form of a token if the token is valid, which can be any text. `find` finds it by its id, unless it
 * has expired.
 */
export function redeemToken<Found extends { readonly digest: Uint8Array }>(
  token: string,
  find: (id: string) => Found | undefined,
): Found | undefined {
  const [id = "", secret = "", ...rest] = token.split(".");
  const found = rest.length === 0 ? find(id) : undefined;
  return found !== undefined && timingSafeEqual(found.digest, digestOf(secret)) ? found : undefined;
}

/** A fast hash is sufficient for a random secret. A password needs a slow one. */
function digestOf(secret: string): Uint8Array {
  return createHash("sha256").update(secret).digest();
}
