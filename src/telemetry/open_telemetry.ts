/** What is used of `@opentelemetry/api`, so that the package does not depend on it. Types only. */

/**
 * The module `@opentelemetry/api`: pass `import * as api from "@opentelemetry/api"`. Contexts are opaque: they are passed
 * from one of its functions to another.
 */
export interface OpenTelemetry {
  /** Spans. */
  readonly trace: {
    /** Returns the tracer with a name. */
    getTracer(name: string): Tracer;
    /** Returns a context in which a span is active. */
    setSpan(context: unknown, span: Span): unknown;
    /** Returns the span that is active now. */
    getActiveSpan(): Span | undefined;
  };
  /** Contexts, which stay active after an `await`. */
  readonly context: {
    /** Returns the context that is active now. */
    active(): unknown;
    /** Calls a function in a context. */
    with<Result>(context: unknown, run: () => Result): Result;
  };
  /** Reads the trace of the caller from headers. */
  readonly propagation: {
    /** Reads the parent and the baggage from headers. */
    extract(context: unknown, carrier: Headers, getter: HeaderGetter): unknown;
  };
  /** Metrics. */
  readonly metrics: {
    /** Returns the meter with a name. */
    getMeter(name: string): Meter;
  };
}

/** Attributes of a span or a measurement. */
export interface Attributes {
  /** The value of an attribute. */
  [name: string]: string | number | undefined;
}

/** Reads headers, for `propagation.extract`. */
export interface HeaderGetter {
  /** Returns the value of a header. */
  get(headers: Headers, name: string): string | undefined;
  /** Returns the names of the headers. */
  keys(headers: Headers): string[];
}

/** What makes spans. */
export interface Tracer {
  /** Starts a span. */
  startSpan(name: string, options: { kind?: number; attributes?: Attributes }, context: unknown): Span;
}

/** A span. */
export interface Span {
  /** Adds attributes. */
  setAttributes(attributes: Attributes): unknown;
  /** Sets whether the operation of the span has failed. */
  setStatus(status: { code: number }): unknown;
  /** Gives the span another name. */
  updateName(name: string): unknown;
  /** Adds an error. */
  recordException(error: Error | string): unknown;
  /** Ends the span. */
  end(): void;
}

/** What makes metrics. */
export interface Meter {
  /** Makes a histogram. */
  createHistogram(name: string, options: MetricOptions): {
    /** Adds a measurement. */
    record(value: number, attributes: Attributes): void;
  };
  /** Makes a counter that goes up and down. */
  createUpDownCounter(name: string, options: MetricOptions): {
    /** Adds to the counter. */
    add(value: number, attributes: Attributes): void;
  };
}

/** The description of a metric. */
export interface MetricOptions {
  /** What it measures. */
  description: string;
  /** In which unit. */
  unit: string;
  /** The bounds of the buckets of a histogram. */
  advice?: { explicitBucketBoundaries: number[] };
}
