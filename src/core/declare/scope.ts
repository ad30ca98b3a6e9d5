/** What `route` and `endpoint` have in common: a function for each method, and scopes. */

import type { AbsentGuards, UnknownGuards } from "../guards/guard_list.ts";
import { withOwnReader } from "../input/body_reader.ts";
import { type NoSchemas, PARTS, type RequestSchemas, requireRequestOfScope } from "../input/request_schemas.ts";
import type { RouteResponses } from "../responses/responses.ts";
import { ALL, METHODS } from "../routing/method.ts";
import { joinSchemas } from "../schemas/joined.ts";
import { requireOptions } from "../values/assert.ts";
import { requireDeclared, requireDescribed } from "./check_declared.ts";
import type { RouteDocs } from "./docs.ts";
import type { Endpoint } from "./typed_endpoint.ts";

/** The defaults of the routes or endpoints of a scope. */
export interface ScopeDefaults {
  /** The prefix of each path. */
  readonly prefix: string;
  /** The guards that run first. */
  readonly guards: readonly unknown[];
  /** The responses of each. */
  readonly responses?: RouteResponses | undefined;
  /** The docs of each. */
  readonly docs?: RouteDocs | undefined;
  /** The schemas of each, for parts other than the body. */
  readonly request?: RequestSchemas | undefined;
}

/**
 * Puts the prefix of a scope before a path.
 *
 * @param prefix The prefix.
 * @param path The path.
 * @returns The whole path. A path without a leading slash is returned unchanged, for `setup` to reject.
 */
export function joinPaths(prefix: string, path: string): string {
  return /^(\/|$)/.test(path) ? prefix + path : path;
}

/**
 * Checks what is declared, puts the docs and the responses of its scope under its own, and joins the schemas of both.
 *
 * @param scope The docs, the responses and the schemas of the scope.
 * @param declared What is declared, with its whole path.
 * @param owner The route or the endpoint, as messages name it: `route GET "/"`.
 * @returns The route without its guards and its handler, or the endpoint.
 * @throws If a key is unknown, at any level.
 */
export function declareIn(
  scope: Pick<ScopeDefaults, "docs" | "responses" | "request">,
  declared: Omit<Endpoint, "docs"> & { readonly docs?: RouteDocs | undefined },
  owner: string,
): Endpoint {
  requireDeclared(declared, owner);
  const { method, path } = declared;
  const request = joinRequests(scope.request, declared.request && withOwnReader(declared.request));
  const responses = declared.responses && mergeDefaults(scope.responses, declared.responses);
  const docs = mergeDefaults(scope.docs, declared.docs);
  return {
    method,
    path,
    ...request && { request },
    ...responses && { responses },
    ...scope.responses && { scopeResponses: scope.responses },
    ...docs && { docs },
  };
}

/**
 * Makes `route` or `endpoint`: `on`, one function for each method, and `with`, which makes a scope.
 *
 * @param name The name, for error messages.
 * @param keys The allowed keys of a scope beside `prefix`, `request`, `responses` and `docs`.
 * @param declare Declares a route or an endpoint in a scope.
 * @param scope The scope.
 * @returns The functions.
 */
export function createFactory(
  name: string,
  keys: readonly string[],
  declare: (scope: ScopeDefaults, ...rest: never[]) => unknown,
  scope: ScopeDefaults = { prefix: "", guards: [] },
): Factory {
  const on = declare.bind(undefined, scope) as (...rest: readonly unknown[]) => unknown;
  const factory: { [name: string]: unknown } = {
    on,
    // Not a default parameter: a scope that is `undefined`, as an import cycle leaves it, must not be ignored.
    with: (...given: readonly Partial<ScopeDefaults>[]) =>
      createFactory(name, keys, declare, nestScope(scope, given.length === 0 ? {} : given[0], `${name}.with`, keys)),
  };
  for (const method of [...METHODS, ALL]) factory[method.toLowerCase()] = on.bind(undefined, method);
  return factory as Factory;
}

type Factory = Readonly<
  Record<"get" | "post" | "put" | "patch" | "delete" | "head" | "options" | "query" | "all" | "on" | "with", unknown>
>;

