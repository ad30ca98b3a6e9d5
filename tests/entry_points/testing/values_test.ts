import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type } from "arktype";
import fc from "fast-check";
import { z } from "zod";
import { type JsonSchema, readJsonSchema } from "../../../src/core/schemas/json_schema.ts";
import { valuesOf } from "../../../src/testing/values/values.ts";
import { valuesOutside } from "../../../src/testing/values/values_outside.ts";

const sample = (schema: JsonSchema, isHostile: boolean, numRuns = 60) =>
  fc.sample(valuesOf(schema, { fc, isHostile }) as fc.Arbitrary<unknown>, { seed: 1, numRuns });

interface Tree {
  readonly name: string;
  readonly below: readonly Tree[];
  readonly first?: Tree | null | undefined;
}
const tree: z.ZodType<Tree, Tree> = z.object({
  name: z.string(),
  get below() {
    return z.array(tree);
  },
  get first() {
    return tree.nullish();
  },
});

const SCHEMAS: Readonly<Record<string, z.ZodType>> = {
  text: z.string().min(3).max(8),
  "long text": z.string().min(50).max(60),
  pattern: z.string().regex(/^[A-Z]{2}\d{3}$/),
  "pattern with a bound": z.string().regex(/^(?:ab)+$/).max(6),
  email: z.email(),
  "date-time": z.iso.datetime(),
  date: z.iso.date(),
  time: z.iso.time(),
  duration: z.iso.duration(),
  url: z.url(),
  uuid: z.uuid(),
  "uuid of version 7": z.uuidv7(),
  ipv4: z.ipv4(),
  base64: z.base64(),
  whole: z.int().min(3).max(7),
  "whole and large": z.int().min(1_000_000).max(2_000_000),
  "a number": z.number(),
  "between two halves": z.number().gt(0.25).lt(0.75),
  "not at its bounds": z.int().gt(5).lt(9),
  steps: z.number().min(0).max(10).multipleOf(0.5),
  "wide steps": z.int().min(1).max(50).multipleOf(7),
  "steps between bounds": z.number().gt(0.1).lt(0.9).multipleOf(0.2),
  "no number but one": z.number().min(4).max(4),
  boolean: z.boolean(),
  null: z.null(),
  literal: z.literal("a"),
  enum: z.enum(["a", "b"]),
  union: z.union([z.int(), z.boolean()]),
  discriminated: z.discriminatedUnion("kind", [
    z.object({ kind: z.literal("a"), size: z.int() }),
    z.object({ kind: z.literal("b") }),
  ]),
  list: z.array(z.int()).min(1).max(3),
  "an empty list": z.array(z.int()).max(0),
  tuple: z.tuple([z.string(), z.int()]),
  record: z.record(z.enum(["a", "b"]).or(z.string().max(3)), z.int()),
  object: z.object({ a: z.string(), b: z.int().optional() }),
  default: z.string().default("a"),
  intersection: z.intersection(z.object({ a: z.int() }), z.object({ b: z.string() })),
  file: z.file().max(100).mime(["image/gif"]),
  "a file of another kind": z.file().min(10).mime(["image/x-other"]),
  tree,
};

