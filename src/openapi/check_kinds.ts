import { requireDescribed } from "../core/declare/check_declared.ts";
import type { Endpoint } from "../core/declare/typed_endpoint.ts";
import { entriesOf } from "../core/responses/media_type.ts";
import { describeKind, isRecord, requireThat } from "../core/values/assert.ts";

/**
 * Checks the docs and the responses of a route: their keys, as its declaration does, since the route may be
 * handwritten, and the kinds of their values, which only a document needs.
 *
 * @param route The route's name for error messages.
 * @param described The route, with the responses to describe.
 * @throws If a key is unknown, or a value is of another kind. The message names the route and the option.
 */
export function requireKinds(route: string, { docs, responses = {} }: Pick<Endpoint, "docs" | "responses">): void {
  requireDescribed({ docs, responses }, `route ${route}`);
  if (docs !== undefined) {
    requireAll(route, "docs", docs, DOCS);
    const { tags = [], security = [], requestBody, deprecated = false } = docs;
    if (isRecord(deprecated)) {
      const { sunset }: { sunset?: unknown } = deprecated;
      const isDay = typeof sunset === "string" && !Number.isNaN(Date.parse(sunset));
      const name = `Option docs.deprecated.sunset of route ${route}`;
      requireThat(isDay, name, 'a day such as "2028-01-01"', sunset);
    } else {
      const name = `Option docs.deprecated of route ${route}`;
      requireThat(typeof deprecated === "boolean", name, "true or false", deprecated);
    }
    requireThat(isStrings(tags), `Option docs.tags of route ${route}`, "an array of strings", tags);
    const isSecurity = Array.isArray(security) && security.every(isRequirement);
    const scopes = "an array of { scheme: scopes }, scopes being arrays of strings";
    requireThat(isSecurity, `Option docs.security of route ${route}`, scopes, security);
    if (requestBody !== undefined) {
      requireAll(route, "docs.requestBody", requestBody, REQUEST_BODY);
      const { contentType } = requestBody;
      const name = `Option docs.requestBody.contentType of route ${route}`;
      requireThat(typeof contentType === "string", name, "a string", contentType);
    }
  }
  for (const [status, declared] of Object.entries(responses)) {
    const option = `responses.${status}`;
    for (const response of entriesOf(declared)) {
      requireAll(route, option, response, RESPONSE);
      for (const [name, header] of Object.entries(response.headers ?? {})) {
        requireAll(route, `${option}.headers.${name}`, header, HEADER);
      }
    }
  }
}

/** The allowed kinds of each key, in the words of {@linkcode describeKind}. */
type Kinds = Readonly<Record<string, string>>;

function requireAll(route: string, option: string, holder: object, kinds: Kinds): void {
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
};

const REQUEST_BODY: Kinds = { contentType: "a string", required: "true or false", description: "a string" };

const RESPONSE: Kinds = { description: "a string", contentType: "a string" };

const HEADER: Kinds = { description: "a string", required: "true or false" };

function isRequirement(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every(isStrings);
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
