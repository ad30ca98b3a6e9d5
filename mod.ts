/**
 * Turns declared routes into one fetch handler, the same on Deno, Bun, Node.js and Workers.
 *
 * The framework computes facts about a request (raw inputs, the outcome of validation, the locals that guards add) and
 * leaves every decision to guards and handlers. It adds nothing of its own but a 404 where no route matches.
 *
 * @example A typed route behind a guard
 * ```ts
 * import { allow, type Context, deny, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const authenticated = (c: Context) =>
 *   c.request.headers.get("authorization") === "Bearer ada"
 *     ? allow({ user: "Ada" })
 *     : deny(new Response("Who are you?", { status: 401 }));
 *
 * const app = setup({
 *   handlers: [
 *     route.get("/hello/:place", {
 *       guards: [authenticated],
 *       resolve: (c) => new Response(`${c.locals.user} says hello to ${c.raw.params.place}`),
 *     }),
 *   ],
 * });
 *
 * const request = new Request("http://localhost/hello/world", { headers: { authorization: "Bearer ada" } });
 * assertEquals(await (await app.fetch(request)).text(), "Ada says hello to world");
 * assertEquals((await app.fetch(new Request("http://localhost/hello/world"))).status, 401);
 * ```
 *
 * @module
 */

export { route } from "./src/route.ts";
export { setup } from "./src/setup.ts";
export { allow, deny, denyInvalid } from "./src/guard.ts";

export type { AnyRoute, Route, RouteFactory, RouteOptions, ScopeOptions } from "./src/route.ts";
export type { RouteDocs, RouteRequestBody, RouteResponse, RouteResponses, SecurityRequirement } from "./src/docs.ts";
export type { App, Arrival, Departure, Failure, SetupOptions } from "./src/setup.ts";
export type { Allow, Deny, GuardFn, GuardResult } from "./src/guard.ts";
export type { Context, HookContext, MatchedRoute, NoLocals, RawInput, RawQuery, Stage } from "./src/context.ts";
export type { PathParams, RawParams } from "./src/pattern.ts";
export type {
  AnyInput,
  Input,
  InvalidInput,
  Output,
  Part,
  RequestSchemas,
  ValidationFailure,
  ValidationIssue,
  ValidationResult,
  ValidationSuccess,
  Validator,
  ValidInput,
} from "./src/validate.ts";

// What the types above are made of; there is no need to name these.
export type {
  AnyHandler,
  ContextInScope,
  DeclareRoute,
  FoldInScope,
  HandlerContext,
  InputFor,
  NoSchemas,
  OutcomeInScope,
  ParamsInScope,
  RootScope,
  RouteInScope,
  Scope,
  ScopeBehind,
} from "./src/route.ts";
export type {
  CheckedHook,
  CommonOptions,
  Handlers,
  LocalsOf,
  NeedsOfRoute,
  NeedsOfRoutes,
  OptionName,
  PlatformOfRoutes,
  UnmetNeeds,
  WithMetNeeds,
} from "./src/setup.ts";
export type { AnyGuard, DenyOrValid, ValidInputGuard } from "./src/guard.ts";
export type {
  AddsOf,
  Both,
  ContextBehind,
  ExpectedGuard,
  Fit,
  Fold,
  FoldGuards,
  GuardList,
  InlineGuard,
  InlineGuards,
  KeepAdded,
  Merge,
  Misfit,
  NeedsWith,
  Simplify,
  Without,
} from "./src/guard_list.ts";
export type { AllOf, First, MergePlatforms, RestOf } from "./src/platform.ts";
export type { NameIn, NamesIn } from "./src/pattern.ts";
export type { OutputOf, TypePredicate } from "./src/validate.ts";
