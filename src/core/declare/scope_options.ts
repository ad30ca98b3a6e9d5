import type { GuardList, InlineGuard } from "../guards/guard_list.ts";
import type { AnyInput } from "../input/input.ts";
import type { CheckResponses, DenialsOf } from "../responses/check_responses.ts";
import type { RouteResponses } from "../responses/responses.ts";
import type { RouteDocs } from "./docs.ts";
import type { FoldInScope, InputInScope, LocalsBefore, ParamsInScope, RootScope, Scope } from "./route_scope.ts";
import type { CheckedPrefix, GuardsKey, PrefixKey, Unconditional } from "./scope.ts";

/**
 * The options of a scope. In a call of `route.with`, TypeScript infers all type arguments.
 *
 * @typeParam Prefix The scope's own prefix.
 * @typeParam Guards The scope's own guards.
 * @typeParam Responses The scope's own responses; `never` if there are none.
 * @typeParam InScope The enclosing scope. TypeScript infers it.
 *
 * @example Options that are kept in a constant
 * ```ts
 * import { route, type ScopeOptions } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const v1: ScopeOptions<"/v1"> = { prefix: "/v1", docs: { tags: ["v1"] } };
 * assertEquals(route.with(v1).get("/", { resolve: () => new Response() }).path, "/v1/");
 * ```
 */
export type ScopeOptions<
  Prefix extends string = "",
  Guards extends readonly unknown[] = readonly [],
  Responses extends RouteResponses = never,
  InScope extends Scope = RootScope,
> = OptionsOfScope<Prefix, Guards, Responses, InScope> & Unconditional<GuardsKey<Guards> | PrefixKey<Prefix>>;

/** The options of a scope, each of which may be absent. {@linkcode ScopeOptions} also says which of them must be there. */
export interface OptionsOfScope<
  Prefix extends string = "",
  Guards extends readonly unknown[] = readonly [],
  Responses extends RouteResponses = never,
  InScope extends Scope = RootScope,
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
   * Guards that run before each route's own, in order. What they add to the locals is typed in every route of the
   * scope.
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
    InlineGuard<LocalsBefore<InScope>, ParamsInScope<InScope, Prefix>, InputInScope<InScope, AnyInput>>,
    FoldInScope<InScope, Prefix, Guards, AnyInput>
  >;
  /**
   * Responses that the routes of the scope share. Those of a route replace them, status by status. They document every
   * route of the scope. TypeScript checks only routes that declare `responses` themselves; `responses: {}` is enough.
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
   * Default docs of the routes. Each key of a route's own docs replaces that of the scope.
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
