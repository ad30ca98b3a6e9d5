import { appendValue } from "../core/input/query.ts";

/** The fields and files of a form, by name. A name that repeats has an array of its values, in order. */
export type FormValues = Record<string, string | File | (string | File)[]>;

/**
 * Parses the body of a form of type `multipart/form-data` (RFC 7578). Own code, not the runtime's `formData()`: that of
 * Deno accepts a body that was cut off, that of Node.js 20.9 never settles for some bodies, and that of Node.js before
 * 20.13 takes quadratic time.
 *
 * @param bytes The body.
 * @param contentType The content type, with the boundary.
 * @returns A null-prototype object, or `undefined` if the body is malformed or incomplete.
 */
export function parseMultipart(bytes: Uint8Array<ArrayBuffer>, contentType: string): FormValues | undefined {
  const boundary = BOUNDARY.exec(contentType)?.[2];
  if (boundary === undefined) return undefined;
  const delimiter = `\r\n--${boundary}`;
  // One character for each byte, so a position in the text is a position in the bytes.
  const [before = "", ...pieces] = `\r\n${new TextDecoder("latin1").decode(bytes)}`.split(delimiter);
  const after = pieces.pop();
  if (!/^[\r\n]*$/.test(before) || after === undefined || !/^--[\r\n]*$/.test(after)) return undefined;

  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const values: FormValues = Object.create(null);
  let start = before.length - 2;
  for (const piece of pieces) {
    start += delimiter.length;
    const end = start + piece.length;
    const headLength = piece.indexOf("\r\n\r\n");
    const head = headLength < 0 ? undefined : readHead(decoder.decode(bytes.subarray(start, start + headLength)));
    if (head === undefined) return undefined;
    const content = bytes.subarray(start + headLength + 4, end);
    const { name, filename, type } = head;
    appendValue(
      values,
      name,
      filename === undefined ? decoder.decode(content) : new File([content], filename, { type }),
    );
    start = end;
  }
  return values;
}

/** The boundary parameter (RFC 2046, 5.1.1), quoted or not. */
const BOUNDARY = /;[ \t]*boundary=("?)([\w'()+,\-./:=? ]{0,69}[\w'()+,\-./:=?])\1[ \t]*(?:;|$)/i;

/** What the headers of a part say. A part with a file name is a file. */
interface Head {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string;
}

/**
 * Reads the headers of a part, which begin with a line break; `undefined` without a name. Also where a disposition or a
 * parameter comes twice: parsers differ in which one they take, so a filter in front could have checked the other one.
 */
function readHead(head: string): Head | undefined {
  const disposition =
    /^[ \t]*\r\n(?:[^]*\r\n)?content-disposition:[ \t]*form-data[ \t]*((?:;[^\r\n]*)?)/i.exec(head)?.[1] ?? "";
  const lines = head.toLowerCase();
  if (lines.indexOf(DISPOSITION) < lines.lastIndexOf(DISPOSITION)) return undefined;
  const parameters = new Map<string, string>();
  let end = 0;
  for (const [text, key = "", quoted, token = ""] of disposition.matchAll(PARAMETER)) {
    if (parameters.has(key.toLowerCase())) return undefined;
    parameters.set(key.toLowerCase(), (quoted ?? token).replace(/%(?:0A|0D|22)/gi, decodeURIComponent));
    end += text.length;
  }
  const name = parameters.get("name");
  if (name === undefined || end < disposition.length) return undefined;
  const type = /\r\ncontent-type:([^\r\n]*)/i.exec(head)?.[1] ?? "text/plain";
  return { name, filename: parameters.get("filename"), type: type.trim() };
}

const DISPOSITION = "\r\ncontent-disposition:";

/** A parameter, its value quoted or not. Browsers escape line breaks and quotation marks as in a URL. */
const PARAMETER = /;[ \t]*([\w*-]+)=(?:"([^"]*)"|([^\s";]+))[ \t]*/gy;
