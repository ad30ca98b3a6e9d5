/**
 * Streams whose items TypeScript checks, from the handler to the client: server-sent events and JSON lines. `events`
 * and `lines` declare them, `replyEvents` and `replyLines` send them, and clients of `@fw/core/client` read them by the
 * declaration.
 *
 * @example A stream of events
 * ```ts
 * import { endpoint, route, setup } from "@fw/core";
 * import { createClient } from "@fw/core/client";
 * import { events, replyEvents } from "@fw/core/events";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = {
 *   watchStock: endpoint.get("/stock/:id", {
 *     responses: { 200: events({ left: z.object({ copies: z.int() }), gone: z.null() }) },
 *   }),
 * };
 *
 * const watchStock = route.on(api.watchStock, {
 *   resolve: () =>
 *     replyEvents(200, async function* (_signal, event) {
 *       yield event("left", { copies: 1 }, { id: "7" });
 *       yield event("gone", null);
 *     }, { heartbeat: 5 }),
 * });
 *
 * const client = createClient(api, { fetch: setup({ handlers: [watchStock] }).fetch });
 * const answer = await client.watchStock({ params: { id: "emma" } });
 * const names: string[] = [];
 * for await (const item of answer.body) names.push(item.event);
 * assertEquals(names, ["left", "gone"]);
 * assertEquals(answer.body.lastEventId, "7");
 * ```
 *
 * @module
 */

export { events, lines } from "./declare.ts";
export { replyEvents, replyLines } from "./reply_events.ts";
export { resume } from "./resume.ts";
export { text } from "./text.ts";
export type { EventSchemas, ItemSchema, StreamOptions, StreamResponse, StreamSchema } from "./declare.ts";
export type {
  Batch,
  Items,
  MadeEvent,
  MakeBatch,
  MakeEvent,
  ReplyEventsOptions,
  ReplyLinesOptions,
} from "./reply_events.ts";
export type { UnencodedEvent } from "./encode.ts";
export type { TextSchema } from "./text.ts";
export type { EventLog } from "../stores/event_log.ts";
export type { AnyReceived, ResumedCall, ResumeOptions } from "./resume.ts";
export type { DeclaredStream, EventStream, ReceivedEvent, ReceivedStream } from "../core/responses/responses.ts";
