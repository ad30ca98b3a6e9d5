import type { ResponseHeader, RouteResponse } from "../core/responses/responses.ts";
import { entriesOf } from "../core/responses/media_type.ts";
import { schemaOfBytes, sendableTypes } from "./describe_content.ts";
import type { Content, OpenApiVersion, Operation, Parameter } from "./document.ts";
import { capitalize, type NamedOperation, type Reject, responsesOf } from "./operations.ts";
import {
  type ConvertedSchema,
  type JsonSchema,
  messageOf,
  type Properties,
  type SchemaCollection,
  type Side,
} from "../core/schemas/json_schema.ts";

/**
 * Describes one method of a route as an operation of the document.
 *
 * @param operation The method of the route.
 * @param schemas The schemas of the document.
 * @param reject Called for a schema that OpenAPI cannot express.
 * @param version The version of OpenAPI.
 * @returns The operation of the document.
 */
export function describeOperation(
  operation: NamedOperation,
  schemas: SchemaCollection,
  reject: Reject,
  version: OpenApiVersion,
): Draft<Operation> {
  const { route, name, pattern, parameters: names, operationId, method } = operation;
  const { tags, summary, description, requestBody, deprecated, security } = route.docs ?? {};
  const { params, query, headers, cookies, body, bodyReader } = route.request ?? {};

  /**
   * Converts the schema of a part, and returns what `use` makes of it. Returns `fallback` if there is no schema, or if
   * it cannot be converted and `reject` does not throw.
   */
  function read<Result>(
    part: string,
    schema: unknown,
    side: Side,
    use: (converted: ConvertedSchema) => Result,
    fallback: Result,
  ): Result {
    if (schema === undefined) return fallback;
    try {
      return use(schemas.convert(schema, side, operationId + capitalize(part).replaceAll(" ", "")));
    } catch (error) {
      reject(`Schema of the ${part} of route ${name} must be expressible as JSON Schema: ${messageOf(error)}`, error);
      return fallback;
    }
  }

  const ownNames = pattern.names;
  const kinds = pattern.shape.match(/[:*#]/g) ?? [];
  const inPath = read("params", params, "input", emitProperties, NO_PROPERTIES);
  for (const required of inPath.required) {
    if (ownNames.includes(required)) continue;
    reject(
      `Schema of the params of route ${name} must not require what its path does not have: received "${required}"`,
    );
  }
  /** The parameters that the schema of a part lists. */
  const parametersOf = (part: string, schema: unknown, where: Parameter["in"]) => {
    const { schemas, required } = read(part, schema, "input", emitProperties, NO_PROPERTIES);
    return Array.from(
      schemas,
      ([key, schema]) => describeParameter(key, where, required.has(key) || undefined, schema),
    );
  };
  const inHeaders = parametersOf("headers", headers, "header");
  for (const { name: header = "" } of inHeaders) {
    if (header === header.toLowerCase()) continue;
    reject(`Schema of the headers of route ${name} must have names in lower case: received "${header}"`);
  }
  const parameters = [
    ...ownNames.map((ownName, index) => {
      const schema = inPath.schemas.get(ownName) ?? { type: "string" };
      const parameter = describeParameter(names[index], "path", true, schema);
      const { description } = parameter;
      const note = NOTES.get(kinds[index]);
      return note ? { ...parameter, description: description ? `${description}\n\n${note}` : note } : parameter;
    }),
    ...parametersOf("query", query, "query"),
    ...inHeaders.filter(({ name = "" }) => !UNDESCRIBED_HEADERS.has(name.toLowerCase())),
    ...parametersOf("cookies", cookies, "cookie"),
  ];

  if (body !== undefined && requestBody !== undefined) {
    throw new TypeError(
      `Option docs.requestBody of route ${name} describes a body that request.body does: remove one of them`,
    );
  }
  /** Describes an item of a stream: a line, or an event. */
  const itemOf = (status: string, items: unknown, contentType: string | undefined): Draft<JsonSchema> => {
    if (contentType !== EVENT_STREAM) return read(`item of response ${status}`, items, "output", emit, {});
    return {
      type: "object",
      properties: { id: { type: "string" }, retry: { type: "integer", minimum: 0 } },
      oneOf: Object.entries(items as object).map(([event, schema]) => ({
        properties: {
          // An event without a name is a `message`.
          event: event === "message" ? { const: event, default: event } : { const: event },
          data: {
            type: "string",
            contentMediaType: JSON_TYPE,
            contentSchema: read(`event ${event} of response ${status}`, schema, "output", emit, {}),
          },
        },
        required: event === "message" ? ["data"] : ["event", "data"],
      })),
    };
  };
  const readBody = (part: string, schema: unknown, side: Side, contentType: string) =>
    read(part, schema, side, emit, schema === undefined ? schemaOfBytes(contentType) : {});
  const describeBody = (schema: JsonSchema, contentTypes: readonly string[]) =>
    Object.fromEntries(sendableTypes(contentTypes, schema, schemas).map((type) => [type, { schema }]));
  const ofBody = body !== undefined
    ? {
      required: bodyReader?.optional !== true,
      content: describeBody(read("body", body, "input", emit, {}), bodyReader?.contentTypes ?? [JSON_TYPE]),
    }
    : requestBody && {
      description: requestBody.description,
      required: requestBody.required,
      content: describeBody(
        readBody("body", requestBody.schema, "input", requestBody.contentType),
        [requestBody.contentType],
      ),
    };
  /** Describes the body of a response, by its media type. */
  const contentOf = (status: string, response: RouteResponse): Draft<Content> => {
    const { schema, examples, contentType = JSON_TYPE, "~stream": stream } = response;
    if (method === "head" || (schema === undefined && response.contentType === undefined)) return {};
    const described = stream === undefined || version === "3.1.0"
      ? {
        schema: readBody(`response ${status}`, schema, "output", contentType),
        examples: describeExamples(examples),
      }
      : { itemSchema: itemOf(status, stream.items, contentType) };
    return { [contentType]: described };
  };
  /** Describes the headers of the responses of a status. Only one that all of them require is required. */
  const headersOf = (status: string, responses: readonly RouteResponse[]) => {
    const all = responses.map(({ headers = {} }) => headers);
    const merged = Object.entries<ResponseHeader>(Object.assign({}, ...all.toReversed()));
    return merged.map(([name, { description, schema }]) => {
      const value = read(`header ${name} of response ${status}`, schema, "output", emit, { type: "string" });
      const isRequired = all.map((headers) => headers[name]?.required);
      const required = isRequired.includes(undefined) ? undefined : !isRequired.includes(false);
      return [name, { description, required, schema: value }];
    });
  };
  const described = Object.entries(responsesOf(route)).map(([status, declared]) => {
    const responses = entriesOf(declared);
    const descriptions = [...new Set(responses.flatMap(({ description }) => description ?? []))];
    const headers = headersOf(status, responses);
    const content = responses.map((response) => contentOf(status, response));
    return [status, {
      description: descriptions[0] === undefined ? MEANINGS[status.charAt(0)] : descriptions.join("\n\n"),
      headers: headers.length === 0 ? undefined : Object.fromEntries(headers),
      content: content.some((each) => Object.keys(each).length > 0) ? Object.assign({}, ...content) : undefined,
    }];
  });

  return {
    tags,
    summary,
    description,
    operationId,
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: ofBody,
    responses: described.length === 0 ? { default: { description: "Any response" } } : Object.fromEntries(described),
    deprecated: deprecated && true,
    "x-sunset": typeof deprecated === "object" ? deprecated.sunset : undefined,
    security,
  };
}

const emit = (converted: ConvertedSchema): JsonSchema => converted.emit();

const emitProperties = (converted: ConvertedSchema): Properties => converted.emitProperties();

const JSON_TYPE = "application/json";

const EVENT_STREAM = "text/event-stream";

/** OpenAPI ignores header parameters of these names: it describes them by `content`, `security` and the responses. */
const UNDESCRIBED_HEADERS = new Set(["accept", "authorization", "content-type"]);

const NO_PROPERTIES: Properties = { schemas: new Map(), required: new Set() };

/** Default response descriptions, by the first character of the status. */
const MEANINGS: Readonly<Record<string, string>> = {
  "1": "Informational",
  "2": "Successful",
  "3": "Redirection",
  "4": "Client error",
  "5": "Server error",
  "d": "Any other response",
};

/** Describes a parameter. The description of its schema is moved to the parameter, since tools would show it twice. */
function describeParameter(
  name: string | undefined,
  where: Parameter["in"],
  required: true | undefined,
  schema: JsonSchema,
): Draft<Parameter> {
  const { description, ...undescribed } = typeof schema === "boolean" ? {} : schema;
  return typeof description === "string"
    ? { name, in: where, description, required, schema: undescribed }
    : { name, in: where, required, schema };
}

/** What OpenAPI has no syntax for, by the kind of the parameter in the shape of the pattern. */
const NOTES: ReadonlyMap<string | undefined, string> = new Map([
  ["*", "The rest of the path: it may contain slashes, and may be empty."],
  ["#", "One or more segments of the path, with slashes between them."],
]);

/** Examples as they are sent: a `Date`, for instance, as the string that JSON makes of it. */
function describeExamples(examples: RouteResponse["examples"]): Content[string]["examples"] {
  return examples && Object.fromEntries(
    Object.entries(examples).map(([name, value]) => [name, { value: JSON.parse(JSON.stringify(value)) }]),
  );
}

/** `T` before serialization: any key may be `undefined`. */
export type Draft<T> = T extends readonly (infer Item)[] ? readonly Draft<Item>[]
  : T extends object ? { readonly [Key in keyof T]: Draft<T[Key]> | undefined }
  : T;