/** Adds the options of a scope to those of the enclosing scope. */
function nestScope(
  outer: ScopeDefaults,
  options: Partial<ScopeDefaults> | undefined,
  owner: string,
  keys: readonly string[],
): ScopeDefaults {
  const { prefix = "", request, responses, docs, guards = [] } = options ?? {};
  if (!PREFIX.test(prefix)) {
    const proper = `${prefix}`.replace(/^\/*/, "/").replace(/\/+$/, "");
    throw new TypeError(
      `Prefix ${JSON.stringify(prefix)} of ${owner} must start with "/" and not end with it: ` +
        `write ${JSON.stringify(proper)}`,
    );
  }
  const whole = outer.prefix + prefix;
  const name = whole === "" ? owner : `${owner} for "${whole}"`;
  requireOptions(options, name, ["request", "responses", ...keys], ["prefix", "docs"]);
  requireRequestOfScope(request, name);
  requireDescribed(options, name);
  return {
    prefix: whole,
    request: joinRequests(outer.request, request),
    responses: mergeDefaults(outer.responses, responses),
    docs: mergeDefaults(outer.docs, docs),
    guards: outer.guards.concat(guards),
  };
}

/**
 * Joins the schemas of a scope with those of a route in it, part by part.
 *
 * @param outer Those of the scope.
 * @param own Those of the route, or of an inner scope.
 * @returns Both; `undefined` without either.
 */
function joinRequests(
  outer: RequestSchemas | undefined,
  own: RequestSchemas | undefined,
): RequestSchemas | undefined {
  if (!outer || !own) return own ?? outer;
  const shared = PARTS.filter((part) => outer[part] !== undefined && own[part] !== undefined);
  return {
    ...outer,
    ...own,
    ...Object.fromEntries(shared.map((part) => [part, joinSchemas(outer[part], own[part])])),
  };
}

/** Empty, or a path that does not end with a slash. */
const PREFIX = /^(\/.*[^/])?$/s;

/**
 * Merges the docs or the responses of a scope and of a route in it, key by key.
 *
 * @param defaults Those of the scope.
 * @param own Those of the route, whose keys replace those of the scope.
 * @returns Both; `undefined` without either.
 */
export function mergeDefaults<T extends object>(defaults: T | undefined, own: T | undefined): T | undefined {
  if (!defaults || !own) return own ?? defaults;
  const merged = {} as T;
  for (const [key, value] of [...Object.entries(defaults), ...Object.entries(own)]) {
    // Not writable, so that engines keep statuses in a map. They would keep a place for each number up to 400: 5 KB.
    Object.defineProperty(merged, key, { value, enumerable: true, configurable: true });
  }
  return merged;
}

/** @internal The prefix, or the message for one that begins or ends wrongly. */
export type CheckedPrefix<Prefix extends string> = string extends Prefix ? Prefix
  : Prefix extends `${infer Path}/` ? `A prefix must not end with a slash: write "${Path}"`
  : Prefix extends "" | `/${string}` ? Prefix
  : `A prefix must begin with a slash: write "/${Prefix}"`;

/**
 * Requires that these options are never absent because of a condition. An option that is spread in by a condition has
 * the types of its value, and may be absent.
 *
 * @typeParam Keys The names of the options.
 */
export type Unconditional<Keys extends string> = { readonly [Key in Keys]: NonNullable<unknown> };

/** @internal The key of guards, if there are any. */
export type GuardsKey<Guards, All = Guards> = Guards extends readonly [unknown, ...unknown[]]
  ? [All] extends [Guards] ? "guards" : AbsentGuards
  : [All] extends [Guards] ? UnknownKey<Guards[number & keyof Guards]>
  : AbsentGuards;

/** The message for guards of which nothing is known. Those of type `any` are not checked. */
type UnknownKey<Guard> = unknown extends Guard ? 0 extends 1 & Guard ? never : UnknownGuards : never;

/** @internal The key of schemas, if one of them is certain. */
export type RequestKey<Schemas> = NoSchemas extends Schemas ? never : "request";

/**
 * @internal The messages for paths that `setup` rejects, and for one that few mean. A path has the type
 * `Path & PathMessages[PathFault<InScope, Path>]`, which is an indexed access: of a path that is a type parameter, as
 * in a function that wraps `route.get`, TypeScript then looks at what its constraint allows.
 */
export interface PathMessages {
  /** None. */
  readonly none: unknown;
  /** For "notes". */
  readonly noSlash: { readonly [Message in 'A path begins with a slash: write "/" before it']: never };
  /** For "/" in a scope with a prefix. */
  readonly root: {
    readonly [
      Message in 'In this scope, "/" is the prefix with a slash at its end: write "" for the prefix itself'
    ]: never;
  };
}

/** @internal The message that a path needs. */
export type PathFault<InScope extends { readonly prefix: string }, Path extends string> = Path extends `/${string}`
  ? Path extends "/" ? InScope["prefix"] extends "" ? "none" : "root" : "none"
  // How the path begins is not known: it has the type `string`, or is a template such as `${base}/notes`.
  : string extends FirstOf<Path> ? "none"
  : Path extends "" ? InScope["prefix"] extends "" ? "noSlash" : "none"
  : "noSlash";

/** The first character of a text. */
type FirstOf<Text extends string> = string extends Text ? string : Text extends `${infer First}${string}` ? First : "";

/** @internal The key of a prefix, if it is not empty. */
export type PrefixKey<Prefix> = Prefix extends "" ? never : "prefix";
