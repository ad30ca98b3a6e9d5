/** What users make of the values of `values.ts`, without an annotation: spreads, parts, options, functions of them. */
import {
  allow,
  type Context,
  deny,
  endpoint,
  type EndpointOptions,
  type GuardFn,
  type ImplementOptions,
  type NoLocals,
  type NoSchemas,
  reply,
  route,
  type RouteOptions,
  type RouteResponses,
  type ScopeOptions,
  setup,
  type SetupOptions,
} from "@fw/core";
import { createClient } from "@fw/core/client";
import { events, lines, replyLines } from "@fw/core/events";
import type { Concern } from "@fw/core/hooks";
import type { Key } from "@fw/core/idempotency";
import type { PeerOf, Sockets } from "@fw/core/sockets";
import type { FastCheck, FuzzOptions, MockOptions } from "@fw/core/testing";
import { z } from "zod";
import * as values from "./values.ts";

// Spreads.
export const copyEndpoint = () => ({ ...values.ofJson, docs: { summary: "Shows a book" } });
export const endpointCopy = copyEndpoint();
export const copyRoute = () => ({ ...values.hello, docs: { summary: "Greets" } });
export const routeCopy = copyRoute();
export const copyShown = () => ({ ...values.shown });
export const shownCopy = copyShown();
export const copyImplemented = () => ({ ...values.implemented });
export const implementedCopy = copyImplemented();
export const copyDemanded = () => ({ ...values.demanded });
export const demandedCopy = copyDemanded();
export const copyApp = () => ({ ...values.appOfEnv, close: () => {} });
export const appCopy = copyApp();
export const copySessions = () => ({ ...values.sessions });
export const sessionsCopy = copySessions();
export const copyHooks = () => ({ ...values.hooks });
export const hooksCopy = copyHooks();
export const copyHeld = () => ({ ...values.held });
export const heldCopy = copyHeld();
export const copyClient = () => ({ ...values.client });
export const clientCopy = copyClient();
export const copyScope = () => ({ ...values.orgs });
export const scopeCopy = copyScope();
export const copyEndpoints = () => ({ ...values.endpoints });
export const endpointsCopy = copyEndpoints();
export const copyResponse = () => ({ ...events({ left: z.int() }), description: "What is left" });
export const responseCopy = copyResponse();
export const copyMissing = () => ({ ...reply(404) });
export const missingCopy = copyMissing();
export const listRoutes = () => [...values.app.routes, values.hello];
export const routes = listRoutes();
export const mapRoutes = () => values.app.routes.map(({ guards, resolve }) => ({ guards, resolve }));
export const mappedRoutes = mapRoutes();

// Parts.
export const partsOfScope = () => values.orgs.get;
export const { get, on, with: within } = values.orgs;
export const { get: getRoot, on: onRoot, with: withRoot } = route;
export const { get: declareGet, on: declareOn, with: endpointsWithin } = endpoint;
export const again = route;
export const endpointAgain = endpoint;
export const { ofHeaders: callHeaders, several: callSeveral, ofEvents: callEvents, ofForm: callForm } = values.client;
export const { ofMethods: callMethods, ofDefault: callDefault } = values.client;
export const takeRoutes = () => values.appOfEnv.routes;
export const takenRoutes = takeRoutes();
export const takeGuards = () => values.hello.guards;
export const takenGuards = takeGuards();
export const { fetch } = values.app;
export const { reading, writing } = values.sessions;
export const makeReply = () => reply;
export const ownReply = makeReply();
export const makeSetup = () => setup;
export const ownSetup = makeSetup();
export const makeAllow = () => ({ allow, deny });
export const own = makeAllow();
export const makeEvents = () => ({ events, lines });
export const ownEvents = makeEvents();
export const makeCreateClient = () => createClient;
export const ownCreateClient = makeCreateClient();

