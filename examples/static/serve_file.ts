import { eTag, ifNoneMatch } from "@std/http/etag";
import { contentType } from "@std/media-types";
import { extname, join, SEPARATOR } from "@std/path";

/**
 * Answers a GET or a HEAD with a file, which is streamed.
 *
 * Let no stranger write to the directory: a directory within it that becomes a link at the very moment between the check and
 * the opening of a file leads out of it.
 *
 * @param root The real path of the directory that holds the files: nothing outside it is sent.
 * @param name The path of the file from there, decoded, as the client sent it.
 * @param request The request.
 * @returns 200 with the file; 304 if the client has it already; 400 for a name that no file may have, 403 if links lead out
 * of the directory or reading is forbidden, 404 if there is no such file.
 */
export async function serveFile(root: string, name: string, request: Request): Promise<Response> {
  if (isInvalid(name)) return invalidName();
  if (NAMES_DIRECTORY.test(name)) return notFound();
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const response = await findFile(root, name, request);
      if (response !== undefined) return response;
    }
    return notFound();
  } catch (error) {
    if (isAbsence(error)) return notFound();
    if (isDenial(error)) return forbidden();
    throw error; // A broken disk, too many open files: no fault of the client's.
  }
}

/** How often to look again at a file that is replaced each time before it is opened. */
const MAX_ATTEMPTS = 10;

/** Looks a file up and answers with it, unless it is replaced meanwhile. */
async function findFile(root: string, name: string, request: Request): Promise<Response | undefined> {
  const path = await Deno.realPath(join(root, name));
  if (!contains(root, path)) return forbidden();
  const info = await Deno.lstat(path);
  // What is no regular file is never opened: a pipe would wait for its writer.
  if (!info.isFile) return notFound();

  const validators = await describeVersion(info);
  if (matches(request.headers.get("if-none-match"), validators.etag)) {
    return new Response(null, { status: 304, headers: validators });
  }
  if (request.method === "HEAD") {
    return new Response(null, { headers: { ...validators, ...describeContent(name, info) } });
  }
  return await sendFile(path, name, info);
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

/** Whether a name would lead out of the directory, here or where a backslash separates, or cannot be a name at all. */
function isInvalid(name: string): boolean {
  return name === "" || name.startsWith("/") || ["..", "\\", "\0"].some((part) => name.includes(part));
}

/** A slash at the end. `join` and, with permissions for some paths only, Deno drop it: `file.txt/` would be `file.txt`. */
const NAMES_DIRECTORY = /\/\.?$/;

function contains(root: string, path: string): boolean {
  return `${path}${SEPARATOR}`.startsWith(`${root}${SEPARATOR}`);
}

/** The headers that tell one version of a file from another. A 304 has them, too (RFC 9110, 15.4.5). */
async function describeVersion(info: Deno.FileInfo): Promise<Record<string, string>> {
  const etag = await eTag(info);
  return {
    // Keep it, but ask each time: the name stays the same when the file changes, and a 304 costs next to nothing.
    "cache-control": "no-cache",
    ...(etag !== undefined && { etag }),
    ...(info.mtime !== null && { "last-modified": info.mtime.toUTCString() }),
  };
}

function describeContent(name: string, info: Deno.FileInfo): Record<string, string> {
  return {
    "content-length": String(info.size),
    "content-type": contentType(extname(name)) ?? "application/octet-stream",
    "x-content-type-options": "nosniff",
  };
}

/** Whether `If-None-Match` names the tag. No tag has white space, and `ifNoneMatch` takes a second for 50,000 spaces. */
function matches(header: string | null, etag: string | undefined): boolean {
  return header !== null && !ifNoneMatch(header.replaceAll(/\s/g, ""), etag);
}

/** Sends what is opened, if it is the very file that was looked at: a link could have taken its place meanwhile. */
async function sendFile(path: string, name: string, expected: Deno.FileInfo): Promise<Response | undefined> {
  using handles = new DisposableStack();
  const file = handles.use(await Deno.open(path));
  const info = await file.stat();
  if (info.dev !== expected.dev || info.ino !== expected.ino) return undefined;
  const headers = { ...await describeVersion(info), ...describeContent(name, info) };
  handles.move(); // From here on it is the stream that closes the file, at its end or when the client goes away.
  return new Response(file.readable, { headers });
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
