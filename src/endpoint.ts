import { describeRoute, requireOptions } from "./assert.ts";
import type { RouteDocs, RouteResponses } from "./docs.ts";
import type { EndpointFactory } from "./endpoint_factory.ts";
import type { RequestSchemas } from "./input.ts";
import { createFactory, joinPaths, mergeDefaults, type Scope } from "./scope.ts";
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
export const endpoint: EndpointFactory = /* @__PURE__ */ createFactory("endpoint", [], declare) as EndpointFactory;

/** Untyped view of `EndpointOptions`, for the implementation. */
interface Declaration {
  readonly request?: RequestSchemas;
  readonly responses?: RouteResponses;
  readonly docs?: RouteDocs;
}

function declare(
  scope: Scope,
  method: string | readonly string[],
  ending: string,
  options: Declaration = {},
): Endpoint {
  const path = joinPaths(scope.prefix, ending);
  const owner = `endpoint ${describeRoute({ method, path })}`;
  requireOptions(options, owner, ["request", "responses"], ["docs"], " such as { responses: … }");
  const { request } = options;
  requireRequest(request, method, owner);
  const responses = mergeDefaults(scope.responses, options.responses);
  const docs = mergeDefaults(scope.docs, options.docs);
  return {
    method,
    path,
    ...request !== undefined && { request },
    ...responses !== undefined && { responses },
    ...docs !== undefined && { docs },
  };
}
