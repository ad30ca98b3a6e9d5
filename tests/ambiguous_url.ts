/** Whether a url can be parsed but matches no route, because two parsers can read two paths in it. */
export function isAmbiguous(url: string): boolean {
  const [beforeQuery = ""] = withoutWhiteSpace(url).split(/[?#]/, 1);
  const hasNoAuthority = /^https?:(?!\/\/[^/\\])/i.test(beforeQuery);
  return hasNoAuthority || beforeQuery.includes("\\") || beforeQuery.split("/").slice(1).some(isDotSegment);
}

/** Removes what a URL parser removes first: white space and controls around a url, tabs and line ends in it. */
function withoutWhiteSpace(url: string): string {
  return url.replaceAll(/[\t\n\r]|^[\0- ]+|[\0- ]+$/g, "");
}

function isDotSegment(segment: string): boolean {
  return [".", ".."].includes(segment.replaceAll(/%2e/gi, "."));
}
