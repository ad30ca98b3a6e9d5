import { requireOptions, requireThat } from "../core/values/assert.ts";

/** The part of a request that conditions are read from. A `Request` has it. */
export interface ConditionalRequest {
  /** The method. */
  readonly method: string;
  /** The headers. */
  readonly headers: Pick<Headers, "get">;
}

/** Values that distinguish one version of a representation from another. */
export interface Validators {
  /** The entity tag with its quotes, as the header `ETag` has it: `"v1"`, or `W/"v1"` if it is weak. */
  readonly etag?: string | undefined;
  /** When it changed, as the header `Last-Modified` has it. Milliseconds are ignored. */
  readonly lastModified?: Date | undefined;
}

/** Rejects validators of the wrong shape. */
export function requireValidators(validators: Validators, owner: string, others: readonly string[] = []): void {
  requireOptions(validators, owner, [], [...others, "etag", "lastModified"]);
  const { etag, lastModified } = validators;
  requireTag(etag, `Option etag of ${owner}`);
  const isDate = lastModified === undefined || (lastModified instanceof Date && !Number.isNaN(lastModified.getTime()));
  requireThat(isDate, `Option lastModified of ${owner}`, "a valid Date", lastModified);
}

/** Rejects an unquoted tag: it would never match, and a client could overwrite a version that it has not seen. */
export function requireTag(etag: unknown, name: string): void {
  const isTag = etag === undefined || (typeof etag === "string" && TAG.test(etag));
  requireThat(isTag, name, 'an entity tag in quotes, "…" or W/"…"', etag);
}

/** RFC 9110, 8.8.3. */
const TAG = /^(W\/)?"[!#-~\x80-\xff]*"$/;

/**
 * Parses a date of HTTP in any of its three formats (RFC 9110, 5.6.7).
 *
 * @param text The value of a header.
 * @returns The time in milliseconds; `NaN` if there is no header, or if it is no date.
 */
export function parseDate(text: string | null): number {
  if (text === null) return NaN;
  const date = text
    // Of RFC 850: Sunday, 06-Nov-94 08:49:37 GMT
    .replace(
      /^(\w{3})\w{3,6}, (\d\d)-(\w{3})-(\d\d)(?= )/,
      (_, weekday, day, month, year) => `${weekday}, ${day} ${month} ${wholeYear(year)}`,
    )
    // Of asctime: Sun Nov  6 08:49:37 1994
    .replace(
      /^(\w{3}) (\w{3}) ([ \d]\d) ([\d:]{8}) (\d{4})$/,
      (_, weekday, month, day, time, year) => `${weekday}, ${day.replace(" ", "0")} ${month} ${year} ${time} GMT`,
    );
  const time = Date.parse(date);
  // `Date.parse` accepts much more than dates of HTTP. The day of the week may be wrong.
  const isDate = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), /.test(date) &&
    new Date(time).toUTCString().slice(5) === date.slice(5);
  return isDate ? time : NaN;
}

/** A year of two digits is that of this century, or the one before if it would be more than 50 years ahead. */
function wholeYear(digits: string): number {
  const now = new Date().getUTCFullYear();
  const year = now - now % 100 + Number(digits);
  return year > now + 50 ? year - 100 : year;
}

/** A date in HTTP has no milliseconds: files that change later within the second have the same one. */
export function inSeconds(date: Date | undefined): number {
  return Math.floor(Number(date) / 1000) * 1000;
}
