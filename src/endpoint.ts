import { describeRoute, isRecord, requireKnownKeys, requireThat } from "./checks.ts";
import type { RouteDocs, RouteResponses } from "./docs.ts";
import type { NoSchemas, RequestSchemas } from "./input.ts";
import { ALL } from "./method.ts";
import type { CheckResponses, MergeResponses } from "./responses.ts";
import { type CheckedPrefix, joinPaths, mergeDefaults, nestPrefix, requireNoResponses } from "./scope.ts";
import type { BodyFor, PossibleSchemas, SchemasWith } from "./text_schema.ts";
import type { Endpoint, TypedEndpointOf } from "./typed_endpoint.ts";
import { requireRequest } from "./validate.ts";

/**
 * Declares endpoints: what clients see of routes. An endpoint is plain data without a handler, so a server, its clients and its
 * document can share a file of endpoints. `route.on(endpoint, { resolve })` adds guards and a handler.
 *
 * @example An endpoint, and the route that implements it
 * ```ts
 * import { endpoint, reply, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const showBook = endpoint.get("/books/:id", {
 *   responses: { 200: { schema: z.object({ id: z.string() }) } },
 * });
 *
 * const app = setup({
 *   handlers: [
 *     route.on(showBook, { resolve: (c) => reply(200, { id: c.raw.params.id }) }),
 *   ],
 * });
 * const response = await app.fetch(new Request("http://localhost/books/emma"));
 * assertEquals(await response.json(), { id: "emma" });
 * ```
 *
 * @example A scope of endpoints: a prefix, and responses that each of them has
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const v1 = endpoint.with({ prefix: "/v1", responses: { 401: { description: "Sign in first" } } });
 * const deleteBook = v1.delete("/books/:id", { responses: { 204: {} } });
 * assertEquals(deleteBook.path, "/v1/books/:id");
 * ```
 */
export const endpoint: EndpointFactory = /* @__PURE__ */ createFactory("");

/**
 * Declares endpoints. A scope made by `with` adds a prefix, responses or docs to its endpoints.
 *
 * `get` and the other methods take a path pattern and the {@linkcode EndpointOptions}. They throw a `TypeError` if an option is
 * unknown, or if a schema or `responses` is `undefined`.
 *
 * @typeParam Prefix The prefix of the scope.
 * @typeParam Defaults The responses of the scope; `never` if it has none.
 */
export interface EndpointFactory<Prefix extends string = "", Defaults extends object = never> {
  /** Declares an endpoint for GET. */
  readonly get: DeclareEndpoint<Prefix, Defaults, "GET">;
  /** Declares an endpoint for POST. */
  readonly post: DeclareEndpoint<Prefix, Defaults, "POST">;
  /** Declares an endpoint for PUT. */
  readonly put: DeclareEndpoint<Prefix, Defaults, "PUT">;
  /** Declares an endpoint for PATCH. */
  readonly patch: DeclareEndpoint<Prefix, Defaults, "PATCH">;
  /** Declares an endpoint for DELETE. */
  readonly delete: DeclareEndpoint<Prefix, Defaults, "DELETE">;
  /** Declares an endpoint for HEAD. */
  readonly head: DeclareEndpoint<Prefix, Defaults, "HEAD">;
  /** Declares an endpoint for OPTIONS. */
  readonly options: DeclareEndpoint<Prefix, Defaults, "OPTIONS">;
  /** Declares an endpoint for every method. */
  readonly all: DeclareEndpoint<Prefix, Defaults, "ALL">;
  /**
   * Declares an endpoint for any method, or for several: `endpoint.on(["GET", "HEAD"], "/books")`.
   *
   * @param method The method or methods, in capital letters.
   * @param path The pattern.
   * @param options Schemas, responses and docs.
   * @returns The endpoint.
   * @throws A `TypeError` if an option is unknown, or if a schema or `responses` is `undefined`.
   */
  on<
    const Method extends string | readonly string[],
    const Path extends string,
    const Schemas extends SchemasWith<BodyFor<Method>> = NoSchemas,
    const Responses extends RouteResponses = never,
  >(
    method: Method,
    path: Path,
    options?: EndpointOptions<Schemas, Responses, Prefix, Path>,
  ): TypedEndpointOf<Method, `${Prefix}${Path}`, Schemas, Defaults, Responses>;
  /**
   * Makes a scope. Its prefix is put before the path of each endpoint. Its responses count for each endpoint. Its docs are
   * defaults.
   *
   * @param scope Prefix, responses and docs. The prefix must begin with a slash and must not end with one.
   * @returns The scope.
   * @throws A `TypeError` if an option is unknown, if the prefix begins or ends otherwise, or if `responses` is `undefined`.
   */
  with<const Own extends string = "", const Responses extends RouteResponses = never>(
    scope: EndpointScopeOptions<Own, Responses>,
  ): EndpointFactory<`${Prefix}${Own}`, MergeResponses<Defaults, Responses>>;
}

