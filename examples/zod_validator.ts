// npx -y deno@2.9.6 test --import-map=tests/import_map.json tests/examples/zod_validator_test.ts
//
// How to write your own validator, for a schema library or a format of your own. This one runs schemas of Zod 4.
//
// You do not need it for Zod: `@fw/core/standard-schema` runs the schemas of every library that implements Standard
// Schema.

import type { Validator } from "@fw/core";
import { z } from "zod";

/** Validates with schemas of Zod 4 and Zod Mini, synchronously: `setup({ validator: zodValidator, handlers })`. */
export const zodValidator: Validator = {
  // `setup` asks this for each schema. If the result is false, it throws an error that names the route.
  accepts: isZodSchema,
  validate(schema, input, part) {
    if (!isZodSchema(schema)) {
      throw new TypeError(`Schema of the ${part} must be a Zod 4 schema: received ${typeof schema}`);
    }
    const result = z.safeParse(schema, input);
    if (result.success) return { ok: true, value: result.data };
    const issues = result.error.issues.map(({ path, message, code }) => (
      { part, path: path.map(String), message, code }
    ));
    return { ok: false, issues, error: result.error };
  },
};

function isZodSchema(schema: unknown): schema is z.core.$ZodType {
  return schema instanceof z.core.$ZodType;
}
