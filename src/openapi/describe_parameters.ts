import type { ConvertedSchema, JsonSchema, Properties } from "../core/schemas/json_schema.ts";
import type { Parameter } from "./document.ts";
import type { NamedOperation, Reject } from "./operations.ts";
import type { Draft, ReadSchema } from "./read_schema.ts";

/**
 * Describes the parameters of an operation: those of its path, its query, its headers and its cookies.
 *
 * @param operation The operation.
 * @param read Reads a schema.
 * @param reject Called for a schema that OpenAPI cannot express.
 * @returns The parameters.
 */
export function describeParameters(
  operation: NamedOperation,
  read: ReadSchema,
  reject: Reject,
): readonly Draft<Parameter>[] {
  const { route, name } = operation;
  const { query, headers, cookies } = route.request ?? {};
  const inPath = describePath(operation, read, reject);
  const inHeaders = describeEach("headers", headers, "header", read);
  for (const { name: header = "" } of inHeaders) {
    if (header === header.toLowerCase()) continue;
    reject(`Schema of the headers of route ${name} must have names in lower case: received "${header}"`);
  }
  return [
    ...inPath,
    ...describeEach("query", query, "query", read),
    ...inHeaders.filter(({ name = "" }) => !UNDESCRIBED_HEADERS.has(name.toLowerCase())),
    ...describeEach("cookies", cookies, "cookie", read),
  ];
}

function describePath(
  { route, name, pattern, parameters }: NamedOperation,
  read: ReadSchema,
  reject: Reject,
): readonly Draft<Parameter>[] {
  const kinds = pattern.shape.match(/[:*#]/g) ?? [];
  const { schemas, required } = read("params", route.request?.params, "input", emitProperties, NO_PROPERTIES);
  for (const key of required) {
    if (pattern.names.includes(key)) continue;
    reject(`Schema of the params of route ${name} must not require what its path does not have: received "${key}"`);
  }
  return pattern.names.map((ownName, index) => {
    const parameter = describeParameter(parameters[index], "path", true, schemas.get(ownName) ?? { type: "string" });
    const { description } = parameter;
    const note = NOTES.get(kinds[index]);
    return note ? { ...parameter, description: description ? `${description}\n\n${note}` : note } : parameter;
  });
}

/** Describes the parameters that the schema of a part has. */
function describeEach(
  part: string,
  schema: unknown,
  where: Parameter["in"],
  read: ReadSchema,
): readonly Draft<Parameter>[] {
  const { schemas, required } = read(part, schema, "input", emitProperties, NO_PROPERTIES);
  return Array.from(schemas, ([key, schema]) => describeParameter(key, where, required.has(key) || undefined, schema));
}

const emitProperties = (converted: ConvertedSchema): Properties => converted.emitProperties();

/** OpenAPI ignores header parameters of these names: it describes them by `content`, `security` and the responses. */
const UNDESCRIBED_HEADERS = new Set(["accept", "authorization", "content-type"]);

const NO_PROPERTIES: Properties = { schemas: new Map(), required: new Set() };

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

/**
 * Whether the value of a parameter in a path may contain slashes, as its description says.
 *
 * @param parameter A parameter of a document.
 * @returns Whether slashes are sent as they are.
 */
export function mayHaveSlashes({ description = "" }: Parameter): boolean {
  return [...NOTES.values()].some((note) => description.endsWith(note));
}
