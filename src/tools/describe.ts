import type { Endpoint } from "../core/declare/typed_endpoint.ts";
import { isJson } from "../core/responses/media_type.ts";
import {
  type JsonSchema,
  type JsonSchemaObject,
  messageOf,
  readJsonSchema,
  type Side,
  type ToJsonSchema,
} from "../core/schemas/json_schema.ts";
import { joinJsonSchemas } from "../core/schemas/join_json_schemas.ts";
import { membersOf } from "../core/schemas/members.ts";
import { relocate } from "../core/schemas/relocate.ts";

/**
 * Describes the arguments of a tool.
 *
 * @param owner The endpoint, as messages name it.
 * @param parts The path pattern, as `splitPath` returns it.
 * @param endpoint The endpoint.
 * @param toJsonSchema Converts schemas of other libraries.
 * @returns A JSON Schema of an object whose keys are parts of the request.
 * @throws If a schema has no JSON Schema, or if the body has a file.
 */
export function describeInput(
  owner: string,
  parts: readonly string[],
  { request = {} }: Endpoint,
  toJsonSchema: ToJsonSchema | undefined,
): JsonSchemaObject {
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const names = parts.filter((_, index) => index % 2).map((part) => part.replace("+", ""));
  if (names.length > 0) {
    properties.params = objectOf(textsOf(names), names);
    required.push("params");
  }
  // Headers and cookies have secrets: they are no arguments.
  for (const part of ["params", "query", "body"] as const) {
    const schema = request[part];
    if (schema === undefined) continue;
    const converted = Object(convert(`${part} of ${owner}`, schema, "input", toJsonSchema));
    const described = part === "params" ? withNames(converted, names) : converted;
    const file = part === "body" ? fileIn(described) : undefined;
    if (file !== undefined) {
      throw new TypeError(`${owner} takes the file "${file}", and arguments are JSON: leave it out of \`only\``);
    }
    properties[part] = relocate(described, `/properties/${part}`);
    const isRequired = membersOf(described, described).every(({ required }) => Array.isArray(required) && required[0]);
    if ((part === "body" && !request.bodyReader?.optional) || (part === "query" && isRequired)) {
      required.push(part);
    }
  }
  return objectOf(properties, required);
}

/** The name of a property that is a file, or a list of files. */
function fileIn(body: JsonSchemaObject): string | undefined {
  const isFile = (schema: unknown) => Object(schema).format === "binary";
  return membersOf(body, body).flatMap(({ properties }) => Object.entries(Object(properties)))
    .find(([, property]) => isFile(property) || isFile(Object(property).items))?.[0];
}

/** The schema of the path parameters, with those that it does not describe, such as a schema of the scope's own prefix. */
function withNames(described: JsonSchemaObject, names: readonly string[]): JsonSchemaObject {
  const members = membersOf(described, described);
  const others = names.filter((name) => !members.some(({ properties }) => Object.hasOwn(Object(properties), name)));
  if (others.length === 0 || members.some(({ additionalProperties }) => additionalProperties === false)) {
    return described;
  }
  const rest = { type: "object", properties: textsOf(others), required: others };
  return Object(joinJsonSchemas([described, rest]));
}

function textsOf(names: readonly string[]): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, { type: "string" }]));
}

/** The JSON Schema of an object with these keys and no others. */
function objectOf(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchemaObject {
  return { type: "object", properties, required, additionalProperties: false };
}

/**
 * Describes the body of the response to a tool.
 *
 * @param owner The endpoint, as messages name it.
 * @param endpoint The endpoint.
 * @param toJsonSchema Converts schemas of other libraries.
 * @returns The JSON Schema of an object; `undefined` if there is not one response that is a success, or if that is not
 * a JSON object.
 * @throws If the endpoint streams, or if the schema has no JSON Schema.
 */
export function describeOutput(
  owner: string,
  { responses = {} }: Endpoint,
  toJsonSchema: ToJsonSchema | undefined,
): JsonSchemaObject | undefined {
  const successes = Object.entries(responses).filter(([status]) => /^(?:101|[2d])/.test(status)).flatMap(([, each]) =>
    each
  );
  if (successes.some((each) => each["~stream"])) throw new TypeError(`${owner} streams, so it cannot be a tool`);
  const [{ schema, contentType = "/json" } = {}, other] = successes;
  if (other || !schema || !isJson(contentType)) return undefined;
  const described = Object(convert(`response of ${owner}`, schema, "output", toJsonSchema));
  return described.type === "object" ? described : undefined;
}

/** The JSON Schema of a schema. */
function convert(owner: string, schema: unknown, side: Side, toJsonSchema: ToJsonSchema | undefined): JsonSchema {
  try {
    const described = readJsonSchema(schema, side, toJsonSchema);
    delete Object(described).$schema; // it stands at the root of a schema only
    return described;
  } catch (error) {
    throw new TypeError(`The ${owner} has no JSON Schema: ${messageOf(error)}`, { cause: error });
  }
}
