/** A declared route. Types only. */

import type { NoLocals } from "../guards/context.ts";
import type { AnyGuard } from "../guards/guard.ts";
import type { RequestSchemas } from "../input/request_schemas.ts";
import type { RouteResponses } from "../responses/responses.ts";
import type { RouteDocs } from "./docs.ts";

/**
 * A declared route, as plain data. `route.get` and its siblings return it, `setup` accepts it, and `app.routes` lists
 * it.
 *
 * @typeParam Needs The locals that `onRequest` must provide.
 * @typeParam Extra The extra arguments that `app.fetch` must receive after the request.
 */
export interface Route<in Needs = NoLocals, Extra extends readonly unknown[] = []> {
  /** The method, several methods, or `"ALL"` for every method. */
  readonly method: string | readonly string[];
  /** The path pattern, including the prefix of the scope. */
  readonly path: string;
  /** The schemas, and the bound of the body. */
  readonly request?: RequestSchemas;
  /** The responses that the route declares, merged over those of the scope. They have no effect on requests. */
  readonly responses?: RouteResponses;
  /** The responses of the scope. If the route declares none itself, they are documentation only. */
  readonly scopeResponses?: RouteResponses;
  /** The documentation, merged over that of the scope. It has no effect on requests. */
  readonly docs?: RouteDocs;
  /** The guards in the order in which they run: first those of the scope, then the route's own. */
  readonly guards: readonly AnyGuard[];
  /** The handler. */
  readonly resolve: AnyHandler;
  /** Type-only, absent at run time: carries the types of the route to `setup`. */
  readonly "~expects"?: (locals: Needs, ...extra: Extra) => void;
}

/**
 * Any route, whatever locals and extra arguments it needs. Use it for the parameter of a tool that reads routes. A list
 * of this type forgets what its routes need, so `setup` accepts it without checking: for routes to serve, write
 * `Route[]`, or let TypeScript infer the type.
 */
export type AnyRoute = Route<never, never>;

/** Any handler, whatever context and extra arguments it needs. */
export type AnyHandler = (c: never, ...extra: never[]) => Response | Promise<Response>;
