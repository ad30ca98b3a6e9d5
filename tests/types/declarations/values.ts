/**
 * What a package of a monorepo exports: a value of each kind that `@fw/core` makes, and the function that makes it,
 * both without an annotation. With `declaration: true`, the compiler must be able to name each of their types.
 */
import {
  allow,
  beforeBody,
  type Context,
  deny,
  denyInvalid,
  endpoint,
  every,
  reply,
  replyAs,
  route,
  setup,
} from "@fw/core";
import { decompressed, file, form, json, optional, parts } from "@fw/core/body";
import { createClient } from "@fw/core/client";
import { compatible } from "@fw/core/compatible";
import { events, lines, replyEvents, replyLines, resume } from "@fw/core/events";
import { byteRange, preconditions, serveFiles } from "@fw/core/files";
import {
  accessLog,
  compose,
  cors,
  requestId,
  securityHeaders,
  serverTiming,
  unmatched,
  withHead,
} from "@fw/core/hooks";
import { idempotent } from "@fw/core/idempotency";
import lint from "@fw/core/lint";
import * as memory from "@fw/core/memory";
import { docsPage, openapi } from "@fw/core/openapi";
import * as postgres from "@fw/core/postgres";
import { byAddress, limit } from "@fw/core/rate-limit";
import * as redis from "@fw/core/redis";
import { createSessions, ownPages } from "@fw/core/session";
import { accept, asyncapi, connect, denoSockets, handshake, socket, type Sockets } from "@fw/core/sockets";
import * as sqlite from "@fw/core/sqlite";
import { standardSchema } from "@fw/core/standard-schema";
import { type FastCheck, fuzz, holdToEndpoints, mock, storeCases } from "@fw/core/testing";
import { type OpenTelemetry, telemetry, traceCalls } from "@fw/core/telemetry";
import { tools } from "@fw/core/tools";
import { deliver, oneOf, publish, signed, standardWebhooks, type Webhook } from "@fw/core/webhooks";
import { z } from "zod";

/** What a runtime gives to `app.fetch` after the request. */
export interface Env {
  readonly database: string;
}

const id = z.object({ id: z.string() });
const book = z.object({ id: z.string(), title: z.string(), tags: z.array(z.string()).optional(), added: z.date() });
const problem = z.object({ title: z.string(), code: z.literal("missing") });

// Responses, each on an endpoint and on a route.
export const declareBodiless = () => endpoint.delete("/books/:id", { responses: { 204: {}, 404: {} } });
export const bodiless = declareBodiless();
export const declareJson = () =>
  endpoint.get("/books/:id", {
    responses: { 200: { schema: book, examples: { emma: { id: "1", title: "Emma", added: new Date(0) } } } },
  });
export const ofJson = declareJson();
export const declareText = () =>
  endpoint.get("/books.csv", { responses: { 200: { schema: z.string(), contentType: "text/csv" } } });
export const ofText = declareText();
export const declareProblem = () =>
  endpoint.get("/problem", { responses: { 404: { schema: problem, contentType: "application/problem+json" } } });
export const ofProblem = declareProblem();
export const declareSeveral = () =>
  endpoint.get("/several", {
    responses: { 200: [{ schema: book }, { schema: z.string(), contentType: "text/csv", headers: { etag: {} } }] },
  });
export const several = declareSeveral();
export const declareDefault = () =>
  endpoint.get("/default", { responses: { 200: { schema: book }, default: { schema: problem } } });
export const ofDefault = declareDefault();
export const declareRange = () =>
  endpoint.get("/range", { responses: { "2XX": { schema: book }, "5XX": { schema: problem } } });
export const ofRange = declareRange();
export const declareHeaders = () =>
  endpoint.post("/headers", {
    responses: { 201: { schema: book, headers: { location: { required: true }, etag: { schema: z.string() } } } },
  });
export const ofHeaders = declareHeaders();
export const declareEvents = () =>
  endpoint.get("/events", { responses: { 200: events({ left: z.int(), gone: z.null() }) } });
export const ofEvents = declareEvents();
export const declareUnnamedEvents = () =>
  endpoint.get("/ticks", { responses: { 200: events(z.int(), { headers: { etag: {} } }) } });
