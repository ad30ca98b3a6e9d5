/** Media types: which are JSON, and which of the declared responses has that of a response. */

import type { OneOrMore, RouteResponse, RouteResponses } from "./responses.ts";

/**
 * Whether a body of this media type is sent, and read, as JSON.
 *
 * @param contentType The media type, with its parameters.
 */
export function isJson(contentType: string): boolean {
  return /[/+]json([; ]|$)/i.test(contentType);
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
 * Finds the declared response for a response: by its status, else by the range of its status, else `default`. Of a
 * list, it is the one with the media type of the response.
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
  return declared?.[0] ? declared.find(({ contentType }) => mediaTypeOf(contentType) === sent) : declared;
}

/**
 * Lists what is declared for a status.
 *
 * @param declared A response, a list of them, or nothing.
 * @returns The responses.
 */
export function entriesOf(declared: OneOrMore<RouteResponse> = []): readonly RouteResponse[] {
  return [declared].flat();
}

/** @internal The media types for which {@linkcode isJson} is true, in lower case. */
export type JsonType = `${string}${"/" | "+"}json${"" | `${";" | " "}${string}`}`;
