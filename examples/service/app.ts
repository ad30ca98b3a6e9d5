import { type App, type HookContext, reply, route, setup } from "@fw/core";
import { accessLog, compose, requestId, securityHeaders, unmatched, withHead } from "@fw/core/hooks";
import { standardSchema } from "@fw/core/standard-schema";
import { telemetry } from "@fw/core/telemetry";
import * as opentelemetry from "@opentelemetry/api";
import { inspect } from "node:util";
import { createAccountRoutes } from "./accounts.ts";
import * as api from "./api.ts";
import type { Connection } from "./connection.ts";
import { document } from "./document.ts";
import { createGuards } from "./guards.ts";
import { PAGE, PAGE_HEADERS } from "./page.ts";
import { createPictureRoutes } from "./pictures.ts";
import type { Store } from "./store.ts";

/** What the service depends on. A test gives others. */
export interface Dependencies {
  readonly store: Store;
  readonly directory: string; // where the files of the pictures are
  readonly origins: readonly string[]; // the origins of the pages that may change something
  readonly proxies: number; // how many proxies of ours are in front
  readonly stopping: AbortSignal; // aborted when the process is asked to end
  readonly log: (line: object) => void;
}

export function createApp(dependencies: Dependencies): App<[Connection]> {
  const { store, stopping, log } = dependencies;
  const guards = createGuards(dependencies);
  const routes = [...createAccountRoutes(dependencies, guards), ...createPictureRoutes(dependencies, guards)];
  const pages = [
    route.get("/", {
      responses: { 200: { contentType: "text/html" } },
      resolve: () => reply(200, new Response(PAGE, { headers: PAGE_HEADERS })),
    }),
    route.get("/openapi.json", {
      responses: { 200: { contentType: "application/json" } },
      resolve: () => reply(200, Response.json(document)),
    }),
    // For the balancer: an instance that stops, or has no database, gets no more requests. `onError` responds if `ping`
    // throws.
    route.get("/ready", {
      responses: { 200: { contentType: "text/plain" }, 503: { schema: api.failure } },
      resolve: async () => {
        await store.ping();
        return stopping.aborted ? reply(503, { error: "Stopping" }) : reply(200, new Response("Ready"));
      },
    }),
  ];

  const app = setup({
    endpoints: api,
    validator: standardSchema,
    maxBodyBytes: 64 * 1024,
    handlers: [...routes, ...withHead(pages)],
    ...compose(
      requestId(),
      accessLog({
        log: (line) => log({ ...line, traceId: opentelemetry.trace.getActiveSpan()?.spanContext().traceId }),
      }),
      securityHeaders({
        "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
      }),
      unmatched({
        notFound: () => reply(404, { error: "Not found" }),
        methodNotAllowed: () => reply(405, { error: "Method not allowed" }),
      }),
      { observe: (_, { locals }: HookContext<{ place: Disposable }>) => locals.place?.[Symbol.dispose]() },
    ),
    onError: ({ error, context: { route, locals: { requestId } } }) => {
      log({ requestId, route: route?.path, error: inspect(error) });
      if (isDiskFull(error)) return reply(503, { error: "The disk is full" }, { headers: { "retry-after": "60" } });
      return route?.path === "/ready"
        ? reply(503, { error: "Not ready" })
        : reply(500, { error: "Internal server error" });
    },
  });
  // Deno makes the spans of requests, and does not know the routes and the errors.
  return telemetry(opentelemetry, app, { runtimeSpans: true });
}

/** Deno does not give the code of SQLite's error. */
function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ENOSPC" || code === "EDQUOT" || error.message === "database or disk is full";
}
