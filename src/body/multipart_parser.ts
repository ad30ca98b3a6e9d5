import { createPattern } from "./byte_pattern.ts";
import { type PartHead, readPartHead } from "./part_head.ts";

/** What a multipart body contains, in the order in which it arrives. */
export type PartEvent =
  /** A part begins. */
  | { readonly kind: "part"; readonly head: PartHead }
  /** Bytes of that part, not empty. They are a view of what was pushed. */
  | { readonly kind: "content"; readonly bytes: Uint8Array<ArrayBuffer> }
  /** That part has ended. */
  | { readonly kind: "end" };

/** Reads a body of type `multipart/form-data`, however it is divided into chunks. */
export interface MultipartParser {
  /**
   * Reads the next bytes of the body. It reads on only as far as the events are taken: take all of them before the next
   * call, or parse no more.
   *
   * @param chunk The bytes.
   * @returns What they contain. Nothing once the body is malformed.
   */
  push(chunk: Uint8Array<ArrayBuffer>): Iterable<PartEvent>;
  /** `"malformed"` for good from the first fault on; `"complete"` if the body may end here. */
  readonly state: "incomplete" | "complete" | "malformed";
}

/**
 * Creates a parser of `multipart/form-data` (RFC 7578). Own code, not the runtime's `formData()`, which reads a body at
 * once. That of Deno accepts a body that was cut off. Before 20.13, that of Node.js ends the process if a file was cut
 * off, and takes quadratic time.
 *
 * White space may follow a boundary, and line breaks may be around the parts (RFC 2046, 5.1.1). Other text before or
 * after the parts is malformed here, although RFC 2046 lets receivers ignore it. Clients send none, and parsers differ:
 * Bun reads parts after the last boundary, and ModSecurity reports such text as an attack (`MULTIPART_DATA_AFTER`).
 *
 * It keeps no more than the header of a part, of at most 64 KiB, or the beginning of a boundary. It does not count
 * parts or bytes: its caller does.
 *
 * @param contentType The content type, with the boundary.
 * @returns The parser; `undefined` if the content type has no valid boundary, or has two: parsers differ in which one
 * they take, so a filter in front could have checked another body.
 */
