import type { Validator } from "../input/validator.ts";
import { isJson } from "../responses/media_type.ts";
import type { RouteResponse, RouteResponses } from "../responses/responses.ts";
import type { MatchedRoute } from "../routing/matched_route.ts";
import { checkBody } from "./check_body.ts";

/** What a response is checked against. */
export interface Expectation {
  /** The endpoint, as messages name it: `GET /books/:id`. */
  readonly name: string;
  /** The declared responses. */
  readonly responses: RouteResponses;
  /** The method and the path of the endpoint, for the validator. */
  readonly matched: MatchedRoute;
  /** Validates bodies. */
  readonly validator: Validator;
}

/**
 * Checks that a response is one of the declared ones. If the body has to be read, a copy of it is.
 *
 * @param response The response.
 * @param isHead Whether the request was HEAD. Then the body is not checked.
 * @param expectation What is declared.
 * @returns The key of the declared response: a status, a range, or `default`.
 * @throws An `Error` if the response is not declared. The message names the endpoint and the status.
 */
export async function checkResponse(response: Response, isHead: boolean, expectation: Expectation): Promise<string> {
  const { name, validator, matched } = expectation;
  const responses: { readonly [key: string]: RouteResponse } = expectation.responses;
  const { status, headers } = response;
  const mustBe = (rule: string, cause?: unknown) => new Error(`Response ${status} of ${name} must ${rule}`, { cause });
  const keys = [`${status}`, `${Math.trunc(status / 100)}XX`, "default"];
  const key = keys.find((key) => Object.hasOwn(responses, key));
  if (key === undefined) {
    throw mustBe(`be declared: the endpoint declares ${Object.keys(responses).join(", ") || "none"}`);
  }

  const entry = responses[key] as RouteResponse;
  const { schema, contentType, headers: declared = {} } = entry;
  for (const [header, { required }] of Object.entries(declared)) {
    if (required && !headers.has(header)) throw mustBe(`have the required header ${header}`);
  }
  const sent = mediaType(headers.get("content-type"));
  const expected = mediaType(contentType ?? (schema === undefined ? null : "application/json"));
  const isJsonBody = isJson(expected ?? sent ?? "");
  // Servers drop the body of a response to HEAD, so a handler may leave it out.
  if (expected !== undefined && sent !== expected && !(isHead && sent === undefined)) {
    throw mustBe(`be ${expected}: received ${sent ?? "no content-type"}`);
  }
  if (isHead || response.body === null && schema === undefined) return key;

  if (expected === undefined && isJsonBody) throw mustBe("declare the schema of its body: received JSON");
  if (schema !== undefined && expected !== EVENT_STREAM && entry["~stream"] === undefined) {
    const text = await response.clone().text();
    await checkBody(text, isJsonBody, (body) => validator.validate(schema, body, "body", matched), mustBe);
  }
  return key;
}

/** Never ends. Whoever waits for its text hangs. */
const EVENT_STREAM = "text/event-stream";

/** A content type without its parameters. */
function mediaType(contentType: string | null): string | undefined {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase();
}
