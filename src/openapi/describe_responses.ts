import { entriesOf, EVENT_STREAM } from "../core/responses/media_type.ts";
import type { ResponseHeader, RouteResponse } from "../core/responses/responses.ts";
import { isText } from "../core/responses/text_schema.ts";
import type { JsonSchema } from "../core/schemas/json_schema.ts";
import { JSON_TYPE, schemaOfBytes } from "./describe_content.ts";
import type { Content, OpenApiVersion, Operation } from "./document.ts";
import { type NamedOperation, responsesOf } from "./operations.ts";
import { type Draft, emit, type ReadSchema } from "./read_schema.ts";

/**
 * Describes the responses of an operation.
 *
 * @param operation The operation.
 * @param read Reads a schema.
 * @param version The version of OpenAPI.
 * @returns The responses by status.
 */
export function describeResponses(
  { route, method }: NamedOperation,
  read: ReadSchema,
  version: OpenApiVersion,
): Draft<Operation["responses"]> {
  const described = Object.entries(responsesOf(route)).map(([status, declared]) => {
    const responses = entriesOf(declared);
    const descriptions = [...new Set(responses.flatMap(({ description }) => description ?? []))];
    const headers = describeHeaders(status, responses, read);
    // A response to HEAD has no body.
    const content = method === "head" ? [] : responses.map((response) => contentOf(status, response, read, version));
    return [status, {
      description: descriptions[0] === undefined ? MEANINGS[status.charAt(0)] : descriptions.join("\n\n"),
      headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
      content: content.some((each) => Object.keys(each).length > 0) ? Object.assign({}, ...content) : undefined,
    }];
  });
  return described.length === 0 ? { default: { description: "Any response" } } : Object.fromEntries(described);
}

/** Describes the headers of the responses of a status. Only a header that all of them require is required. */
function describeHeaders(
  status: string,
  responses: readonly RouteResponse[],
  read: ReadSchema,
): readonly (readonly [name: string, header: object])[] {
  const all = responses.map(({ headers = {} }) => headers);
  const merged = Object.entries<ResponseHeader>(Object.assign({}, ...all.toReversed()));
  return merged.map(([name, { description, schema }]) => {
    const value = read(`header ${name} of response ${status}`, schema, "output", emit, { type: "string" });
    const isRequired = all.map((headers) => headers[name]?.required);
    const required = isRequired.includes(undefined) ? undefined : !isRequired.includes(false);
    return [name, { description, required, schema: value }] as const;
  });
}

/** Describes the body of a response, by its media type. */
function contentOf(
  status: string,
  response: RouteResponse,
  read: ReadSchema,
  version: OpenApiVersion,
): Draft<Content> {
  const { schema, examples, contentType = JSON_TYPE, "~stream": stream } = response;
  if (stream?.isSocket || (schema === undefined && response.contentType === undefined)) return {};
  if (stream !== undefined && version !== "3.1.0") {
    return { [contentType]: { itemSchema: describeItem(status, stream.items, contentType, read) } };
  }
  const fallback = schema === undefined ? schemaOfBytes(contentType) : {};
  const described = read(`response ${status}`, schema, "output", emit, fallback);
  return { [contentType]: { schema: described, examples: describeExamples(examples) } };
}

/** Describes an item of a stream: a line, or an event. */
function describeItem(
  status: string,
  items: unknown,
  contentType: string | undefined,
  read: ReadSchema,
): Draft<JsonSchema> {
  if (contentType !== EVENT_STREAM) return read(`item of response ${status}`, items, "output", emit, {});
  return {
    type: "object",
    properties: { id: { type: "string" }, retry: { type: "integer", minimum: 0 } },
    oneOf: Object.entries(items as object).map(([event, schema]) => ({
      properties: {
        // An event without a name is a `message`.
        event: event === "message" ? { const: event, default: event } : { const: event },
        data: isText(schema) ? { type: "string" } : {
          type: "string",
          contentMediaType: JSON_TYPE,
          contentSchema: read(`event ${event} of response ${status}`, schema, "output", emit, {}),
        },
      },
      required: event === "message" ? ["data"] : ["event", "data"],
    })),
  };
}

/** Default response descriptions, by the first character of the status. */
const MEANINGS: Readonly<Record<string, string>> = {
  "1": "Informational",
  "2": "Successful",
  "3": "Redirection",
  "4": "Client error",
  "5": "Server error",
  "d": "Any other response",
};

/** Examples as they are sent: a `Date`, for instance, as the string that JSON makes of it. */
function describeExamples(examples: RouteResponse["examples"]): Content[string]["examples"] {
  return examples && Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [name, { value: JSON.parse(JSON.stringify(value)) }]),
  );
}
