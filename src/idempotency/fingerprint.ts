import { sha256Hex } from "../core/values/sha256.ts";
import { isPlain } from "../core/values/assert.ts";

/**
 * Returns a digest of what a request asks for: its method, its target, and its body as a reader returned it, with the
 * names and types of files. JSON that differs in white space or in the order of keys only has the same digest. The cost
 * is that of sorting the keys, and no depth overflows the stack.
 *
 * @param request The request.
 * @param body The body: JSON, a form with files, or bytes; `undefined` if no schema declares one. An async iterable, as of
 * `parts`, is not compared.
 * @returns 64 hexadecimal digits.
 * @throws A `TypeError` if the body has a value of another kind, such as a `Map`.
 */
export async function fingerprint({ method, url }: Request, body: unknown): Promise<string> {
  const parts = [method, url.slice(url.indexOf("/", url.indexOf("//") + 2))];
  // Parts that arrive one by one would have to be read, and the handler reads them.
  const rest = Symbol.asyncIterator in Object(body) ? [] : [body];
  while (rest.length > 0) {
    const value = rest.pop();
    if (value instanceof Blob) {
      const { name }: Partial<File> = value;
      parts.push(`file ${name}`, value.type, await sha256Hex(await value.arrayBuffer()));
    } else if (value instanceof Uint8Array) parts.push("bytes", await sha256Hex(value));
    else if (Array.isArray(value)) {
      parts.push(`array of ${value.length}`);
      for (const item of value) rest.push(item);
    } else if (isPlain(value)) {
      // An object has no order (RFC 8259, 4): another process, or a library with maps of its own, may write another one.
      const entries = Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1);
      parts.push(`object of ${entries.length}`);
      for (const [key, item] of entries) rest.push(item, key);
    } else if (value === null || ["string", "number", "boolean", "undefined"].includes(typeof value)) {
      parts.push(`${typeof value} ${value}`);
    } else throw new TypeError("The body of an idempotent request must be JSON, a form or bytes");
  }
  return await sha256Hex(JSON.stringify(parts));
}
