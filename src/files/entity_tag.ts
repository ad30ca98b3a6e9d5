import { sha256 } from "../core/values/sha256.ts";

/**
 * Makes a strong entity tag of content: a hash by SHA-256. It changes whenever a byte changes, so that `If-Match` and
 * `If-Range` accept it.
 *
 * A compressed response needs a different tag. The proxy or hook that compresses it must make the tag weak, or remove
 * it.
 *
 * @param content A text, or bytes.
 * @returns The tag with its quotes, for the header `ETag`.
 *
 * @example The tag of JSON
 * ```ts
 * import { strongTag } from "@fw/core/files";
 * import { assertEquals } from "@std/assert";
 *
 * const etag = await strongTag(JSON.stringify([{ title: "Emma" }]));
 * assertEquals(etag, '"kgkOVT92hYL67uTyqV3iTsqGDO96WxFT64RYtitZWLs"');
 * ```
 */
export async function strongTag(content: string | Uint8Array | ArrayBuffer): Promise<string> {
  return `"${
    btoa(String.fromCharCode(...await sha256(content))).replace("=", "").replaceAll("+", "-").replaceAll("/", "_")
  }"`;
}

/**
 * Makes a weak entity tag of content: a hash by SHA-256, marked with `W/`. Two versions with the same weak tag have the
 * same meaning, but may have different bytes. Pass the value that makes the difference. `If-Match` and `If-Range` never
 * accept it.
 *
 * @param content A text, or bytes.
 * @returns The tag with its quotes, for the header `ETag`.
 *
 * @example The tag of a page that also shows the time
 * ```ts
 * import { weakTag } from "@fw/core/files";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(await weakTag("article 7, version 2"), 'W/"RUM0Id1rIIriR4ksPbqJMFVvGQbPiDz-CAL4AAGPkCA"');
 * ```
 */
export async function weakTag(content: string | Uint8Array | ArrayBuffer): Promise<string> {
  return `W/${await strongTag(content)}`;
}
