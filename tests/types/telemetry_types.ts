/** Types of telemetry. If this file compiles, the tests have passed. */
import { type App, route, setup } from "../../mod.ts";
import { type OpenTelemetry, telemetry, traceCalls } from "../../src/telemetry/mod.ts";
import { sessionStore } from "../../src/memory/mod.ts";
import * as api from "@opentelemetry/api";

interface Env {
  readonly DB: string;
}

// What OpenTelemetry exports fits, and so does a part of it.
const own: OpenTelemetry = api;
const app = setup({
  handlers: [
    route.with<{ user: string }>().get("/", { resolve: (c, env: Env) => new Response(c.locals.user + env.DB) }),
  ],
  onRequest: () => ({ user: "ada" }),
});

// An app with telemetry takes the extra arguments of the app, and its routes have the same needs.
const traced = telemetry(api, app);
const same: typeof app = traced;
void traced.fetch(new Request("http://localhost/"), { DB: "" });
// @ts-expect-error at `fetch`: Expected 2 arguments, but got 1.
void traced.fetch(new Request("http://localhost/"));
// @ts-expect-error at `setup({ handlers: [...traced.routes] })`: onRequest must return the local "user", which
//   route.with<{ user: … }>() promises to its routes. If a guard adds it, list that guard in route.with({ guards })
//   instead
setup({ handlers: [...traced.routes] });
const open: App = telemetry(own, setup({ handlers: [] }));
// @ts-expect-error at `{ trace: api.trace }`: Type '{ trace: TraceAPI; }' is missing the following properties from type
//   'OpenTelemetry': context, propagation, metrics
void telemetry({ trace: api.trace }, app);
// @ts-expect-error at `route`: Type 'RouteFactory<RootScope>' is missing the following properties from type
//   'App<readonly unknown[], unknown>': fetch, routes
void telemetry(api, route);

// A store that is traced keeps its type.
const store = sessionStore({ most: 1 });
const tracedStore: typeof store = traceCalls(api, "sessions", store);
void [same, open, tracedStore];
