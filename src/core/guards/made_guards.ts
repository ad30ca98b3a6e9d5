/** How a list of guards remembers the endpoint of its route. */

import type { AnyGuard } from "./guard.ts";

/**
 * @internal The guards of a route. The list of a route that `route.on` has made of an endpoint remembers the endpoint,
 * so a copy of the route with other guards does not pass for its implementation.
 */
export interface MadeGuards extends ReadonlyArray<AnyGuard> {
  /** The endpoint, if there is one. */
  readonly "~endpoint"?: unknown;
}

/**
 * Lets a list of guards remember the endpoint of its route. The property is not enumerable: a route is plain data.
 *
 * @param guards The list, which is changed.
 * @param endpoint The endpoint; `undefined` for a list that remembers none.
 * @returns The list.
 */
export function rememberEndpoint(guards: readonly AnyGuard[], endpoint: unknown): MadeGuards {
  return Object.defineProperty(guards, "~endpoint", { value: endpoint });
}
