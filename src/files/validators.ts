import { requireOptions, requireThat } from "../core/values/assert.ts";

/** The part of a request that conditions are read from. A `Request` has it. */
export interface ConditionalRequest {
  /** The method. */
  readonly method: string;
  /** The headers. */
  readonly headers: Pick<Headers, "get">;
}

/** What tells one version of a representation from another. */
export interface Validators {
  /** The entity tag with its quotes, as the header `ETag` has it: `"v1"`, or `W/"v1"` if it is weak. */
  readonly etag?: string | undefined;
  /** When it changed, as the header `Last-Modified` has it. Milliseconds are ignored. */
  readonly lastModified?: Date | undefined;
}

/**
 * Rejects validators of the wrong shape: an unquoted tag would never match, and a client could overwrite a version that
 * it has not seen.
 */
export function requireValidators(validators: Validators, owner: string, others: readonly string[] = []): void {
  requireOptions(validators, owner, [], [...others, "etag", "lastModified"]);
  const { etag, lastModified } = validators;
  const isTag = etag === undefined || (typeof etag === "string" && TAG.test(etag));
  requireThat(isTag, `Option etag of ${owner}`, 'an entity tag in quotes, "…" or W/"…"', etag);
  const isDate = lastModified === undefined || (lastModified instanceof Date && !Number.isNaN(lastModified.getTime()));
  requireThat(isDate, `Option lastModified of ${owner}`, "a valid Date", lastModified);
}

/** RFC 9110, 8.8.3. */
const TAG = /^(W\/)?"[!#-~\x80-\xff]*"$/;
