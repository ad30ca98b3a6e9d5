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
const needy = route.with<{ user: string }>().with({ guards: [adminOnly] });
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
  // @ts-expect-error at `route`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  notes(route);
  // @ts-expect-error at `validated`: Property 'user' is missing in type '{}' but required in type '{ user: string; }'.
  notes(validated);
  // @ts-expect-error at `route.with<{ user: string }>()`: Property 'user' is missing in type 'NoLocals' but required in
  //   type '{ user: string; }'.
  notes(route.with<{ user: string }>());
  // @ts-expect-error at `route.with({ prefix: "/orgs/:orgId", gua…`: Type '"/orgs/:orgId"' is not assignable to type
  //   '""'.
  notes(route.with({ prefix: "/orgs/:orgId", guards: [authenticated] }));

  // A variable, a record, a list, an interface's field, and what a function returns.
  // @ts-expect-error at `variable`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  const variable: typeof members = route;
  // @ts-expect-error at `notes`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  const record: Record<string, typeof members> = { notes: route };
  // @ts-expect-error at `route`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  const list: readonly (typeof members)[] = [members, route];
  // @ts-expect-error at `scope`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  const field: Scopes = { scope: route };
  // @ts-expect-error at `route`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  const returned = (): typeof members => route;
  // @ts-expect-error at `satisfies`: Property 'user' is missing in type 'NoLocals' but required in type '{ user:
  //   string; }'.
  route satisfies typeof members;

  // One method alone, and a part of a scope.
  const byMethod = (get: typeof members.get) => get("/notes", { resolve: (c) => new Response(c.locals.user) });
  byMethod(members.get);
  // @ts-expect-error at `route.get`: Property 'user' is missing in type 'NoLocals' but required in type '{ user:
  //   string; }'.
  byMethod(route.get);
  const byPart = ({ get }: Pick<typeof members, "get">) =>
    get("/notes", { resolve: (c) => new Response(c.locals.user) });
  byPart(members);
  // @ts-expect-error at `route`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  byPart(route);
  const byOn = (on: typeof members.on) => on("GET", "/notes", { resolve: (c) => new Response(c.locals.user) });
  byOn(members.on);
  // @ts-expect-error at `route.on`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  byOn(route.on);
  const byPartWithOn = ({ on }: Pick<typeof members, "on">) =>
    on(["GET", "HEAD"], "/notes", { resolve: (c) => new Response(c.locals.user) });
  byPartWithOn(members);
  // @ts-expect-error at `route`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  byPartWithOn(route);
  // @ts-expect-error at `get`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string; }'.
  byPart({ get: route.get });

  // Behind `denyInvalid`, the input is valid.
  const valid = (scope: typeof validated) =>
    scope.post("/", { request: { body }, resolve: (c) => new Response(c.input.body.title) });
  valid(validated);
  // @ts-expect-error at `route`: Type 'false' is not assignable to type 'true'.
  valid(route);
  // @ts-expect-error at `members`: Type 'false' is not assignable to type 'true'.
  valid(members);

  // A function that takes any `route` does not know what a scope needs.
  const health = (scope: RouteFactory) => scope.get("/health", { resolve: ok });
  setup({ handlers: [health(route)] });
  // Its guards need a local, which `setup` would not know.
  // @ts-expect-error at `needy`: Property 'user' is missing in type 'NoLocals' but required in type '{ user: string;
  //   }'.
  health(needy);
  // `onRequest` must provide a local, which `setup` would not know.
  // @ts-expect-error at `route.with<{ user: string }>()`: Property 'user' is missing in type 'NoLocals' but required in
  //   type '{ user: string; }'.
  health(route.with<{ user: string }>());
  // The path would have another prefix.
  // @ts-expect-error at `versioned`: Type '"/v1"' is not assignable to type '""'.
  health(versioned);
  return [variable, record, list, field, returned];
}

/** A generic function takes any scope, and keeps what it adds. */
export function functionsThatTakeAnyScope() {
  const nested = <InScope extends typeof members | typeof route>(scope: InScope) => scope;
  nested(members).get("/", { resolve: (c) => new Response(c.locals.user) });
  // @ts-expect-error at `user`: Property 'user' does not exist on type 'NoLocalsUntil<"a guard adds them; put guards
  //   that a call returns into constants">'.
  nested(route).get("/", { resolve: (c) => new Response(c.locals.user) });
}

/** A guard of a scope cannot read what a later guard of that scope adds. */
export function orderOfTheGuardsOfAScope() {
  const adds = (_c: Context) => allow({ user: "ada" });
  const adminOnly = (c: Context<{ user: string }>) => c.locals.user === "ada" ? allow({ admin: true }) : deny(ok());
  const needsAdmin = (c: Context<{ admin: boolean }>) => c.locals.admin ? allow() : deny(ok());
  // @ts-expect-error at `adminOnly`: The guard that adds the local "user" must come before this one
  route.with({ guards: [adminOnly, adds] });
  // @ts-expect-error at `adminOnly`: The guard that adds the local "user" must come before this one
  route.with({ prefix: "/v1" }).with({ guards: [adminOnly, needsAdmin, adds] });
  // Also beside a local that onRequest adds.
  // @ts-expect-error at `adminOnly`: The guard that adds the local "user" must come before this one
  route.with<{ id: string }>().with({ guards: [adminOnly, adds] });
  route.with({ guards: [adds, adminOnly, needsAdmin] });
  route.with({ guards: [adds] }).with({ guards: [adminOnly, adds] });
  // A scope of a scope has the locals of both.
  route.with({ guards: [adds] }).with({ prefix: "/v1" }).get("", { guards: [adminOnly, needsAdmin], resolve: ok });
  // `onRequest` adds it, and a guard replaces it.
  route.with<{ user: string }>().with({ guards: [adminOnly, adds] });
}

/** The same for scopes of endpoints. */
export function scopesOfEndpoints() {
  const v1 = endpoint.with({ prefix: "/v1" });
  const known = endpoint.with({ responses: { 401: {} } });
  const books = (scope: typeof v1) => scope.get("/books", { responses: { 204: {} } });
  route.on(books(v1), { resolve: () => reply(204) });
  // The path would have no prefix.
  // @ts-expect-error at `endpoint`: Type '`${any}`' is not assignable to type '`/v1${any}`'.
  books(endpoint);
  // @ts-expect-error at `endpoint.with({ prefix: "/v2" })`: Type '`/v2${any}`' is not assignable to type '`/v1${any}`'.
  books(endpoint.with({ prefix: "/v2" }));
  const closed = (scope: typeof known) => scope.get("/closed");
  closed(known);
  // @ts-expect-error at `endpoint`: Type '{ readonly 401: {}; }' is not assignable to type 'never'.
  closed(endpoint);
  const byMethod = (get: typeof v1.get) => get("/books");
  byMethod(v1.get);
  // The path would have no prefix.
  // @ts-expect-error at `endpoint.get`: Type '`${any}`' is not assignable to type '`/v1${any}`'.
  byMethod(endpoint.get);
  const byOn = (on: typeof v1.on) => on(["PUT", "PATCH"], "/books");
  byOn(v1.on);
  // The path would have no prefix.
  // @ts-expect-error at `endpoint.on`: Type '`${any}`' is not assignable to type '`/v1${any}`'.
  byOn(endpoint.on);
  const byPart = ({ post }: Pick<typeof known, "post">) => post("/books");
  byPart(known);
  // @ts-expect-error at `endpoint`: Type '{ readonly 401: {}; }' is not assignable to type 'never'.
  byPart(endpoint);
}
