import { isRecord } from "../values/assert.ts";
import type { BodyReader } from "./body_reader.ts";
import type { InputPart } from "./request_schemas.ts";
import type { BoundSchema } from "./validate.ts";
import type { Validator } from "./validator.ts";

/**
 * Makes the function that validates a part. A query and a form have one text for a key that comes once, and none for
 * one that does not come, so a schema for a list would reject both. A key that {@linkcode Validator.lists} names is
 * always given as a list. If a cookie comes several times, any other key gets its first value.
 *
 * Nothing is added to the function for a part without such keys.
 *
 * @param validator The validator.
 * @param schema The schema.
 * @param part The part.
 * @param reader The reader of the body.
 * @returns The function.
 */
export function runWithLists(
  validator: Validator,
  schema: unknown,
  part: InputPart,
  reader: BodyReader | undefined,
): BoundSchema["run"] {
  const run = validator.validate.bind(validator, schema);
  if (!hasTexts(part, reader)) return run;
  const listsOf = (isRequired: boolean) => validator.lists?.(schema, part, isRequired) ?? [];
  const lists = listsOf(false);
  const required = lists.length === 0 ? [] : listsOf(true);
  if (part !== "cookies" && lists.length === 0) return run;
  return (input, part, route) => run(toLists(input, lists, required, part === "cookies"), part, route);
}

/** Whether a part consists of named texts, any of which may come several times. */
function hasTexts(part: InputPart, reader: BodyReader | undefined): boolean {
  // Parts that arrive one by one are no lists.
  if (part === "body" && reader?.format === "parts") return false;
  if (part === "body") return reader?.contentTypes.some((type) => FORMS.has(type)) === true;
  return part === "query" || part === "cookies";
}

const FORMS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "application/x-www-form-urlencoded",
  "multipart/form-data",
]);

/** A copy in which these keys have lists, and, of cookies, all others one value. What is received is not changed. */
function toLists(
  input: unknown,
  lists: readonly string[],
  required: readonly string[],
  areCookies: boolean,
): unknown {
  if (!isRecord(input)) return input;
  const values: Record<string, unknown> = Object.assign(Object.create(null), input);
  if (areCookies) {
    // Browsers send the cookie of the longest path first (RFC 6265, 5.4). Most servers take that one: Express, Fastify,
    // Hono, h3, Rack and Go. If it were rejected, a stale cookie of another path would lock its user out.
    for (const [name, value] of Object.entries(values)) {
      if (Array.isArray(value) && !lists.includes(name)) values[name] = value[0];
    }
  }
  for (const name of lists) {
    const value = values[name];
    if (value === undefined ? required.includes(name) : !Array.isArray(value)) {
      values[name] = value === undefined ? [] : [value];
    }
  }
  return values;
}
