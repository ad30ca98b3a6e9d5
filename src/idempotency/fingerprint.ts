import { toHex } from "../core/values/hex.ts";
import { isPlain } from "../core/values/assert.ts";

/**
 * Returns a digest of what a request asks for: its method, its target, and its body as a reader returned it, with the
 * names and types of files. The cost is linear, and no depth overflows the stack.
 *
 * @param request The request.
 * @param body The body: JSON, a form with files, or bytes; `undefined` if no schema declares one.
 * @returns 64 hexadecimal digits.
 * @throws A `TypeError` if the body has a value of another kind, such as a `Map`.
 */
export async function fingerprint({ method, url }: Request, body: unknown): Promise<string> {
  const parts = [method, url.slice(url.indexOf("/", url.indexOf("//") + 2))];
  const rest = [body];
  while (rest.length > 0) {
    const value = rest.pop();
    if (value instanceof Blob) {
      const { name }: Partial<File> = value;
      parts.push(`file ${name}`, value.type, await digestOf(await value.arrayBuffer()));
    } else if (value instanceof Uint8Array) parts.push("bytes", await digestOf(new Uint8Array(value)));
    else if (Array.isArray(value)) {
      parts.push(`array of ${value.length}`);
      for (const item of value) rest.push(item);
    } else if (isPlain(value)) {
      const entries = Object.entries(value);
      parts.push(`object of ${entries.length}`);
      for (const [key, item] of entries) rest.push(item, key);
    } else if (value === null || ["string", "number", "boolean", "undefined"].includes(typeof value)) {
      parts.push(`${typeof value} ${value}`);
    } else throw new TypeError("The body of an idempotent request must be JSON, a form or bytes");
  }
  return await digestOfText(JSON.stringify(parts));
}

/** Returns the SHA-256 digest of a text, as hexadecimal digits. Lone surrogates must be escaped: JSON does that. */
export function digestOfText(text: string): Promise<string> {
  return digestOf(new TextEncoder().encode(text));
}

async function digestOf(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return toHex(digest);
}
