import { eTag, ifNoneMatch } from "@std/http/etag";
import { contentType } from "@std/media-types";
import { extname, join, SEPARATOR } from "@std/path";
import { createBudget } from "../shared/budget.ts";
import { createQueue, Overloaded } from "../shared/queue.ts";
import { type ByteRange, parseByteRange, UNSATISFIABLE } from "./byte_range.ts";
import { CHUNK_BYTES, streamFile } from "./stream_file.ts";

/** How many requests look at a file at once, and how many more may wait to, and for how long: it takes a millisecond. */
const LOOKING = { running: 64, waiting: 4096, maxWait: 5_000 };

/** How many files may be open while they are streamed. */
const MAX_STREAMING = 256;

/** How much of all files may be in memory until clients have read it, in bytes. */
const MAX_SENDING = 128 * 1024 * 1024;

/** The least size of a file that is streamed, in bytes. Smaller ones are read whole. */
const STREAMED = CHUNK_BYTES;

/** How much of a stream Deno buffers for a client that reads nothing, in bytes. */
const STREAM_MEMORY = 2 * CHUNK_BYTES;

/**
 * Answers a GET or a HEAD with a file.
 *
 * @param name The path of the file from the directory, decoded, as the client sent it.
 * @param request The request.
 * @param completed When the response has been sent, or cannot be: `completed` of what `Deno.serve` passes with a request.
 * @returns 200 with the file, or 206 with the part asked for; 304 if the client has it already; 400 for a name that no file
 * may have; 403 if links lead out of the directory or reading is forbidden; 404 if there is no such file; 416 if it has no
 * such part; 503 if too many files are being sent.
 */
export type ServeFile = (name: string, request: Request, completed: Promise<void>) => Promise<Response>;

/**
 * Makes a function that serves the files of a directory.
 *
 * Let no stranger write to the directory: a directory within it that becomes a link at the very moment between the check and
 * the opening of a file leads out of it.
 *
 * @param root The real path of the directory: nothing outside it is sent.
 * @returns The function.
 */
export function createFileServer(root: string): ServeFile {
  const inTurn = createQueue(LOOKING);
  const limits = {
    streaming: createBudget(MAX_STREAMING),
    sending: createBudget(MAX_SENDING),
  };
  return async (name, request, completed) => {
    if (isInvalid(name)) return invalidName();
    if (NAMES_DIRECTORY.test(name)) return notFound();
    try {
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const response = await inTurn(() => findFile(root, name, request, completed, limits));
        if (response !== undefined) return response;
      }
      return notFound();
    } catch (error) {
      if (isAbsence(error)) return notFound();
      if (isDenial(error)) return forbidden();
      if (error instanceof Overloaded) return overloaded();
      throw error; // A broken disk, for one: no fault of the client's.
    }
  };
}

/** How often to look again at a file that is replaced each time before it is opened. */
const MAX_ATTEMPTS = 10;

/** What all requests share. */
type Limits = Readonly<Record<"streaming" | "sending", ReturnType<typeof createBudget>>>;

/** Looks a file up and answers with it, unless it is replaced meanwhile. */
async function findFile(
  root: string,
  name: string,
  request: Request,
  completed: Promise<void>,
  limits: Limits,
): Promise<Response | undefined> {
  const path = await Deno.realPath(join(root, name));
  if (!contains(root, path)) return forbidden();
  const expected = await Deno.lstat(path);
  // Anything but a regular file is never opened: a pipe would wait for its writer.
  if (!expected.isFile) return notFound();

  using handle = new DisposableStack();
  const file = handle.use(await Deno.open(path));
  const info = await file.stat();
  // A link could have taken the place of the file that was looked at.
  if (info.dev !== expected.dev || info.ino !== expected.ino) return undefined;

  const content = info.size < STREAMED ? await readWhole(file, info.size) : undefined;
  const size = content?.length ?? info.size;
  const etag = await (content === undefined ? tagOf(info) : eTag(content));
  const version = describeVersion(info, etag);
  if (matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers: version });

  const headers = { ...version, ...describeContent(name), "content-length": String(size) };
  if (request.method === "HEAD") return new Response(null, { headers });
  const range = selectRange(request.headers, size, etag);
  if (range === UNSATISFIABLE) return notSatisfiable(size);

  const { start, end } = range ?? { start: 0, end: size };
  const length = end - start;
  const sent = completed.catch(() => {});
  const memory = limits.sending(Math.min(length, STREAM_MEMORY));
  if (memory === undefined) return overloaded();
  sent.then(() => memory[Symbol.dispose]());
  let body: ReadableStream<Uint8Array>;
  if (content !== undefined) {
    body = streamBytes(content.subarray(start, end));
  } else {
    const streaming = limits.streaming(1);
    if (streaming === undefined) return overloaded();
    handle.use(streaming);
    await file.seek(start, Deno.SeekMode.Start);
    const open = handle.move();
    sent.then(() => open.dispose());
    body = streamFile(file, length, open);
  }
  if (range === undefined) return new Response(body, { headers });
  return new Response(body, {
    status: 206,
    headers: { ...headers, "content-length": String(length), "content-range": `bytes ${start}-${end - 1}/${size}` },
  });
}

