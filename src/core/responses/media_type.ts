/** Which media types are JSON. */

/**
 * Whether a body of this media type is sent, and read, as JSON.
 *
 * @param contentType The media type, with its parameters.
 */
export function isJson(contentType: string): boolean {
  return /[/+]json([; ]|$)/i.test(contentType);
}

/**
 * The media types for which {@linkcode isJson} is true, in lower case.
 *
 * @internal
 */
export type JsonType = `${string}${"/" | "+"}json${"" | `${";" | " "}${string}`}`;
