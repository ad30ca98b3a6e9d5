import type { BodyReader } from "../../core/input/body_reader.ts";
import { readCookies, readHeaders } from "../../core/input/headers.ts";
import { readQuery } from "../../core/input/query.ts";
import type { ValidationIssue } from "../../core/input/input.ts";
import type { InputPart } from "../../core/input/request_schemas.ts";
import { isJson, isJsonLines, sendableType } from "../../core/responses/media_type.ts";
import { receiveParts } from "../receive_parts.ts";
import { fieldsOf, MULTIPART, OddForm, writeMultipart } from "./multipart.ts";
import { textOf, wellFormed } from "./text_of.ts";

/** The values of the parts of a request, before they are written, and the messages that follow over its socket. */
export type Values = { readonly [Part in InputPart | "messages"]?: unknown };

/** A part of a request as it is sent. */
export interface Written {
  /** What the server gets to validate; {@linkcode UNREADABLE} for a body that cannot be read. */
  readonly raw: unknown;
  /** What is sent: of a body its text. */
  readonly text: string;
  /** The media type of a body. */
  readonly contentType?: string | undefined;
}

/** What the server gets of a body whose parts arrive one by one. */
export interface RawParts {
  /** What is wrong with any of the parts. */
  readonly issues: readonly ValidationIssue[];
  /** Whether it is sent in an unusual way. Then only the app can say whether it is valid. */
  readonly isOdd: boolean;
}

/** Stands for the value of a body that cannot be read. `undefined` is that of an absent one. */
export const UNREADABLE: unique symbol = /* @__PURE__ */ Symbol();

/** Where requests go. */
export const ORIGIN = "http://localhost:8000";

/**
 * Writes a part of a request.
 *
 * @param part The part.
 * @param value Its value. Of all parts but the body, an object.
 * @param reader Reads the body, if it is not JSON.
 * @param segments The segments of the path, for its parameters.
 * @returns What is sent, and what the server gets.
 */
export async function write(
  part: InputPart,
  value: unknown,
  reader: BodyReader | undefined,
  segments: readonly string[],
): Promise<Written> {
  if (part === "body") return reader === undefined ? writeJson(value) : await writeBody(value, reader);
  const pairs = Object.entries(Object(value)).flatMap(([name, value]) =>
    [value].flat().filter((one) => one !== undefined && one !== null).map((one) => [name, textOf(one)] as const)
  );
  if (part === "query") {
    const text = new URLSearchParams(pairs.map(([name, text]) => [name, wellFormed(text)])).toString();
    return { raw: readQuery(text), text };
  }
  if (part === "params") {
    // A path has all of its parameters, also one whose wrong value has no text, such as `null` and `[]`.
    const all = [...Object.keys(Object(value)).map((name) => [name, ""] as const), ...pairs];
    const raw = Object.fromEntries(all.map(([name, text]) => [name, paramOf(name, text, segments)]));
    return { raw, text: "" };
  }
  if (part === "headers") {
    const headers = new Headers(pairs.map(([name, text]): [string, string] => [name, headerText(text)]));
    return { raw: readHeaders(headers), text: JSON.stringify([...headers]) };
  }
  const text = pairs.map(([name, text]) => `${name}=${headerText(text).replaceAll(";", "")}`).join("; ");
  return { raw: readCookies(text), text };
}

/** A body of a text that is no JSON is a value of this class. */
export class NoJson {
  /** The text. */
  readonly text: string;
  /** @param text The text. */
  constructor(text: string) {
    this.text = text;
  }
}

function writeJson(value: unknown): Written {
  const text = value instanceof NoJson ? value.text : String(JSON.stringify(value));
  try {
    return { raw: JSON.parse(text), text, contentType: "application/json" };
  } catch {
    return { raw: UNREADABLE, text, contentType: "application/json" };
  }
}

async function writeBody(value: unknown, reader: BodyReader): Promise<Written> {
  const { contentTypes } = reader;
  if (value === undefined && reader.optional) return { raw: undefined, text: "" };
  const json = contentTypes.find(isJson);
  const { text, contentType = "text/plain" } =
    contentTypes.includes("multipart/form-data") || contentTypes.includes(URL_ENCODED)
      ? await writeForm(value, contentTypes)
      : json !== undefined
      ? { ...writeJson(value), contentType: json }
      : contentTypes.some(isJsonLines) && Array.isArray(value)
      ? { text: value.map((item) => `${JSON.stringify(item)}\n`).join(""), contentType: contentTypes[0] }
      : {
        text: typeof value === "string" ? value : textOf(value),
        contentType: sendableType(String(contentTypes[0])),
      };
  const request = new Request(ORIGIN, { method: "POST", body: text, headers: { "content-type": contentType } });
  const read = await (contentOf(reader) ?? reader).read(request, Infinity);
  const raw = "value" in read ? read.value : UNREADABLE;
  if (reader.format !== "parts") return { raw, text, contentType };
  const { issues } = await receiveParts(raw);
  return { raw: { issues, isOdd: value instanceof OddForm } satisfies RawParts, text, contentType };
}

/** The reader of what is signed, if a reader verifies signatures: nobody but an actor can make them. */
export function contentOf(reader: BodyReader | undefined): BodyReader | undefined {
  const { "~content": content }: { readonly "~content"?: BodyReader } = Object(reader);
  return content;
}

const URL_ENCODED = "application/x-www-form-urlencoded";

async function writeForm(value: unknown, contentTypes: readonly string[]): Promise<Omit<Written, "raw">> {
  const fields = fieldsOf(value);
  const hasFile = fields.some(([, value]) => value instanceof File);
  if (contentTypes.includes(URL_ENCODED) && (!hasFile || !contentTypes.includes("multipart/form-data"))) {
    const pairs = fields.map(([name, value]): [string, string] => [name, wellFormed(textOf(value))]);
    return { text: new URLSearchParams(pairs).toString(), contentType: URL_ENCODED };
  }
  return { text: await writeMultipart(value), contentType: MULTIPART };
}

/**
 * A segment of a path, or several for `:name+` and the rest: not empty, none that a URL parser resolves, and no dot
 * segment beside a backslash, which the router matches with no route.
 */
function paramOf(name: string, text: string, path: readonly string[]): string {
  const segments = wellFormed(text).split("/")
    .map((segment) => segment === "" || /(?:^|\\)\.{1,2}(?:\\|$)/.test(segment) ? "0" : segment);
  return segments.join(name === "*" || path.includes(`:${name}+`) ? "/" : "");
}

/** Text that a header may have. */
function headerText(text: string): string {
  return text.replace(/[^\t\x20-\x7e\x80-\xff]/g, "").trim();
}
