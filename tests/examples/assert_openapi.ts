import { validate } from "@readme/openapi-parser";
import { assert, assertEquals } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { JsonSchema, OpenApiDocument } from "../../src/openapi.ts";

/**
 * Asserts that programs that know nothing of this one take a document for OpenAPI 3.1: ReadMe's parser, which also resolves
 * its references, and for each schema in it Ajv, which holds it against the meta-schema of draft 2020-12 and compiles it.
 *
 * @param document The document.
 * @returns For each schema in it, whether a value is valid.
 */
export async function assertOpenApi(document: OpenApiDocument): Promise<Schemas> {
  // It writes into what it is given.
  const { valid, ...found } = await validate(JSON.parse(JSON.stringify(document)));
  assert(valid, JSON.stringify(found));
  assertEquals(found.warnings, []);

  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema({ ...document, $id: "document" });
  for (const [pointer, schema] of schemasOf(document)) {
    assert(ajv.validateSchema(schema) === true, `${pointer}: ${ajv.errorsText()}`);
    ajv.compile({ $ref: `document#${pointer}` });
  }
  return {
    assertValid(schema, value) {
      const isValid = ajv.compile({ $defs: {}, ...retarget(schema) });
      assert(isValid(value), `${ajv.errorsText(isValid.errors)}: ${JSON.stringify(value)}`);
    },
  };
}

/** The schemas of a document. */
export interface Schemas {
  /** Asserts that a value is what a schema out of the document describes. */
  assertValid(schema: JsonSchema, value: unknown): void;
}
