import { isRecord } from "../values/assert.ts";
import { sketchJsonSchema } from "./json_schema.ts";
import { membersOf } from "./members.ts";

/**
 * Names the keys that the schema of an object declares, by the JSON Schema of what the schema accepts.
 *
 * @param schema The schema of an object.
 * @returns The keys; `undefined` if they are not known, as those of a record.
 */
export function keysOf(schema: unknown): readonly string[] | undefined {
  const root = sketchJsonSchema(schema);
  if (root === undefined) return undefined;
  const members = membersOf(root, root);
  const keys = members.map(({ properties, additionalProperties, patternProperties }) =>
    isRecord(properties) && patternProperties === undefined && Object.keys(Object(additionalProperties)).length === 0
      ? Object.keys(properties)
      : undefined
  );
  const known = keys.filter((each) => each !== undefined);
  return known.length < keys.length ? undefined : [...new Set(known.flat())];
}
