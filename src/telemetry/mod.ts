/**
 * Records what an app does by [OpenTelemetry](https://opentelemetry.io): spans and metrics of requests by
 * {@linkcode telemetry}, spans of the calls of stores by {@linkcode traceCalls}. The module `@opentelemetry/api` is an
 * argument, so the package does not depend on it.
 *
 * @example An app, and a store whose calls are children of its requests
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { rateLimitStore } from "@fw/core/memory";
 * import { limit } from "@fw/core/rate-limit";
 * import { telemetry, traceCalls } from "@fw/core/telemetry";
 * import * as api from "@opentelemetry/api";
 *
 * const limited = limit({
 *   name: "all",
 *   quota: 10,
 *   window: 60,
 *   key: () => "all",
 *   store: traceCalls(api, "limits", rateLimitStore({ most: 1_000 })),
 *   refuse: () => reply(429),
 *   whenStoreFails: () => reply(503),
 * });
 *
 * const app = setup({
 *   handlers: [route.get("/books/:id", { guards: [limited], resolve: (c) => reply(200, c.raw.params.id) })],
 * });
 * const recorded = telemetry(api, app);
 * ```
 *
 * @module
 */

export { telemetry, type TelemetryOptions } from "./telemetry.ts";
export { traceCalls } from "./trace_calls.ts";
export type * from "./open_telemetry.ts";
