import type { HookContext } from "../core/guards/context.ts";
import { andThen } from "../core/values/maybe_promise.ts";
import { copyResponse } from "../core/values/copy_response.ts";
import { FUNCTION, requireRules } from "../core/values/option_rules.ts";

/**
 * Answers where no route matches, in the format of the app: 405 where the path has routes for other methods, else 404.
 * The framework itself responds with 404 and no body. A 404 of a handler or a guard is left alone.
 *
 * @param options Two functions that make the responses.
 * @returns A concern, for `compose`.
 * @throws A `TypeError` if an option is unknown, or is not a function.
 *
 * @example 404 and 405 as JSON
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { compose, unmatched } from "@fw/core/hooks";
 * import { assertEquals } from "@std/assert";
 *
 * const app = setup({
 *   handlers: [route.get("/books", { resolve: () => Response.json([]) })],
 *   ...compose(unmatched({
 *     notFound: () => reply(404, { error: "Not found" }),
 *     methodNotAllowed: (allowed) => reply(405, { error: `Use ${allowed.join(" or ")}` }),
 *   })),
 * });
 *
 * const missing = await app.fetch(new Request("http://localhost/nowhere"));
 * assertEquals([missing.status, await missing.json()], [404, { error: "Not found" }]);
 * const wrong = await app.fetch(new Request("http://localhost/books", { method: "POST" }));
 * assertEquals([wrong.status, wrong.headers.get("allow"), await wrong.json()], [405, "GET", { error: "Use GET" }]);
 * ```
 */
export function unmatched(options: UnmatchedOptions): UnmatchedConcern {
  requireRules(options, "unmatched", { notFound: FUNCTION, methodNotAllowed: FUNCTION });
  const { notFound, methodNotAllowed } = options;
  return {
    replace: ({ status }, context) => {
      const { allowedMethods: allowed } = context;
      // Another concern may have answered: `cors` answers preflights.
      if (allowed === undefined || status !== 404) return undefined;
      // A path that has nothing but OPTIONS, as each path below `route.options("/v1/*")`, does not exist either.
      if (allowed.every((method) => method === "OPTIONS")) return notFound(context);
      return andThen(methodNotAllowed(allowed, context), (response) => {
        const sent = copyResponse(response);
        sent.headers.set("allow", allowed.join(", "));
        return sent;
      });
    },
  };
}

/** The options of {@linkcode unmatched}. */
export interface UnmatchedOptions {
  /**
   * Makes the response where the path has no route.
   *
   * @param context The request and its locals.
   * @returns The response, or a promise of it.
   */
  readonly notFound: (context: HookContext) => Response | Promise<Response>;
  /**
   * Makes the response where the path has routes, but none for the method. The header `Allow` is added to it.
   *
   * @param allowed The methods that have a route at this path, in alphabetical order.
   * @param context The request and its locals.
   * @returns The response, or a promise of it.
   */
  readonly methodNotAllowed: (allowed: readonly string[], context: HookContext) => Response | Promise<Response>;
}

/** What {@linkcode unmatched} returns. */
export interface UnmatchedConcern {
  /** Replaces the 404 of the framework. */
  replace(response: Response, context: HookContext): Response | Promise<Response> | undefined;
}
