import { reply } from "@fw/core";
import { contentType } from "@std/media-types";
import { extname, join, SEPARATOR } from "@std/path";
import { realpath as realpathWithCallback, type Stats } from "node:fs";
import { lstat } from "node:fs/promises";
import { promisify } from "node:util";
import { createTag, ifNoneMatch } from "../recipes/etag_json/etag.ts";
import { createQueue, Overloaded } from "../shared/queue.ts";
import { selectRange, UNSATISFIABLE } from "./byte_range.ts";
import { createFileSender } from "./file_sender.ts";
import { type OpenFile, openFile } from "./open_file.ts";
import { type Recipient, recipientOf, type ResponseConnection } from "./recipient.ts";
import { CHUNK_BYTES } from "./stream_file.ts";

/** Files of at least this size in bytes are streamed. Smaller ones are read completely. */
const STREAMED = CHUNK_BYTES;

/**
 * Creates a function that serves the files of a directory, by its real path. No file outside it is sent.
 *
 * The function responds to a GET or HEAD request. The name is the decoded path of a file, relative to the directory.
 * The connection is what the server passes after the request, on Deno, Bun or Node.js. A test may leave it out.
 *
 * The status is 200 with the file, 206 with the requested range, or 304 if the client has the current version. 400 for
 * an invalid name, 403 if a link leads out of the directory or the file must not be read, 404 if there is no such file,
 * 416 if the range is outside the file, 503 if too many files are being sent, to all or to this client.
 *
 * Do not let untrusted users write to the directory. Between the check of a path and the opening of the file, they
 * could replace a subdirectory with a link that leads out of it.
 */
export function createFileServer(root: string) {
  // To look at a file takes a millisecond.
  const inTurn = createQueue({ running: 64, waiting: 4096, maxWait: 5_000 });
  const send = createFileSender();
  return async (name: string, request: Request, connection?: ResponseConnection) => {
    const to = recipientOf(request, connection);
    if (isInvalid(name)) return invalidName();
    if (NAMES_DIRECTORY.test(name)) return notFound();
    try {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const response = await inTurn(() => findFile(root, name, request, to, send));
        if (response !== undefined) return response;
      }
      return notFound();
    } catch (error) {
      if (error instanceof Overloaded) return overloaded();
      if (error instanceof Error) {
        const { code, name }: { readonly code?: unknown; readonly name: string } = error;
        if (ABSENT.has(code)) return notFound();
        if (DENIED.has(code) || DENIED.has(name)) return forbidden();
      }
      throw error; // Not the fault of the client, such as a disk error.
    }
  };
}

/** How often to try again if a file is replaced before it is opened. */
const MAX_ATTEMPTS = 10;

/** Looks up a file and creates the response. Returns `undefined` if the file is replaced meanwhile. */
async function findFile(
  root: string,
  name: string,
  request: Request,
  to: Recipient,
  send: ReturnType<typeof createFileSender>,
) {
  const path = await realpath(join(root, name));
  if (!contains(root, path)) return forbidden();
  const expected = await lstat(path);
  // Open only regular files: opening a device may have an effect.
  if (!expected.isFile()) return notFound();

  const file = await openFile(path);
  let isSending = false; // then the sender closes the file
  try {
    const info = await file.stat();
    // A link may have replaced the file after the check.
    if (info.dev !== expected.dev || info.ino !== expected.ino) return undefined;

    const content = info.size < STREAMED ? await readWhole(file, info.size) : undefined;
    const size = content?.length ?? info.size;
    const etag = content === undefined ? tagOf(info) : createTag(content);
    // What identifies the version of a file. A 304 contains it, too (RFC 9110, 15.4.5).
    const version = {
      // Caches may store the file, but must revalidate it: a new version has the same name, and a 304 is cheap.
      "cache-control": "no-cache",
      ...(etag !== undefined && { etag }),
      "last-modified": info.mtime.toUTCString(),
    };
    const isNew = ifNoneMatch(request.headers.get("if-none-match"), etag);
    if (!isNew) return reply(304, undefined, { headers: version });

    const headers = {
      ...version,
      "accept-ranges": "bytes",
      "content-length": String(size),
      "content-type": contentType(extname(name)) ?? "application/octet-stream",
      "x-content-type-options": "nosniff",
    };
    if (request.method === "HEAD" || size === 0) return reply(200, new Response(null, { headers }));
    const range = selectRange(request.headers, size, etag);
    if (range === UNSATISFIABLE) {
      return reply(416, { error: "Range not satisfiable" }, { headers: { "content-range": `bytes */${size}` } });
    }

    const { start, end } = range ?? { start: 0, end: size };
    const body = send(content ?? file, { start, end }, to);
    if (body === undefined) return overloaded();
    isSending = content === undefined;
    if (range === undefined) return reply(200, new Response(body, { headers }));
    const part = { "content-length": String(end - start), "content-range": `bytes ${start}-${end - 1}/${size}` };
    return reply(206, new Response(body, { status: 206, headers: { ...headers, ...part } }));
  } finally {
    if (!isSending) await file.close();
  }
}

/** Not that of `node:fs/promises`, which looks at each part of the path on Deno: this one asks the system once. */
const realpath = promisify(realpathWithCallback.native);

export const invalidName = () => reply(400, { error: "Invalid name" });
const forbidden = () => reply(403, { error: "Forbidden" });
const notFound = () => reply(404, { error: "Not found" });
const overloaded = () => reply(503, { error: "Overloaded" }, { headers: { "retry-after": "5" } });

/** Whether a name is empty, contains NUL, or could lead out of the directory on any system. */
function isInvalid(name: string): boolean {
  return name === "" || name.startsWith("/") || ["..", "\\", "\0"].some((part) => name.includes(part));
}

/** A slash at the end. `join` removes it, and so does Deno with path permissions: `file.txt/` would be `file.txt`. */
const NAMES_DIRECTORY = /\/\.?$/;

function contains(root: string, path: string): boolean {
  return `${path}${SEPARATOR}`.startsWith(`${root}${SEPARATOR}`);
}

/** Reads a small file. The result is shorter than `size` if the file is truncated meanwhile. */
async function readWhole(file: OpenFile, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const count = await file.read(content.subarray(length), length);
    if (count === 0) break;
    length += count;
  }
  return content.subarray(0, length);
}

/**
 * Creates the ETag of a large file. It uses `ctime`, because a program can set `mtime` to any value. A file that has
 * just changed has no tag, because it may change again within one tick of the clock.
 */
function tagOf({ ino, size, mtimeMs, ctimeMs }: Stats): string | undefined {
  return Date.now() - ctimeMs < MIN_AGE ? undefined : createTag([ino, size, mtimeMs, ctimeMs].join());
}

/** In milliseconds. No file system has a coarser clock. */
const MIN_AGE = 2000;

/** The codes of errors that mean that no file has this name, or can have it. */
const ABSENT = new Set<unknown>(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** The codes, and the name in Deno, of errors that mean that the file must not be read. */
const DENIED = new Set<unknown>(["EACCES", "EPERM", "NotCapable"]);