// Options.
export const options = {
  resolve: (c) => new Response(c.raw.params.id),
} satisfies RouteOptions<"/books/:id">;
export const handler = ((c) => new Response(`${c.route.path}`)) satisfies RouteOptions["resolve"];
export const guarded = {
  guards: [(c) => c.request.headers.has("a") ? allow() : deny(new Response())],
  resolve: (c) => new Response(`${c.input.ok}`),
} satisfies RouteOptions<"/books">;
export const implementation = {
  resolve: (c) => reply(200, { id: c.raw.params.id, title: "Emma", added: new Date() }),
} satisfies ImplementOptions<typeof values.ofJson>;
export const resolveBook =
  ((c) => reply(200, { id: c.raw.params.id, title: "Emma", added: new Date() })) satisfies ImplementOptions<
    typeof values.ofJson
  >["resolve"];
export const scopeOptions = { prefix: "/v1", docs: { tags: ["v1"] } } satisfies ScopeOptions<"/v1">;
export const endpointOptions = { docs: { summary: "Shows" } } satisfies EndpointOptions;
export const setupOptions = { onError: ({ error }) => new Response(`${error}`) } satisfies Partial<
  SetupOptions<{ start: number }>
>;
export const guard = ((c) => c.request.body ? allow() : deny(new Response())) satisfies GuardFn;
export const adds = ((c) => allow({ path: c.route.path })) satisfies GuardFn<NoLocals, { path: string }>;

// Functions of the user's own that take and return what the framework has.
export function deprecated<Path extends string>(path: Path, given: RouteOptions<Path>) {
  return route.get(path, { ...given, docs: { ...given.docs, deprecated: true } } as RouteOptions<Path>);
}
export function show<const Path extends string>(path: Path) {
  return endpoint.get(path, { responses: { 200: { schema: z.string() }, default: {} } });
}
export const shownByPath = show("/x/:id");
export function paged<Item extends z.ZodType>(item: Item) {
  return { 200: { schema: z.object({ items: z.array(item), next: z.string().optional() }) }, 400: {} };
}
export const pagedBooks = endpoint.get("/paged", { responses: paged(z.object({ id: z.string() })) });
export function scopeOf(guard: typeof values.signedIn) {
  return route.with({ prefix: "/acme", guards: [guard] });
}
export const ofGuard = scopeOf(values.signedIn);
export const within1000 = <C, Result>(resolve: (c: C) => Result) => (c: C) => resolve(c);
export const timed = route.get("/timed/:id", { resolve: within1000((c) => new Response(c.raw.params.id)) });
export const notFound = (c: Context) => reply(404, { path: c.route.path }, { headers: { "x-path": c.route.path } });
export const either = (c: Context) =>
  c.request.headers.has("a") ? reply(200, { id: "1" }) : reply(404, "Not found", { contentType: "text/plain" });
export const denies = (c: Context) => c.request.headers.has("a") ? allow({ ...c.locals }) : deny(either(c));
export const passes = (c: Context<{ user: string }, { readonly id: string }>) =>
  allow({ c, raw: c.raw, input: c.input });
export const lists = [values.hello, values.shown, values.implemented] as const;
export const record = { shown: values.shown, showBook: values.ofJson };
export const merged = setup({
  handlers: [...lists, ...values.app.routes, ...values.both],
  validator: values.validator,
});
export type Shown = Awaited<ReturnType<typeof values.client.ofHeaders>>;
export const received = (answer: Shown) => answer.headers;
export const receivedAll =
  async () => [await values.client.several(), await values.client.ofMethods({ method: "GET" })];

// Parts of options.
export const describe = (given: RouteOptions<"/books/:id">) => ({ ...given, docs: { tags: ["books"] } });
export const guardsOf = (given: RouteOptions) => given.guards ?? [];
export const describeImplementation = (given: ImplementOptions<typeof values.ofBody>) => ({ ...given, docs: {} });
export const describeScope = (given: ScopeOptions<"/v1">) => ({ ...given, docs: {} });
export const describeEndpoint = (given: EndpointOptions) => ({ ...given, docs: {} });
export const partsOfContext = (c: Context<{ user: string }>) => ({ ...c, user: c.locals.user });
export const partsOfSetup = (given: SetupOptions<{ start: number }>) => ({ ...given, trustUrl: true });
export const assignOptions = (given: RouteOptions<"/books/:id">) => Object.assign({}, given, { tag: "books" });
export const addTo = <Added extends object>(given: ScopeOptions<"/v1">, added: Added) => ({ ...given, ...added });

