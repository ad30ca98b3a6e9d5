/** A range of bytes in a file. */
export interface ByteRange {
  readonly start: number;
  readonly end: number; // the byte after the last
}

/** Returned for a range outside the file. Respond with 416. */
export const UNSATISFIABLE = "unsatisfiable";

/**
 * Parses a `Range` header (RFC 9110, 14.2). Like `@std/http/file-server`, it ignores multiple ranges, other units, and
 * every range of an empty file: it returns `undefined`. The response is then the whole file, which the RFC permits.
 */
export function parseByteRange(header: string, size: number): ByteRange | typeof UNSATISFIABLE | undefined {
  const [, first = "", last = ""] = RANGE.exec(header) ?? [];
  if (size === 0 || (first === "" && last === "")) return undefined;
  // `bytes=-5` means the last 5 bytes.
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : UNSATISFIABLE;
}

const RANGE = /^bytes=(\d*)-(\d*)$/i;
