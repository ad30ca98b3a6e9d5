/**
 * A typed client without generated code, for a record of endpoints: a module of them, or routes. It runs wherever
 * `fetch` does.
 *
 * @example A file of endpoints, its server, and a client
 * ```ts
 * import { endpoint, reply, route, setup } from "@fw/core";
 * import { createClient } from "@fw/core/client";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = { // in a file of its own: `import * as api from "./api.ts"`
 *   showBook: endpoint.get("/books/:id", {
 *     responses: {
 *       200: { schema: z.object({ title: z.string() }) },
 *       404: { schema: z.object({ code: z.literal("missing") }) },
 *     },
 *   }),
 * };
 *
 * const app = setup({
 *   handlers: [
 *     route.on(api.showBook, {
 *       resolve: (c) => c.raw.params.id === "7" ? reply(200, { title: "Emma" }) : reply(404, { code: "missing" }),
 *     }),
 *   ],
 * });
 *
 * // With `baseUrl: "https://api.example.com"` it calls a server. With `fetch: app.fetch` a test needs none.
 * const client = createClient(api, { fetch: app.fetch });
 * const answer = await client.showBook({ params: { id: 7 } });
 * assertEquals(answer.status === 200 ? answer.body.title : answer.body.code, "Emma");
 * ```
 *
 * @module
 */

export { createClient } from "./client.ts";
export type { Compatible } from "./compatible.ts";
export { UnexpectedResponse } from "./unexpected.ts";
export type {
  CallInit,
  Client,
  ClientCall,
  ClientOptions,
  HeaderValues,
  LooseCall,
  Received,
  ReceivedAs,
  ReceivedWith,
} from "./types.ts";
export type { EventStream, ReceivedEvent } from "../core/responses/responses.ts";
export type { TextValue } from "../core/input/text_parts.ts";
