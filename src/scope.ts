/** What a scope adds to the routes and endpoints that are declared in it. */

import { isRecord, requireThat } from "./assert.ts";

/**
 * Puts the prefix of a scope before a path.
 *
 * @param prefix The prefix.
 * @param path The path.
 * @returns The whole path. A path without a leading slash is returned unchanged, for `setup` to reject.
 */
export function joinPaths(prefix: string, path: string): string {
  return path === "" || String(path).startsWith("/") ? prefix + path : path;
}

/**
 * Appends the prefix of a scope to that of the enclosing scope.
 *
 * @param prefix The prefix of the enclosing scope.
 * @param scope The options of the scope.
 * @param owner The function that makes the scope, for the error message.
 * @returns The prefix of the paths in the scope.
 * @throws If the options are not an object, or if their prefix is neither empty, nor a path that begins with a slash and does not
 * end with one.
 */
export function nestPrefix(prefix: string, scope: { readonly prefix?: string }, owner: string): string {
  requireThat(isRecord(scope), `Options of ${owner}`, "an object", scope);
  const { prefix: own = "" } = scope;
  if (PREFIX.test(own)) return prefix + own;
  throw new TypeError(`Prefix ${JSON.stringify(own)} of ${owner} must begin with "/" and not end with "/"`);
}

/** Empty, or a path that does not end with a slash. */
const PREFIX = /^(\/.*[^/])?$/s;

/**
 * Rejects docs with `responses`: they would document nothing, and nothing would check the handler.
 *
 * @param docs The docs of a route, an endpoint or a scope.
 * @param owner The owner of the docs, as messages name it: `route GET "/"`.
 * @throws If the docs have that key.
 */
export function requireNoResponses(docs: unknown, owner: string): void {
  if (isRecord(docs) && "responses" in docs) {
    throw new TypeError(`Option "responses" of docs of ${owner} is unknown: write it beside docs, not in it`);
  }
}

/**
 * Merges the docs or the responses of a scope and of a route in it, key by key.
 *
 * @param defaults Those of the scope.
 * @param own Those of the route, whose keys replace those of the scope.
 * @returns Both. A value that is not an object is returned unchanged, for `openapi` to reject.
 */
export function mergeDefaults<T extends object>(defaults: T | undefined, own: T | undefined): T | undefined {
  if (!isRecord(defaults)) return defaults === undefined ? own : defaults;
  if (!isRecord(own)) return own === undefined ? defaults : own;
  return { ...defaults, ...own };
}
