import type { ByteRange } from "./byte_range.ts";
import { call, type FileSystem } from "./file_system.ts";

/**
 * Decides whether the name of a file may be looked up. A link in the directory may still lead anywhere.
 *
 * @param name The path below the directory, decoded.
 * @param dotFiles Whether files whose name begins with a dot are sent.
 * @param isWindows Whether names have the meaning that Windows gives them.
 * @returns 400 for a name that could lead out of a directory on any system, 404 for one that no file has; `undefined`
 * if it may be looked up.
 */
export function refuseName(name: string, dotFiles: boolean, isWindows: boolean): 400 | 404 | undefined {
  if (/^$|^\/|\.\.|[\\\0]/.test(name)) return 400;
  // A slash at the end names a directory: Deno removes it, and `file.txt/` would be `file.txt`.
  if (/\/\.?$/.test(name) || (!dotFiles && /(^|\/)\.[^/]/.test(name))) return 404;
  return isWindows && WINDOWS.test(name) ? 404 : undefined;
}

/** Streams of a file, wildcards, devices, and what Windows removes from the end of a name. */
const WINDOWS = /[:*?"<>|]|[. ](\/|$)|(^|\/)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\.|\/|$)/i;

/** A file that is about to be sent. */
export interface ServedFile {
  /** Its real path. With `precompressed`, it may be that of the compressed file. */
  readonly path: string;
  /** Its length in bytes. */
  readonly size: number;
  /** When it changed; now, if its date is in the future. */
  readonly lastModified: Date;
  /**
   * A text that differs between any two versions of the file on this machine. `undefined` if it keeps changing, because
   * it may change again within one tick of the clock.
   */
  readonly version: string | undefined;
}

/** A file in the directory, before it is opened. */
export interface FoundFile extends ServedFile {
  /** What the system says of it. */
  readonly info: Info;
}

/**
 * Finds a file below a directory, by its real path.
 *
 * @param fs The module `node:fs`.
 * @param root The real path of the directory.
 * @param name The name of the file, after `refuseName`.
 * @returns The file. 403 if a link leads out of the directory. 404 if it is no regular file: opening a device may have
 * an effect.
 * @throws The error of the system.
 */
export async function findFile(fs: FileSystem, root: string, name: string): Promise<FoundFile | 403 | 404> {
  for (let isAgain = false;; isAgain = true) {
    const path = await call<string>((done) => fs.realpath.native(`${root}/${name}`, done));
    if (!contains(root, path)) return 403;
    const info = await call<Info>((done) => fs.lstat(path, done));
    if (!info.isFile()) return 404;
    const { size, mtimeMs, ctimeMs } = info;
    const now = Date.now();
    // Deno reads `ctime` in whole seconds. If `mtime` is in that second, no program has set it.
    const changed = Math.floor(mtimeMs / 1000) * 1000 === ctimeMs ? mtimeMs : ctimeMs;
    // Within a tick of the clock, two versions have the same dates. Clocks of whole seconds tick every two at most.
    const isNew = now - changed < (changed % 1000 === 0 ? 2000 : TICK);
    if (isNew && !isAgain) {
      await new Promise((resolve) => setTimeout(resolve, TICK));
      continue;
    }
    return {
      path,
      info,
      size,
      // A date in the future is not allowed (RFC 9110, 8.8.2.1).
      lastModified: new Date(Math.min(mtimeMs, now)),
      // A program can set `mtime` to any value, but not `ctime`.
      version: isNew ? undefined : [size, mtimeMs, ctimeMs].join("-"),
    };
  }
}

/** In milliseconds. No clock of a system that has fractions of a second ticks less often. */
const TICK = 20;

/**
 * Opens a file that was found, if it still is that version of it.
 *
 * @returns The number of the open file; `undefined` if it was replaced meanwhile.
 * @throws The error of the system.
 */
export async function openFile(
  fs: FileSystem,
  root: string,
  { path, info }: FoundFile,
): Promise<number | undefined> {
  // Without O_NONBLOCK, opening a pipe waits for its writer, in one of a few threads.
  const { O_RDONLY, O_NONBLOCK } = fs.constants;
  const file = await call<number>((done) => fs.open(path, O_RDONLY | O_NONBLOCK, done));
  let isSame = false;
  try {
    isSame = isEqual(info, await call<Info>((done) => fs.fstat(file, done))) &&
      await isBelow(fs, root, path, file, info);
  } finally {
    if (!isSame) await closeFile(fs, file);
  }
  return isSame ? file : undefined;
}

/**
 * Reads a small part of a file, or a small file.
 *
 * @returns Its bytes; `undefined` if it was replaced or truncated meanwhile.
 * @throws The error of the system.
 */
export async function readFile(
  fs: FileSystem,
  root: string,
  found: FoundFile,
  { start, end }: ByteRange,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const file = await openFile(fs, root, found);
  if (file === undefined) return undefined;
  try {
    const content = new Uint8Array(end - start);
    for (let length = 0; length < content.length;) {
      const count = await readFrom(fs, file, content.subarray(length), start + length);
      if (count === 0) return undefined;
      length += count;
    }
    return content;
  } finally {
    await closeFile(fs, file);
  }
}

/** Reads bytes of an open file from a position on. Returns how many: 0 at the end. */
export function readFrom(fs: FileSystem, file: number, into: Uint8Array, position: number): Promise<number> {
  return call((done) => fs.read(file, into, 0, into.length, position, done));
}

/** Closes a file. */
export function closeFile(fs: FileSystem, file: number): Promise<unknown> {
  return call((done) => fs.close(file, (error) => done(error ?? null, undefined)));
}

/**
 * Whether an open file is below the directory. A directory on its path may have been renamed and replaced by a link
 * after `realpath`. Linux tells the path of an open file. Elsewhere, and on Deno without all permissions, the path is
 * looked up several times, without a pause: it would have to be replaced between any two of these calls.
 */
async function isBelow(fs: FileSystem, root: string, path: string, file: number, info: Info): Promise<boolean> {
  const opened = await call<string>((done) => fs.readlink(`/proc/self/fd/${file}`, done)).catch(() => undefined);
  if (opened !== undefined) return contains(root, opened);
  return [1, 2, 3].every(() => fs.realpathSync.native(path) === path && isEqual(info, fs.lstatSync(path)));
}

/** Whether a real path is that of the directory, or below it. */
function contains(root: string, path: string): boolean {
  const separator = root.charAt(root.search(/[/\\]/));
  // The directory may be the root of the system.
  return `${path}${separator}`.startsWith(root.endsWith(separator) ? root : root + separator);
}

/** Whether the absolute path of a directory is one of Windows. */
export function isWindows(root: string): boolean {
  return !root.startsWith("/");
}

/** What is read of the information about a file. */
export interface Info {
  isFile(): boolean;
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Whether both are of the same version of the same file. */
function isEqual(a: Info, b: Info): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}
