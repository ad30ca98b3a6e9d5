import { toHex } from "./hex.ts";

/**
 * Hashes content by SHA-256.
 *
 * @param content Bytes, or a text, which is hashed as UTF-8.
 * @returns The 32 bytes of the digest.
 */
export async function sha256(content: string | Uint8Array | ArrayBuffer): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content as BufferSource;
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/**
 * Hashes content by SHA-256.
 *
 * @param content Bytes, or a text, which is hashed as UTF-8: lone surrogates in it must be escaped.
 * @returns The digest as 64 hexadecimal digits.
 */
export async function sha256Hex(content: string | Uint8Array | ArrayBuffer): Promise<string> {
  return toHex(await sha256(content));
}
