/** A part of a file. */
export interface ByteRange {
  /** The first byte. */
  readonly start: number;
  /** The byte after the last. */
  readonly end: number;
}

/** Returned for a range that lies outside the file: answer 416. */
export const UNSATISFIABLE = "unsatisfiable";

/**
 * Reads a `Range` header (RFC 9110, 14.2). Like `@std/http/file-server` it ignores several ranges at once, other units, and
 * any range of an empty file: the answer is the whole file, which the RFC permits.
 *
 * @param header The header.
 * @param size The size of the file, in bytes.
 * @returns The range, within the file; `undefined` where the header is to be ignored.
 */
export function parseByteRange(header: string, size: number): ByteRange | typeof UNSATISFIABLE | undefined {
  const [, first = "", last = ""] = RANGE.exec(header) ?? [];
  if (size === 0 || (first === "" && last === "")) return undefined;
  // Without a first byte, the number is that of the last bytes wanted.
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : UNSATISFIABLE;
}

const RANGE = /^bytes=(\d*)-(\d*)$/i;
