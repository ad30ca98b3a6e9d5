import { requireThat } from "./option.ts";
import { describeKind, isRecord } from "./shape.ts";

/**
 * What a route says about itself to readers: data for documents such as that of `@fw/core/openapi`. Requests never see it.
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
  /** What it does, in one short line of plain text. */
  readonly summary?: string;
  /** All there is to say about it, as CommonMark. */
  readonly description?: string;
  /** The groups that it is listed in, in order. */
  readonly tags?: readonly string[];
  /** What generated clients call it, unique in the app. A route for several methods gives it to the first of them. */
  readonly operationId?: string;
  /** Whether clients should stop using it; `false` unless given. The headers that say so are the application's. */
  readonly deprecated?: boolean;
  /** What it takes to be let in: one of these, none at all if the list is empty. The guards that ask for it are its own. */
  readonly security?: readonly SecurityRequirement[];
  /** A body that the handler reads itself: a form, an upload, XML. A body with a schema in `request` is described by that. */
  readonly requestBody?: RouteRequestBody;
  /** Its responses by status. */
  readonly responses?: RouteResponses;
}

/** A request body that the framework does not read. Documentation only: nothing is validated with it. */
export interface RouteRequestBody {
  /** The media type: `multipart/form-data`, `application/x-www-form-urlencoded`, `application/xml`. */
  readonly contentType: string;
  /** The schema of the body, of which the input side counts; any content unless given. */
  readonly schema?: unknown;
  /** Whether requests must have a body; `false` unless given. */
  readonly required?: boolean;
  /** What the body is, as CommonMark. */
  readonly description?: string;
}

/** Security schemes that are needed together, by name, each with the scopes that are needed of it. */
export interface SecurityRequirement {
  /** The scopes; none for a scheme that knows no scopes. */
  readonly [scheme: string]: readonly string[];
}

/** Responses by status: `200`, from 100 to 599; `"4XX"` for all that begin alike; `default` for any other. */
export interface RouteResponses {
  /** The response with this status. */
  readonly [status: number]: RouteResponse;
  /** The responses with any status that begins like this. */
  readonly [range: `${number}XX`]: RouteResponse;
  /** The responses with any other status. */
  readonly default?: RouteResponse;
}

/** One response of a route. */
export interface RouteResponse {
  /** What it means, as CommonMark. */
  readonly description?: string;
  /** The schema of its body, of which the output side counts. Nothing is validated with it. */
  readonly schema?: unknown;
  /** The media type of its body, where it has a schema; `application/json` unless given. */
  readonly contentType?: string;
}

/**
 * Checks the docs of a route.
 *
 * @param route The route's name for error messages.
 * @param docs What it was declared with.
 * @throws If they do not have the shape of {@linkcode RouteDocs}; the message names the route.
 */
export function requireDocs(route: string, docs: unknown): asserts docs is RouteDocs {
  requireKinds(route, "docs", docs, DOCS);
  const { tags = [], security = [], requestBody, responses } = docs;
  requireThat(isStrings(tags), `Option docs.tags of route ${route}`, "an array of strings", tags);
  const isSecurity = Array.isArray(security) && security.every(isRequirement);
  const scopes = "an array of { scheme: scopes }, scopes being arrays of strings";
  requireThat(isSecurity, `Option docs.security of route ${route}`, scopes, security);
  if (requestBody !== undefined) {
    requireKinds(route, "docs.requestBody", requestBody, REQUEST_BODY);
    const { contentType } = requestBody;
    requireThat(
      typeof contentType === "string",
      `Option docs.requestBody.contentType of route ${route}`,
      "a string",
      contentType,
    );
  }
  for (const [status, response] of Object.entries(responses ?? {})) {
    if (!STATUS.test(status)) {
      const expected = 'have 100 to 599, "1XX" to "5XX" or "default" as its keys';
      throw new TypeError(
        `Option docs.responses of route ${route} must ${expected}: received ${JSON.stringify(status)}`,
      );
    }
    requireKinds(route, `docs.responses.${status}`, response, RESPONSE);
    const isSchema = "~standard" in response;
    const expected = "{ description?, schema?, contentType? }, no schema itself";
    requireThat(!isSchema, `Option docs.responses.${status} of route ${route}`, expected, response);
  }
}

/** For each key the kinds that it may be of, in the words of {@linkcode describeKind}. */
type Kinds = Readonly<Record<string, string>>;

function requireKinds(
  route: string,
  place: string,
  holder: unknown,
  kinds: Kinds,
): asserts holder is Readonly<Record<string, unknown>> {
  requireThat(isRecord(holder), `Option ${place} of route ${route}`, "an object", holder);
  const values: Readonly<Record<string, unknown>> = { ...holder };
  for (const [key, expected] of Object.entries(kinds)) {
    const fits = values[key] === undefined || expected.split(" or ").includes(describeKind(values[key]));
    requireThat(fits, `Option ${place}.${key} of route ${route}`, expected, values[key]);
  }
}

const DOCS: Kinds = {
  summary: "a string",
  description: "a string",
  operationId: "a string",
  deprecated: "true or false",
  responses: "an object",
};

const REQUEST_BODY: Kinds = { contentType: "a string", required: "true or false", description: "a string" };

const RESPONSE: Kinds = { description: "a string", contentType: "a string" };

const STATUS = /^(?:[1-5](?:\d\d|XX)|default)$/;

function isRequirement(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isStrings);
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
