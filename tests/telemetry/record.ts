/** The SDK of OpenTelemetry, as an app registers it, with what it has recorded in memory. */
import * as api from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from "@opentelemetry/sdk-trace";

export { api };

/** A span that has ended. */
export interface RecordedSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string | undefined;
  readonly status: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  /** The messages of the exceptions. */
  readonly exceptions: readonly unknown[];
}

/** A measurement: the attributes, and the count of a histogram or the value of a counter. */
export interface Measured {
  readonly metric: string;
  readonly unit: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly value: number;
  readonly bounds?: readonly number[];
}

const spans = new InMemorySpanExporter();
const metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const meters = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 2 ** 30 })],
});
api.trace.setGlobalTracerProvider(
  new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter: spans })] }),
);
api.metrics.setGlobalMeterProvider(meters);
api.propagation.setGlobalPropagator(new W3CTraceContextPropagator());
api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

/** The spans that have ended since the last call, in order. */
export function takeSpans(): readonly RecordedSpan[] {
  const ended = spans.getFinishedSpans().map((span) => ({
    name: span.name,
    kind: span.kind,
    traceId: span.spanContext().traceId,
    spanId: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
    status: span.status.code,
    attributes: span.attributes,
    exceptions: span.events.map(({ attributes }) => attributes?.["exception.message"]),
  }));
  spans.reset();
  return ended;
}

/** Everything that has been measured so far. */
export async function readMetrics(): Promise<readonly Measured[]> {
  metrics.reset();
  await meters.forceFlush();
  return metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics).flatMap(({ metrics }) => metrics).flatMap(
    ({ descriptor: { name, unit }, dataPoints }) =>
      dataPoints.map(({ attributes, value }) =>
        typeof value === "number"
          ? { metric: name, unit, attributes, value }
          : "buckets" in value && "boundaries" in value.buckets
          ? { metric: name, unit, attributes, value: value.count, bounds: value.buckets.boundaries }
          : { metric: name, unit, attributes, value: NaN }
      ),
  );
}

/** Stops the timer of the metrics. */
export async function stopRecording(): Promise<void> {
  await meters.shutdown();
}
