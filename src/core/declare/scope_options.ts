import type { GuardList, InlineGuard } from "../guards/guard_list.ts";
import type { PossibleSchemas } from "../input/possible_schemas.ts";
import type { ScopeSchemas } from "../input/request_schemas.ts";
import type { CheckResponses, DenialsOf } from "../responses/check_responses.ts";
import type { RouteResponses } from "../responses/responses.ts";
import type { RouteDocs } from "./docs.ts";
import type {
  FoldInScope,
  InputInScope,
  InputOfScope,
  LocalsBefore,
  ParamsInScope,
  RootScope,
  Scope,
} from "./route_scope.ts";
import type { CheckedPrefix, GuardsKey, PrefixKey, RequestKey, Unconditional } from "./scope.ts";

/**
 * The options of a scope. In a call of `route.with`, TypeScript infers all type arguments.
 *
 * @typeParam Prefix The scope's own prefix.
 * @typeParam Guards The scope's own guards.
 * @typeParam Responses The scope's own responses; `never` if there are none.
 * @typeParam InScope The enclosing scope. TypeScript infers it.
 * @typeParam Schemas The scope's own schemas; `never` if there are none.
 *
 * @example Options that are kept in a constant
 * ```ts
 * import { route, type ScopeOptions } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const v1: ScopeOptions<"/v1"> = { prefix: "/v1", docs: { tags: ["v1"] } };
 * assertEquals(route.with(v1).get("", { resolve: () => new Response() }).path, "/v1");
 * ```
 */
export type ScopeOptions<
  Prefix extends string = "",
  Guards extends readonly unknown[] = readonly [],
  Responses extends RouteResponses = never,
  InScope extends Scope = RootScope,
  Schemas extends ScopeSchemas = never,
> =
  & OptionsOfScope<Prefix, Guards, Responses, InScope, Schemas>
  & Unconditional<GuardsKey<Guards> | PrefixKey<Prefix> | ([Schemas] extends [never] ? never : RequestKey<Schemas>)>;

/** The options of a scope, each of which may be absent. {@linkcode ScopeOptions} also says which of them must be there. */
export interface OptionsOfScope<
  Prefix extends string = "",
  Guards extends readonly unknown[] = readonly [],
  Responses extends RouteResponses = never,
  InScope extends Scope = RootScope,
  Schemas extends ScopeSchemas = never,
