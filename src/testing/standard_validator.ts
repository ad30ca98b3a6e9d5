import type { ValidationResult, Validator } from "../core/input/validator.ts";
import { keysOf } from "../core/schemas/keys.ts";
import { listsOf } from "../core/schemas/lists.ts";
import type { MaybePromise } from "../core/values/maybe_promise.ts";

/**
 * Lets [Standard Schemas](https://standardschema.dev) validate themselves, also those that do not say their version. It
 * accepts no other schemas. `standardSchema`, which demands more of them, is of an entry point.
 */
export const standardValidator: Validator = {
  accepts: (schema) => typeof Object(schema)["~standard"]?.validate === "function",
  lists: (schema, _part, required) => listsOf(schema, required),
  keys: (schema) => keysOf(schema),
  async validate(schema, input, part) {
    const { issues, value } = await (schema as StandardSchema)["~standard"].validate(input);
    return {
      ok: issues === undefined,
      value,
      issues: Array.from(issues ?? [], ({ message, path = [] }) => ({
        part,
        path: Array.from(path, (key) => String(Object(key).key ?? key)),
        message,
      })),
    } as ValidationResult;
  },
};

interface StandardSchema {
  readonly "~standard": { readonly validate: (value: unknown) => MaybePromise<StandardResult> };
}

interface StandardResult {
  readonly value?: unknown;
  readonly issues?: readonly { readonly message: string; readonly path?: readonly unknown[] }[];
}
