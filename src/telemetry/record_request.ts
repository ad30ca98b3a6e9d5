import type { RequestObserver } from "../core/values/request_observer.ts";
import { METHODS } from "../core/routing/method.ts";
import type { Attributes, OpenTelemetry, Span } from "./open_telemetry.ts";
import { ERROR, recordError } from "./record_error.ts";

/** How a request has ended: with a status, with a failure, or with both, if the response is incomplete. */
export interface Outcome {
  /** The status of the response. */
  readonly status?: number;
  /** What was thrown. */
  readonly failure?: { readonly error: unknown } | undefined;
}

/** The record of one request, while it is served. */
export interface RequestRecord {
  /** The context in which everything of the request runs. */
  readonly context: unknown;
  /** What the record sees of the request. */
  readonly observer: RequestObserver;
  /** Ends the record. Called once. */
  end(outcome: Outcome): void;
}

/**
 * Makes what records requests by spans and metrics of its own, as the semantic conventions of HTTP, version 1.45, say.
 *
 * @param api The module.
 * @returns Starts the record of a request.
 */
export function createRecorder(api: OpenTelemetry): (request: Request) => RequestRecord {
  const tracer = api.trace.getTracer(SCOPE);
  const meter = api.metrics.getMeter(SCOPE);
  const durations = meter.createHistogram("http.server.request.duration", {
    description: "Duration of HTTP server requests.",
    unit: "s",
    advice: { explicitBucketBoundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10] },
  });
  const active = meter.createUpDownCounter("http.server.active_requests", {
    description: "Number of active HTTP server requests.",
    unit: "{request}",
  });

  return (request) => {
    const isKnown = isKnownMethod(request.method);
    const { scheme, address, port, path } = readUrl(request.url);
    const measured: Attributes = { "http.request.method": isKnown ? request.method : "_OTHER", "url.scheme": scheme };
    const attributes: Attributes = { ...measured, "url.path": path, "server.address": address };
    if (port !== undefined) attributes["server.port"] = Number(port);
    if (!isKnown) attributes["http.request.method_original"] = request.method;
    const userAgent = request.headers.get("user-agent");
    if (userAgent !== null) attributes["user_agent.original"] = userAgent;

    const method = isKnown ? request.method : "HTTP";
    const parent = api.propagation.extract(api.context.active(), request.headers, GETTER);
    const span = tracer.startSpan(method, { kind: SERVER, attributes }, parent);
    const { observer, finish } = recordIn(span, method);
    const startedAt = performance.now();
    active.add(1, measured);
    return {
      context: api.trace.setSpan(parent, span),
      observer,
      end(outcome) {
        const duration = (performance.now() - startedAt) / 1000;
        active.add(-1, measured);
        durations.record(duration, { ...measured, ...finish(outcome) });
        span.end();
      },
    };
  };
}

/**
 * Makes what adds to the spans that the runtime makes, and ends.
 *
 * @param api The module.
 * @returns Starts the record of a request, if a span is active.
 */
export function createRuntimeRecorder(api: OpenTelemetry): (request: Request) => RequestRecord | undefined {
  return ({ method }) => {
    const span = api.trace.getActiveSpan();
    if (span === undefined) return undefined;
    const { observer, finish } = recordIn(span, isKnownMethod(method) ? method : "HTTP");
    return { context: api.context.active(), observer, end: finish };
  };
}

/** What is recorded in a span. `finish` returns what the metrics need. */
function recordIn(span: Span, method: string): {
  readonly observer: RequestObserver;
  readonly finish: (outcome: Outcome) => Attributes;
} {
  let route: string | undefined;
  let thrown: Outcome["failure"];
  return {
    observer: {
      onRoute({ path }) {
        route = path;
        span.setAttributes({ "http.route": path });
        span.updateName(`${method} ${path}`);
      },
      onError(error) {
        thrown = { error };
      },
    },
    finish({ status, failure }) {
      const attributes: Attributes = {};
      if (status !== undefined) attributes["http.response.status_code"] = status;
      // An error that becomes a response such as a 404 is not one of the server.
      if (failure !== undefined || Number(status) >= 500) {
        const cause = failure ?? thrown;
        attributes["error.type"] = cause === undefined ? String(status) : recordError(span, cause.error);
        span.setStatus({ code: ERROR });
      }
      span.setAttributes(attributes);
      return route === undefined ? attributes : { ...attributes, "http.route": route };
    },
  };
}

/** The name of the instrumentation. */
export const SCOPE = "@fw/core";

/** The kind of the span of a request that is received. */
const SERVER = 1;

/** Whether the conventions know a method. All others are one, since clients can invent methods. */
function isKnownMethod(method: string): boolean {
  return METHODS.includes(method) || method === "CONNECT" || method === "TRACE";
}

const GETTER = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};

/**
 * The parts of a url. Without the query, which may have secrets. An invalid `Host` header can make a url invalid, and Bun
 * has no origin for a request of HTTP/1.0 without `Host`.
 */
function readUrl(url: string): {
  readonly scheme: string;
  readonly address: string | undefined;
  readonly port: string | undefined;
  readonly path: string;
} {
  const [origin = "", scheme = "http", ipv6, host, port] = ORIGIN.exec(url) ?? [];
  const [path] = url.slice(origin.length).split(/[?#]/, 1);
  return { scheme, address: ipv6 || host || undefined, port, path: path || "/" };
}

/** Scheme, host and port. An IPv6 address is without its brackets. */
const ORIGIN = /^([a-z]+):\/\/(?:[^/?#@]*@)?(?:\[([^\]]*)\]|([^/?#:]*))(?::(\d+))?/;