> {
  /**
   * The prefix of the path of each route, itself a pattern, such as `/v1` or `/orgs/:orgId`. It begins with a slash and
   * does not end with one. A route in the scope sees the path parameters of the prefix.
   *
   * @example Routes below an org
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const org = route.with({ prefix: "/orgs/:orgId" });
   * const showMember = org.get("/members/:id", {
   *   resolve: ({ raw: { params } }) => new Response(`${params.id} of ${params.orgId}`),
   * });
   *
   * const app = setup({ handlers: [showMember] });
   * const response = await app.fetch(new Request("http://localhost/orgs/acme/members/ada"));
   * assertEquals(await response.text(), "ada of acme");
   * ```
   */
  readonly prefix?: CheckedPrefix<Prefix>;
  /**
   * Schemas for parts of the request of each route: the parameters of the prefix, the query, headers and cookies. The
   * guards of the scope read their outputs, and so do its routes. A scope has no body.
   *
   * If a route has a schema for the same part, both are run on it, and both must accept the keys of the other one.
   * Their outputs are merged: the keys of the route replace those of the scope. A client sends the input of both, and a
   * document describes both.
   *
   * @example A tenant that each request names
   * ```ts
   * import { allow, denyInvalid, deny, route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const org = route.with({
   *   prefix: "/orgs/:orgId",
   *   request: { params: z.object({ orgId: z.coerce.number() }), headers: z.object({ "x-tenant": z.string() }) },
   *   guards: [
   *     denyInvalid(({ issues }) => Response.json({ issues }, { status: 400 })),
   *     (c) => c.input.ok && c.input.headers["x-tenant"] === "acme" ? allow() : deny(new Response(null, { status: 403 })),
   *   ],
   * });
   * const showMember = org.get("/members/:id", {
   *   request: { params: z.object({ id: z.string() }) },
   *   resolve: (c) => Response.json(c.input.params),
   * });
   *
   * const app = setup({ validator: standardSchema, handlers: [showMember] });
   * const get = (path: string, tenant: string) =>
   *   app.fetch(new Request(`http://localhost${path}`, { headers: { "x-tenant": tenant } }));
   * assertEquals(await (await get("/orgs/7/members/ada", "acme")).json(), { orgId: 7, id: "ada" });
   * assertEquals((await get("/orgs/7/members/ada", "other")).status, 403);
   * assertEquals((await get("/orgs/seven/members/ada", "acme")).status, 400);
   * ```
   */
  readonly request?: Schemas & PossibleSchemas<Schemas, InScope, Prefix>;
  /**
   * Guards that run before each route's own, in order. Every route of the scope sees the types of the locals that they
   * add.
   *
   * @example Routes for signed-in users
   * ```ts
   * import { allow, type Context, deny, route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const authenticated = (c: Context) => {
   *   const user = c.request.headers.get("authorization")?.replace("Bearer ", "");
   *   return user ? allow({ user }) : deny(new Response(null, { status: 401 }));
   * };
   *
   * const member = route.with({ guards: [authenticated] });
   * const app = setup({
   *   handlers: [
   *     member.get("/me", { resolve: (c) => new Response(c.locals.user) }),
   *     route.get("/health", { resolve: () => new Response("ok") }),
   *   ],
   * });
   * assertEquals((await app.fetch(new Request("http://localhost/me"))).status, 401);
   * assertEquals((await app.fetch(new Request("http://localhost/health"))).status, 200);
   * ```
   */
  readonly guards?: GuardList<
    Guards,
    InlineGuard<
      LocalsBefore<InScope>,
      ParamsInScope<InScope, Prefix>,
      InputInScope<InScope, InputOfScope<InScope, Schemas>>
    >,
    FoldInScope<InScope, Prefix, Guards, InputOfScope<InScope, Schemas>>
  >;
  /**
   * Responses that the routes of the scope share. If a route declares the same status, its response replaces that of
   * the scope. All of them document every route of the scope. TypeScript checks only routes that declare `responses`
   * themselves; `responses: {}` is enough.
   *
   * @example A denial that is declared once
   * ```ts
   * import { allow, type Context, deny, reply, route } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const authenticated = (c: Context) =>
   *   c.request.headers.has("authorization") ? allow() : deny(reply(401, { code: "sign_in" }));
   *
   * const member = route.with({
   *   responses: { 401: { schema: z.object({ code: z.literal("sign_in") }) } },
   *   guards: [authenticated],
   * });
   * const listNotes = member.get("/notes", {
   *   responses: { 200: { schema: z.array(z.string()) } },
   *   resolve: () => reply(200, ["Buy milk"]),
   * });
   * assertEquals(Object.keys(listNotes.responses ?? {}), ["200", "401"]);
   * ```
   */
  readonly responses?:
    & Responses
    & CheckResponses<InScope["denied"] | DenialsOf<Guards>, InScope["responses"], Responses>;
  /**
   * Default docs of the routes. Each key of a route's own docs replaces the same key of the scope.
   *
   * @example One tag for all routes of a file
   * ```ts
   * import { route } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const books = route.with({ prefix: "/books", docs: { tags: ["books"] } });
   * const listBooks = books.get("", {
   *   docs: { summary: "Lists the books" },
   *   resolve: () => Response.json([]),
   * });
   * assertEquals(listBooks.docs, { tags: ["books"], summary: "Lists the books" });
   * ```
   */
  readonly docs?: RouteDocs | undefined;
}