// Parts of sockets, mocks, fuzz runs, concerns, keys and responses.
export const { send: sendMessage, close: closeConnection } = values.aConnection;
export const copyConnection = () => ({ ...values.aConnection });
export const connectionCopy = copyConnection();
export const partsOfPeer = ({ send, signal }: PeerOf<typeof values.ofSocket>) => ({ send, signal });
export const describeMock = (given: MockOptions<typeof values.api, Sockets>) => ({ ...given, seed: 7 });
export const describeRun = (given: FuzzOptions) => ({ ...given, runs: 100 });
export const reachedBy = async (fc: FastCheck) => (await values.findFaults(fc)).reached;
export const describeConcern = (given: Concern<[values.Env]>) => ({ ...given });
export const partsOfKey = ({ keep, keepNow }: Key) => ({ keep, keepNow });
export const addResponses = (given: RouteResponses) => ({ ...given, 404: { description: "Missing" } });
export const responsesOfSocket = { ...values.ofSocket.responses };
export const responsesOfRoutes = () => values.app.routes.map(({ responses }) => ({ ...responses }));
export const describeDeclared = (
  given: RouteOptions<"/books/:id", NoSchemas, [typeof values.plain], [], { 204: { description: string } }>,
) => ({ ...given, docs: {} });

// Generic functions.
export function addOne<Schema extends z.ZodType>(body: Schema) {
  return endpoint.post("/items", { responses: { 201: { schema: body }, 400: {} } });
}
export const addBook = addOne(z.object({ title: z.string() }));
export function listOf<Item>(item: z.ZodType<Item>) {
  return endpoint.get("/items", { responses: { 200: { schema: z.array(item), headers: { etag: {} } } } });
}
export const listBooks = listOf(z.object({ title: z.string() }));
export function takeOne<Out>(body: z.ZodType<Out, { name: string }>) {
  return endpoint.post("/taken", { request: { body }, responses: { 204: {} } });
}
export const takeBook = takeOne(z.object({ name: z.string() }));
export function readOne<Out>(params: z.ZodType<Out, { id: string }>) {
  return route.get("/read/:id", { request: { params }, resolve: (c) => new Response(`${c.input.ok}`) });
}
export const readBook = readOne(z.object({ id: z.string() }));
export function send<Item>(item: Item) {
  return reply(200, item);
}
export const sent = send({ id: "1" });
export function streamOf<Item>(item: z.ZodType<Item>) {
  return endpoint.get("/stream", { responses: { 200: events({ item }), 206: lines(item) } });
}
export const streamed = streamOf(z.int());
export const requires = <Locals extends object>(read: (locals: Locals) => boolean) => (c: Context<Locals>) =>
  read(c.locals) ? allow({ passed: true }) : deny(reply(403));
export const isAda = requires(({ user }: { user: string }) => user === "ada");
export function fail<const Status extends 400 | 404 | 409, const Body>(status: Status, body: Body) {
  return reply(status, body);
}
export const failed = fail(404, { code: "missing" });
export function failAs<const Status extends number, const Type extends string>(status: Status, contentType: Type) {
  return reply(status, "text", { contentType, headers: { "x-status": status } });
}
export const failedAs = failAs(404, "text/plain");
export function failWith<const Code extends string>(code: Code) {
  return values.asProblem(404, { code }, { headers: { "x-code": code } });
}
export const failedWith = failWith("missing");
export const denyWith = <const Status extends number>(status: Status) => (c: Context) =>
  c.request.headers.has("a") ? allow() : deny(reply(status, "no"));
export const denies418 = denyWith(418);
export function streamItems<const Item>(items: readonly Item[]) {
  return replyLines(200, items);
}
export const streamedItems = streamItems([1, 2]);
