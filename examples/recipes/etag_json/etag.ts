/** ETags, by the comparisons of `@std/http/etag` in linear time: on its own, it takes a second for 50,000 spaces. */
import * as etag from "@std/http/etag";
import { createHash } from "node:crypto";

/** Creates a strong ETag: a hash of the content. `eTag` of `@std/http/etag` does as well, but fails on Node.js 20. */
export function createTag(content: string | Uint8Array): string {
  return `"${createHash("sha256").update(content).digest("base64url")}"`;
}

/** Whether `If-Match` contains the tag of the current version, or is `*`. Weak tags never match. */
export function ifMatch(header: string | null, tag: string | undefined): boolean {
  return etag.ifMatch(withoutSpace(header), tag);
}

/** Whether `If-None-Match` is absent, or does not contain the tag of the current version. Weak tags match strong ones. */
export function ifNoneMatch(header: string | null, tag: string | undefined): boolean {
  return etag.ifNoneMatch(withoutSpace(header), tag);
}

/** Removes the white space around tags, and what is no tag: tags contain no white space (RFC 9110, 8.8.3). */
function withoutSpace(header: string | null): string | null {
  return header && header.split(",").map((tag) => tag.trim()).filter((tag) => !/\s/.test(tag)).join();
}
