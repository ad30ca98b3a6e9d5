// npx -y deno@2.9.6 test --allow-env --import-map=tests/import_map.json tests/examples/zod_validator_test.ts
//
// How to write your own adapter for a schema library. This one is for Zod 4. For Zod, and for every other library with Standard
// Schemas, `@fw/core/standard-schema` already does this.

import type { Validator } from "@fw/core";
import { z } from "zod";

/**
 * The adapter for Zod 4, and for Zod Mini: schemas are parsed synchronously.
 *
 * @example A route with a Zod schema
 * ```ts ignore
 * const app = setup({
 *   validator: zodValidator,
 *   handlers: [
 *     route.get("/books", {
 *       request: { query: z.object({ limit: z.coerce.number().int().min(1).default(20) }) },
 *       resolve: ({ input }) => Response.json(input.ok ? input.query.limit : input.issues),
 *     }),
 *   ],
 * });
 * ```
 */
export const zodValidator: Validator = {
  // setup rejects any other schema, and names the route.
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
