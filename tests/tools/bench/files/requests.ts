/** Requests for files, and which responses are right: by RFC 9110, or because nothing else may be sent. */

/** A request and its right responses. */
export interface FileRequest {
  readonly name: string;
  readonly target: string;
  readonly method?: string;
  /** Header lines. `ETAG` and `DATE` stand for those of the file. */
  readonly headers?: readonly string[];
  /** The right statuses. */
  readonly status: readonly number[];
  /** The right body. Without it, the body must not contain the secret. */
  readonly body?: string;
  /** A header that must have this value. */
  readonly header?: readonly [name: string, value: string];
}

const FILE = "/file.txt";
const TEXT = "0123456789";
/** Some redirect to another spelling of the name. */
const REFUSED = [301, 400, 403, 404];
const EARLIER = "Thu, 01 Jan 2026 00:00:00 GMT";

const refused = (name: string, target: string): FileRequest => ({ name, target, status: REFUSED });
const asked = (
  name: string,
  headers: readonly string[],
  status: number | readonly number[],
  body?: string,
): FileRequest => ({
  name,
  target: FILE,
  headers,
  status: [status].flat(),
  ...(body !== undefined && { body }),
});
const encoded = (accepted: string, body: string): FileRequest => ({
  name: `Accept-Encoding: ${accepted}`,
  target: "/app.js",
  headers: [`accept-encoding: ${accepted}`],
  status: [200],
  body,
});

/** All requests, in groups of 15. */
export const REQUESTS: Readonly<Record<string, readonly FileRequest[]>> = {
  traversal: [
    refused("..", "/../secret.txt"),
    refused("%2e%2e", "/%2e%2e/secret.txt"),
    refused("..%2f", "/..%2fsecret.txt"),
    refused("%2e%2e%2f", "/%2e%2e%2fsecret.txt"),
    refused("%252e%252e%252f", "/%252e%252e%252fsecret.txt"),
    refused("..%5c", "/..%5csecret.txt"),
    refused("nested/..%2f..%2f", "/nested/..%2f..%2fsecret.txt"),
    refused("//etc/passwd", "//etc/passwd"),
    refused("%2fetc/passwd", "/%2fetc/passwd"),
    refused("NUL", "/file.txt%00"),
    refused("a link to a file outside", "/out.txt"),
    refused("a link to a directory outside", "/outside/file.txt"),
    refused("a dot file", "/.env"),
    refused("a pipe", "/pipe"),
    refused("a slash after the name", "/file.txt/"),
  ],
  ranges: [
    asked("0-3", ["range: bytes=0-3"], 206, "0123"),
    asked("5-", ["range: bytes=5-"], 206, "56789"),
    asked("-3", ["range: bytes=-3"], 206, "789"),
    asked("-99", ["range: bytes=-99"], 206, TEXT),
    asked("5-99", ["range: bytes=5-99"], 206, "56789"),
    asked("10-", ["range: bytes=10-"], 416),
    asked("-0", ["range: bytes=-0"], 416),
    asked("5-2", ["range: bytes=5-2"], [200, 416]),
    asked("another unit", ["range: lines=0-3"], 200, TEXT),
    asked("no range", ["range: bytes=x-y"], [200, 416]),
    asked("If-Range, the tag", ["range: bytes=0-3", "if-range: ETAG"], 206, "0123"),
    asked("If-Range, another tag", ["range: bytes=0-3", 'if-range: "x"'], 200, TEXT),
    asked("If-Range, the date", ["range: bytes=0-3", "if-range: DATE"], 206, "0123"),
    asked("If-Range, an earlier date", ["range: bytes=0-3", `if-range: ${EARLIER}`], 200, TEXT),
    { ...asked("HEAD", ["range: bytes=0-3"], 200, ""), method: "HEAD", header: ["content-length", "10"] },
  ],
  preconditions: [
    asked("If-None-Match, the tag", ["if-none-match: ETAG"], 304, ""),
    asked("If-None-Match, a list", ['if-none-match: "x", ETAG'], 304, ""),
    asked("If-None-Match, *", ["if-none-match: *"], 304, ""),
    asked("If-None-Match, another", ['if-none-match: "x"'], 200, TEXT),
    asked("If-None-Match before the date", ['if-none-match: "x"', "if-modified-since: DATE"], 200, TEXT),
    asked("If-Modified-Since, the date", ["if-modified-since: DATE"], 304, ""),
    asked("If-Modified-Since, earlier", [`if-modified-since: ${EARLIER}`], 200, TEXT),
    asked("If-Modified-Since, no date", ["if-modified-since: 2030-01-01"], 200, TEXT),
    asked("If-Match, another", ['if-match: "x"'], 412),
    asked("If-Match, *", ["if-match: *"], 200, TEXT),
    asked("If-Match, the tag", ["if-match: ETAG"], [200, 412]), // 412 is right for a weak tag
    asked("If-Unmodified-Since, earlier", [`if-unmodified-since: ${EARLIER}`], 412),
    asked("If-Unmodified-Since, the date", ["if-unmodified-since: DATE"], 200, TEXT),
    asked("If-Match before the date", ["if-match: *", `if-unmodified-since: ${EARLIER}`], 200, TEXT),
    { ...asked("no such file", ["if-match: *"], 404), target: "/nope.txt" },
  ],
  encodings: [
    encoded("br", "brotli"),
    encoded("gzip", "gzip"),
    encoded("gzip, br", "brotli"),
    encoded("br;q=0, gzip", "gzip"),
    encoded("gzip;q=1, br;q=0.1", "gzip"),
    encoded("br;q=0", "plain"),
    encoded("gzip;q=0, br;q=0", "plain"),
    encoded("identity", "plain"),
    encoded("identity, br;q=0.5", "plain"),
    encoded("deflate", "plain"),
    encoded("*", "brotli"),
    encoded("xbr", "plain"),
    { ...encoded("br", "brotli"), name: "Content-Encoding", header: ["content-encoding", "br"] },
    { ...encoded("br", "brotli"), name: "Vary of the encoded", header: ["vary", "accept-encoding"] },
    { ...encoded("identity", "plain"), name: "Vary of the file itself", header: ["vary", "accept-encoding"] },
  ],
};
