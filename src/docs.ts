/**
 * Documentation of a route, read by tools such as `@fw/core/openapi`. It has no effect on requests.
 *
 * @example A route with docs
 * ```ts
 * import { route } from "@fw/core";
 *
 * const greet = route.get("/hello/:name", {
 *   docs: { summary: "Greets somebody", tags: ["greetings"], responses: { 200: { description: "The greeting" } } },
 *   resolve: (c) => new Response(`Hello ${c.raw.params.name}!`),
 * });
 * ```
 */
export interface RouteDocs {
  /** Short description, as one line of plain text. */
  readonly summary?: string;
  /** Long description, as CommonMark. */
  readonly description?: string;
  /** The groups that list the route, in order. */
  readonly tags?: readonly string[];
  /**
   * OpenAPI `operationId`, unique in the app. Generated clients use it as a name. On a route with several methods the first
   * gets it as is, the others with the method appended.
   */
  readonly operationId?: string;
  /** Whether clients should stop using the route; `false` by default. Send `Deprecation` and `Sunset` headers yourself. */
  readonly deprecated?: boolean;
  /** Security requirements; any one suffices, and `[]` means public. They are not enforced: enforce them with guards. */
  readonly security?: readonly SecurityRequirement[];
  /** A body that the handler reads itself: a form, an upload, XML. `openapi` rejects it beside a body schema. */
  readonly requestBody?: RouteRequestBody;
  /** The responses, by status. */
  readonly responses?: RouteResponses;
}

/** A request body that the framework does not read. Documentation only: it validates nothing. */
export interface RouteRequestBody {
  /** The media type, such as `multipart/form-data`, `application/x-www-form-urlencoded` or `application/xml`. */
  readonly contentType: string;
  /** Schema of the body (its input type). Without it, any content is described. */
  readonly schema?: unknown;
  /** Whether requests must have a body; `false` by default. */
  readonly required?: boolean;
  /** Description of the body, as CommonMark. */
  readonly description?: string;
}

/** Security schemes that are required together, by name, each with its required scopes. */
export interface SecurityRequirement {
  /** The required scopes; empty for a scheme without scopes. */
  readonly [scheme: string]: readonly string[];
}

/** Responses by status: a number from 100 to 599 such as `200`, a range such as `"4XX"`, or `default`. */
export interface RouteResponses {
  /** The response with this status. */
  readonly [status: number]: RouteResponse;
  /** The responses with any status in this range. */
  readonly [range: `${number}XX`]: RouteResponse;
  /** The responses with any status not listed. */
  readonly default?: RouteResponse;
}

/** One response of a route. */
export interface RouteResponse {
  /** What the response means, as CommonMark. */
  readonly description?: string;
  /** Schema of the response body (its output type). Not enforced at run time. */
  readonly schema?: unknown;
  /** The media type of the body, if it has a schema; `application/json` by default. */
  readonly contentType?: string;
}
