import type { Context, NoLocals } from "../core/guards/context.ts";
import { reply } from "../core/responses/reply.ts";
import type { Answer, AsItIs, Reply } from "../core/responses/reply_type.ts";
import type { RawParams } from "../core/routing/pattern.ts";
import { requireFunction, requireOptions, requireThat } from "../core/values/assert.ts";
import { copyResponse } from "../core/values/copy_response.ts";
import { andThen } from "../core/values/maybe_promise.ts";
import { selectRange } from "./byte_range.ts";
import { acceptedCodings, type Coding } from "./encodings.ts";
import { type Directory, type FileSystem, loadFileSystem } from "./file_system.ts";
import { findFile, type FoundFile, refuseName } from "./find_file.ts";
import { evaluate } from "./preconditions.ts";
import { openBody } from "./file_body.ts";
import type { ServedFile } from "./served_file.ts";
import { requireTag } from "./validators.ts";

/** Why no file is sent. */
export interface Refusal {
  /**
   * The status to respond with. 400: an invalid name. 403: a link leads out of the directory, or the file must not be
   * read. 404: no such file. 412: `If-Match` or `If-Unmodified-Since` fails. 416: the range is outside of the file.
   * 503: the process has too many open files.
   */
  readonly status: RefusedStatus;
}

/** The statuses without a file. */
export type RefusedStatus = 400 | 403 | 404 | 412 | 416 | 503;

/** The answers with a file: the whole, a range of it, or a 304. */
export type FileAnswer =
  | Answer<200, undefined, AsItIs>
  | Answer<206, undefined, AsItIs>
  | Answer<304, undefined, AsItIs>;

/**
 * What {@linkcode serveFiles} needs to know.
 *
 * @typeParam Locals The locals that the functions read.
 * @typeParam Params The path parameters that the functions read.
 * @typeParam Denial The response without a file.
 */
export interface ServeFilesOptions<in Locals, in Params, out Denial extends Response> {
  /**
   * The directory: its path, or a URL such as `new URL("./public", import.meta.url)`. Symbolic links in it must not
   * lead out of it.
   */
  readonly directory: string | URL;
  /**
   * Returns the value of `Content-Type` for the extension of a file name, such as `".html"`, or `""` if the name has no
   * extension. Pass `contentType` of `@std/media-types`, or `(ending) => mime.getType(ending)`. If it returns `null` or
   * `undefined`, the type is `application/octet-stream`.
   */
  readonly contentType: (ending: string) => string | null | undefined;
  /**
   * Makes the entity tag of a file, with its quotes. The default is its `version` in quotes: other machines have
   * another tag for the same content. The tag of a compressed file also contains its coding: `"v1-br"` for `"v1"`.
   */
  readonly etag?: ((file: ServedFile) => Promise<string | undefined> | string | undefined) | undefined;
  /** The value of `Cache-Control`, for all files or by name. The default is `no-cache`: caches ask each time. */
  readonly cacheControl?: string | ((name: string) => string) | undefined;
  /**
   * Whether to send `app.js.br`, `app.js.zst` or `app.js.gz` for `app.js`, if the file exists and the client accepts
   * that. The default is `false`. Replace them together with `app.js`.
   */
  readonly precompressed?: boolean | undefined;
  /** Whether to send files below a name that begins with a dot, such as `.well-known/`. The default is `false`. */
  readonly dotFiles?: boolean | undefined;
  /**
   * Builds the response without a file. The default has no body. If `reply` makes it, routes that declare `responses`
   * must declare it. A 416 also gets `Content-Range`.
   */
  readonly refuse?: ((c: Context<Locals, Params>, refusal: Refusal) => Promise<Denial> | Denial) | undefined;
}

/** As {@linkcode ServeFilesOptions}, for a route whose path does not end with `*`. */
export interface ServeNamedFilesOptions<in Locals, in Params, out Denial extends Response>
  extends ServeFilesOptions<Locals, Params, Denial> {
  /** Returns the name of the file below the directory: `() => "index.html"`. The default is the parameter `*`. */
  readonly name: (c: Context<Locals, Params>) => string;
}

