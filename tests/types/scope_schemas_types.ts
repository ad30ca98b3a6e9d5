/**
 * Schemas of a scope, joined with those of its routes. If this file compiles, the tests have passed: no function is
 * called.
 */
import {
  allow,
  type Context,
  deny,
  denyInvalid,
  endpoint,
  type NoLocals,
  reply,
  route,
  type RouteFactory,
} from "../../mod.ts";
import { createClient } from "../../src/client/mod.ts";
import { z } from "zod";
import * as v from "valibot";

const ok = () => new Response();
const orgId = z.object({ orgId: z.coerce.number<string>() });
const tenant = z.object({ "x-tenant": z.string() });
const open = route.with({ prefix: "/orgs/:orgId", request: { params: orgId, headers: tenant } });
const paged = route.with({ request: { query: z.object({ limit: z.coerce.number<string>().default(20) }) } });
const sorted = route.with({ request: { query: z.object({ sort: z.literal("title") }) } });

/** What routes and guards see. */
export function seen() {
  const guarded = open.with({
    guards: [
      denyInvalid(ok),
      (c) => allow({ org: c.input.ok ? c.input.params.orgId satisfies number : 0 }),
      // Of other parts, nothing is known: routes may have schemas for them.
      (c: Context<NoLocals, object, { readonly ok: true; readonly headers: { "x-tenant": string } }>) =>
        c.input.headers["x-tenant"] === "acme" ? allow() : deny(ok()),
    ],
  });
  guarded.get("", {
    resolve: (c) => new Response(c.input.headers["x-tenant"] + (c.input.params.orgId satisfies number) + c.locals.org),
  });
  guarded.post("/items/:id", {
    request: { params: z.object({ id: z.string() }), body: z.string() },
    resolve: (c) =>
      Response.json([c.input.params.id, c.input.params.orgId satisfies number, c.input.body satisfies string]),
  });
  // The route's own keys replace those of the scope.
  paged.get("/", {
    request: { query: z.object({ limit: z.string(), q: z.string().optional() }) },
    resolve: (c) => Response.json(c.input.ok ? [c.input.query.limit satisfies string, c.input.query.q] : []),
  });
  paged.get("/", {
    request: { query: z.object({ limit: z.string().optional() }) },
    resolve: (c) => Response.json(c.input.ok ? c.input.query.limit satisfies string | number | undefined : 0),
  });
  paged.with({ request: { query: z.object({ q: z.string() }), cookies: z.object({ theme: z.string() }) } }).get("/", {
    resolve: (c) =>
      Response.json(c.input.ok ? [c.input.query.limit satisfies number, c.input.query.q, c.input.cookies.theme] : 0),
  });
  open.with<{ requestId: string }>().with({ guards: [() => allow()] }).get("", {
    resolve: (c) => Response.json(c.input.ok && c.input.params.orgId satisfies number),
  });
  // What a union or a predicate accepts.
  paged.get("/", {
    request: { query: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) },
    resolve: (c) =>
      Response.json(
        c.input.ok ? c.input.query satisfies { limit: number; a: string } | { limit: number; b: string } : 0,
      ),
  });
  const isFilter = (value: unknown): value is { filter: string } => typeof value === "object";
  paged.get("/", {
    request: { query: isFilter },
    resolve: (c) => Response.json(c.input.ok ? [c.input.query.filter, c.input.query.limit satisfies number] : 0),
  });
  const unknown: unknown = isFilter;
  paged.get("/", {
    request: { query: unknown },
    resolve: (c) => Response.json(c.input.ok ? c.input.query satisfies unknown : 0),
  });
  // A function of a scope.
  const listed = (scope: typeof paged) =>
    scope.get("/", { resolve: (c) => Response.json(c.input.ok && c.input.query.limit) });
  listed(paged);
  // @ts-expect-error at `route`: Type '{…' is not assignable to type 'never'.
  listed(route);
  // @ts-expect-error at `anyRoute`: Type '{…' is not assignable to type 'never'.
  const anyRoute: RouteFactory = paged;
  return anyRoute;
}

/** What a client of endpoints sends. */
export async function sent() {
  const org = endpoint.with({ prefix: "/orgs/:orgId", request: { params: orgId, headers: tenant } });
  const item = org.with({ prefix: "/items/:id", request: { query: z.object({ q: z.string() }) } });
  const api = {
    show: item.get("", {
      request: { headers: z.object({ "if-match": z.string() }) },
      responses: { 200: { schema: z.string() } },
    }),
    add: org.with<{ user: unknown }>().post("/items", { request: { body: z.string() }, responses: { 204: {} } }),
  };
  const client = createClient(api);
  const headers = { "x-tenant": "acme", "if-match": "1" };
  await client.show({ params: { orgId: 7, id: 8 }, query: { q: "x" }, headers });
  await client.add({ params: { orgId: "7" }, headers: { "x-tenant": "acme" }, body: "x" });
  // @ts-expect-error at `headers`: Property '"x-tenant"' is missing in type '{ "if-match": string; }' but required in
  //   type '{…'.
  await client.show({ params: { orgId: 7, id: 8 }, query: { q: "x" }, headers: { "if-match": "1" } });
  // @ts-expect-error at `{ params: { orgId: "7" }, body: "x" }`: Property 'headers' is missing in type '{ params: {
  //   orgId: string; }; body: string; }' but required in type '{ readonly headers: { readonly "x-tenant": TextValue; };
  //   }'.
  await client.add({ params: { orgId: "7" }, body: "x" });
  route.on(api.show, {
    resolve: (c) => reply(200, c.input.ok ? c.input.headers["x-tenant"] + c.input.params.orgId : ""),
  });
}

