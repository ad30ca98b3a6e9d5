import type { MaybePromise } from "../core/values/maybe_promise.ts";

/** The module `node:fs`. */
export type FileSystem = typeof import("node:fs");

/** Loads `node:fs`, only where it is needed: an import of it would stay in the bundle of a Worker. */
export function loadFileSystem(): MaybePromise<FileSystem> {
  const { process }: { readonly process?: { getBuiltinModule?(name: string): FileSystem | undefined } } = globalThis;
  // Node.js before 20.16 and Deno before 2.1 do not have it. `catch()` catches nothing. It tells esbuild that the
  // module may be missing. Otherwise, nothing of this entry point could be bundled for browsers and Workers.
  return process?.getBuiltinModule?.("node:fs") ?? import("node:fs").catch().then((module) => module.default);
}

/** A directory whose files are sent. */
export interface Directory {
  /** The module `node:fs`. */
  readonly fs: FileSystem;
  /** Its real path, with the separator of the system at its end. */
  readonly root: string;
}

/** Reads bytes of an open file from a position on. Returns how many: 0 at the end. */
export function readFrom(fs: FileSystem, file: number, into: Uint8Array, position: number): Promise<number> {
  return new Promise((resolve, reject) =>
    fs.read(file, into, 0, into.length, position, (error, count) => error ? reject(error) : resolve(count))
  );
}
