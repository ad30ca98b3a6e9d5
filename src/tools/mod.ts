/**
 * Makes tools for language models of endpoints: a name, a description, JSON Schemas, and a function that calls the app.
 * MCP servers and AI SDKs take such tools as they are. A call goes through the guards of the app.
 *
 * @example The tools of an app
 * ```ts
 * import { endpoint, reply, route, setup } from "@fw/core";
 * import { tools } from "@fw/core/tools";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = {
 *   findBooks: endpoint.get("/books", {
 *     docs: { summary: "Finds books by their title" },
 *     request: { query: z.object({ title: z.string() }) },
 *     responses: { 200: { schema: z.array(z.string()) } },
 *   }),
 * };
 * const findBooks = route.on(api.findBooks, { resolve: () => reply(200, ["Emma"]) });
 * const app = setup({ handlers: [findBooks], validator: { validate: (_schema, value) => ({ ok: true, value }) } });
 *
 * for (const { name, description, call } of tools(api, { fetch: app.fetch })) {
 *   assertEquals([name, description], ["findBooks", "Finds books by their title"]);
 *   assertEquals(await call({ query: { title: "E" } }), { status: 200, isError: false, body: ["Emma"] });
 * }
 * ```
 *
 * @module
 */

export { tools } from "./tools.ts";
export type { Tool, ToolAnnotations, ToolCall, ToolOptions, ToolResult, ToolsIn } from "./types.ts";
export type { JsonSchema, JsonSchemaObject, Side, ToJsonSchema } from "../core/schemas/json_schema.ts";