describe("generated values", () => {
  for (const [name, schema] of Object.entries(SCHEMAS)) {
    it(`fit the schema of ${name}`, () => {
      const json = readJsonSchema(schema, "input", undefined, true);
      for (const value of sample(json, false)) assert(schema.safeParse(value).success, JSON.stringify(value));
    });

    it(`fit the schema of ${name} now and then, if they are hostile`, () => {
      const json = readJsonSchema(schema, "input", undefined, true);
      assert(sample(json, true).some((value) => schema.safeParse(value).success));
    });
  }

  it("are at the bounds, if they are hostile", () => {
    const numbers = sample({ type: "integer", minimum: -3, maximum: 40_000 }, true, 200);
    for (const bound of [-3, 40_000, 0, 32_767]) assert(numbers.includes(bound), String(bound));
    const lists = sample({ type: "array", items: { type: "null" }, maxItems: 3 }, true, 200);
    for (const list of [[], [null, null, null]]) {
      assert(lists.some((one) => JSON.stringify(one) === JSON.stringify(list)));
    }
    const texts = sample({ type: "string", minLength: 2, maxLength: 6 }, true, 400);
    for (const text of ["xx", "ßßßßßß", "😀😀😀"]) assert(texts.includes(text), text);
  });

  it("follow what JSON Schema says otherwise", () => {
    const schemas: readonly (readonly [JsonSchema, (value: unknown) => boolean])[] = [
      [true, () => true],
      [{}, () => true],
      [{ type: ["integer", "null"] }, (value) => value === null || Number.isInteger(value)],
      [{ minLength: 2, maxLength: 2 }, (value) => String(value).length === 2],
      [{ items: { const: 1 } }, (value) => Array.isArray(value)],
      [{ properties: { a: { const: 1 } }, required: ["a"] }, (value) => JSON.stringify(value) === '{"a":1}'],
      [{ required: ["a"] }, (value) => typeof value === "object"],
      [{ type: "string", pattern: "^\\p{Lu}$" }, (value) => typeof value === "string"],
      [{ type: "string", pattern: "^(?<!a)b$" }, (value) => typeof value === "string"],
      [{ type: "string", format: "time" }, (value) => typeof value === "string"],
      [{ type: "string", format: "ipv6" }, (value) => String(value).includes(":")],
      [{ type: "string", examples: ["only"], minLength: 1 }, (value) => String(value).length > 0],
      [
        { type: "array", items: { type: "boolean" }, uniqueItems: true, maxItems: 9 },
        (value) => new Set(value as unknown[]).size === (value as unknown[]).length,
      ],
      [
        {
          allOf: [
            { $ref: "#/$defs/a%20b" },
            true,
            { properties: { b: { type: "integer", maximum: 9 } }, required: ["b"], type: "object" },
          ],
          $defs: {
            "a b": {
              type: "object",
              properties: { a: { allOf: [{ maximum: 9 }, { type: "integer", maximum: 5, minimum: 1 }] } },
              required: ["a"],
            },
          },
        },
        (value) => {
          const { a, b } = value as { a: number; b: number };
          return a >= 1 && a <= 5 && b <= 9;
        },
      ],
      [{ type: "string", pattern: "^(?:abc)+$", maxLength: 7 }, (value) => /^(?:abc)+$/.test(String(value))],
      [{ anyOf: [true, { const: 1 }] }, () => true],
      [{ type: "string", pattern: "^[\\w-.]\\-$" }, (value) => typeof value === "string"],
      [
        { type: "object", properties: { next: { anyOf: [{ $ref: "#" }, { type: "null" }] } }, required: ["next"] },
        (value) =>
          JSON.stringify(value).endsWith('{"next":null' + "}".repeat(JSON.stringify(value).split("{").length - 1)),
      ],
      [{ $ref: "https://example.com/schema" }, () => true],
      [{ $ref: "#/nowhere" }, () => true],
      [
        {
          $ref: "#/$defs/endless",
          $defs: { endless: { type: "object", properties: { a: { $ref: "#/$defs/endless" } }, required: ["a"] } },
        },
        (value) => JSON.stringify(value).length < 200,
      ],
      [
        {
          $ref: "#/$defs/either",
          $defs: { either: { anyOf: [{ $ref: "#/$defs/either" }, { $ref: "#/$defs/either" }] } },
        },
        (value) => value === null,
      ],
      [
        {
          type: "object",
          propertyNames: { pattern: "^[a-c]$" },
          additionalProperties: { $ref: "#" },
        },
        (value) => Object.keys(value as object).every((key) => /^[a-c]$/.test(key)),
      ],
    ];
    for (const [schema, fits] of schemas) {
      for (const isHostile of [true, false]) {
        for (const value of sample(schema, isHostile)) {
          assert(fits(value), `${JSON.stringify(value)} of ${JSON.stringify(schema)}`);
        }
      }
    }
  });

  it("are made of what a library cannot express, too", () => {
    const schema = z.object({ at: z.coerce.date(), name: z.literal("a") });
    assert(
      sample(readJsonSchema(schema, "input", undefined, true), true).some((value) => schema.safeParse(value).success),
    );
    const dated = readJsonSchema(type({ at: "Date", name: "'a'" }), "input", undefined, true);
    assertEquals(Object(dated).required, ["at", "name"]);
    assertThrows(
      () => readJsonSchema({ "~standard": { jsonSchema: {} } }, "input", undefined, true),
      TypeError,
      "jsonSchema.input",
    );
  });

  it("are just outside, where that is wanted", () => {
    const outside = (schema: JsonSchema) => valuesOutside(schema, schema);
    const text = outside({ type: "string", minLength: 3, maxLength: 5 });
    for (const value of ["xx", "xxxxxx", 7, null]) assert(text.includes(value));
    const number = outside({ type: "number", minimum: 3, exclusiveMaximum: 5 });
    for (const value of [2, 2.5, 5, "text"]) assert(number.includes(value));
    const other = outside({ type: "number", exclusiveMinimum: 3, maximum: 5 });
    for (const value of [3, 6, 5.5]) assert(other.includes(value));
    const list = outside({ type: "array", minItems: 2, maxItems: 3 });
    assertEquals(list.filter((value) => Array.isArray(value)).map((value) => value.length), [0, 1, 4]);
  });
});
