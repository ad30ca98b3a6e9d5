import { validate } from "@readme/openapi-parser";
import { assert } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema, OpenApiDocument } from "../../src/openapi/mod.ts";

/**
 * Asserts that independent programs accept a document as OpenAPI 3.1: the parser of ReadMe, which also resolves
 * references, and Ajv for each JSON Schema in it.
 *
 * @param document The document.
 * @returns A check for each JSON Schema in the document.
 */
export async function assertOpenApi(document: OpenApiDocument): Promise<ReadonlyMap<JsonSchema, Check>> {
  // `validate` modifies its argument.
  const found = await validate(JSON.parse(JSON.stringify(document)));
  assert(found.valid && found.warnings.length === 0, JSON.stringify(found));

  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, "document");
  return new Map(
    schemasIn(document).map(([schema, ...keys]) => {
      const pointer = keys.map((key) => `/${encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"))}`).join(
        "",
      );
      assert(ajv.validateSchema(schema) === true, `${pointer}: ${ajv.errorsText()}`);
      const isValid = ajv.compile({ $ref: `document#${pointer}` });
      return [schema, (value: unknown) => {
        assert(isValid(value), `${pointer}: ${ajv.errorsText(isValid.errors)}: ${JSON.stringify(value)}`);
      }];
    }),
  );
}

/** Asserts that a value matches one JSON Schema. */
export type Check = (value: unknown) => void;

/** Returns the JSON Schemas in a document, each with the path of keys to it. */
function schemasIn({ components, paths }: OpenApiDocument): readonly (readonly [JsonSchema, ...string[]])[] {
  const named = Object.entries(components.schemas).map(([name, schema]) => (
    [schema, "components", "schemas", name] as const
  ));
  const others = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { parameters = [], requestBody, responses }]) => {
      const contentsIn = (holder: "requestBody" | "responses", status: readonly string[], content: object = {}) =>
        Object.entries(content).map(([type, { schema }]: [string, { schema: JsonSchema }]) => (
          [schema, "paths", path, method, holder, ...status, "content", type, "schema"] as const
        ));
      return [
        ...parameters.map(({ schema }, index) => (
          [schema, "paths", path, method, "parameters", String(index), "schema"] as const
        )),
        ...contentsIn("requestBody", [], requestBody?.content),
        ...Object.entries(responses).flatMap(([status, { content }]) => contentsIn("responses", [status], content)),
      ];
    })
  );
  return [...named, ...others];
}