/**
 * Declares an endpoint for one method: `endpoint.get("/books/:id", { responses })`.
 *
 * @internal
 */
export interface DeclareEndpoint<Prefix extends string, Defaults extends object, Method extends string> {
  /**
   * @param path The pattern: literal segments, `:name` for one non-empty segment, a final `*` for the rest.
   * @param options Schemas, responses and docs.
   * @returns The endpoint, for `route.on` and `openapi`.
   * @throws A `TypeError` if an option is unknown, or if a schema or `responses` is `undefined`.
   */
  <
    const Path extends string,
    const Schemas extends SchemasWith<BodyFor<Method>> = NoSchemas,
    const Responses extends RouteResponses = never,
  >(
    path: Path,
    options?: EndpointOptions<Schemas, Responses, Prefix, Path>,
  ): TypedEndpointOf<Method, `${Prefix}${Path}`, Schemas, Defaults, Responses>;
}

/**
 * The options of an endpoint.
 *
 * @typeParam Schemas The schemas.
 * @typeParam Responses The responses.
 * @typeParam Prefix The prefix of the scope.
 * @typeParam Path The path pattern, without the prefix.
 */
export interface EndpointOptions<
  Schemas extends RequestSchemas,
  Responses extends RouteResponses,
  Prefix extends string = "",
  Path extends string = string,
> {
  /** Schemas for the parts of the request. */
  readonly request?: Schemas & PossibleSchemas<Schemas, { prefix: Prefix }, NoInfer<Path>>;
  /** The responses by status, merged over those of the scope. A route that implements the endpoint must return one of them. */
  readonly responses?: Responses & CheckResponses<never, never, Responses>;
  /** Documentation, for tools such as `@fw/core/openapi`. Each key replaces that of the scope. */
  readonly docs?: RouteDocs;
}

/**
 * The options of a scope of endpoints.
 *
 * @typeParam Prefix The prefix.
 * @typeParam Responses The responses.
 */
export interface EndpointScopeOptions<Prefix extends string, Responses extends RouteResponses> {
  /** The prefix of the path of each endpoint. It begins with a slash and does not end with one. */
  readonly prefix?: CheckedPrefix<Prefix>;
  /** Responses that each endpoint has. Those of an endpoint replace them, status by status. */
  readonly responses?: Responses & CheckResponses<never, never, Responses>;
  /** Default docs. Each key of an endpoint's own docs replaces that of the scope. */
  readonly docs?: RouteDocs;
}

/** Untyped view of {@linkcode EndpointOptions} and {@linkcode EndpointScopeOptions}, for the implementation. */
interface Declaration {
  readonly prefix?: string;
  readonly request?: RequestSchemas;
  readonly responses?: RouteResponses;
  readonly docs?: RouteDocs;
}

function createFactory(prefix: string, scopeDocs?: RouteDocs, scopeResponses?: RouteResponses): EndpointFactory {
  const on = (method: string | readonly string[], path: string, options: Declaration = {}): Endpoint => {
    const fullPath = joinPaths(prefix, path);
    const owner = `endpoint ${describeRoute({ method, path: fullPath })}`;
    requireThat(isRecord(options), `Options of ${owner}`, "an object such as { responses: … }", options);
    requireKnownKeys(options, owner, ["request", "responses"], ["docs"]);
    const { request } = options;
    requireRequest(request, method, owner);
    requireNoResponses(options.docs, owner);
    const responses = mergeDefaults(scopeResponses, options.responses);
    const docs = mergeDefaults(scopeDocs, options.docs);
    return {
      method,
      path: fullPath,
      ...request !== undefined && { request },
      ...responses !== undefined && { responses },
      ...docs !== undefined && { docs },
    };
  };
  const declare = (method: string) => (path: string, options?: Declaration) => on(method, path, options);
  // The declared types are those of the callers; the implementation is untyped.
  const factory: { readonly [Key in keyof EndpointFactory]: unknown } = {
    get: declare("GET"),
    post: declare("POST"),
    put: declare("PUT"),
    patch: declare("PATCH"),
    delete: declare("DELETE"),
    head: declare("HEAD"),
    options: declare("OPTIONS"),
    all: declare(ALL),
    on,
    with: (scope: Declaration) => {
      const path = nestPrefix(prefix, scope.prefix ?? "", "endpoint.with");
      const owner = `endpoint.with for "${path}"`;
      requireKnownKeys(scope, owner, ["responses"], ["prefix", "docs"]);
      requireNoResponses(scope.docs, owner);
      return createFactory(
        path,
        mergeDefaults(scopeDocs, scope.docs),
        mergeDefaults(scopeResponses, scope.responses),
      );
    },
  };
  return factory as EndpointFactory;
}