export const ofUnnamedEvents = declareUnnamedEvents();
export const declareLines = () => endpoint.get("/lines", { responses: { 200: lines(book) } });
export const ofLines = declareLines();
export const makeResponses = () => ({ 200: events({ left: z.int() }), 206: lines(book), 404: { schema: problem } });
export const responses = makeResponses();

// Parts of a request.
export const declareParams = () => endpoint.get("/books/:id", { request: { params: z.object({ id: z.string() }) } });
export const ofParams = declareParams();
export const declareQuery = () =>
  endpoint.get("/books", { request: { query: z.object({ limit: z.coerce.number<string>().optional() }) } });
export const ofQuery = declareQuery();
export const declareRequestHeaders = () =>
  endpoint.put("/books", { request: { headers: z.object({ "if-match": z.string() }) } });
export const ofRequestHeaders = declareRequestHeaders();
export const declareCookies = () =>
  endpoint.get("/cart", { request: { cookies: z.object({ "__Host-session": z.string() }) } });
export const ofCookies = declareCookies();
export const declareBody = () =>
  endpoint.post("/books", {
    request: { body: z.object({ title: z.string().transform(Number) }), maxBodyBytes: 1024 },
    responses: { 201: {} },
  });
export const ofBody = declareBody();
export const declareForm = () =>
  endpoint.post("/sign-in", {
    request: { body: z.object({ email: z.email(), photo: z.file().optional() }), bodyReader: form },
    responses: { 303: {} },
  });
export const ofForm = declareForm();
export const declareCompressed = () =>
  endpoint.post("/import", {
    request: { body: z.array(z.string()), bodyReader: decompressed(json, { maxBodyBytes: 1024 }) },
    responses: { 204: {} },
  });
export const ofCompressed = declareCompressed();
export const declareMethods = () => endpoint.on(["GET", "HEAD"], "/either", { responses: { 200: { schema: book } } });
export const ofMethods = declareMethods();
export const declareAll = () => endpoint.all("/all", { responses: { 200: {} } });
export const ofAll = declareAll();

// Guards.
export const makeSignedIn = () => (c: Context, env: Env) =>
  c.request.headers.get("authorization") === env.database ? allow({ user: { name: "ada" } }) : deny(reply(401));
export const signedIn = makeSignedIn();
export const makeAdminOnly = () => async (c: Context<{ user: { name: string } }>) =>
  await Promise.resolve(c.locals.user.name === "ada") ? allow() : deny(reply(403, { title: "No", code: "missing" }));
export const adminOnly = makeAdminOnly();
export const makeCounted = () => () => allow({}, { headers: { "ratelimit-remaining": "1" } });
export const counted = makeCounted();
export const makeValid = () => denyInvalid(({ issues }) => reply(400, { issues: issues.length }));
export const valid = makeValid();
export const makeEarly = () => beforeBody(makeSignedIn());
export const makeEvery = () => every(makeSignedIn(), (c) => allow({ url: c.request.url }));
export const ofEvery = makeEvery();
export const early = makeEarly();
export const makePlain = () => (c: Context) => c.request.headers.has("a") ? allow() : deny(new Response());
export const plain = makePlain();

// Scopes.
export const makeOrgs = () => route.with({ prefix: "/orgs/:orgId", guards: [makeSignedIn(), makeValid()] });
export const orgs = makeOrgs();
export const makeDeclaredScope = () =>
  route.with({
    guards: [makeSignedIn()],
    responses: { 401: {}, "5XX": { schema: problem, contentType: "application/problem+json" } },
  });
export const declaredScope = makeDeclaredScope();
export const makeIdentified = () => route.with<{ requestId: string }>();
export const identified = makeIdentified();
export const makeEndpoints = () =>
  endpoint.with({ prefix: "/v1", responses: { 401: {}, default: { schema: problem } } });
export const endpoints = makeEndpoints();
export const makeMembers = () => endpoint.with<{ user: unknown }>();
export const members = makeMembers();

// Routes.
export const declareHello = () => route.get("/hello/:name", { resolve: (c) => new Response(c.raw.params.name) });
export const hello = declareHello();
export const declareShown = () =>
  orgs.get("/books/:id", {
    request: { params: z.object({ id: z.string(), orgId: z.string() }) },
    responses: { 200: { schema: id }, 400: { schema: z.object({ issues: z.number() }) }, 401: {} },
    resolve: (c, _env: Env) => reply(200, { id: c.input.params.id }),
  });