export function createMultipartParser(contentType: string): MultipartParser | undefined {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) return undefined;
  const delimiter = createPattern(`\r\n--${boundary}`);
  const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  let place: Place = "preamble";
  // What was pushed and is not read yet: the beginning of a buffer that grows by doubling.
  let held = new Uint8Array(0);
  let heldLength = 0;
  // The first boundary may stand at the very beginning, without a line break.
  hold(new TextEncoder().encode("\r\n"));
  return {
    push,
    get state() {
      return place === "malformed" ? "malformed" : place === "epilogue" ? "complete" : "incomplete";
    },
  };

  function* push(chunk: Uint8Array<ArrayBuffer>): Generator<PartEvent> {
    if (place === "head" && heldLength > 3 && !endsHead(chunk)) {
      // Headers may arrive byte by byte: they are not read again for each.
      if (heldLength + chunk.length > MAX_HEAD_BYTES) return fail();
      return hold(chunk);
    }
    const bytes = release(chunk);
    let position = 0;
    for (;;) {
      switch (place) {
        case "preamble": {
          const start = delimiter.findIn(bytes, position);
          const end = start < 0 ? Math.max(0, bytes.length - delimiter.length) : start;
          if (!isBlank(bytes.subarray(0, end))) return fail();
          if (start < 0) return hold(bytes.subarray(end));
          position = start + delimiter.length;
          place = "head";
          break;
        }
        case "head": {
          if (bytes.length - position < 2) return hold(bytes.subarray(position));
          if (bytes[position] === DASH && bytes[position + 1] === DASH) {
            position += 2;
            place = "epilogue";
            break;
          }
          const end = HEAD_END.findIn(bytes, position);
          if ((end < 0 ? bytes.length : end) - position > MAX_HEAD_BYTES) return fail();
          if (end < 0) return hold(bytes.subarray(position));
          const written = bytes.subarray(position, end);
          const head = delimiter.findIn(written, 0) < 0 ? readPartHead(utf8.decode(written)) : undefined;
          if (head === undefined) return fail();
          // The second line break may be that of a boundary.
          position = end + 2;
          place = "blank line";
          yield { kind: "part", head };
          break;
        }
        case "blank line": {
          const same = delimiter.beginsAt(bytes, position);
          if (same === delimiter.length) return fail();
          if (position + same === bytes.length) return hold(bytes.subarray(position));
          position += 2;
          place = "content";
          break;
        }
        case "content": {
          const start = delimiter.findIn(bytes, position);
          const end = start < 0 ? startOfPrefix(bytes, position) : start;
          if (end > position) yield { kind: "content", bytes: bytes.subarray(position, end) };
          if (start < 0) return hold(bytes.subarray(end));
          position = start + delimiter.length;
          place = "head";
          yield { kind: "end" };
          break;
        }
        case "epilogue":
          if (!isBlank(bytes.subarray(position))) fail();
          return;
        case "malformed":
          return;
      }
    }
  }

  /**
   * Where the beginning of a delimiter stands at the end of the bytes; the number of bytes if it does not. The only
   * carriage return of a delimiter is its first byte.
   */
  function startOfPrefix(bytes: Uint8Array, position: number): number {
    const first = Math.max(position, bytes.length - delimiter.length + 1);
    const start = bytes.subarray(first).lastIndexOf(CARRIAGE_RETURN) + first;
    return start >= first && start + delimiter.beginsAt(bytes, start) === bytes.length ? start : bytes.length;
  }

  /** Whether the headers of a part end in this chunk. */
  function endsHead(chunk: Uint8Array): boolean {
    const bytes = new Uint8Array(3 + chunk.length);
    bytes.set(held.subarray(heldLength - 3, heldLength));
    bytes.set(chunk, 3);
    return HEAD_END.findIn(bytes, 0) >= 0;
  }

  /** Holds bytes until the next call. They are copied: the chunk may be large. */
  function hold(chunk: Uint8Array): void {
    if (heldLength + chunk.length > held.length) {
      const larger = new Uint8Array(2 * (heldLength + chunk.length));
      larger.set(held.subarray(0, heldLength));
      held = larger;
    }
    held.set(chunk, heldLength);
    heldLength += chunk.length;
  }

  /** What was held, and the chunk. */
  function release(chunk: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
    if (heldLength === 0) return chunk;
    const bytes = new Uint8Array(heldLength + chunk.length);
    bytes.set(held.subarray(0, heldLength));
    bytes.set(chunk, heldLength);
    heldLength = 0;
    return bytes;
  }

  function fail(): void {
    place = "malformed";
  }
}

/** What the next byte belongs to. */
type Place = "preamble" | "head" | "blank line" | "content" | "epilogue" | "malformed";

function boundaryOf(contentType: string): string | undefined {
  const parameters = contentType.match(/;[ \t]*boundary[\d*]*[ \t]*=/gi) ?? [];
  return parameters.length === 1 ? BOUNDARY.exec(contentType)?.[2] : undefined;
}

/** The boundary parameter (RFC 2046, 5.1.1), quoted or not. */
const BOUNDARY = /;[ \t]*boundary=("?)([\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?])\1[ \t]*(?:;|$)/i;

/** The length of the headers of a part, in bytes. */
const MAX_HEAD_BYTES = 65_536;

const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;
const TAB = 9;
const SPACE = 32;
const DASH = 45;

/** The end of the headers of a part. */
const HEAD_END = /* @__PURE__ */ createPattern("\r\n\r\n");

/** Whether there are only line breaks, spaces and tabs. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte === CARRIAGE_RETURN || byte === LINE_FEED || byte === SPACE || byte === TAB);
}
