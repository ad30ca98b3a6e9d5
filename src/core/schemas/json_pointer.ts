/**
 * Reads a JSON Pointer (RFC 6901).
 *
 * @param pointer The pointer: `/properties/a~1b`.
 * @returns Its keys: `["properties", "a/b"]`. A pointer without a leading slash is invalid. It becomes one key, which
 * resolves to nothing.
 */
export function tokensOf(pointer: string): readonly string[] {
  const [first, ...tokens] = pointer.split("/");
  return first === "" ? tokens.map(unescapeToken) : [pointer];
}

/**
 * Finds what a reference within a document refers to.
 *
 * @param root The document.
 * @param reference The reference: `#/$defs/book`.
 * @returns The value; `undefined` if there is none.
 */
export function valueAt(root: unknown, reference: string): unknown {
  let value = root;
  for (const token of tokensOf(decodeURIComponent(reference.slice(1)))) value = Object(value)[token];
  return value;
}

/**
 * Reads a part of a JSON Pointer.
 *
 * @param token The part: `a~1b`.
 * @returns The key: `a/b`.
 */
export function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}

/**
 * Writes a key as a part of a JSON Pointer.
 *
 * @param key The key: `a/b`.
 * @returns The part: `a~1b`.
 */
export function escapeToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
