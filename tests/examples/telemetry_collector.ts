/** A span as a collector receives it: the parts that these tests read. */
export interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string;
  readonly status: { readonly code: number };
  readonly attributes: readonly Attribute[];
  readonly events: readonly unknown[];
}

export interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

export interface Metric {
  readonly name: string;
  readonly histogram: {
    readonly dataPoints: readonly { readonly attributes: readonly Attribute[]; readonly count: string }[];
  };
}

/** Receives what Deno sends of a server by OpenTelemetry. Give the server the variables of `env`. */
export function startCollector() {
  const spans: Span[] = [];
  const metrics: Metric[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
    const { resourceSpans = [], resourceMetrics = [] } = await request.json();
    for (const { scopeSpans } of resourceSpans) {
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    for (const { scopeMetrics } of resourceMetrics) {
      for (const scope of scopeMetrics) metrics.push(...scope.metrics);
    }
    return Response.json({});
  });
  const env = {
    OTEL_DENO: "true",
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
  };
  return { spans, metrics, env, [Symbol.asyncDispose]: () => server.shutdown() };
}
