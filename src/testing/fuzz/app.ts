import type { AnyRoute } from "../../core/declare/declared_route.ts";

/** An app, as far as it is fuzzed. */
export interface FuzzedApp {
  /** Responds to a request. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/** An app to fuzz. */
export interface FuzzableApp extends FuzzedApp {
  /** The routes. */
  readonly routes: readonly AnyRoute[];
}
