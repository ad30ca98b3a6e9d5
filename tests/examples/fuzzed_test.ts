/** Each example, each recipe and the service get the requests that `fuzz` makes of their routes. */
import { assertEquals } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { fuzz, type FuzzableApp, type FuzzOptions } from "@fw/core/testing";
import fc from "fast-check";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { granted } from "../support/granted.ts";
import { ROOT } from "./serve.ts";

/** How an example is fuzzed, where it is not by its default export. */
interface Special extends Partial<FuzzOptions> {
  readonly create?: (directory: string) => Promise<() => FuzzableApp>;
}

const FAILS = "shows what a handler that throws leads to";
const HOST = "a Request has no Host header, which its library demands";
const PASSWORDS = "a password takes 0.3 s of the processor";
/** Ids as browsers get them: the guards look up no other. */
const SESSIONS = { ada: "a".repeat(64), bob: "b".repeat(64) };
const SERVICE_ORIGIN = "http://localhost:8000";

const ADA = { authorization: "Bearer ada" };
const BOTH = { ada: ADA, bob: { authorization: "Bearer bob" } };

const SPECIAL: Readonly<Record<string, Special>> = {
  "access_log": { skip: { "GET /broken": FAILS } },
  "cors": { skip: { "GET /broken": FAILS } },
  "opentelemetry": { skip: { "GET /broken": FAILS } },
  "problem_details": {
    actors: { ada: ADA },
    skip: { "GET /broken": FAILS, "HEAD /broken": FAILS },
  },
  "request_id": {
    skip: { "GET /broken": FAILS },
  },
  "users": {
    skip: {
      "POST /tokens": PASSWORDS,
      "POST /users": PASSWORDS,
      "POST /orgs/:orgId/users": PASSWORDS,
    },
  },
  "recipes/ai_sdk": { actors: BOTH },
  "recipes/csrf": { actors: { page: { origin: SERVICE_ORIGIN } } },
  "recipes/extracted_handlers": { actors: { ada: ADA } },
  "recipes/forms": {
    create: async (directory) => {
      const { createApp } = await import("../../examples/recipes/forms.ts");
      return () => createApp(directory);
    },
  },
  "recipes/idempotency": {
    actors: BOTH,
    skip: { "POST /payments refuses valid input": "each needs an Idempotency-Key of its own" },
  },
  "recipes/mcp": {
    actors: { ada: ADA },
    skip: { "GET /mcp": HOST, "POST /mcp": HOST, "DELETE /mcp": HOST },
  },
  "recipes/modules/app": { actors: BOTH, shared: ["PUT /books/:id/loan"] },
  "recipes/sessions": {
    actors: { ada: { authorization: "Bearer battery-staple", "sec-fetch-site": "same-origin" } },
    skip: { "POST /sign-in": PASSWORDS },
  },
  "recipes/testing": {
    create: async () => {
      const { createApp } = await import("../../examples/recipes/testing/loans.ts");
      return () => {
        const loans = new Map();
        return createApp({
          now: () => 0,
          store: {
            find: (id) => Promise.resolve(loans.get(id)),
            add: (loan) => Promise.resolve(void loans.set(loan.id, loan)),
          },
        });
      };
    },
  },
  "recipes/timeouts": {
    create: async () => {
      const { createApp } = await import("../../examples/recipes/timeouts.ts");
      return () => createApp({ upstream: "data:,page", bound: 2000, log: () => {} });
    },
  },
  "recipes/webhook": {
    create: async () => {
      const { createApp } = await import("../../examples/recipes/webhook.ts");
      const { DatabaseSync } = await import("node:sqlite");
      const send = () => Promise.resolve(new Response(null, { status: 204 }));
      // Nothing is sent: each app ends with its requests.
      const signal = AbortSignal.abort();
      return () => createApp({ db: new DatabaseSync(":memory:"), log: () => {}, signal, send });
    },
  },
  "service/app": {
    create: async (directory) => {
      const { createApp } = await import("../../examples/service/app.ts");
      const { openStore } = await import("../../examples/service/store.ts");
      return () => {
        const store = openStore(":memory:");
        for (const [user, id] of Object.entries(SESSIONS)) {
          store.addAccount({ email: user, name: user, passwordHash: "" });
          const digest = createHash("sha256").update(`__Host-session=${id}`).digest("hex");
          void store.sessions.add({ digest, user, begunAt: Date.now(), endsAt: Date.now() + 3_600_000 }, 20);
        }
        const stopping = new AbortController().signal;
        const { routes, fetch } = createApp({
          store,
          directory,
          origins: [SERVICE_ORIGIN],
          proxies: 0,
          stopping,
          log: () => {},
        });
        return { routes, fetch: (request) => fetch(request, {}) };
      };
    },
    actors: Object.fromEntries(
      Object.entries(SESSIONS).map(([user, id]) => [user, { origin: SERVICE_ORIGIN, cookie: `__Host-session=${id}` }]),
    ),
    skip: { "POST /sign-up": PASSWORDS, "POST /sign-in": PASSWORDS },
  },
};

/** Examples without an app of their own, each with what it has. */
const WITHOUT: readonly string[] = [
  "recipes/around", // a function `fetch` around an app
  "recipes/client", // a client of client/app.ts
  "recipes/compatible", // a test of its own
  "recipes/fuzzing", // a test of its own
  "recipes/mounting_express", // runs on Node.js
  "recipes/msw", // a mock
  "recipes/openapi_client", // a client
  "recipes/tanstack_query", // a client
  "zod_validator", // a validator
];

/** Their apps take sockets, and then what others take. */
const OPENS_SOCKETS = ["websocket", "recipes/rooms"];

const isGranted = granted("read", "write", "env", "net", "run");

(isGranted ? describe : describe.skip)("requests that fuzz makes", () => {
  let directory = "";
  before(() => void (directory = mkdtempSync(`${tmpdir()}/fuzzed-`)));
  after(() => rmSync(directory, { recursive: true }));
  const { log, error, warn } = console;
  before(() => void Object.assign(console, { log: () => {}, error: () => {}, warn: () => {} }));
  after(() => void Object.assign(console, { log, error, warn }));

  for (const name of isGranted ? namesOfExamples() : []) {
    it(`find no fault of examples/${name}.ts`, async () => {
      const { create, ...options }: Special = SPECIAL[name] ?? {};
      const module = create === undefined ? await import(`../../examples/${name}.ts`) : undefined;
      const app: FuzzableApp = [module?.default, module?.app].find((exported) => exported?.routes !== undefined);
      const served = {
        remoteAddr: { transport: "tcp", hostname: "203.0.113.1", port: 1 },
        completed: Promise.resolve(),
      };
      const make = await create?.(directory) ??
        (() => ({
          routes: app.routes,
          fetch: (request: Request, sockets: unknown) => {
            const extra = app === module?.app && OPENS_SOCKETS.includes(name) ? [sockets, served] : [served];
            return Reflect.apply(app.fetch, app, [request, ...extra]);
          },
        }));
      // Validators of an example know its schemas. What they accept is not generated.
      const faults = await fuzz(make, { fc, runs: 8, toJsonSchema: () => true, ...options });
      assertEquals(faults, []);
    });
  }
});

function namesOfExamples(): readonly string[] {
  const names = ["", "recipes/"].flatMap((folder) =>
    readdirSync(new URL(`examples/${folder}`, ROOT)).filter((name) => name.endsWith(".ts")).map((name) =>
      folder + name.replace(".ts", "")
    )
  );
  return [...names, "recipes/client/app", "recipes/modules/app", "service/app"].filter((name) =>
    !WITHOUT.includes(name)
  );
}
