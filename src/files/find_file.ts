import type { Directory } from "./file_system.ts";
import type { ServedFile } from "./served_file.ts";

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
  // The system ignores segments that are empty or `.`: `a//b` would be another name of `a/b`, which may have a guard.
  if (/(^|\/)\.?(\/|$)/.test(name) || (!dotFiles && DOT_FILE.test(name))) return 404;
  return isWindows && WINDOWS.test(name) ? 404 : undefined;
}

/** A segment that begins with a dot. */
const DOT_FILE = /(^|[/\\])\.[^/\\]/;

/** Streams of a file, wildcards, devices, and what Windows removes from the end of a name. */
const WINDOWS = /[:*?"<>|]|[. ](\/|$)|(^|\/)(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³])\s*(\.|\/|$)/i;

/** A file in the directory, before it is opened. */
export interface FoundFile extends ServedFile {
  /** What the system says of it. */
  readonly info: FileInfo;
}

/**
 * Finds a file below a directory, by its real path. The calls are synchronous: each takes 1 to 3 microseconds where the
 * system has the answer in memory. On Node.js, an asynchronous call takes 5 to 15 more.
 *
 * @param directory The directory.
 * @param name The name of the file, after `refuseName`.
 * @param dotFiles Whether files whose name begins with a dot are sent.
 * @returns The file. 403 if a link leads out of the directory. 404 if it is no regular file: opening a device may have
 * an effect. 404 also if a link leads to a dot file, and if the system finds the file whatever the case of its name.
 * @throws The error of the system.
 */
export async function findFile(
  { fs, root }: Directory,
  name: string,
  dotFiles: boolean,
): Promise<FoundFile | 403 | 404> {
  for (let isAgain = false;; isAgain = true) {
    const asked = root + name;
    let info: FileInfo | undefined = fs.lstatSync(asked, { throwIfNoEntry: false });
    // `realpath` would throw, which takes longer.
    if (info === undefined) return 404;
    const path = fs.realpathSync.native(asked);
    if (!contains(root, path)) return 403;
    if (path !== asked) {
      // Systems that ignore case find `Admin/x` and `admin/x`, of which only one has the guard.
      if (fold(path) === fold(asked) || (!dotFiles && DOT_FILE.test(path.slice(root.length)))) return 404;
      // What is known of a link says nothing of the file.
      info = fs.lstatSync(path);
    }
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

/** A path as systems compare it that ignore the case and the Unicode form of names. */
function fold(path: string): string {
  return path.replaceAll("\\", "/").normalize().toLowerCase();
}

/** In milliseconds. No clock of a system that has fractions of a second ticks less often. */
const TICK = 20;

/**
 * Opens a file that was found, if it still is that version of it.
 *
 * @returns The file descriptor; `undefined` if it was replaced meanwhile.
 * @throws The error of the system.
 */
export function openFile(directory: Directory, { path, info }: FoundFile): number | undefined {
  const { fs } = directory;
  // Without O_NONBLOCK, opening a pipe waits for its writer.
  const { O_RDONLY, O_NONBLOCK } = fs.constants;
  const file = fs.openSync(path, O_RDONLY | O_NONBLOCK);
  let isSame = false;
  try {
    isSame = isEqual(info, fs.fstatSync(file)) && isBelow(directory, path, file, info);
  } finally {
    if (!isSame) fs.closeSync(file);
  }
  return isSame ? file : undefined;
}

/**
 * Whether an open file is below the directory. A directory on its path may have been renamed and replaced by a link
 * after `realpath`. Linux tells the path of an open file. Elsewhere, and on Deno without all permissions, the path is
 * looked up several times: it would have to be replaced between any two of these calls.
 */
function isBelow({ fs, root }: Directory, path: string, file: number, info: FileInfo): boolean {
  let opened;
  try {
    opened = fs.readlinkSync(`/proc/self/fd/${file}`);
  } catch {
    return [1, 2, 3].every(() => fs.realpathSync.native(path) === path && isEqual(info, fs.lstatSync(path)));
  }
  return contains(root, opened);
}

/** Whether a real path is that of the directory, or below it. */
function contains(root: string, path: string): boolean {
  return (path + root.at(-1)).startsWith(root);
}

/** What is read of the information about a file. */
export interface FileInfo {
  isFile(): boolean;
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

/** Whether both are of the same version of the same file. */
function isEqual(a: FileInfo, b: FileInfo): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs;
}
