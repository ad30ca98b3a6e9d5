import type { JsonSchema } from "../../core/schemas/json_schema.ts";
import { simplifyTarget } from "../values/schema.ts";
import { FORMATS } from "../values/texts.ts";

/** Two values of each property that a response has, and that the body of the request does not declare. */
export type UndeclaredProperties = ReadonlyMap<string, readonly [unknown, unknown]>;

/**
 * Lists the properties that only a response declares, such as `role`: no request should set them.
 *
 * @param body The JSON Schema of the body: an object that declares at least one property.
 * @param responses Those of the successful responses.
 * @returns The properties, each with two values that the response may have.
 */
export function undeclaredProperties(body: JsonSchema, responses: readonly JsonSchema[]): UndeclaredProperties {
  const { properties, anyOf, oneOf } = simplifyTarget(body, body);
  const declared = Object.keys(Object(properties));
  if (declared.length === 0 || anyOf !== undefined || oneOf !== undefined) return new Map();
  return new Map(
    responses.flatMap((root) =>
      Object.entries(propertiesOf(root)).flatMap(([name, schema]) => {
        const values = declared.includes(name) ? undefined : twoOf(simplifyTarget(schema, root));
        return values === undefined ? [] : [[name, values] as const];
      })
    ),
  );
}

/** The properties of an object, or of the only thing in it, as in `{ user: … }`. */
function propertiesOf(schema: JsonSchema): Properties {
  const properties: Properties = Object(simplifyTarget(schema, schema).properties);
  const [only, ...others] = Object.values(properties);
  const inner: Properties = only === undefined || others.length > 0
    ? {}
    : Object(simplifyTarget(only, schema).properties);
  return Object.keys(inner).length > 0 ? inner : properties;
}

type Properties = { readonly [name: string]: JsonSchema };

function twoOf(schema: { readonly [key: string]: unknown }): readonly [unknown, unknown] | undefined {
  const { enum: listed, type, format } = schema;
  const [one, other] = Array.isArray(listed)
    ? listed
    : type === "boolean"
    ? [true, false]
    : type === "integer" || type === "number"
    ? [7, 8]
    : type === "string"
    ? format === undefined ? ["one", "other"] : FORMATS[String(format)] ?? []
    : [];
  return other === undefined ? undefined : [one, other];
}

/** Whether a schema says that an object may have other properties than those that it declares. */
export function allowsOthers(root: JsonSchema): boolean {
  return ![undefined, false].includes(simplifyTarget(root, root).additionalProperties as undefined);
}
