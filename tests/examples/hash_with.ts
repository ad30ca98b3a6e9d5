import { pbkdf2Sync } from "node:crypto";

/** Hashes a password as the recipe sessions does, with another number of iterations and a known salt. */
export function hashWith(iterations: number, password: string): string {
  const base64 = (bytes: Uint8Array) => bytes.toBase64({ omitPadding: true });
  const salt = new Uint8Array(16);
  const hash = new Uint8Array(pbkdf2Sync(password, salt, iterations, 32, "sha256"));
  return `$pbkdf2-sha256$i=${iterations}$${base64(salt)}$${base64(hash)}`;
}
