import { validate } from "@readme/openapi-parser";
import { assert } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema, OpenApiDocument } from "../../src/openapi/mod.ts";

/**
 * Asserts that programs that know nothing of ours take a document for OpenAPI 3.1: ReadMe's parser, which also follows its
 * references, and for each JSON Schema in it Ajv.
 *
 * @param document The document.
 * @returns For each JSON Schema in it, what asserts that a value is as it describes.
 */
export async function assertOpenApi(document: OpenApiDocument): Promise<ReadonlyMap<JsonSchema, Check>> {
  // It writes into what it is given.
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

/** Asserts that a value is what one JSON Schema describes. */
export type Check = (value: unknown) => void;

/** The JSON Schemas in a document, each with the keys on the way to it. */
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
