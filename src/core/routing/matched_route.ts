/** What guards, handlers, hooks and validators learn about the route. Types only. */

/** The declared route that a request matched. */
export interface MatchedRoute {
  /** The method of the route that matched, or `"ALL"` for a route declared by `route.all`. */
  readonly method: string;
  /** The path pattern as declared, including the prefix of the scope. */
  readonly path: string;
}
