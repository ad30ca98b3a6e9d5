/** Whether a url parses and yet matches no route, as two parsers may find two paths in it. */
export function isAmbiguous(url: string): boolean {
  const [, scheme, authority = "", path = ""] =
    /^(https?):(?:\/\/([^/\\?#]*))?([^?#]*)/i.exec(withoutWhiteSpace(url)) ?? [];
  return (scheme !== undefined && authority === "") || path.includes("\\") || path.split("/").some(isDotSegment);
}

/** As a URL parser does first: white space and controls around a url go, and so do tabs and line ends in it. */
function withoutWhiteSpace(url: string): string {
  return url.replaceAll(/[\t\n\r]|^[\0- ]+|[\0- ]+$/g, "");
}

function isDotSegment(segment: string): boolean {
  return [".", ".."].includes(segment.replaceAll(/%2e/gi, "."));
}
