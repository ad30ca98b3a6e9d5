/** What the SDK of OpenTelemetry records of an app. */
import {
  assert,
  assertEquals,
  assertRejects,
  assertStrictEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { after, beforeEach, describe, it } from "@std/testing/bdd";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { z } from "zod";
import { allow, type App, deny, endpoint, reply, route, setup } from "../../mod.ts";
import { events, lines, replyEvents, replyLines } from "../../src/events/mod.ts";
import { telemetry, traceCalls } from "../../src/telemetry/mod.ts";
import { fuzz, holdToEndpoints } from "../../src/testing/mod.ts";
import * as fastCheck from "fast-check";
import { api, readMetrics, type RecordedSpan, stopRecording, takeSpans } from "./record.ts";

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

/** Starts a span, as the driver of a database does, and ends it. */
function work(name: string): void {
  api.trace.getTracer("app").startSpan(name).end();
}

/** The only span that has ended. */
function takeSpan(): RecordedSpan {
  const [span, ...others] = takeSpans();
  assert(span !== undefined && others.length === 0, JSON.stringify([span, ...others]));
  return span;
}

const thrown = new RangeError("broken");
const get = (path: string, init?: RequestInit) => new Request(`http://localhost:8000${path}`, init);

const app = telemetry(
  api,
  setup({
    handlers: [
      route.get("/books/:id", {
        guards: [async () => {
          await Promise.resolve();
          work("in guard");
          return allow();
        }],
        resolve: async (c) => {
          await Promise.resolve();
          work("in handler");
          return reply(200, c.raw.params.id);
        },
      }),
      route.get("/sync", { resolve: () => reply(200, "") }),
      route.get("/denied", { guards: [() => deny(reply(403))], resolve: () => reply(200, "") }),
      route.get("/unavailable", { resolve: () => reply(503, "") }),
      route.get("/broken", {
        resolve: () => {
          throw thrown;
        },
      }),
      route.get("/missing", {
        resolve: () => {
          throw new Error("no such row");
        },
      }),
      route.get("/text", {
        resolve: () => {
          throw "a text";
        },
      }),
      route.get("/textless", {
        resolve: () => {
          throw Object.create(null);
        },
      }),
    ],
    onError: ({ error }) => reply(Object(error).message === "no such row" ? 404 : 500),
  }),
);

describe("telemetry()", () => {
  beforeEach(() => void takeSpans());

  it("records a request as a span of its method and its route, below the parent that the headers name", async () => {
    const headers = { traceparent: PARENT, "user-agent": "curl", authorization: "Bearer secret" };
    const response = await app.fetch(get("/books/7?token=secret", { headers }));
    assertEquals(await response.json(), "7");
    const span = takeSpans().at(-1);
    assertEquals([span?.name, span?.kind, span?.status], ["GET /books/:id", 1, 0]);
    assertEquals([span?.traceId, span?.parent], [PARENT.slice(3, 35), PARENT.slice(36, 52)]);
    assertEquals(span?.attributes, {
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "http.route": "/books/:id",
      "server.address": "localhost",
      "server.port": 8000,
      "url.path": "/books/7",
      "url.scheme": "http",
      "user_agent.original": "curl",
    });
  });

  it("makes spans of guards and handlers its children, for each of two requests at once", async () => {
    await Promise.all([app.fetch(get("/books/1")), app.fetch(get("/books/2"))]);
    const spans = takeSpans();
    const requests = spans.filter(({ kind }) => kind === 1);
    assertEquals(requests.length, 2);
    for (const { spanId, traceId } of requests) {
      const children = spans.filter(({ parent }) => parent === spanId);
      assertEquals(children.map(({ name }) => name), ["in guard", "in handler"]);
      for (const child of children) assertEquals(child.traceId, traceId);
    }
  });

  it("has no route for a request without one, and an invented method is HTTP", async () => {
    await app.fetch(get("/nowhere"));
    const missing = takeSpan();
    assertEquals([missing.name, missing.status, missing.attributes["http.response.status_code"]], ["GET", 0, 404]);
    assertEquals("http.route" in missing.attributes, false);
    await app.fetch(get("/sync", { method: "BREW" }));
    const { name, attributes } = takeSpan();
    assertEquals([name, attributes["http.request.method"], attributes["http.request.method_original"]], [
      "HTTP",
      "_OTHER",
      "BREW",
    ]);
  });

  it("reads the parts of any url, also of one that no parser accepts", async () => {
    const partsOf = async (url: string) => {
      const request = get("/");
      Object.defineProperty(request, "url", { value: url });
      await app.fetch(request);
      const { "url.scheme": scheme, "server.address": host, "server.port": port, "url.path": path } =
        takeSpan().attributes;
      return [scheme, host, port, path];
    };
    assertEquals(await partsOf("https://user:secret@example.com/a?b=/c"), ["https", "example.com", undefined, "/a"]);
    assertEquals(await partsOf("http://[::1]:8000"), ["http", "::1", 8000, "/"]);
    assertEquals(await partsOf("http://a b/c#d"), ["http", "a b", undefined, "/c"]);
    assertEquals(await partsOf("http:///c"), ["http", undefined, undefined, "/c"]);
    // Bun has no origin for a request of HTTP/1.0 without `Host`.
    assertEquals(await partsOf("/c?d"), ["http", undefined, undefined, "/c"]);
  });

  it("lets any propagator look for its headers", async () => {
    const names: string[] = [];
    const propagator = api.propagation;
    propagator.disable();
    propagator.setGlobalPropagator({
      fields: () => [],
      inject() {},
      extract(context, carrier, getter) {
        names.push(...getter.keys(carrier));
        return context;
      },
    });
    await app.fetch(get("/sync", { headers: { "x-b3-traceid": "1" } }));
    propagator.disable();
    propagator.setGlobalPropagator(new W3CTraceContextPropagator());
    assertEquals(names, ["x-b3-traceid"]);
    assertEquals(takeSpan().parent, undefined);
  });

  it("leaves the status of a denial unset, and sets that of a 5xx, with the status as the type of the error", async () => {
    assertEquals((await app.fetch(get("/denied"))).status, 403);
    const denied = takeSpan();
    assertEquals([denied.name, denied.status, denied.attributes["error.type"]], ["GET /denied", 0, undefined]);
    await app.fetch(get("/unavailable"));
    const { status, attributes, exceptions } = takeSpan();
    assertEquals([status, attributes["error.type"], exceptions], [2, "503", []]);
  });

  it("records what was thrown although onError responds, unless the response is no error of the server", async () => {
    assertEquals((await app.fetch(get("/broken"))).status, 500);
    const broken = takeSpan();
    assertEquals([broken.status, broken.attributes["error.type"], broken.exceptions], [2, "RangeError", ["broken"]]);
    assertEquals(broken.attributes["http.response.status_code"], 500);
    assertEquals((await app.fetch(get("/missing"))).status, 404);
    const missing = takeSpan();
    assertEquals([missing.status, missing.attributes["error.type"], missing.exceptions], [0, undefined, []]);
    await app.fetch(get("/text"));
    const text = takeSpan();
    assertEquals([text.attributes["error.type"], text.exceptions], ["_OTHER", ["a text"]]);
    assertEquals((await app.fetch(get("/textless"))).status, 500);
    const textless = takeSpan();
    assertEquals([textless.attributes["error.type"], textless.exceptions], ["_OTHER", ["an object"]]);
  });

  it("records the rejection of an app without onError, and passes it on", async () => {
    const rejecting = telemetry(api, setup({ handlers: [route.get("/", { resolve: () => Promise.reject(thrown) })] }));
    assertStrictEquals(await assertRejects(async () => await rejecting.fetch(get("/"))), thrown);
    const { status, attributes, exceptions } = takeSpan();
    assertEquals([status, attributes["error.type"], exceptions], [2, "RangeError", ["broken"]]);
    assertEquals("http.response.status_code" in attributes, false);
  });

  it("records a request whose client has left, when the handler notices", async () => {
    const aborted = telemetry(
      api,
      setup({
        handlers: [
          route.get("/", {
            resolve: ({ request: { signal } }) =>
              new Promise<Response>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
          }),
        ],
      }),
    );
    const controller = new AbortController();
    const response = aborted.fetch(get("/", { signal: controller.signal }));
    controller.abort();
    await assertRejects(async () => await response);
    const { status, attributes } = takeSpan();
    assertEquals([status, attributes["error.type"]], [2, "AbortError"]);
  });

  it("returns a response at once if the app does, and the same response", () => {
    const sent = new Response("ok");
    const sync = telemetry(api, setup({ handlers: [route.get("/", { resolve: () => sent })] }));
    assertStrictEquals(sync.fetch(get("/")), sent);
  });

  it("passes extra arguments on, and keeps the routes of the app", async () => {
    const api2 = { list: endpoint.get("/", { responses: { 200: { schema: z.string() } } }) };
    const plain = setup({
      endpoints: api2,
      handlers: [route.on(api2.list, { resolve: (_c, env: { name: string }) => reply(200, env.name) })],
    });
    const recorded = telemetry(api, plain);
    assertEquals(await (await recorded.fetch(get("/"), { name: "ada" })).json(), "ada");
    assertStrictEquals(recorded.routes, plain.routes);
    const held = holdToEndpoints(api2, { ...recorded, fetch: (request) => recorded.fetch(request, { name: "ada" }) });
    assertEquals((await held.fetch(get("/"))).status, 200);
  });

  it("has the route of the app that an app has passed the request on to", async () => {
    const outer = telemetry(
      api,
      setup({ handlers: [route.all("/*", { resolve: ({ request }) => app.fetch(request) })] }),
    );
    await outer.fetch(get("/sync"));
    const names = takeSpans().map(({ name }) => name);
    assertEquals(names, ["GET /sync", "GET /sync"]);
  });

  it("lets fuzz() see the errors of the app", async () => {
    const report = await fuzz(() => app as App, { fc: fastCheck, seed: 1, runs: 50 }).catch((error) => String(error));
    assertStringIncludes(JSON.stringify(report), "broken");
    takeSpans();
  });

  it("rejects what is not the module, not an app, or no option", () => {
    const app = setup({ handlers: [] });
    assertStringIncludes(
      assertThrows(() => telemetry({} as never, app), TypeError).message,
      'Argument api of telemetry must be import * as api from "@opentelemetry/api": received an object',
    );
    assertStringIncludes(
      assertThrows(() => telemetry(api, {} as never), TypeError).message,
      "Argument app of telemetry must be what setup returns",
    );
    assertStringIncludes(
      assertThrows(() => telemetry(api, app, { runtimeSpans: 1 } as never), TypeError).message,
      "Option runtimeSpans of telemetry must be true or false",
    );
  });
});

/** A stream of events that waits for its client to leave. */
const waiting = setup({
  handlers: [
    route.get("/", {
      responses: { 200: events(z.int()) },
      resolve: () =>
        replyEvents(200, async function* (signal, event) {
          try {
            yield event("message", 1);
            await new Promise((resolve) => signal.addEventListener("abort", resolve));
          } finally {
            work("left");
          }
        }),
    }),
  ],
});

/** Reads what the stream has, and leaves while it waits. */
async function leaveWhileItWaits(app: App): Promise<void> {
  takeSpans();
  const response = await app.fetch(get("/"));
  const reader = response.body?.getReader();
  for (let text = ""; !text.includes("data: 1");) text += new TextDecoder().decode((await reader?.read())?.value);
  const next = reader?.read();
  await new Promise((resolve) => setTimeout(resolve)); // now the stream is asked
  await reader?.cancel();
  assertEquals((await next)?.done, true);
}

describe("telemetry() of a stream", () => {
  const streams = telemetry(
    api,
    setup({
      handlers: [
        route.get("/events", {
          responses: { 200: events(z.int()) },
          resolve: () =>
            replyEvents(200, async function* (_signal, event) {
              for (let count = 1; count <= 2; count++) {
                await Promise.resolve();
                work(`event ${count}`);
                yield event("message", count);
              }
            }),
        }),
        route.get("/lines/:fails", {
          responses: { 200: lines(z.int()) },
          resolve: (c) =>
            replyLines(200, async function* () {
              yield 1;
              await Promise.resolve();
              if (c.raw.params.fails === "yes") throw thrown;
              yield 2;
            }),
        }),
        route.get("/raw", {
          resolve: () =>
            new Response(new Blob(["data: 1\n\n"]).stream(), {
              status: 202,
              statusText: "Fine",
              headers: { "content-type": "text/event-stream", "x-own": "1" },
            }),
        }),
        route.get("/vendor", {
          resolve: () =>
            new Response(new Blob(["1\n"]).stream(), { headers: { "content-type": "application/vnd.acme+jsonl" } }),
        }),
        route.get("/empty", {
          resolve: () => new Response(null, { headers: { "content-type": "application/x-ndjson" } }),
        }),
      ],
    }),
  );

  it("ends with the body, and what makes the items is within it", async () => {
    const response = await streams.fetch(get("/events"));
    assertEquals(takeSpans(), []);
    assertStringIncludes(await response.text(), "data: 2\n\n");
    const [first, second, request] = takeSpans();
    assertEquals([first?.name, second?.name, request?.name], ["event 1", "event 2", "GET /events"]);
    assertEquals([first?.parent, second?.parent], [request?.spanId, request?.spanId]);
    assertEquals([request?.status, request?.attributes["http.response.status_code"]], [0, 200]);
  });

  it("takes no item before the client reads, and stops when the client leaves", async () => {
    const response = await streams.fetch(get("/lines/no"));
    const reader = response.body?.getReader();
    assertEquals(new TextDecoder().decode((await reader?.read())?.value), "1\n");
    assertEquals(takeSpans(), []);
    await reader?.cancel();
    const { status, attributes } = takeSpan();
    assertEquals([status, attributes["error.type"], attributes["http.response.status_code"]], [2, "AbortError", 200]);
  });

  it("ends once if the client leaves while the stream waits, and what the generator does then is within it", async () => {
    await leaveWhileItWaits(telemetry(api, waiting));
    const [request, left, ...others] = takeSpans();
    assertEquals([request?.name, request?.status, others], ["GET /", 0, []]);
    assertEquals([left?.name, left?.parent], ["left", request?.spanId]);
  });

  it("is no error if the client leaves a stream of events", async () => {
    const response = await streams.fetch(get("/events"));
    await response.body?.cancel();
    const { name, status, attributes } = takeSpan();
    assertEquals([name, status, attributes["error.type"]], ["GET /events", 0, undefined]);
  });

  it("is an error if the client leaves lines of a media type of a vendor", async () => {
    const response = await streams.fetch(get("/vendor"));
    assertEquals(takeSpans(), []);
    await response.body?.cancel();
    assertEquals(takeSpan().attributes["error.type"], "AbortError");
  });

  it("is an error if the body breaks off", async () => {
    const response = await streams.fetch(get("/lines/yes"));
    await assertRejects(() => response.text());
    const { status, attributes, exceptions } = takeSpan();
    assertEquals([status, attributes["error.type"], exceptions], [2, "RangeError", ["broken"]]);
  });

  it("keeps status, headers and text of the response", async () => {
    const response = await streams.fetch(get("/raw"));
    assertEquals([response.status, response.statusText, response.headers.get("x-own")], [202, "Fine", "1"]);
    assertEquals(await response.text(), "data: 1\n\n");
    takeSpan();
    await streams.fetch(get("/empty"));
    assertEquals(takeSpan().attributes["http.response.status_code"], 200);
  });
});

describe("the metrics of telemetry()", () => {
  it("count requests by method, route, status and error, and none is left active", async () => {
    const counted = telemetry(api, setup({ handlers: app.routes, onError: () => reply(500) }));
    const countOf = (measured: Awaited<ReturnType<typeof readMetrics>>, route: string | undefined) =>
      measured.filter(({ metric, attributes }) =>
        metric === "http.server.request.duration" && attributes["http.route"] === route
      ).map(({ value, attributes }) => [value, attributes["http.response.status_code"], attributes["error.type"]]);
    await counted.fetch(get("/books/1?a=1"));
    await counted.fetch(get("/books/2"));
    await counted.fetch(get("/broken"));
    const measured = await readMetrics();
    assertEquals(countOf(measured, "/broken").map(([, ...others]) => others), [[500, "RangeError"]]);
    const before = countOf(measured, "/books/:id");
    await counted.fetch(get("/books/3"));
    assertEquals(
      countOf(await readMetrics(), "/books/:id"),
      before.map(([count, ...others]) => [Number(count) + 1, ...others]),
    );
    assertEquals(before.length, 1);
    const [duration] = measured.filter(({ metric }) => metric === "http.server.request.duration");
    assertEquals([duration?.unit, duration?.bounds?.at(0), duration?.bounds?.length], ["s", 0.005, 14]);
    assertEquals(
      Object.keys(duration?.attributes ?? {}).filter((name) => /path|address|query|agent/.test(name)),
      [],
    );
    const active = measured.filter(({ metric }) => metric === "http.server.active_requests");
    assert(active.length > 0);
    for (const { value, unit } of active) assertEquals([value, unit], [0, "{request}"]);
  });

  it("count a request that is served now as active", async () => {
    let respond = () => {};
    const waiting = telemetry(
      api,
      setup({
        handlers: [
          route.delete("/", {
            resolve: () => new Promise<Response>((resolve) => respond = () => resolve(new Response())),
          }),
        ],
      }),
    );
    const activeNow = async () =>
      (await readMetrics()).find(({ metric, attributes }) =>
        metric === "http.server.active_requests" && attributes["http.request.method"] === "DELETE"
      )?.value;
    const response = waiting.fetch(get("/", { method: "DELETE" }));
    assertEquals(await activeNow(), 1);
    respond();
    await response;
    assertEquals(await activeNow(), 0);
    takeSpans();
  });
});

describe("telemetry() with the spans of the runtime", () => {
  const added = telemetry(api, setup({ handlers: app.routes, onError: () => reply(500) }), { runtimeSpans: true });

  /** Sends a request within a span, as a runtime does. */
  async function sendWithin(path: string, init?: RequestInit): Promise<RecordedSpan> {
    takeSpans();
    await api.trace.getTracer("runtime").startActiveSpan("GET", async (span) => {
      await (await added.fetch(get(path, init))).body?.cancel();
      span.end();
    });
    const last = takeSpans().at(-1);
    assert(last !== undefined);
    return last;
  }

  it("adds the route and errors to the active span, and makes none", async () => {
    const { name, attributes } = await sendWithin("/sync");
    assertEquals([name, attributes], ["GET /sync", { "http.route": "/sync", "http.response.status_code": 200 }]);
    const broken = await sendWithin("/broken");
    assertEquals([broken.status, broken.attributes["error.type"], broken.exceptions], [2, "RangeError", ["broken"]]);
    assertEquals((await sendWithin("/sync", { method: "BREW" })).name, "GET");
  });

  it("is no error if the client leaves a stream of events that waits", async () => {
    await api.trace.getTracer("runtime").startActiveSpan("GET", async (span) => {
      await leaveWhileItWaits(telemetry(api, waiting, { runtimeSpans: true }));
      span.end();
    });
    const { status, exceptions } = takeSpans().find(({ name }) => name === "GET /") ?? {};
    assertEquals([status, exceptions], [0, []]);
  });

  it("records nothing if no span is active", async () => {
    takeSpans();
    assertEquals((await added.fetch(get("/sync"))).status, 200);
    assertEquals(takeSpans(), []);
  });
});

describe("traceCalls()", () => {
  after(stopRecording);

  class Store {
    readonly size = 1;
    #rows = new Map([["a", 1]]);
    find(key: string) {
      return this.#rows.get(key);
    }
    async load(key: string) {
      await Promise.resolve();
      work("query");
      return this.find(key);
    }
    fail(): never {
      throw thrown;
    }
    async reject() {
      await Promise.reject(new TypeError("lost"));
    }
  }
  const store = traceCalls(api, "books", new Store());

  it("records each call as a span, and what it calls as children of it", async () => {
    takeSpans();
    assertEquals([store.find("a"), await store.load("a"), store.size], [1, 1, 1]);
    const [find, query, load] = takeSpans();
    assertEquals([find?.name, query?.name, load?.name], ["books.find", "query", "books.load"]);
    assertEquals([query?.parent, find?.status, load?.attributes], [load?.spanId, 0, {}]);
  });

  it("is a child of the span that is active", () => {
    takeSpans();
    api.trace.getTracer("app").startActiveSpan("request", (span) => {
      store.find("a");
      span.end();
    });
    const [find, request] = takeSpans();
    assertEquals(find?.parent, request?.spanId);
  });

  it("records what is thrown, at once or later, and passes it on", async () => {
    takeSpans();
    assertStrictEquals(assertThrows(() => store.fail()), thrown);
    await assertRejects(() => store.reject(), TypeError, "lost");
    assertEquals(takeSpans().map(({ status, attributes, exceptions }) => [status, attributes, exceptions]), [
      [2, { "error.type": "RangeError" }, ["broken"]],
      [2, { "error.type": "TypeError" }, ["lost"]],
    ]);
  });

  it("records the calls of an object that is frozen", () => {
    takeSpans();
    const frozen = traceCalls(api, "frozen", Object.freeze({ size: 1, find: () => "row" }));
    assertEquals([frozen.find(), frozen.size, "find" in frozen], ["row", 1, true]);
    assertEquals(takeSpan().name, "frozen.find");
  });

  it("leaves what is named by a symbol as it is, and rejects what is no object", () => {
    const tagged = traceCalls(api, "tagged", { [Symbol.toPrimitive]: () => "text" });
    assertEquals(`${tagged}`, "text");
    assertThrows(
      () => traceCalls(api, "books", "text" as never),
      TypeError,
      "Argument target of traceCalls must be an object",
    );
    assertThrows(
      () => traceCalls({} as never, "books", {}),
      TypeError,
      'Argument api of traceCalls must be import * as api from "@opentelemetry/api": received an object',
    );
  });
});
