import { describeRoute, isRecord, requireKnownKeys, requireThat } from "./assert.ts";
import type { RouteDocs, RouteResponses } from "./docs.ts";
import type { EndpointFactory } from "./endpoint_factory.ts";
import type { RequestSchemas } from "./input.ts";
import { withMethods } from "./method.ts";
import { joinPaths, mergeDefaults, nestPrefix, requireNoResponses } from "./scope.ts";
import type { Endpoint } from "./typed_endpoint.ts";
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

/** Untyped view of `EndpointOptions` and `EndpointScopeOptions`, for the implementation. */
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
  // The declared types are those of the callers; the implementation is untyped.
  const factory: { readonly [Key in keyof EndpointFactory]: unknown } = {
    ...withMethods(on),
    with: (scope: Declaration) => {
      const path = nestPrefix(prefix, scope, "endpoint.with");
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