/**
 * Makes a handler that sends the files of a directory, for GET and HEAD, on Deno, Bun and Node.js.
 *
 * It sends regular files whose real path is in the directory, with `Content-Length`, `Last-Modified`, `ETag`,
 * `Accept-Ranges` and `X-Content-Type-Options: nosniff`. It responds to the conditions of {@linkcode preconditions} and
 * to the ranges of {@linkcode byteRange}. It lists no directory, and sends no `index.html` for one.
 *
 * A name that is empty, begins with `/`, or contains `..`, `\` or NUL is a 400. A link out of the directory is a 403. A
 * file has one name: one with an empty segment is a 404, and so is one in another case, also where the system would find
 * it. A link to a dot file is a dot file.
 *
 * Files and ranges from 256 KiB are streamed: one chunk of 256 KiB is in memory for each client. The file is open from
 * the first read until the response has been sent, the client is gone, or it has read nothing for a minute. Limit the
 * number of concurrent responses in front of the app, or as `examples/static.ts` does.
 *
 * Each request looks up the file again. The look-up is synchronous, so the directory should be on a local disk: while a
 * network file system does not answer, the whole process waits. Content is read in other threads.
 *
 * A guard belongs to a route, not to the files. A guarded `/static/admin/*` beside an open `/static/*` holds for each
 * spelling of a path, but not for links in `/static/` that lead there: put files that need a guard into a separate
 * directory.
 *
 * Errors of the system that are not the client's fault go to `onError`.
 *
 * @typeParam Denial The response without a file.
 * @typeParam Locals The locals that the functions read. Guards of the route must add them.
 * @typeParam Params The path parameters that the functions read.
 * @param options The directory, and how to send its files.
 * @returns The handler.
 * @throws A `TypeError` if an option is missing, unknown or of the wrong type, or if there is no such directory. The
 * error of the system if the directory must not be read. On Node.js before 20.16 and Deno before 2.1, both are an
 * unhandled rejection instead.
 *
 * @example The files of a directory
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { serveFiles } from "@fw/core/files";
 *
 * const createApp = (directory: string, contentType: (ending: string) => string | undefined) =>
 *   setup({
 *     handlers: [
 *       route.on(["GET", "HEAD"], "/static/*", {
 *         resolve: serveFiles({
 *           directory,
 *           contentType,
 *           // The build writes a hash of the content into these names.
 *           cacheControl: (name) => /-[\w-]{8}\.\w+$/.test(name) ? "public, max-age=31536000, immutable" : "no-cache",
 *           precompressed: true,
 *           refuse: (_c, { status }) => reply(status, { error: "No such file" }),
 *         }),
 *       }),
 *     ],
 *   });
 * ```
 */
export function serveFiles<
  const Denial extends Response = Reply<Answer<RefusedStatus, undefined>>,
  Locals = NoLocals,
  Params = RawParams,
>(
  options: ServeNamedFilesOptions<Locals, Params, Denial>,
): (c: Context<Locals, Params>) => Promise<Reply<FileAnswer> | Denial>;
/**
 * Makes a handler for a route whose path ends with `*`: that is the name of the file.
 *
 * @typeParam Denial The response without a file.
 * @typeParam Locals The locals that the functions read. Guards of the route must add them.
 * @typeParam Params The path parameters, with `*`.
 * @param options The directory, and how to send its files.
 * @returns The handler.
 * @throws A `TypeError` if an option is missing, unknown or of the wrong type, or if there is no such directory. The
 * error of the system if the directory must not be read.
 */
export function serveFiles<
  const Denial extends Response = Reply<Answer<RefusedStatus, undefined>>,
  Locals = NoLocals,
  Params extends { readonly "*": string } = { readonly "*": string },
