/** The documentation of a route. Types only. */

/**
 * Documentation of a route, read by tools such as `@fw/core/openapi`. It has no effect on requests.
 *
 * @example A route with docs
 * ```ts
 * import { route } from "@fw/core";
 *
 * const greet = route.get("/hello/:name", {
 *   docs: { summary: "Greets somebody", tags: ["greetings"] },
 *   resolve: (c) => new Response(`Hello ${c.raw.params.name}!`),
 * });
 * ```
 */
export interface RouteDocs {
  /** Short description, as one line of plain text. */
  readonly summary?: string | undefined;
  /** Long description, as CommonMark. */
  readonly description?: string | undefined;
  /** The groups that list the route, in order. */
  readonly tags?: readonly string[] | undefined;
  /**
   * OpenAPI `operationId`, unique in the app. Generated clients use it as a name. If the route has several methods, it
   * is the name of the first; the others have the method appended.
   */
  readonly operationId?: string | undefined;
  /**
   * Whether clients should stop using the route; `false` by default. With `{ sunset }`, the day from which the route
   * may be gone, such as `"2028-01-01"`: `compatible` of `@fw/core/compatible` then accepts that it is removed. Send
   * `Deprecation` and `Sunset` headers yourself.
   */
  readonly deprecated?: boolean | { readonly sunset: string } | undefined;
  /**
   * Security requirements; any one suffices, and `[]` means public. They are not enforced: enforce them with guards.
   */
  readonly security?: readonly SecurityRequirement[] | undefined;
  /**
   * A body that the handler reads itself, such as a streamed upload. Documentation only: it validates nothing.
   * `openapi` rejects it beside a body schema.
   */
  readonly requestBody?: {
    /** The media type, such as `application/octet-stream` or `application/xml`. */
    readonly contentType: string;
    /** Schema of the body (its input type). Without it, any content is described. */
    readonly schema?: unknown;
    /** Whether requests must have a body; `false` by default. */
    readonly required?: boolean | undefined;
    /** Description of the body, as CommonMark. */
    readonly description?: string | undefined;
  } | undefined;
  /** Not allowed here: write `responses` beside `docs`. */
  readonly responses?: "Write responses beside docs, not in it: { responses, docs, resolve }";
}

/** Security schemes that are required together, by name, each with its required scopes. */
export interface SecurityRequirement {
  /** The required scopes; empty for a scheme without scopes. */
  readonly [scheme: string]: readonly string[];
}
