/**
 * Holds an app to its endpoints, in tests: what the app sends is what it declares. Finds its faults, and mocks it. It
 * depends on no test runner.
 *
 * @example A test without a server
 * ```ts
 * import { endpoint, reply, route, setup } from "@fw/core";
 * import { createClient } from "@fw/core/client";
 * import { holdToEndpoints } from "@fw/core/testing";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = {
 *   showBook: endpoint.get("/books/:id", {
 *     responses: {
 *       200: { schema: z.object({ title: z.string() }) },
 *       404: { description: "There is no such book" },
 *     },
 *   }),
 * };
 * const app = setup({ handlers: [route.on(api.showBook, { resolve: () => reply(200, { title: "Emma" }) })] });
 *
 * const held = holdToEndpoints(api, app);
 * const client = createClient(api, { fetch: held.fetch });
 * const answer = await client.showBook({ params: { id: 7 } });
 * assertEquals(answer.body, { title: "Emma" });
 *
 * // At the end: what no test has seen.
 * assertEquals(held.unseen(), ["GET /books/:id 404"]);
 * ```
 *
 * @module
 */

export { fuzz } from "./fuzz/fuzz.ts";
export type { FaultKind } from "./fuzz/kinds/kinds.ts";
export type { SignIn, SignRequest, UserHeaders } from "./fuzz/actors.ts";
export type { FuzzableApp, FuzzedApp, FuzzSocket, FuzzSocketEvents, FuzzSockets } from "./fuzz/app.ts";
export type { FuzzOptions, Given } from "./fuzz/options.ts";
export type { Fault, Faults, Reached } from "./fuzz/report.ts";
export type { FastCheck } from "./values/fast_check.ts";
export { type Choose, mock, type MockOptions } from "./mock/mock.ts";
export type { AcceptSocket } from "./mock/open_socket.ts";
export { type Held, type HoldOptions, holdToEndpoints } from "./hold_to_endpoints.ts";
export type { Pass, StoreCases } from "./stores/store_case.ts";
export { storeCases } from "./stores/store_cases.ts";
