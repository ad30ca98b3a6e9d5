import type { Validator } from "../input/validator.ts";
import { hasProperties } from "../values/assert.ts";
import type { MaybePromise } from "../values/maybe_promise.ts";

/** Lets [Standard Schemas](https://standardschema.dev) validate themselves. It accepts no other schemas. */
export const standardValidator: Validator = {
  accepts: isStandardSchema,
  async validate(schema, input, part) {
    const { issues, value } = await (schema as StandardSchema)["~standard"].validate(input);
    if (issues === undefined) return { ok: true, value };
    return {
      ok: false,
      issues: Array.from(issues, ({ message, path = [] }) => ({
        part,
        path: Array.from(path, (key) => String(hasProperties(key) ? key.key : key)),
        message,
      })),
    };
  },
};

interface StandardSchema {
  readonly "~standard": { readonly validate: (value: unknown) => MaybePromise<StandardResult> };
}

interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] }[];
}

function isStandardSchema(schema: unknown): schema is StandardSchema {
  const standard = hasProperties(schema) ? schema["~standard"] : undefined;
  return hasProperties(standard) && typeof standard.validate === "function";
}