export function invalidName(): Response {
  return Response.json({ error: "Invalid name" }, { status: 400 });
}

function forbidden(): Response {
  return Response.json({ error: "Forbidden" }, { status: 403 });
}

function notFound(): Response {
  return Response.json({ error: "Not found" }, { status: 404 });
}

function notSatisfiable(size: number): Response {
  const headers = { "content-range": `bytes */${size}` };
  return Response.json({ error: "Range not satisfiable" }, { status: 416, headers });
}

function overloaded(): Response {
  return Response.json({ error: "Overloaded" }, { status: 503, headers: { "retry-after": "5" } });
}

/** Whether a name would lead out of the directory, here or where a backslash separates, or cannot be a name at all. */
function isInvalid(name: string): boolean {
  return name === "" || name.startsWith("/") || ["..", "\\", "\0"].some((part) => name.includes(part));
}

/** A slash at the end. `join` and, with permissions for some paths only, Deno drop it: `file.txt/` would be `file.txt`. */
const NAMES_DIRECTORY = /\/\.?$/;

function contains(root: string, path: string): boolean {
  return `${path}${SEPARATOR}`.startsWith(`${root}${SEPARATOR}`);
}

/** Reads a small file; less than its size if it is truncated meanwhile. */
async function readWhole(file: Deno.FsFile, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const content = new Uint8Array(size);
  let length = 0;
  while (length < size) {
    const count = await file.read(content.subarray(length));
    if (count === null) break;
    length += count;
  }
  return content.subarray(0, length);
}

/**
 * The tag of a large file. A program can set the time of modification to any value, but not the time of the last change.
 * A file that changed a moment ago has no tag, because it may change again within one tick of the clock.
 */
async function tagOf({ ino, size, mtime, ctime }: Deno.FileInfo): Promise<string | undefined> {
  if (ctime === null || Date.now() - ctime.getTime() < MIN_AGE) return undefined;
  return await eTag([ino, size, mtime?.getTime(), ctime.getTime()].join());
}

/** In milliseconds: no file system has longer ticks. */
const MIN_AGE = 2000;

/** The headers that tell one version of a file from another. A 304 has them, too (RFC 9110, 15.4.5). */
function describeVersion({ mtime }: Deno.FileInfo, etag: string | undefined): Record<string, string> {
  return {
    // Keep it, but ask each time: the name stays the same when the file changes, and a 304 costs next to nothing.
    "cache-control": "no-cache",
    ...(etag !== undefined && { etag }),
    ...(mtime !== null && { "last-modified": mtime.toUTCString() }),
  };
}

function describeContent(name: string): Record<string, string> {
  return {
    "accept-ranges": "bytes",
    "content-type": contentType(extname(name)) ?? "application/octet-stream",
    "x-content-type-options": "nosniff",
  };
}

/** Whether `If-None-Match` names the tag. No tag has white space, and `ifNoneMatch` takes a second for 50,000 spaces. */
function matches(header: string | null, etag: string | undefined): boolean {
  return header !== null && !ifNoneMatch(header.replaceAll(/\s/g, ""), etag);
}

/**
 * The part that a request asks for, if it asks for one of this very version. `If-Range` compares tags strongly (RFC 9110,
 * 13.1.5). A date never matches, because a file may change and keep its date.
 */
function selectRange(
  headers: Headers,
  size: number,
  etag: string | undefined,
): ByteRange | typeof UNSATISFIABLE | undefined {
  const range = headers.get("range");
  const condition = headers.get("if-range");
  if (range === null || (condition !== null && condition !== etag)) return undefined;
  return parseByteRange(range, size);
}

/** A stream of bytes. Were they the body itself, Deno would resolve `completed` while it still holds them. */
function streamBytes(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  }, { highWaterMark: 0 });
}

/** Whether an error says that there is nothing by that name, nor can be. */
function isAbsence(error: unknown): boolean {
  return ABSENCES.some((absence) => error instanceof absence) ||
    error instanceof Error && "code" in error && error.code === "ENAMETOOLONG";
}

const ABSENCES = [Deno.errors.NotFound, Deno.errors.NotADirectory, Deno.errors.FilesystemLoop];

/** Whether an error says that the file may not be read: by its mode, or by the permissions of Deno. */
function isDenial(error: unknown): boolean {
  return error instanceof Deno.errors.PermissionDenied || error instanceof Deno.errors.NotCapable;
}
