import type { Context } from "../../core/guards/context.ts";
import type { Validator } from "../../core/input/validator.ts";
import { validateSent } from "../../core/responses/validate_sent.ts";
import { type JsonSchema, messageOf, readJsonSchema, type ToJsonSchema } from "../../core/schemas/json_schema.ts";
import { isPlain } from "../../core/values/assert.ts";
import { jsonText } from "../../core/values/json_text.ts";
import type { FastCheck } from "../values/fast_check.ts";
import { valuesOf } from "../values/values.ts";

/** What responses are made with. */
export interface Tools {
  /** Generates values, if it is given. */
  readonly fc: FastCheck | undefined;
  /** The seed of the values. */
  readonly seed: number;
  /** Validates generated values, if it is given. */
  readonly validator: Validator | undefined;
  /** Converts schemas. */
  readonly toJsonSchema: ToJsonSchema | undefined;
}

/**
 * Generates a value: the same one for the same request.
 *
 * @param c The context of the request.
 * @param part Which of several values of a response. Without it, a whole body, which takes over values of the request.
 */
export type Generate = (c: Context, part?: string) => Promise<unknown>;

/**
 * Creates a generator of the values of a schema.
 *
 * @param schema The schema.
 * @param owner What the values are, as messages name it.
 * @param tools What they are generated with. Without a validator, they are not validated.
 * @returns The generator.
 * @throws A `TypeError` if there is no `fast-check`, or if the schema cannot be expressed as JSON Schema.
 */
export function createGenerator(
  schema: unknown,
  owner: string,
  { fc, seed, validator, toJsonSchema }: Tools,
): Generate {
  if (fc === undefined) {
    throw new TypeError(
      `${owner} must have examples, or mock the option fc, which generates values: import fc from "fast-check"`,
    );
  }
  let json: JsonSchema;
  try {
    json = readJsonSchema(schema, "output", toJsonSchema);
  } catch (error) {
    const message = `Schema of ${owner} must be expressible as JSON Schema, or the response have examples: ${
      messageOf(error)
    }`;
    throw new TypeError(message, { cause: error });
  }
  // `z.undefined()`, of a message without data: nothing of JSON fits.
  if (JSON.stringify(Object(json).not) === "{}") return () => Promise.resolve(undefined);
  const values = valuesOf(json, { fc, isHostile: false });
  const isChecked = validator !== undefined && validator.accepts?.(schema, "body") !== false;
  const fits = async (value: unknown, { route }: Context) =>
    !isChecked || (await validateSent(validator, schema, value, route)).ok;

  return async (c, part) => {
    const { method, url } = c.request;
    const { pathname, search } = new URL(url);
    const facts = [seed, owner, part, method, pathname, search];
    const start = hash(jsonText([...facts, c.raw.body]) ?? JSON.stringify(facts));
    for (let count = 0; count < TRIES; count++) {
      let [value] = fc.sample(values, { seed: start + count | 0, numRuns: 1 });
      if (!await fits(value, c)) continue;
      for (const known of isChecked && part === undefined ? takenOver(value, c) : []) {
        const taken = { ...value as object, ...known };
        if (await fits(taken, c)) value = taken;
      }
      return value;
    }
    throw new TypeError(`${owner} must have examples: no generated value fits its schema`);
  };
}

/** How many values are tried. */
const TRIES = 100;

/** The properties of a generated object whose value the request says, each as an object of its own. */
function takenOver(value: unknown, { input, raw }: Context): readonly object[] {
  if (!isPlain(value)) return [];
  const sent = input.ok && isPlain(input.body) ? input.body : {};
  const known: Readonly<Record<string, unknown>> = { ...sent, ...raw.params };
  return Object.entries(value).flatMap(([key, made]) => {
    const text = Object.hasOwn(known, key) ? toJson(known[key]) : undefined;
    if (text === undefined) return [];
    // A parameter is a text, also where a number is wanted.
    return [{ [key]: typeof made === "number" && typeof text === "string" ? Number(text) : text }];
  });
}

/** What JSON has of a value; `undefined` of one that it cannot have, such as a bigint, or too many nested arrays. */
function toJson(value: unknown): unknown {
  try {
    return JSON.parse(jsonText(value) ?? "");
  } catch {
    return undefined;
  }
}

/** A number of 32 bits (FNV-1a). */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) state = Math.imul(state ^ text.charCodeAt(index), 0x01000193);
  return state;
}
