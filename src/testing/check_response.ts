import type { Validator } from "../core/input/validator.ts";
import { isJson } from "../core/responses/media_type.ts";
import type { RouteResponse, RouteResponses } from "../core/responses/responses.ts";
import type { MatchedRoute } from "../core/routing/matched_route.ts";
import { checkItems } from "./check_items.ts";
import { findExtraKey } from "./find_extra_key.ts";

/** What a response is checked against. */
export interface Expectation {
  /** The endpoint, as messages name it: `GET /books/:id`. */
  readonly name: string;
  /** The method and the path of the endpoint, for the validator. */
  readonly matched: MatchedRoute;
  /** The declared responses, if any are. */
  readonly responses: RouteResponses | undefined;
  /** The names of headers that need not be declared, in lower case; `undefined` if none needs to be. */
  readonly others?: ReadonlySet<string>;
}

/**
 * Checks that a response is one of the declared ones. If the body has to be read, a copy of it is.
 *
 * @param response The response.
 * @param request The request. The body of a response to HEAD is not checked.
 * @param expectation What is declared.
 * @param validator Validates bodies.
 * @returns The key of the declared response: a status, a range, or `default`. The response; of a stream, one whose
 * items are checked as they are read.
 * @throws An `Error` if the response is not declared. The message names the endpoint and the status.
 */
export async function checkResponse(
  response: Response,
  request: Request,
  { name, matched, responses, others }: Expectation,
  validator: Validator,
): Promise<readonly [key: string, response: Response]> {
  if (responses === undefined) return ["", response];
  const { status, headers } = response;
  const mustBe = (rule: string, item?: number, cause?: unknown) =>
    new Error(`${item ? `Item ${item} of r` : "R"}esponse ${status} of ${name} must ${rule}`, { cause });
  const key = [`${status}`, `${status}`[0] + "XX", "default"].find((key) => Object.hasOwn(responses, key)) as "default";
  if (key === undefined) {
    throw mustBe(`be declared: the endpoint declares ${Object.keys(responses).join(", ") || "none"}`);
  }
  const { schema, contentType, headers: known, "~stream": stream } = responses[key] as RouteResponse;
  for (const [header, { required }] of Object.entries(known ?? {})) {
    if (required && !headers.has(header)) throw mustBe(`have the required header ${header}`);
  }
  if (known && others) {
    const names = Object.keys(known).map((header) => header.toLowerCase()).concat(stream ? OF_STREAMS : []);
    const extra = [...headers.keys()].find((header) => !names.includes(header) && !others.has(header));
    const remedy = "declare it, or add it to the option headers if a hook or a guard sets it";
    if (extra) throw mustBe(`not have the header ${extra}: ${remedy}`);
  }
  const isHead = request.method === "HEAD";
  const sent = mediaType(headers.get("content-type"));
  const expected = mediaType(contentType ?? (schema === undefined ? null : "application/json"));
  // Servers drop the body of a response to HEAD, so a handler may leave it out.
  if (expected !== undefined && sent !== expected && !(isHead && sent === undefined)) {
    throw mustBe(`be ${expected}: received ${sent ?? "no content-type"}`);
  }
  if (isHead || response.body === null && schema === undefined) return [key, response];

  const check = async (schema: unknown, text: string, isJson: boolean, item?: number) => {
    let body: unknown = text;
    try {
      if (isJson) body = JSON.parse(text);
    } catch {
      throw mustBe("be JSON: received a body that is not", item); // without the error: the engine quotes the body in it
    }
    const result = await validator.validate(schema, body, "body", matched);
    if (!result.ok) {
      const faults = result.issues.map(({ path, message }) => [...path, message].join(": "));
      throw mustBe(`fit its schema: ${faults.join("; ")}`, item, result);
    }
    const key = findExtraKey(body, result.value);
    if (key) throw mustBe(`not have the key ${key.join(".")}: its schema does not have it`, item);
  };
  if (stream !== undefined) return [key, checkItems(response, request, stream, check, mustBe)];
  const isJsonBody = isJson(expected ?? sent ?? "");
  if (expected === undefined && isJsonBody) throw mustBe("declare the schema of its body: received JSON");
  if (schema !== undefined && expected !== EVENT_STREAM) {
    await check(schema, await response.clone().text(), isJsonBody);
  }
  return [key, response];
}

/** What `replyEvents` adds. */
const OF_STREAMS = ["cache-control", "x-accel-buffering"];

/** Never ends. Whoever waits for its text hangs. */
const EVENT_STREAM = "text/event-stream";

/** A content type without its parameters. */
function mediaType(contentType: string | null): string | undefined {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase();
}
