import type { Validator } from "../core/input/validator.ts";
import {
  entriesOf,
  EVENT_STREAM,
  findResponse,
  fitsMediaType,
  isJson,
  mediaTypeOf,
} from "../core/responses/media_type.ts";
import type { RouteResponse, RouteResponses } from "../core/responses/responses.ts";
import { validateSent } from "../core/responses/validate_sent.ts";
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
 * @returns The declared response, if any are declared. The response; of a stream, one whose items are checked as they
 * are read.
 * @throws An `Error` if the response is not declared. The message names the endpoint and the status.
 */
export async function checkResponse(
  response: Response,
  request: Request,
  { name, matched, responses, others }: Expectation,
  validator: Validator,
): Promise<readonly [declared: RouteResponse | undefined, response: Response]> {
  if (responses === undefined) return [undefined, response];
  const { status, headers } = response;
  const mustBe = (rule: string, item?: number, cause?: unknown) =>
    new Error(
      `${item ? `Item ${item} of r` : "R"}esponse ${status} of ${name} must ${rule}`,
      cause === undefined ? {} : { cause },
    );
  const declared = findResponse(responses, response);
  const received = headers.get("content-type");
  const sent = received === null ? undefined : mediaTypeOf(received);
  if (declared === undefined) {
    const names = namedResponses(responses);
    const type = names.some(([name]) => name.includes("/")) ? `: received ${sent ?? "no content-type"}` : "";
    throw mustBe(`be declared: the endpoint declares ${names.map(([name]) => name).join(", ") || "none"}${type}`);
  }
  const { schema, contentType, headers: known, "~stream": stream } = declared;
  for (const [header, { required }] of Object.entries(known ?? {})) {
    if (required && !headers.has(header)) throw mustBe(`have the required header ${header}`);
  }
  if (known && others) {
    const names = Object.keys(known).map((header) => header.toLowerCase()).concat(stream ? OF_STREAMS : []);
    const extra = new Set([...headers.keys()].filter((header) => !names.includes(header) && !others.has(header)));
    const [s, it] = extra.size === 1 ? ["", "it"] : ["s", "them"];
    const remedy = `declare ${it}, or add ${it} to the option headers if a hook or a guard sets ${it}`;
    if (extra.size > 0) throw mustBe(`not have the header${s} ${[...extra].join(", ")}: ${remedy}`);
  }
  if (stream?.isSocket) return [declared, response];
  const isHead = request.method === "HEAD";
  const expected = schema === undefined && contentType === undefined ? undefined : mediaTypeOf(contentType);
  // Servers drop the body of a response to HEAD, so a handler may leave it out.
  if (expected !== undefined && !fitsMediaType(contentType, sent) && !(isHead && sent === undefined)) {
    throw mustBe(`be ${expected}: received ${sent ?? "no content-type"}`);
  }
  if (isHead || response.body === null && schema === undefined) return [declared, response];

  const check = async (schema: unknown, text: string, isJson: boolean, item?: number) => {
    let body: unknown = text;
    try {
      if (isJson) body = JSON.parse(text);
    } catch {
      throw mustBe("be JSON: received a body that is not", item); // without the error: the engine quotes the body in it
    }
    const result = await validateSent(validator, schema, body, matched);
    if (!result.ok) {
      const faults = result.issues.map(({ path, message }) => [...path, message].join(": "));
      throw mustBe(`fit its schema: ${faults.join("; ")}`, item, result);
    }
    const key = findExtraKey(body, result.value);
    if (key) throw mustBe(`not have the key ${key.join(".")}: its schema does not have it`, item);
  };
  if (stream !== undefined) return [declared, checkItems(response, request, stream, check, mustBe)];
  const isJsonBody = isJson(expected ?? sent ?? "");
  if (expected === undefined && isJsonBody) throw mustBe("declare the schema of its body: received JSON");
  // A stream of events never ends. Whoever waits for its text hangs.
  if (schema !== undefined && expected !== EVENT_STREAM) {
    await check(schema, await response.clone().text(), isJsonBody);
  }
  return [declared, response];
}

/** What `replyEvents` adds. */
const OF_STREAMS = ["cache-control", "x-accel-buffering"];

/**
 * Names declared responses: `404`, and `200 text/csv` for one of a list.
 *
 * @param responses The declared responses.
 * @returns Each name, with its response.
 */
export function namedResponses(
  responses: RouteResponses,
): readonly (readonly [name: string, response: RouteResponse])[] {
  return Object.entries(responses).flatMap(([key, declared]) =>
    entriesOf(declared).map((each) =>
      [each === declared ? key : `${key} ${mediaTypeOf(each.contentType)}`, each] as const
    )
  );
}
