/**
 * A scope does not pass for another scope, or its routes would lose guards. TypeScript compares generic functions loosely, so
 * each way by which a value changes its type has a line here. The compiler checks them: no function is called.
 */
import { allow, type Context, deny, denyInvalid, endpoint, reply, route, type RouteFactory, setup } from "../../mod.ts";
import { z } from "zod";

const ok = () => new Response();
const authenticated = (c: Context) => c.request.headers.has("authorization") ? allow({ user: "ada" }) : deny(ok());
const adminOnly = (c: Context<{ user: string }>) => c.locals.user === "ada" ? allow() : deny(ok());
const members = route.with({ guards: [authenticated] });
const validated = route.with({ guards: [denyInvalid(ok)] });
const needy = route.with({ guards: [adminOnly] });
const versioned = route.with({ prefix: "/v1" });
const body = z.object({ title: z.string() });

interface Scopes {
  readonly scope: typeof members;
}

/** What takes a scope takes that scope only. */
export function scopesOfRoutes() {
  const notes = (scope: typeof members) => scope.get("/notes", { resolve: (c) => new Response(c.locals.user) });
  setup({ handlers: [notes(members)] });
  setup({ handlers: [notes(route.with({ guards: [authenticated] }))] });
  // @ts-expect-error: no guard adds the user
  notes(route);
  // @ts-expect-error: another scope
  notes(validated);
  // @ts-expect-error: `onRequest` must provide the user there
  notes(route.with<{ user: string }>());
  // @ts-expect-error: its paths have other parameters
  notes(route.with({ prefix: "/orgs/:orgId", guards: [authenticated] }));

  // A variable, a record, a list, an interface's field, and what a function returns.
  // @ts-expect-error: no guard adds the user
  const variable: typeof members = route;
  // @ts-expect-error: no guard adds the user
  const record: Record<string, typeof members> = { notes: route };
  // @ts-expect-error: no guard adds the user
  const list: readonly (typeof members)[] = [members, route];
  // @ts-expect-error: no guard adds the user
  const field: Scopes = { scope: route };
  // @ts-expect-error: no guard adds the user
  const returned = (): typeof members => route;
  // @ts-expect-error: no guard adds the user
  route satisfies typeof members;

  // One method alone, and a part of a scope.
  const byMethod = (get: typeof members.get) => get("/notes", { resolve: (c) => new Response(c.locals.user) });
  byMethod(members.get);
  // @ts-expect-error: no guard adds the user
  byMethod(route.get);
  const byPart = ({ get }: Pick<typeof members, "get">) =>
    get("/notes", { resolve: (c) => new Response(c.locals.user) });
  byPart(members);
  // @ts-expect-error: no guard adds the user
  byPart(route);
  const byOn = (on: typeof members.on) => on("GET", "/notes", { resolve: (c) => new Response(c.locals.user) });
  byOn(members.on);
  // @ts-expect-error: no guard adds the user
  byOn(route.on);
  const byPartWithOn = ({ on }: Pick<typeof members, "on">) =>
    on(["GET", "HEAD"], "/notes", { resolve: (c) => new Response(c.locals.user) });
  byPartWithOn(members);
  // @ts-expect-error: no guard adds the user
  byPartWithOn(route);
  // @ts-expect-error: it has `get` of another scope
  byPart({ get: route.get });

  // Behind `denyInvalid`, the input is valid.
  const valid = (scope: typeof validated) =>
    scope.post("/", { request: { body }, resolve: (c) => new Response(c.input.body.title) });
  valid(validated);
  // @ts-expect-error: the input may be invalid
  valid(route);
  // @ts-expect-error: the input may be invalid
  valid(members);

  // A function that takes any `route` does not know what a scope needs.
  const health = (scope: RouteFactory) => scope.get("/health", { resolve: ok });
  setup({ handlers: [health(route)] });
  // @ts-expect-error: its guards need a local, which `setup` would not know
  health(needy);
  // @ts-expect-error: `onRequest` must provide a local, which `setup` would not know
  health(route.with<{ user: string }>());
  // @ts-expect-error: the path would have another prefix
  health(versioned);
  return [variable, record, list, field, returned];
}

/** A generic function takes any scope, and keeps what it adds. */
export function functionsThatTakeAnyScope() {
  const nested = <InScope extends typeof members | typeof route>(scope: InScope) => scope;
  nested(members).get("/", { resolve: (c) => new Response(c.locals.user) });
  // @ts-expect-error: `route` adds nothing
  nested(route).get("/", { resolve: (c) => new Response(c.locals.user) });
}

/** A guard of a scope cannot read what a later guard of that scope adds. */
export function orderOfTheGuardsOfAScope() {
  const adds = (_c: Context) => allow({ user: "ada" });
  const adminOnly = (c: Context<{ user: string }>) => c.locals.user === "ada" ? allow({ admin: true }) : deny(ok());
  const needsAdmin = (c: Context<{ admin: boolean }>) => c.locals.admin ? allow() : deny(ok());
  // @ts-expect-error: the user is needed before the guard that adds it
  route.with({ guards: [adminOnly, adds] });
  // @ts-expect-error: the same in a scope of a scope
  route.with({ prefix: "/v1" }).with({ guards: [adminOnly, needsAdmin, adds] });
  // @ts-expect-error: also beside a local that onRequest adds
  route.with<{ id: string }>().with({ guards: [adminOnly, adds] });
  route.with({ guards: [adds, adminOnly, needsAdmin] });
  route.with({ guards: [adds] }).with({ guards: [adminOnly, adds] });
  // Who provides it is not known yet.
  route.with({ guards: [adminOnly] });
  route.with({ guards: [adminOnly, needsAdmin, (_c: Context) => allow({ other: 1 })] });
  // `onRequest` adds it, and a guard replaces it.
  route.with<{ user: string }>().with({ guards: [adminOnly, adds] });
}

/** The same for scopes of endpoints. */
export function scopesOfEndpoints() {
  const v1 = endpoint.with({ prefix: "/v1" });
  const known = endpoint.with({ responses: { 401: {} } });
  const books = (scope: typeof v1) => scope.get("/books", { responses: { 204: {} } });
  route.on(books(v1), { resolve: () => reply(204) });
  // @ts-expect-error: the path would have no prefix
  books(endpoint);
  // @ts-expect-error: another prefix
  books(endpoint.with({ prefix: "/v2" }));
  const closed = (scope: typeof known) => scope.get("/closed");
  closed(known);
  // @ts-expect-error: no 401
  closed(endpoint);
  const byMethod = (get: typeof v1.get) => get("/books");
  byMethod(v1.get);
  // @ts-expect-error: the path would have no prefix
  byMethod(endpoint.get);
  const byOn = (on: typeof v1.on) => on(["PUT", "PATCH"], "/books");
  byOn(v1.on);
  // @ts-expect-error: the path would have no prefix
  byOn(endpoint.on);
  const byPart = ({ post }: Pick<typeof known, "post">) => post("/books");
  byPart(known);
  // @ts-expect-error: no 401
  byPart(endpoint);
}
