import type { BodyReader } from "../core/input/body_reader.ts";
import type { JsonSchema, SchemaCollection } from "../core/schemas/json_schema.ts";
import { JSON_TYPE, schemaOfBytes, sendableTypes } from "./describe_content.ts";
import { describeParameters } from "./describe_parameters.ts";
import { describeResponses } from "./describe_responses.ts";
import type { Content, OpenApiVersion, Operation } from "./document.ts";
import type { NamedOperation, Reject } from "./operations.ts";
import { createReadSchema, type Draft, emit, type ReadSchema } from "./read_schema.ts";

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
  const { tags, summary, description, deprecated, security } = operation.route.docs ?? {};
  const read = createReadSchema(operation, schemas, reject);
  const parameters = describeParameters(operation, read, reject);
  return {
    tags,
    summary,
    description,
    operationId: operation.operationId,
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: describeRequestBody(operation, schemas, read),
    responses: describeResponses(operation, read, version),
    deprecated: deprecated && true,
    "x-sunset": typeof deprecated === "object" ? deprecated.sunset : undefined,
    security,
  };
}

/** Describes the body that a schema declares, or the one that the docs describe. */
function describeRequestBody(
  { route, name }: NamedOperation,
  schemas: SchemaCollection,
  read: ReadSchema,
): Draft<Operation["requestBody"]> {
  const { body, bodyReader } = route.request ?? {};
  const requestBody = route.docs?.requestBody;
  const contentOf = (
    schema: JsonSchema,
    contentTypes: readonly string[],
    encoding: BodyReader["encoding"] = {},
  ): Draft<Content> => {
    const described = { schema, ...Object.keys(encoding).length > 0 && { encoding } };
    return Object.fromEntries(sendableTypes(contentTypes, schema, schemas).map((type) => [type, described]));
  };

  if (body !== undefined && requestBody !== undefined) {
    throw new TypeError(
      `Option docs.requestBody of route ${name} describes a body that request.body does: remove one of them`,
    );
  }
  if (body !== undefined) {
    const schema = read("body", body, "input", emit, {});
    const { contentTypes = [JSON_TYPE], optional, encoding = {} } = bodyReader ?? {};
    return { required: optional !== true, content: contentOf(schema, contentTypes, encoding) };
  }
  if (requestBody === undefined) return undefined;
  const { description, required, contentType } = requestBody;
  const fallback = requestBody.schema === undefined ? schemaOfBytes(contentType) : {};
  const schema = read("body", requestBody.schema, "input", emit, fallback);
  return { description, required, content: contentOf(schema, [contentType]) };
}
