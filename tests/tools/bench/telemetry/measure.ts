/**
 * Calls apps in process, with and without telemetry, and prints what telemetry adds to a request.
 *
 * Its argument is `none`, or `sdk`: spans are sampled, batched and exported to nothing.
 */
import { route, setup } from "@fw/core";
import { type OpenTelemetry, telemetry } from "@fw/core/telemetry";
import process from "node:process";

type Fetch = (request: Request) => Response | Promise<Response>;
/** What one framework takes for a request, in microseconds. */
export interface Added {
  readonly framework: string;
  readonly plain: number;
  readonly added: number;
}

const ROUNDS = 15;
const CALLS = 20_000;

/** Packages that only the benchmark installs have no types here. */
// deno-lint-ignore no-explicit-any
const load = (name: string): Promise<any> => import(name);

const api = await load("@opentelemetry/api");
const hasSdk = process.argv[2] === "sdk";
if (hasSdk) {
  const { BatchSpanProcessor, TracerProvider } = await load("@opentelemetry/sdk-trace");
  const { AsyncLocalStorageContextManager } = await load("@opentelemetry/context-async-hooks");
  const exporter = {
    export: (_spans: unknown, done: (result: { readonly code: number }) => void) => done({ code: 0 }),
    shutdown: () => Promise.resolve(),
    forceFlush: () => Promise.resolve(),
  };
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const spanProcessors = [new BatchSpanProcessor({ exporter })];
  api.trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors }));
}

const contenders: Readonly<Record<string, readonly [plain: Fetch, recorded: Fetch]>> = {
  ours: ours(),
  "@hono/otel": await hono(),
  // Without an SDK, it starts one of its own.
  ...hasSdk && { "@elysiajs/opentelemetry": await elysia() },
};
const times = Object.entries(contenders).map(([framework, fetches]) => ({
  framework,
  fetches,
  plain: [] as number[],
  added: [] as number[],
}));
for (let round = -3; round < ROUNDS; round++) {
  for (const { fetches: [plain, recorded], ...measured } of times) {
    const without = await measure(plain);
    const added = await measure(recorded) - without;
    if (round < 0) continue; // engines optimize first
    measured.plain.push(without);
    measured.added.push(added);
  }
}
const results: readonly Added[] = times.map(({ framework, plain, added }) => ({
  framework,
  plain: median(plain),
  added: median(added),
}));
console.log(JSON.stringify(results));
process.exit();

async function measure(fetch: Fetch): Promise<number> {
  const start = process.cpuUsage();
  for (let n = 0; n < CALLS; n++) {
    const response = await fetch(new Request("http://localhost/users/7"));
    if (response.status !== 200 || await response.text() !== "7") throw new Error("wrong response");
    // Spans are exported in turns of the event loop.
    if (n % 500 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / CALLS;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}

function ours(): readonly [plain: Fetch, recorded: Fetch] {
  const app = setup({ handlers: [route.get("/users/:id", { resolve: (c) => new Response(c.raw.params.id) })] });
  return [app.fetch, telemetry(api as OpenTelemetry, app).fetch];
}

async function hono(): Promise<readonly [plain: Fetch, recorded: Fetch]> {
  const { Hono } = await load("hono");
  const { httpInstrumentationMiddleware } = await load("@hono/otel");
  const [plain, recorded] = [new Hono(), new Hono().use(httpInstrumentationMiddleware())].map((app) =>
    app.get(
      "/users/:id",
      (c: { req: { param(name: string): string }; text(text: string): Response }) => c.text(c.req.param("id")),
    )
  );
  return [(request) => plain.fetch(request), (request) => recorded.fetch(request)];
}

async function elysia(): Promise<readonly [plain: Fetch, recorded: Fetch]> {
  const { Elysia } = await load("elysia");
  const { opentelemetry } = await load("@elysiajs/opentelemetry");
  const [plain, recorded] = [new Elysia(), new Elysia().use(opentelemetry())].map((app) =>
    app.get("/users/:id", ({ params }: { params: { id: string } }) => params.id)
  );
  return [(request) => plain.fetch(request), (request) => recorded.fetch(request)];
}
