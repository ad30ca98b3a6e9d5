import type { RouteDocs } from "../declare/docs.ts";
import type { RouteResponses } from "../responses/responses.ts";
import { describeKind, isRecord, requireKnownKeys, requireNoResponses, requireThat } from "../values/assert.ts";

/**
 * Checks the docs of a route.
 *
 * @param route The route's name for error messages.
 * @param docs The `docs` option of the route.
 * @throws If the docs do not have the shape of {@linkcode RouteDocs}; the message names the route.
 */
export function requireDocs(route: string, docs: unknown): asserts docs is RouteDocs {
  requireKinds(route, "docs", docs, DOCS);
  requireNoResponses(docs, `route ${route}`);
  const { tags = [], security = [], requestBody } = docs;
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
}

/**
 * Checks the responses of a route.
 *
 * @param route The route's name for error messages.
 * @param responses The `responses` option of the route, or of its scope.
 * @throws If the responses do not have the shape of {@linkcode RouteResponses}; the message names the route.
 */
export function requireResponses(route: string, responses: unknown): asserts responses is RouteResponses {
  requireThat(isRecord(responses), `Option responses of route ${route}`, "an object", responses);
  for (const [status, response] of Object.entries(responses)) {
    const option = `responses.${status}`;
    if (!STATUS.test(status)) {
      const expected = 'have 100 to 599, "1XX" to "5XX" or "default" as its keys';
      throw new TypeError(`Option responses of route ${route} must ${expected}: received ${JSON.stringify(status)}`);
    }
    requireKinds(route, option, response, RESPONSE);
    const isSchema = "~standard" in response;
    const expected = "{ description?, schema?, contentType?, headers? }, not a bare schema";
    requireThat(!isSchema, `Option ${option} of route ${route}`, expected, response);
    requireKnownKeys(response, `${option} of route ${route}`, ["schema", "~stream"], Object.keys(RESPONSE));
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      requireKinds(route, `${option}.headers.${name}`, header, HEADER);
      requireKnownKeys(header, `${option}.headers.${name} of route ${route}`, ["schema"], Object.keys(HEADER));
    }
  }
}

/** The allowed kinds of each key, in the words of {@linkcode describeKind}. */
type Kinds = Readonly<Record<string, string>>;

function requireKinds(
  route: string,
  option: string,
  holder: unknown,
  kinds: Kinds,
): asserts holder is Readonly<Record<string, unknown>> {
  requireThat(isRecord(holder), `Option ${option} of route ${route}`, "an object", holder);
  const values: Readonly<Record<string, unknown>> = { ...holder };
  for (const [key, expected] of Object.entries(kinds)) {
    const fits = values[key] === undefined || expected.split(" or ").includes(describeKind(values[key]));
    requireThat(fits, `Option ${option}.${key} of route ${route}`, expected, values[key]);
  }
}

const DOCS: Kinds = {
  summary: "a string",
  description: "a string",
  operationId: "a string",
  deprecated: "true or false",
};

const REQUEST_BODY: Kinds = { contentType: "a string", required: "true or false", description: "a string" };

const RESPONSE: Kinds = { description: "a string", contentType: "a string", headers: "an object" };

const HEADER: Kinds = { description: "a string", required: "true or false" };

const STATUS = /^(?:[1-5](?:\d\d|XX)|default)$/;

function isRequirement(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isStrings);
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
