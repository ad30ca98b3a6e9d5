import { assertEquals } from "@std/assert";
import { before, describe, it } from "@std/testing/bdd";
import { granted } from "../support/granted.ts";
import { serve } from "./serve.ts";
import { type Attribute, type Metric, type Span, startCollector } from "./telemetry_collector.ts";

(granted("net", "read", "run") ? describe : describe.skip)("examples/opentelemetry.ts", () => {
  const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  let spans: readonly Span[];
  let metrics: readonly Metric[];

  before(async () => {
    await using collector = startCollector();
    const served = await serve("examples/opentelemetry.ts", { env: collector.env });
    const statuses = [];
    for (const path of ["/books/1", "/books/2?full=1", "/books/9", "/broken", "/nowhere"]) {
      const response = await fetch(served.origin + path, { headers: { traceparent: PARENT } });
      await response.body?.cancel();
      statuses.push(response.status);
    }
    assertEquals(statuses, [200, 200, 404, 500, 404]);
    await served.stop(); // sends the remaining spans
    ({ spans, metrics } = collector);
  });

  it("opentelemetry.ts names the span of a request after its route, and sets http.route", () => {
    const found = spans.filter(({ attributes }) => "http.request.method" in read(attributes));
    assertEquals(
      found.map(({ name, attributes }) => {
        const { "http.route": route, "url.path": path, "http.response.status_code": status } = read(attributes);
        return [name, route, path, Number(status)];
      }),
      [
        ["GET /books/:id", "/books/:id", "/books/1", 200],
        ["GET /books/:id", "/books/:id", "/books/2", 200],
        ["GET /books/:id", "/books/:id", "/books/9", 404],
        ["GET /broken", "/broken", "/broken", 500],
        ["GET", undefined, "/nowhere", 404],
      ],
    );
    assertEquals(new Set(found.map(({ traceId }) => traceId)), new Set([PARENT.slice(3, 35)]));
  });

  it("opentelemetry.ts records the duration of requests per route and status, not per path", () => {
    const durations = metrics.findLast(({ name }) => name === "http.server.request.duration");
    const counts = durations?.histogram.dataPoints.map(({ attributes, count }) => {
      const { "http.route": route = "none", "http.response.status_code": status } = read(attributes);
      return `${route} ${status}: ${count}`;
    });
    assertEquals(counts?.toSorted(), ["/books/:id 200: 2", "/books/:id 404: 1", "/broken 500: 1", "none 404: 1"]);
  });

  it("opentelemetry.ts records each call of the database as a child span of its request, and the error of one on both", () => {
    const calls = spans.filter(({ name }) => name.startsWith("books."));
    const parents = calls.map(({ parentSpanId }) => spans.find(({ spanId }) => spanId === parentSpanId));
    assertEquals(calls.map(({ name, status }, index) => [name, status.code, parents[index]?.name]), [
      ["books.find", 0, "GET /books/:id"],
      ["books.find", 0, "GET /books/:id"],
      ["books.find", 0, "GET /books/:id"],
      ["books.list", 2, "GET /broken"],
    ]);
    const failed = spans.filter(({ events }) => events.length > 0).map(({ name, status }) => `${name} ${status.code}`);
    assertEquals(failed.toSorted(), ["GET /broken 2", "books.list 2"]);
  });
});

function read(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
}
