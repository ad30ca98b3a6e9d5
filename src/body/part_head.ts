/** What the headers of a part of a form say. A part with a file name is a file. */
export interface PartHead {
  /** The name of the field. */
  readonly name: string;
  /** The name of the file, as the client wrote it: it may be any text. `undefined` for a field. */
  readonly fileName: string | undefined;
  /** The media type with its parameters; `text/plain` if none is given. */
  readonly contentType: string;
}

/**
 * Reads the headers of a part of `multipart/form-data`.
 *
 * A value in quotes is read as clients write it: browsers escape line breaks and quotation marks as in a URL, other
 * clients escape `"` and `\` by a backslash (RFC 2183), and a backslash before any other character is itself, as in
 * `C:\file.txt`. `filename*` (RFC 8187) takes precedence over `filename`, and is ignored if it is malformed.
 *
 * @param text The text from the boundary on, without the empty line at the end.
 * @returns What the headers say. `undefined` if there is no name; if a line is not a header, such as one that continues
 * the line before or has a single line feed; if a disposition, a content type or a parameter comes twice; or if the
 * content is encoded as base64 or quoted-printable, which RFC 7578 deprecates (4.7). Parsers differ in how they read
 * these, so a filter in front could have checked something else.
 */
export function readPartHead(text: string): PartHead | undefined {
  const [afterBoundary = "", ...lines] = text.split("\r\n");
  if (/[^ \t]/.test(afterBoundary)) return undefined;
  let parameters: Parameters | undefined;
  let contentType: string | undefined;
  for (const line of lines) {
    const [, written, value] = HEADER.exec(line) ?? [];
    if (written === undefined || value === undefined) return undefined;
    const name = written.toLowerCase();
    if (name === "content-disposition") {
      if (parameters !== undefined) return undefined;
      parameters = readDisposition(value);
      if (parameters === undefined) return undefined;
    } else if (name === "content-type") {
      if (contentType !== undefined) return undefined;
      contentType = value.trim();
    } else if (name === "content-transfer-encoding" && !/^(7bit|8bit|binary)$/i.test(value.trim())) return undefined;
  }
  const name = parameters?.get("name");
  if (parameters === undefined || name === undefined) return undefined;
  const fileName = decodeExtended(parameters.get("filename*")) ?? parameters.get("filename");
  return { name, fileName, contentType: contentType ?? "text/plain" };
}

/** A header: its name, and its value. */
const HEADER = /^([\w!#$%&'*+.^`|~-]+):([^\r\n]*)$/;

type Parameters = Map<string, string>;

/** Reads `form-data` with its parameters. Their names are in lower case. */
function readDisposition(value: string): Parameters | undefined {
  const type = /^[ \t]*form-data[ \t]*/i.exec(value)?.[0];
  if (type === undefined) return undefined;
  const parameters: Parameters = new Map();
  // Some clients write a semicolon after the last parameter.
  const trimmed = value.trimEnd();
  const end = trimmed.endsWith(";") ? trimmed.length - 1 : trimmed.length;
  let position = type.length;
  while (position < end) {
    PARAMETER_NAME.lastIndex = position;
    const [before, name = ""] = PARAMETER_NAME.exec(value) ?? [];
    if (before === undefined || parameters.has(name.toLowerCase())) return undefined;
    position += before.length;
    const read = readValue(value, position);
    if (read === undefined) return undefined;
    parameters.set(name.toLowerCase(), read.value);
    position = read.end;
  }
  return parameters;
}

/** The name of a parameter, with what is around it. */
const PARAMETER_NAME = /;[ \t]*([\w*-]+)=/y;

/** Reads the value of a parameter, and the white space after it. */
function readValue(text: string, position: number): { readonly value: string; readonly end: number } | undefined {
  for (const [pattern, decode] of VALUES) {
    pattern.lastIndex = position;
    const [all, value] = pattern.exec(text) ?? [];
    if (all !== undefined && value !== undefined) return { value: decode(value), end: position + all.length };
  }
  return undefined;
}

/**
 * The kinds of values, in the order in which they are tried: in quotes with escapes by backslashes, in quotes without,
 * for a name that ends with a backslash, and without quotes.
 */
const VALUES: readonly (readonly [pattern: RegExp, decode: (value: string) => string])[] = [
  [/"((?:[^"\\]|\\[^])*)"[ \t]*(?=;|$)/y, (value) => unescapeUrl(value.replace(/\\(["\\])/g, "$1"))],
  [/"([^"]*)"[ \t]*(?=;|$)/y, unescapeUrl],
  [/([^\s";]+)[ \t]*(?=;|$)/y, unescapeUrl],
];

function unescapeUrl(value: string): string {
  return value.includes("%") ? value.replace(/%(?:0A|0D|22)/gi, decodeURIComponent) : value;
}

/** Decodes an extended value, such as `UTF-8'en'%E6%97%A5.txt` (RFC 8187, 3.2); `undefined` if it is malformed. */
function decodeExtended(value: string | undefined): string | undefined {
  const [, charset, encoded = ""] = /^(utf-8|iso-8859-1)'[\w-]*'([\w!#$&+.^`|~%-]*)$/i.exec(value ?? "") ?? [];
  try {
    if (charset?.toLowerCase() === "utf-8") return decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
  if (charset === undefined || /%(?![\da-f]{2})/i.test(encoded)) return undefined;
  return encoded.replace(/%(..)/g, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
}
