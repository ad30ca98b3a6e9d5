import { requireWhole } from "../core/values/whole_number.ts";
import { type ConditionalRequest, inSeconds, parseDate, requireValidators, type Validators } from "./validators.ts";

/** What {@linkcode byteRange} has to know of a representation. */
export interface RangedRepresentation extends Validators {
  /** Its length in bytes. */
  readonly size: number;
}

/** A range of bytes, as `slice` takes it. */
export interface ByteRange {
  /** The first byte, counted from 0. */
  readonly start: number;
  /** The byte after the last one. */
  readonly end: number;
}

/**
 * Selects the bytes that `Range` asks for (RFC 9110, section 14), if `If-Range` allows it (13.1.5).
 *
 * Call it after {@linkcode preconditions}. Only GET has ranges. Several ranges, other units and malformed ranges are
 * ignored, and so is every range of an empty representation, as the RFC permits.
 *
 * `If-Range` with a tag must have the current one, and it must be strong. A date must be exactly `lastModified`, and at
 * least a second old: within that second, there could have been two versions.
 *
 * @param request The request.
 * @param representation Its length and its validators, after content coding.
 * @returns The range, for a 206 with `Content-Range: bytes START-LAST/SIZE`, where `LAST` is `end - 1`.
 * `"unsatisfiable"` for a 416 with `Content-Range: bytes *\/SIZE`. `undefined` to send the whole.
 * @throws A `TypeError` if the length is not a whole number from 0, or if a validator has the wrong shape.
 *
 * @example A part of a text
 * ```ts
 * import { byteRange } from "@fw/core/files";
 * import { assertEquals } from "@std/assert";
 *
 * const request = new Request("http://localhost/", { headers: { range: "bytes=-5" } });
 * assertEquals(byteRange(request, { size: 100 }), { start: 95, end: 100 });
 * ```
 */
export function byteRange(
  request: ConditionalRequest,
  representation: RangedRepresentation,
): ByteRange | "unsatisfiable" | undefined {
  requireValidators(representation, "byteRange", ["size"]);
  requireWhole(representation.size, "Option size of byteRange", Number.MAX_SAFE_INTEGER, 0);
  return selectRange(request, representation);
}

/** Does what {@linkcode byteRange} does, without a check of the representation. */
export function selectRange(
  { method, headers }: ConditionalRequest,
  { size, etag, lastModified }: RangedRepresentation,
): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/i.exec(headers.get("range") ?? "") ?? [];
  if (method !== "GET" || size === 0 || first + last === "") return undefined;
  const condition = headers.get("if-range");
  if (condition !== null) {
    const modified = inSeconds(lastModified);
    const isCurrent = condition.startsWith('"')
      ? condition === etag
      : parseDate(condition) === modified && modified + 1000 <= Date.now();
    if (!isCurrent) return undefined;
  }
  // `bytes=-5` means the last 5 bytes.
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size);
  return start < end ? { start, end } : "unsatisfiable";
}