>(
  options: ServeFilesOptions<Locals, Params, Denial>,
): (c: Context<Locals, Params>) => Promise<Reply<FileAnswer> | Denial>;
export function serveFiles(
  options: ServeFilesOptions<NoLocals, RawParams, Response> & {
    readonly name?: (c: Context<NoLocals, RawParams>) => string | undefined;
  },
): (c: Context<NoLocals, RawParams>) => Promise<Response> {
  requireOptions(options, "serveFiles", ["directory", "contentType"], OPTIONAL);
  const { directory, contentType, cacheControl = "no-cache", precompressed = false, dotFiles = false } = options;
  const { name = (c) => c.raw.params["*"], refuse = (_c, { status }) => reply(status), etag = tagOf } = options;
  const cacheControlOf = typeof cacheControl === "string" ? () => cacheControl : cacheControl;
  const functions = { contentType, cacheControl: cacheControlOf, etag, name, refuse };
  for (const [option, value] of Object.entries(functions)) requireFunction(`Option ${option} of serveFiles`, value);
  for (const [option, value] of Object.entries({ precompressed, dotFiles })) {
    requireThat(typeof value === "boolean", `Option ${option} of serveFiles`, "true or false", value);
  }
  const place = andThen(loadFileSystem(), (fs) => ({ fs, root: rootOf(fs, directory) }));

  return async (c) => {
    const { fs, root } = await place;
    const asked = name(c);
    requireThat(
      typeof asked === "string",
      "Name of a file of serveFiles",
      "a string: end the path with *, or pass name",
      asked,
    );
    const isWindows = !root.startsWith("/");
    let sent: Response | RefusedStatus | Unsatisfiable | undefined = refuseName(asked, dotFiles, isWindows);
    // A file may be replaced between the calls.
    for (let attempt = 0; sent === undefined && attempt < 10; attempt++) {
      try {
        sent = await send({ fs, root }, c.request, asked);
      } catch (error) {
        sent = statusOf(error);
      }
    }
    if (sent instanceof Response) return sent;
    const refused = await refuse(c, { status: typeof sent === "object" ? 416 : sent ?? 404 });
    if (typeof sent !== "object") return refused;
    const copy = copyResponse(refused);
    copy.headers.set("content-range", `bytes */${sent.size}`);
    return copy;
  };

  /** Makes the response; `undefined` if the file was replaced meanwhile. */
  async function send(
    place: Directory,
    request: Request,
    name: string,
  ): Promise<Response | RefusedStatus | Unsatisfiable | undefined> {
    const codings = precompressed ? acceptedCodings(request.headers.get("accept-encoding")) : [];
    const { file, coding } = await findEncoded(place, name, codings, dotFiles);
    if (typeof file === "number") return file;
    const { size, lastModified } = file;
    const tag = await etag(file);
    requireTag(tag, "Result of etag of serveFiles");
    // A strong tag is that of one representation (RFC 9110, 8.8.3.3), whatever size and dates the files have.
    const representation = { size, lastModified, etag: coding === "" ? tag : tag?.replace(/"$/, `-${coding}"`) };
    // No `Headers`: the adapter of Hono for Node.js takes longer for them.
    const headers: Record<string, string> = {
      "cache-control": cacheControlOf(name),
      "last-modified": lastModified.toUTCString(),
      ...(representation.etag !== undefined && { etag: representation.etag }),
      ...(precompressed && { vary: "accept-encoding" }),
    };
    const result = evaluate(request, representation);
    if (result === "failed") return 412;
    // A 304 has these headers, too (RFC 9110, 15.4.5).
    if (result === "not-modified") return new Response(null, { status: 304, headers });

    const part = selectRange(request, representation);
    if (part === "unsatisfiable") return { size };
    const { start, end } = part ?? { start: 0, end: size };
    Object.assign(
      headers,
      {
        "accept-ranges": "bytes",
        "content-length": `${end - start}`,
        "content-type": contentType(/[^/](\.[^./]*)$/.exec(name)?.[1] ?? "") ?? "application/octet-stream",
        "x-content-type-options": "nosniff",
      },
      coding !== "" && { "content-encoding": coding },
      part && { "content-range": `bytes ${start}-${end - 1}/${size}` },
    );
    const body = await openBody(place, file, { start, end }, request);
    return body === undefined ? undefined : new Response(body, { status: part ? 206 : 200, headers });
  }
}

const OPTIONAL = ["etag", "cacheControl", "precompressed", "dotFiles", "refuse", "name"];

/** A range outside of a file of this length. */
interface Unsatisfiable {
  readonly size: number;
}

/** The default of the option `etag`. */
function tagOf({ version }: ServedFile): string | undefined {
  return version && `"${version}"`;
}

/** The real path of a directory, with a separator at its end. */
function rootOf(fs: FileSystem, directory: string | URL): string {
  if (!fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory()) {
    const expected = "the path or the URL of a directory";
    throw new TypeError(`Option directory of serveFiles must be ${expected}: received ${JSON.stringify(directory)}`);
  }
  const root = fs.realpathSync.native(directory);
  const separator = root.charAt(root.search(/[/\\]/));
  // That of the system has one.
  return root.endsWith(separator) ? root : root + separator;
}

/** Finds the first of the compressed files that exists, or else the file itself. */
async function findEncoded(
  place: Directory,
  name: string,
  codings: readonly Coding[],
  dotFiles: boolean,
): Promise<{ readonly file: FoundFile | 403 | 404; readonly coding: string }> {
  for (const [coding, ending] of codings) {
    const file = await findFile(place, name + ending, dotFiles).catch(() => 404 as const);
    if (typeof file === "object") return { file, coding };
  }
  return { file: await findFile(place, name, dotFiles), coding: "" };
}

/**
 * The status for an error of the system. `undefined` if the file was there a moment ago: Bun finds no path of a file
 * while it is replaced.
 *
 * @throws The error, if it is not due to the request, such as one of the disk.
 */
function statusOf(error: unknown): RefusedStatus | undefined {
  const { code, name }: { readonly code?: unknown; readonly name?: unknown } = Object(error);
  const reason = `${code ?? name}`;
  if (reason === "ENOENT") return undefined;
  if (/^(ENOTDIR|ELOOP|ENAMETOOLONG|ENXIO)$/.test(reason)) return 404;
  // Deno without permission has no code.
  if (/^(EACCES|EPERM|NotCapable)$/.test(reason)) return 403;
  if (/^(EMFILE|ENFILE)$/.test(reason)) return 503;
  throw error;
}
