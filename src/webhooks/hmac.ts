/** Keys and signatures. No entry point exports them: a project without the types of browsers has no `CryptoKey`. */

/**
 * The key of a secret of Standard Webhooks.
 *
 * @param secret Base64, with or without the prefix `whsec_`.
 * @param owner The function that takes it, as messages name it.
 * @returns The key.
 * @throws A `TypeError` if it is not base64. The message does not contain it.
 */
export function standardKey(secret: string, owner: string): Uint8Array<ArrayBuffer> {
  const key = fromBase64(secret.replace(/^whsec_/, ""));
  if (key !== undefined && key.length > 0) return key;
  throw new TypeError(`A secret of ${owner} must be base64, with or without the prefix whsec_`);
}

/**
 * Signs a message by HMAC-SHA-256.
 *
 * @param key The key, as {@linkcode importKey} returns it.
 * @param prefix What is signed before the body.
 * @param body The body.
 * @returns The signature: 32 bytes.
 */
export async function sign(key: CryptoKey, prefix: string, body: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const start = new TextEncoder().encode(prefix);
  const message = new Uint8Array(start.length + body.length);
  message.set(start);
  message.set(body, start.length);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}

/** Makes a key for {@linkcode sign}. */
export function importKey(key: Uint8Array): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", key.slice(), { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

/** The bytes of a text in base64; `undefined` if it is none. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