export const shown = declareShown();
export const declareImplemented = () => route.on(declareHeaders(), { resolve: () => reply(201, stored, LOCATION) });
const LOCATION = { headers: { location: "/" } } as const;
const stored = { id: "1", title: "Emma", added: new Date(0) };
export const implemented = declareImplemented();
export const declareDemanded = () =>
  route.on(members.delete("/notes/:id", { responses: { 204: {}, 401: {} } }), {
    guards: [signedIn],
    resolve: () => reply(204),
  });
export const demanded = declareDemanded();
export const declareIdentified = () => identified.get("/id", { resolve: (c) => new Response(c.locals.requestId) });
export const identifiedRoute = declareIdentified();
export const declareTicks = () =>
  route.get("/ticks", {
    responses: { 200: events({ left: z.int() }), 206: lines(z.int()), "4XX": {}, default: { schema: problem } },
    resolve: (c) => {
      if (c.request.headers.has("range")) return replyLines(206, [1, 2]);
      return replyEvents(200, async function* (_signal, event) {
        yield await Promise.resolve(event("left", 1));
      });
    },
  });
export const ticks = declareTicks();

// Replies.
export const replyMissing = () => reply(404);
export const missing = replyMissing();
export const replyBook = () => reply(200, stored, { headers: { etag: '"1"' }, statusText: "Found" });
export const found = replyBook();
export const replyCsv = () => reply(200, "id,title", { contentType: "text/csv" });
export const csv = replyCsv();
export const makeProblem = () => replyAs("application/problem+json");
export const asProblem = makeProblem();
export const replyProblem = () => asProblem(404, { title: "No such book" });
export const aProblem = replyProblem();
export const replyProblemWithHeaders = () => asProblem(503, { title: "Wait" }, { headers: { "retry-after": 5 } });
export const aProblemWithHeaders = replyProblemWithHeaders();
export const replyReady = () => reply(303, Response.redirect("http://localhost/", 303));
export const ready = replyReady();
export const replyStream = () =>
  replyEvents(200, async function* (_signal, event) {
    yield await Promise.resolve(event("left", { copies: 1 }));
  });
export const stream = replyStream();
export const replyRows = () => replyLines(200, [{ id: 1 }], { headers: { etag: "1" } });
export const rows = replyRows();

// Apps.
export const makeApp = () => setup({ handlers: [hello, implemented, ticks] });
export const app = makeApp();
export const makeAppOfEnv = () => setup({ handlers: [shown, demanded], validator: standardSchema });
export const appOfEnv = makeAppOfEnv();
export const makeIdentifiedApp = () =>
  setup({ handlers: [identifiedRoute, hello], onRequest: () => ({ requestId: "1", startedAt: 1 }) });
export const identifiedApp = makeIdentifiedApp();

// Clients, and what they receive.
export const api = { bodiless, ofJson, ofText, several, ofHeaders, ofEvents, ofLines, ofForm, ofMethods, ofDefault };
export const makeClient = () => createClient(api, { fetch: app.fetch });
export const client = makeClient();
export const receiveHeaders = () => client.ofHeaders();
export const receiveSeveral = () => client.several();
export const receiveDefault = async () => await client.ofDefault();
export const receiveEvents = async () => (await client.ofEvents()).body;
export const receiveLines = async () => (await client.ofLines()).body;
export const resumeEvents = () => resume((init) => client.ofEvents(init), { retries: 3 });
export const resumed = resumeEvents();

// Sessions, limits, idempotency, hooks.
const sessionStore = memory.sessionStore({ most: 10 });
export const makeSessions = () =>
  createSessions({ store: sessionStore, idle: 1, absolute: 1, perUser: 1, refuse: () => reply(401, "nobody") });
export const sessions = makeSessions();
export const makeSessionsWithData = () =>
  createSessions({
    ...{ store: sessionStore, idle: 1, absolute: 1, perUser: 1, refuse: () => reply(401, "nobody") },
    data: z.object({ tenant: z.string(), since: z.coerce.date<string>() }),
  });
