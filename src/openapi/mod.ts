/**
 * Describes routes as an [OpenAPI](https://spec.openapis.org/oas/v3.1.0.html) document of version 3.1 or 3.2, for
 * generated clients and other tools, and makes a page of it, to read and try the API. The document is generated from the
 * routes that you serve. Neither is served unless you add a route for it.
 *
 * @example A document, and a route that serves it
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { openapi } from "@fw/core/openapi";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     route.get("/books/:id", {
 *       docs: { summary: "Shows a book" },
 *       responses: { 200: { schema: z.object({ title: z.string() }) } },
 *       resolve: () => reply(200, { title: "Emma" }),
 *     }),
 *   ],
 * });
 * const info = { title: "Books", version: "1.0.0" };
 * const document = openapi({ info, routes: api.routes });
 * const described = route.get("/openapi.json", {
 *   resolve: () => Response.json(document),
 * });
 *
 * assertEquals(Object.keys(document.paths), ["/books/{id}"]);
 * assertEquals(document.paths["/books/{id}"]?.get?.operationId, "getBooksById");
 * ```
 *
 * @module
 */

export { openapi } from "./openapi.ts";
export type { DocumentOptions, ListedRoutes, NamedEndpoints, OpenApiOptions } from "./openapi.ts";
export { docsPage, type DocsPageOptions } from "./page/docs_page.ts";
export type { SocketsDocument } from "./page/socket.ts";
export type * from "./document.ts";
export type { JsonSchema, JsonSchemaObject, Side, ToJsonSchema } from "../core/schemas/json_schema.ts";
