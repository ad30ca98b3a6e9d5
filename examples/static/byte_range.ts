/** A range of bytes in a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number; // the byte after the last
}

/** Returned for a range outside the file. Respond with 416. */
export const UNSATISFIABLE = "unsatisfiable";

/**
 * Selects the range of a file that a request asks for; `undefined` means the whole file. `If-Range` compares tags
 * strongly (RFC 9110, 13.1.5). A date never matches, because a file may change without a change of its date.
 *
 * Like `@std/http/file-server`, it ignores multiple ranges, other units, and every range of an empty file, as the RFC
 * permits.
 */
export function selectRange(
  headers: Headers,
  size: number,
  etag: string | undefined,
): ByteRange | typeof UNSATISFIABLE | undefined {
  const condition = headers.get("if-range");
  if (size === 0 || (condition !== null && condition !== etag)) return undefined;
  const [, first = "", last = ""] = RANGE.exec(headers.get("range") ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  // `bytes=-5` means the last 5 bytes.
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : UNSATISFIABLE;
}

const RANGE = /^bytes=(\d*)-(\d*)$/i;
