import { type App, type HookContext, type NoLocals, reply, type Route, route, setup } from "@fw/core";
import { openapi } from "@fw/core/openapi";
import { standardSchema } from "@fw/core/standard-schema";
import { trace } from "@opentelemetry/api";
import { inspect } from "node:util";
import { isDiskFull } from "../shared/disk_full.ts";
import { Overloaded } from "../shared/queue.ts";
import type { ResponseConnection } from "../static/recipient.ts";
import { createAccountRoutes } from "./accounts.ts";
import { failure } from "./api.ts";
import { createGuards } from "./guards.ts";
import { PAGE, PAGE_HEADERS } from "./page.ts";
import { createPictureRoutes } from "./pictures.ts";
import type { Store } from "./store.ts";

/** What the service depends on. A test gives others. */
export interface Dependencies {
  readonly store: Store;
  readonly directory: string; // where the files of the pictures are
  readonly origins: ReadonlySet<string>; // the origins of the pages that may change something
  readonly proxies: number | string; // how many proxies of ours are in front
  readonly stopping: AbortSignal; // aborted when the process is asked to end
  readonly log: (line: object) => void;
}

/** The routes of a feature. They need nothing but what the server passes after each request. */
export type Routes = readonly Route<NoLocals, [ResponseConnection]>[];

export function createApp(dependencies: Dependencies): App<[ResponseConnection]> {
  const { store, stopping, log } = dependencies;
  const guards = createGuards(dependencies);
  const routes = [...createAccountRoutes(dependencies, guards), ...createPictureRoutes(dependencies, guards)];
  const document = openapi({
    info: { title: "Pictures", version: "1.0.0" },
    routes,
    securitySchemes: { session: { type: "apiKey", in: "cookie", name: "__Host-session" } },
  });

  return setup({
    validator: standardSchema,
    maxBodyBytes: 64 * 1024,
    handlers: [
      ...routes,
      route.on(["GET", "HEAD"], "/", {
        responses: { 200: { contentType: "text/html" } },
        resolve: () => reply(200, new Response(PAGE, { headers: PAGE_HEADERS })),
      }),
      route.on(["GET", "HEAD"], "/openapi.json", {
        responses: { 200: { contentType: "application/json" } },
        resolve: () => reply(200, Response.json(document)),
      }),
      // For the balancer: an instance that stops, or has no database, gets no more requests. `onError` responds if `ping` throws.
      route.on(["GET", "HEAD"], "/ready", {
        responses: { 200: { contentType: "text/plain" }, 503: { schema: failure } },
        resolve: () => {
          store.ping();
          return stopping.aborted ? reply(503, { error: "Stopping" }) : reply(200, new Response("Ready"));
        },
      }),
    ],

    onRequest: () => ({ requestId: crypto.randomUUID(), startedAt: performance.now() }),

    onError: ({ error, context }) => {
      if (error instanceof Overloaded) return busy();
      log({ ...describe(context), error: inspect(error) });
      trace.getActiveSpan()?.recordException(error instanceof Error ? error : String(error));
      if (isDiskFull(error)) return reply(503, { error: "The disk is full" }, { headers: { "retry-after": "60" } });
      return context.route?.path === "/ready"
        ? reply(503, { error: "Not ready" })
        : reply(500, { error: "Internal server error" });
    },

    onResponse: ({ context, response, locals: { requestId = "", startedAt = 0 } }) => {
      // Deno cuts off the bodies that are arriving when it is asked to end. That is no fault of the client's.
      const sent = stopping.aborted && response.status === 400 ? busy() : new Response(response.body, response);
      sent.headers.set("x-request-id", requestId);
      sent.headers.set("x-content-type-options", "nosniff");
      const line = describe(context);
      // Deno makes the span of the request, and does not know the route.
      if (context.route) trace.getActiveSpan()?.updateName(line.name).setAttribute("http.route", context.route.path);
      log({ ...line, status: sent.status, durationMs: Math.round(performance.now() - startedAt) });
      return sent;
    },
  });
}

function busy(): Response {
  return reply(503, { error: "Try again" }, { headers: { "retry-after": "1" } });
}

/** The route by its pattern: nothing that a client has written gets into the log or the name of a span. */
function describe({ route, locals: { requestId } }: HookContext<{ requestId: string }>) {
  const traceId = trace.getActiveSpan()?.spanContext().traceId;
  return { requestId, traceId, name: route === undefined ? "no route" : `${route.method} ${route.path}` };
}
