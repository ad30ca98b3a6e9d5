/**
 * Validates with any library whose schemas are [Standard Schemas](https://standardschema.dev): Zod, Valibot, ArkType,
 * Effect and others. One app may use several of them. None of them is a dependency.
 *
 * Schemas of Zod 4, Valibot 1 and ArkType 2 work directly. Convert Effect schemas first: with
 * `Schema.toStandardSchemaV1(schema)` in version 4, or `Schema.standardSchemaV1(schema)` in version 3.
 *
 * @example A route with schemas of Valibot
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import * as v from "valibot";
 *
 * const limit = v.pipe(v.string(), v.toNumber(), v.integer(), v.minValue(1));
 *
 * const app = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     route.get("/books", {
 *       request: { query: v.object({ limit: v.optional(limit, "20") }) },
 *       resolve: ({ input }) =>
 *         input.ok ? Response.json({ limit: input.query.limit }) : Response.json(input.issues, { status: 400 }),
 *     }),
 *   ],
 * });
 *
 * const found = await app.fetch(new Request("http://localhost/books"));
 * assertEquals(await found.json(), { limit: 20 });
 *
 * const rejected = await app.fetch(new Request("http://localhost/books?limit=0"));
 * assertEquals(await rejected.json(), [
 *   { part: "query", path: ["limit"], message: "Invalid value: Expected >=1 but received 0", code: "min_value" },
 * ]);
 * ```
 *
 * @module
 */

import type { ValidationIssue } from "../core/input/input.ts";
import type { InputPart } from "../core/input/request_schemas.ts";
import type { ValidationResult, Validator } from "../core/input/validator.ts";
import { keysOf } from "../core/schemas/keys.ts";
import { listsOf } from "../core/schemas/lists.ts";
import { describeKind, describeRoute, hasProperties } from "../core/values/assert.ts";
import { andThen } from "../core/values/maybe_promise.ts";

/**
 * The validator for all Standard Schemas. A synchronous schema is validated synchronously.
 *
 * Each issue has the message, the path and, if the library provides one, the code: `code` in Zod and ArkType, `type` in
 * Valibot; Effect has no codes. `input.errors` has the original issues of the library. A schema that is not a Standard
 * Schema, or whose result does not conform to the standard, causes a `TypeError`. An error that a schema throws reaches
 * `onError` unchanged.
 *
 * Catch errors in the code of a schema. If such code throws, Effect turns the error into an issue whose message is the
 * stack. Zod runs asynchronous checks twice and drops the first promise: a rejection is unhandled and ends the process.
 *
 * @example Schemas of several libraries
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { type } from "arktype";
 * import { z } from "zod";
 *
 * const app = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     route.put("/books/:id", {
 *       request: { params: z.object({ id: z.coerce.number() }), body: type({ title: "string > 0" }) },
 *       resolve: ({ input }) => Response.json(input.ok ? [input.params.id, input.body.title] : input.issues),
 *     }),
 *   ],
 * });
 *
 * const request = new Request("http://localhost/books/7", { method: "PUT", body: '{"title":"Emma"}' });
 * assertEquals(await (await app.fetch(request)).json(), [7, "Emma"]);
 * ```
 */
export const standardSchema: Validator = {
  accepts(schema) {
    const standard = standardOf(schema);
    return standard?.version === 1 && typeof standard.validate === "function";
  },
  lists: (schema, _part, required) => listsOf(schema, required),
  keys: (schema) => keysOf(schema),
  validate(schema, input, part, route) {
    const expected: Expected = (rule, received) => {
      const where = route === undefined ? "" : ` (for route ${describeRoute(route)})`;
      return new TypeError(`Schema of the ${part} must be ${rule}: received ${describeKind(received)}${where}`);
    };
    return andThen(run(schema, input, expected), (result) => readResult(result, part, expected));
  },
};

/** Creates the error for a schema that breaks a rule. */
type Expected = (rule: string, received: unknown) => TypeError;

function standardOf(schema: unknown): { readonly [key: string]: unknown } | undefined {
  const standard = hasProperties(schema) ? schema["~standard"] : undefined;
  return hasProperties(standard) ? standard : undefined;
}

/** Runs the schema. The return value is not checked yet. */
function run(schema: unknown, input: unknown, expected: Expected): unknown {
  const standard = standardOf(schema);
  if (standard === undefined) throw expected('a Standard Schema, with a "~standard" property', schema);
  const { version, validate } = standard;
  if (version !== 1) throw expected('a Standard Schema of version 1, in "~standard".version', version);
  if (typeof validate !== "function") {
    throw expected('a Standard Schema, with a function "~standard".validate', validate);
  }
  return validate.call(standard, input);
}

/** `issues`, not `value`, tells failure from success: `undefined` can be a valid value. */
function readResult(result: unknown, part: InputPart, expected: Expected): ValidationResult {
  if (hasProperties(result)) {
    const { issues } = result;
    if (Array.isArray(issues)) {
      // ArkType's arrays are a subclass of Array, which `map` would keep.
      return {
        ok: false,
        issues: Array.from(issues, (issue: unknown) => readIssue(issue, part, expected)),
        error: issues,
      };
    }
    if (issues === undefined && "value" in result) return { ok: true, value: result.value };
  }
  throw expected("one whose validate returns { value } or { issues }", result);
}

function readIssue(issue: unknown, part: InputPart, expected: Expected): ValidationIssue {
  if (hasProperties(issue)) {
    const { message, path = [], code, type } = issue;
    if (typeof message === "string" && Array.isArray(path)) {
      const found = { part, path: Array.from(path, nameOf), message };
      if (typeof code === "string") return { ...found, code };
      if (typeof type === "string") return { ...found, code: type };
      return found;
    }
  }
  throw expected("one whose issues are { message, path }", issue);
}

/** A path element as a string: the key itself, or the `key` of an object. */
function nameOf(element: unknown): string {
  const key = hasProperties(element) ? element.key : element;
  // Valibot's path into a Map has the key of the Map. A client may have sent that object, with a `toString` that
  // throws.
  return hasProperties(key) ? Object.prototype.toString.call(key) : String(key);
}
