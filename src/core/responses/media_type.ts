/** Media types: which are JSON, and which of the declared responses has that of a response. */

import type { RouteResponse, RouteResponses } from "./responses.ts";

/**
 * Whether a body of this media type is sent, and read, as JSON.
 *
 * @param contentType The media type, with its parameters.
 */
export function isJson(contentType: string): boolean {
  return /[/+]json([; ]|$)/i.test(contentType);
}

/** The media type of a stream of events. */
export const EVENT_STREAM = "text/event-stream";

/**
 * Whether a body of this media type is a JSON value on each line.
 *
 * @param contentType The media type, with its parameters.
 */
export function isJsonLines(contentType: string): boolean {
  return /[/+-](?:jsonl|ndjson)\b/i.test(contentType);
}

/**
 * Whether a body of this media type arrives over time, item by item.
 *
 * @param contentType The media type, with its parameters.
 */
export function isStreamType(contentType: string): boolean {
  return /[/+-](?:event-stream|jsonl|ndjson|json-seq)\b/i.test(contentType);
}

/**
 * A media type in the form in which two are compared: in lower case, without parameters.
 *
 * @param contentType The media type; by default, `application/json`.
 * @returns The media type without its parameters.
 */
export function mediaTypeOf(contentType = "application/json"): string | undefined {
  return `${contentType}`.toLowerCase().split(/[; ]/)[0];
}

/**
 * The media type that a received header names (the essence of the MIME Sniffing standard).
 *
 * @param header The header `content-type`.
 * @returns The media type in lower case, without its parameters. Unlike {@linkcode mediaTypeOf}, what is malformed stays so:
 * `text/csv x` is no `text/csv`.
 */
export function essenceOf(header: string): string {
  return header.replace(/;[^]*/, "").trim().toLowerCase();
}

/**
 * Whether a media type is a declared one, or in a declared range: `image/*`, or one of any media types.
 *
 * @param declared The declared media type; by default, `application/json`.
 * @param sent The media type of a response, in lower case and without parameters.
 */
export function fitsMediaType(declared: string | undefined, sent: string | undefined): boolean {
  const range = `${mediaTypeOf(declared)}`;
  if (range === sent || !range.endsWith("/*")) return range === sent;
  return sent !== undefined && (range === "*/*" ? sent.includes("/") : sent.startsWith(range.slice(0, -1)));
}

/**
 * A media type to send: the declared one, or one of a declared range.
 *
 * @param declared The declared media type.
 * @returns A media type that is no range.
 */
export function sendableType(declared: string): string {
  const range = `${mediaTypeOf(declared)}`;
  return range.endsWith("/*") ? TYPICAL[range.slice(0, -2)] ?? "application/octet-stream" : declared;
}

/** A media type of each usual range. */
const TYPICAL: { readonly [range: string]: string } = {
  audio: "audio/mpeg",
  font: "font/woff2",
  image: "image/png",
  text: "text/plain",
  video: "video/mp4",
};

/**
 * Finds the declared response for a response: by its status, else by the range of its status, else `default`. Of a
 * list, it is the one with the media type of the response, else one with a range of media types, a narrower one first.
 *
 * @param responses The declared responses.
 * @param response The response. The status 0, of a redirect that a browser hides, is never declared.
 * @returns The declared response; `undefined` if the status or the media type is not declared.
 */
export function findResponse(responses: RouteResponses, { status, headers }: Response): RouteResponse | undefined {
  const declared =
    (status ? responses[status] ?? responses[`${status}`[0] + "XX" as "2XX"] ?? responses.default : undefined) as
      | (RouteResponse & readonly RouteResponse[])
      | undefined;
  const sent = mediaTypeOf(headers.get("content-type") ?? "");
  if (!declared?.[0]) return declared;
  // An exact media type is the longest, and `*/*` is the shortest.
  const fitting = declared.filter(({ contentType }) => fitsMediaType(contentType, sent));
  const lengthOf = ({ contentType }: RouteResponse) => `${mediaTypeOf(contentType)}`.replaceAll("*", "").length;
  return fitting.sort((one, other) => lengthOf(other) - lengthOf(one))[0];
}

/**
 * Lists what is declared for a status.
 *
 * @param declared A response, a list of them, or nothing.
 * @returns The responses.
 */
export function entriesOf(declared: RouteResponses[number] = []): readonly RouteResponse[] {
  return [declared].flat();
}

/** @internal The media types for which {@linkcode isJson} is true, in lower case. */
export type JsonType = `${string}${"/" | "+"}json${"" | `${";" | " "}${string}`}`;
