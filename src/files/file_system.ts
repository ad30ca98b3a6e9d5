import type { MaybePromise } from "../core/values/maybe_promise.ts";

/** The module `node:fs`. */
export type FileSystem = typeof import("node:fs");

/** Loads `node:fs`, only where it is needed: an import of it would stay in the bundle of a Worker. */
export function loadFileSystem(): MaybePromise<FileSystem> {
  const { process }: { readonly process?: { getBuiltinModule?(name: string): FileSystem | undefined } } = globalThis;
  // Node.js before 20.16 and Deno before 2.1 do not have it.
  return process?.getBuiltinModule?.("node:fs") ?? import("node:fs").then((module) => module.default);
}

/** Calls a function with a callback. Those of `node:fs/promises` take up to twice as long, and more on Deno. */
export function call<Result>(run: (done: (error: Error | null, result: Result) => void) => void): Promise<Result> {
  return new Promise((resolve, reject) => run((error, result) => error ? reject(error) : resolve(result)));
}