export const sessionsWithData = makeSessionsWithData();
export const makeOwnPages = () => ownPages({ origins: [], refuse: () => reply(403, "forged") });
export const ownPage = makeOwnPages();
export const declareInSession = () =>
  route.post("/posts", { guards: [ownPage, sessions.writing], resolve: (c) => new Response(c.locals.session.user) });
export const inSession = declareInSession();
export const makeLimited = () =>
  limit({
    name: "sign-in",
    quota: 5,
    window: 60,
    key: byAddress({ proxies: 0, address: (_c, env: Env) => env.database }),
    store: memory.rateLimitStore({ most: 10 }),
    refuse: () => reply(429, { title: "Too many requests" }),
    whenStoreFails: () => reply(503),
  });
export const limited = makeLimited();
export const makeOnce = () =>
  idempotent({
    client: (c: Context<{ user: { name: string } }>) => c.locals.user.name,
    lifetime: 60,
    perClient: 9,
    store: memory.idempotencyStore({ most: 10 }),
    refuse: (_c, why) => why === "missing" ? reply(400, "missing") : reply(409, "running"),
    whenStoreFails: () => reply(503, "try again"),
  });
export const once = makeOnce();
export const declareOnce = () =>
  route.post("/orders", { guards: [signedIn], resolve: once((c) => new Response(c.locals.user.name)) });
export const ordered = declareOnce();
export const makeConcerns = () =>
  [
    requestId(),
    accessLog({ log: () => {} }),
    serverTiming({ name: "app" }),
    securityHeaders({ "x-content-type-options": "nosniff" }),
    unmatched({ notFound: () => new Response(), methodNotAllowed: () => new Response() }),
  ] as const;
export const concerns = makeConcerns();
export const makeHooks = () => compose(...makeConcerns(), { onRequest: () => ({ tenant: "acme" }) });
export const hooks = makeHooks();
export const makeCors = () => cors({ origins: "*", exposeHeaders: ["etag"] });
export const policy = makeCors();
export const makeBoth = () => withHead([hello, shown]);
export const both = makeBoth();

// Stores and logs.
export const makeMemory = () => ({
  log: memory.eventLog<{ text: string }>({ keep: 10 }),
  sessions: memory.sessionStore({ most: 10 }),
});
export const inMemory = makeMemory();
export const openSqlite = (database: sqlite.SqliteClient) => ({
  idempotency: sqlite.idempotencyStore(database),
  limits: sqlite.rateLimitStore(database),
  sessions: sqlite.sessionStore(database),
  log: sqlite.eventLog<{ text: string }>(database, { keep: 10 }),
});
export const openPostgres = (pool: postgres.PostgresClient) => ({
  sessions: postgres.sessionStore(pool),
  log: postgres.eventLog<{ text: string }>(pool, { keep: 10 }),
});
export const openRedis = (connection: redis.RedisClient) => ({
  limits: redis.rateLimitStore(connection),
  log: redis.eventLog<{ text: string }>(connection, { keep: 10 }),
});

// Documents, tools, tests, files.
export const describeApi = () => openapi({ info: { title: "Books", version: "1" }, routes: Object.values(api) });
export const document = describeApi();
export const showDocs = docsPage(document);
export const docs = route.get("/docs", { responses: { 200: { contentType: "text/html" } }, resolve: showDocs });
export const makeTools = () => tools({ ofJson, ofEvents }, { fetch: app.fetch });
export const made = makeTools();
export const compareWith = (previous: typeof document) => compatible(previous, document);
export const hold = () => holdToEndpoints(api, app);
export const held = hold();
export const makeMock = () => mock(api);
export const mocked = makeMock();
export const findFaults = (fc: FastCheck) => fuzz(() => app, { fc, seed: 1 });
export const casesOf = storeCases;
export const serve = serveFiles;
export const answerConditions = preconditions;
export const answerRange = byteRange;
export const rules = lint;
export const validator = standardSchema;

// Scopes with schemas.
export const declareTenant = () =>
  route.with({
    prefix: "/orgs/:orgId",
    request: { params: z.object({ orgId: z.string() }), headers: z.object({ "x-tenant": z.string() }) },
    guards: [denyInvalid(() => new Response())],
  });
export const ofTenant = declareTenant();
export const declareInTenant = () =>
  ofTenant.with({ request: { headers: z.object({ "x-user": z.string() }) } }).get("/items/:id", {
    request: { params: z.object({ id: z.coerce.number() }) },
    responses: { 200: { schema: id } },
    resolve: (c) => reply(200, { id: `${c.input.params.id}` }),
  });