/** Each line is a mistake. */
export function mistakes() {
  // @ts-expect-error at `params`: The path /orgs/:orgId has no parameter "id"
  route.with({ prefix: "/orgs/:orgId", request: { params: z.object({ id: z.string() }) } });
  // @ts-expect-error at `headers`: Header names are in lower case: write "x-tenant"
  route.with({ request: { headers: z.object({ "X-Tenant": z.string() }) } });
  // @ts-expect-error at `query`: "limit" of the query arrives as a string, which this schema never accepts: let the
  //   schema convert it, as z.coerce.number() does
  route.with({ request: { query: z.object({ limit: z.number() }) } });
  // @ts-expect-error at `body`: A scope has no body: declare it on each route
  route.with({ request: { body: z.string() } });
  // @ts-expect-error at `body`: A scope has no body: declare it on each route
  endpoint.with({ request: { body: z.string() } });
  // @ts-expect-error at `params`: The path /orgs has no parameter "id"
  endpoint.with({ prefix: "/orgs", request: { params: z.object({ id: z.string() }) } });
  // @ts-expect-error at `params`: The path /orgs/:orgId/x has no parameter "id"
  open.with({ prefix: "/x", request: { params: z.object({ id: z.string() }) } });
  const tagged = route.with({
    request: { query: z.object({ tags: z.array(z.string()), owner: z.string().optional() }) },
  });
  // @ts-expect-error at `query`: "tags" of the query is a list in this schema and a text in that of the scope, or the
  //   other way round: let both accept the same
  tagged.get("/1", { request: { query: z.object({ tags: z.string() }) }, resolve: ok });
  // @ts-expect-error at `query`: "owner" of the query is a list in this schema and a text in that of the scope, or the
  //   other way round: let both accept the same
  tagged.get("/2", { request: { query: z.object({ owner: z.array(z.string()) }) }, resolve: ok });
  endpoint.with({ request: { query: z.object({ tag: z.string() }) } }).get("/3", {
    // @ts-expect-error at `query`: "tag" of the query is a list in this schema and a text in that of the scope, or the
    //   other way round: let both accept the same
    request: { query: z.object({ tag: z.array(z.string()) }) },
  });
  tagged.get("/4", { request: { query: z.object({ tags: z.array(z.string()).min(1) }) }, resolve: ok });
  tagged.get("/5", { request: { query: z.object({ tags: z.union([z.string(), z.array(z.string())]) }) }, resolve: ok });
  // @ts-expect-error at `query`: No "tags" of the query fits both this schema and that of the scope
  tagged.get("/6", { request: { query: z.object({ tags: z.never() }) }, resolve: ok });
  // @ts-expect-error at `query`: No value of the query fits both this schema and that of the scope
  sorted.get("/", { request: { query: z.object({ sort: z.literal("date") }) }, resolve: ok });
  // @ts-expect-error at `query`: The output for the query is merged with that of the scope: let this schema return an
  //   object
  paged.get("/", { request: { query: z.object({ a: z.string() }).transform(({ a }) => a) }, resolve: ok });
  // @ts-expect-error at `query`: The output for the query is merged with that of the scope: let this schema return an
  //   object
  paged.get("/", { request: { query: z.object({ a: z.string() }).transform(({ a }) => [a]) }, resolve: ok });
  // Without a JSON Schema, it is not known whose value counts.
  // @ts-expect-error at `query`: "limit" of the query has another type in the scope of this route, whose guards may
  //   read it: give both the same type
  paged.get("/", { request: { query: v.object({ limit: v.string() }) }, resolve: ok });
  // Guards of the scope read a number.
  const guarded = paged.with({ guards: [(c) => allow({ twice: c.input.ok ? c.input.query.limit * 2 : 0 })] });
  // @ts-expect-error at `query`: "limit" of the query has another type in the scope of this route, whose guards may
  //   read it: give both the same type
  guarded.get("/", { request: { query: z.object({ limit: z.string() }) }, resolve: ok });
  guarded.get("/", { request: { query: z.object({ limit: z.coerce.number<string>().max(5) }) }, resolve: ok });
  // @ts-expect-error at `endpoint.get("/x")`: An endpoint has its whole request: implement it in a scope without
  //   request, and declare it by endpoint.with({ request })
  paged.on(endpoint.get("/x"), { resolve: ok });
  const flag = Math.random() > 0.5;
  // @ts-expect-error at `{ ...(flag ? { request: { headers: tenan…`: Property 'request' is optional in type '{…' but
  //   required in type 'Unconditional<"request">'.
  route.with({ ...(flag ? { request: { headers: tenant } } : {}) });
  // @ts-expect-error at `{ ...(flag ? { request: { headers: tenan…`: Property 'request' is optional in type '{…' but
  //   required in type 'Unconditional<"request">'.
  endpoint.with({ ...(flag ? { request: { headers: tenant } } : {}) });
}
