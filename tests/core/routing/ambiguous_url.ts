/**
 * Whether a url can be parsed but matches no route, because two parsers can read two paths in it.
 *
 * @param url The url.
 * @param trustUrl The option of `setup`.
 */
export function isAmbiguous(url: string, trustUrl = false): boolean {
  const [beforeQuery = ""] = withoutWhiteSpace(url).split(/[?#]/, 1);
  const hasNoAuthority = /^https?:(?!\/\/[^/\\])/i.test(beforeQuery);
  const segments = beforeQuery.split("/").slice(1);
  if (hasNoAuthority || beforeQuery.includes("\\") || segments.some(isDotSegment)) return true;
  return !trustUrl && (url.includes("#") || segments.some((segment) => segment.split(/%2f|%5c/i).some(isDotSegment)));
}

/** Removes what a URL parser removes first: white space and controls around a url, tabs and line ends in it. */
function withoutWhiteSpace(url: string): string {
  return url.replaceAll(/[\t\n\r]|^[\0- ]+|[\0- ]+$/g, "");
}

function isDotSegment(segment: string): boolean {
  return [".", ".."].includes(segment.replaceAll(/%2e/gi, "."));
}