export const inTenant = declareInTenant();
export const declareTenantEndpoint = () =>
  endpoint.with({ request: { headers: z.object({ "x-tenant": z.string() }) } }).get("/tenants", {
    request: { headers: z.object({ "x-user": z.string() }) },
    responses: { 200: { schema: id } },
  });
export const ofTenantEndpoint = declareTenantEndpoint();

// Sockets.
export const aSocket = socket({
  client: { say: z.object({ text: z.string() }) },
  server: { said: z.date() },
  window: 8,
});
export const makeSocket = () => socket({ client: { say: z.string() }, server: { said: z.string() } });
export const ofSocket = endpoint.get("/socket/:id", {
  responses: { 101: socket({ client: { say: z.object({ text: z.string() }) }, server: { said: z.date() } }), 426: {} },
});
export const makeSocketEndpoint = () =>
  endpoint.get("/socket", { responses: { 101: aSocket, 400: {}, 403: {}, 426: {} } });
export const shaken = handshake({ origins: [] });
export const makeHandshake = () => handshake({ origins: "any", refuse: (status) => reply(status, { code: status }) });
export const acceptSocket = (c: Parameters<typeof accept>[0], sockets: Sockets) =>
  accept(c, ofSocket, sockets, {
    receive: { say: (data, peer) => peer.send("said", new Date(data.text)) },
    invalid() {},
  });
export const socketRoute = route.on(makeSocketEndpoint(), {
  guards: [shaken],
  resolve: (c, sockets: Sockets) => accept(c, makeSocketEndpoint(), sockets, { receive: { say() {} }, invalid() {} }),
});
export const socketApp = setup({ handlers: [socketRoute] });
export const makeConnection = (query: () => { after?: string }) =>
  connect(ofSocket, { baseUrl: "https://example.com", params: { id: 7 }, query });
export const aConnection = makeConnection(() => ({}));
export const theChannels = asyncapi({ info: { title: "Live", version: "1" }, endpoints: { ofSocket } });
export const theSockets = denoSockets({ validator: standardSchema, onError: console.error });

// Bodies whose parts arrive one by one, and bodies that may be absent.
export const aFile = file({ contentTypes: ["image/*"], maxBytes: 1024 });
export const makeParts = () => parts({ title: z.string(), photo: aFile });
export const theParts = makeParts();
export const ofParts = endpoint.post("/parts", {
  request: { body: makeParts() },
  responses: { 204: {}, 400: { schema: z.object({ issues: z.int() }) } },
});
export const receiveParts = route.on(ofParts, {
  guards: [makeValid()],
  resolve: async (c) => {
    for await (const part of c.input.body) if ("stream" in part) await part.stream.cancel();
    return reply(204);
  },
});
export const sendParts = () => createClient({ ofParts });
export const partsClient = sendParts();
export const perhapsJson = optional(json);
export const ofOptional = endpoint.post("/optional", { request: { body: id.optional(), bodyReader: perhapsJson } });

// Webhooks.
export const sent = { "order.paid": z.object({ cents: z.int() }), "order.gone": id };
export const scheme = standardWebhooks({ secrets: ["whsec_c2VjcmV0"] });
export const makeOneOf = () => oneOf(sent);
export const anyOfThese = makeOneOf();
export const readSigned = signed(scheme);
export const receiveWebhook = route.post("/webhooks", {
  request: { body: oneOf(sent), bodyReader: signed(scheme) },
  guards: [makeValid()],
  responses: { 204: {}, 400: { schema: z.object({ issues: z.int() }) } },
  resolve: () => reply(204),
});
export const makeLog = () => memory.eventLog<Webhook<typeof sent>>({ keep: 10 });
export const publishPaid = () => publish(makeLog(), "order.paid", { cents: 5 });
export const deliverPaid = (given: Parameters<typeof deliver<Webhook<typeof sent>>>[0]) => deliver(given);

// Telemetry.
export const traceApp = (api: OpenTelemetry) => telemetry(api, appOfEnv);
export const traceStore = (api: OpenTelemetry) => traceCalls(api, "sessions", memory.sessionStore({ most: 1 }));
