import type { App } from "../core/setup.ts";
import { isRecord, requireThat } from "../core/values/assert.ts";
import { isPromise } from "../core/values/maybe_promise.ts";
import { optionalRule, type OptionRule, requireRules } from "../core/values/option_rules.ts";
import { observeRequest } from "../core/values/request_observer.ts";
import { followBody, isStreamed } from "./follow_body.ts";
import type { OpenTelemetry } from "./open_telemetry.ts";
import { createRecorder, createRuntimeRecorder, type RequestRecord } from "./record_request.ts";
import { requireModule } from "./require_module.ts";

/**
 * Records the requests of an app by OpenTelemetry: a span of each, and the metrics `http.server.request.duration` and
 * `http.server.active_requests`, as version 1.45 of the semantic conventions of HTTP says.
 *
 * The span is named by the method and the pattern of the route, which is `http.route`; without a route, by the method.
 * Its parent comes from headers such as `traceparent`. Guards, handlers, hooks and streams run within it. Spans that
 * they start are its children, if the context manager of the SDK is enabled.
 *
 * - **Never recorded:** the query, since it may have secrets, headers but `user-agent`, and bodies.
 * - **Errors:** a response of 500 or more has the status `ERROR`. Its `error.type` is the name of the thrown error,
 *   even if `onError` has made the response. Without an error, it is the status. A thrown error is recorded as an
 *   exception, with its message and its stack. An error that `onError` turns into another response, such as a 404, is
 *   not recorded.
 * - **Streams:** the span of a response of the type `text/event-stream`, `application/jsonl`, `application/x-ndjson` or
 *   `application/json-seq` ends with its body. If the client leaves earlier, `error.type` is `AbortError`, but for
 *   events, which need no end. The span of any other response ends when the app returns it.
 * - **Names that clients choose** are not in metrics. A method that the conventions do not know is `_OTHER`.
 * - **Behind a proxy**, `url.scheme` and `server.address` come from the request that the server received. They are
 *   often `http` and an internal address. Headers with the client's scheme and address are not read, since any client
 *   can send them.
 *
 * The package has no dependency: the module is an argument. Register the providers, the propagator and the context
 * manager of the SDK before this function is called. Without an SDK nothing is recorded.
 *
 * @typeParam Extra The extra arguments of `app.fetch`.
 * @typeParam Needs The locals that the routes need.
 * @param api The module `@opentelemetry/api`.
 * @param app The app.
 * @param options Who makes the spans.
 * @returns The app, with a `fetch` that records.
 * @throws A `TypeError` if an argument is of another shape.
 *
 * @example An app whose requests are recorded
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { telemetry } from "@fw/core/telemetry";
 * import * as api from "@opentelemetry/api";
 * import { assertEquals } from "@std/assert";
 *
 * const app = setup({
 *   handlers: [route.get("/books/:id", { resolve: (c) => new Response(c.raw.params.id) })],
 * });
 * const recorded = telemetry(api, app);
 *
 * const response = await recorded.fetch(new Request("http://localhost/books/emma"));
 * assertEquals(await response.text(), "emma");
 * ```
 */
export function telemetry<Extra extends readonly unknown[], Needs>(
  api: OpenTelemetry,
  app: App<Extra, Needs>,
  options: TelemetryOptions = {},
): App<Extra, Needs> {
  requireModule(api, "telemetry");
  const isApp = isRecord(app) && typeof app.fetch === "function";
  requireThat(isApp, "Argument app of telemetry", "what setup returns", app);
  requireRules(options, "telemetry", { runtimeSpans: BOOLEAN });
  const start = options.runtimeSpans === true ? createRuntimeRecorder(api) : createRecorder(api);

  function finish(response: Response, record: RequestRecord): Response {
    if (isStreamed(response)) return followBody(response, (run) => api.context.with(record.context, run), record.end);
    record.end({ status: response.status });
    return response;
  }

  function fetch(request: Request, ...extra: Extra): Response | Promise<Response> {
    const record = start(request);
    if (record === undefined) return app.fetch(request, ...extra);
    observeRequest(request, record.observer);
    const response = api.context.with(record.context, () => app.fetch(request, ...extra));
    if (!isPromise(response)) return finish(response, record);
    return response.then((response) => finish(response, record), (error: unknown) => {
      record.end({ failure: { error } });
      throw error;
    });
  }

  return Object.freeze({ ...app, fetch });
}

/** The options of {@linkcode telemetry}. */
export interface TelemetryOptions {
  /**
   * Whether the runtime makes the spans and the metrics of requests, as Deno does with `OTEL_DENO=true`, and Node.js
   * with `@opentelemetry/instrumentation-http`. Then the name, the route, and errors are added to the span that is
   * active, and nothing else is recorded. `false` by default.
   */
  readonly runtimeSpans?: boolean | undefined;
}

const BOOLEAN: OptionRule = /* @__PURE__ */ optionalRule(["true or false", (value) => typeof value === "boolean"]);
