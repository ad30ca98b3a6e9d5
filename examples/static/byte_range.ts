/** A range of bytes in a file. */
export interface ByteRange {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last. */
  readonly end: number;
}

/** Returned for a range outside the file. Respond with 416. */
export const UNSATISFIABLE = "unsatisfiable";

/**
 * Parses a `Range` header (RFC 9110, 14.2). Like `@std/http/file-server`, it ignores multiple ranges, other units, and
 * every range of an empty file. The response is then the whole file, which the RFC permits.
 *
 * @param header The header.
 * @param size The size of the file, in bytes.
 * @returns The range within the file, or `undefined` if the header must be ignored.
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
