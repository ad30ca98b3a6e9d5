/** What `setup` returns. Types only. */

import type { Route } from "./declared_route.ts";

/**
 * What `setup` returns: the fetch handler, and the routes that it serves.
 *
 * @typeParam Platform The extra arguments that `fetch` must receive after the request.
 * @typeParam Needs The locals that the routes need from `onRequest`; `never` if there are none, or if they are not known.
 */
export interface App<Platform extends readonly unknown[] = [], Needs = never> {
  /**
   * Handles a request. Pass this function to a runtime, such as `Deno.serve(app.fetch)`. It does not use `this`.
   *
   * It returns the response if no stage is asynchronous, else a promise of the response. It never throws. If `onError` does
   * not turn an error into a response, the promise is rejected with that same error. Guards and handlers receive the
   * arguments after the request, in order.
   *
   * @param request The request.
   * @param platform The runtime's extra arguments, such as an environment or a connection.
   * @returns The response, or a promise of it.
   */
  readonly fetch: (request: Request, ...platform: Platform) => Response | Promise<Response>;
  /** The routes as declared, in order. Another app that lists `...app.routes` must provide the same locals. */
  readonly routes: readonly ServedRoute<Needs, Platform>[];
}

/**
 * A route of an app. If its needs are not known, the type has a marker. Without the marker, `[...app.routes, route]` would have
 * this type, and TypeScript would lose the needs of `route`.
 *
 * @internal
 */
export type ServedRoute<Needs, Platform extends readonly unknown[]> =
  & Route<Needs, Platform>
  & ([Needs] extends [never] ? {
      /** Type-only, absent at run time. */
      readonly "~served"?: true;
    }
    : unknown);
