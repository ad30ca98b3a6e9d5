/** What `compatible` says of two schemas, compared with what a validator says of 1,000 values. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { compatible } from "@fw/core/compatible";
import { receiving, sending, worstOf } from "../entry_points/compatible/compare_documents.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const [TREE, LEAF] = ["#/components/schemas/Tree", "#/components/schemas/Leaf"];
const components = {
  schemas: {
    Tree: { type: "object", properties: { next: { $ref: TREE }, a: { type: "string" } }, required: ["a"] },
    Leaf: { type: "object", properties: { a: { enum: [1, 2] } }, required: ["a"] },
  },
};

const names = fc.constantFrom("a", "b", "c");
const some = (keywords: Record<string, fc.Arbitrary<unknown>>) => fc.record(keywords, { requiredKeys: [] });

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, 0, 1, 2, 3, 5, -1, 0.5, 1.5, "", "a", "b", "ab", "abc", "abcdef"),
    fc.dictionary(names, tie("value"), { maxKeys: 3 }),
    fc.array(tie("value"), { maxLength: 3 }),
  ),
}));

const { schema } = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, depthSize: "small" },
    fc.constantFrom({}, true, false, { type: "null" }, { type: "boolean" }, { type: ["string", "null"] }, {
      $ref: TREE,
    }),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom("a", "b", "abc", 1, 0.5, null, true), { minLength: 1 }) }),
    fc.record({ const: fc.constantFrom("a", "b", 1, null) }),
    some({
      type: fc.constant("string"),
      minLength: fc.nat(3),
      maxLength: fc.integer({ min: 1, max: 6 }),
      pattern: fc.constantFrom("^a", "b$", ".*"),
    }),
    some({
      type: fc.constantFrom("number", "integer"),
      minimum: fc.integer({ min: -1, max: 2 }),
      maximum: fc.integer({ min: 1, max: 5 }),
      exclusiveMinimum: fc.integer({ min: -2, max: 1 }),
      multipleOf: fc.constantFrom(0.5, 1, 2),
    }),
    some({
      type: fc.constant("object"),
      properties: fc.dictionary(names, tie("schema"), { maxKeys: 3 }),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      additionalProperties: fc.oneof(fc.boolean(), tie("schema")),
      minProperties: fc.nat(2),
      maxProperties: fc.nat(3),
      propertyNames: fc.constantFrom({ maxLength: 1 }, { pattern: "^a" }, true, {}),
      dependentSchemas: fc.dictionary(names, tie("schema"), { maxKeys: 1 }),
    }),
    some({
      type: fc.constant("array"),
      items: tie("schema"),
      prefixItems: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }),
      minItems: fc.nat(2),
      maxItems: fc.nat(3),
      uniqueItems: fc.boolean(),
      unevaluatedItems: fc.oneof(fc.boolean(), tie("schema")),
    }),
    fc.record({ anyOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie("schema"), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie("schema"), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie("schema") }),
    some({ if: tie("schema"), then: tie("schema"), else: tie("schema") }),
    some({ contains: tie("schema"), minContains: fc.nat(2), maxContains: fc.nat(2) }),
    fc.record({ patternProperties: fc.record({ "^a": tie("schema") }), additionalProperties: fc.boolean() }),
    some({
      properties: fc.dictionary(names, tie("schema")),
      additionalProperties: fc.boolean(),
      unevaluatedProperties: fc.oneof(fc.boolean(), tie("schema")),
    }),
    fc.record({
      oneOf: fc.constant([{ $ref: TREE }, { $ref: LEAF }]),
      discriminator: fc.constant({ propertyName: "a" }),
    }),
    fc.record({ dependentRequired: fc.constantFrom({ a: ["b"] }, { b: ["a", "c"] }, {}) }),
  ),
}));

/** Changes a schema a little: most pairs of unrelated schemas break, and prove nothing. */
function change(schema: Json, next: () => number): Json {
  if (typeof schema === "number") return schema + (next() < 0.5 ? 1 : -1);
  if (typeof schema !== "object" || schema === null) return schema;
  const keys = Object.keys(schema);
  const key = keys[Math.floor(next() * keys.length)];
  if (key === undefined) return schema;
  const isRemoved = next() < 0.35;
  if (Array.isArray(schema)) {
    const changed = schema.map((item, index) => String(index) === key ? change(item, next) : item);
    return isRemoved ? changed.filter((_, index) => String(index) !== key) : changed;
  }
  const { [key]: value = null, ...others } = schema;
  return isRemoved ? others : { ...others, [key]: change(value, next) };
}

/** Plain JSON, without objects that have no prototype. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value));

describe("compatible() and a validator", () => {
  const values = fc.sample(value, { numRuns: 1000, seed: 7 }).map(plain);

  it("no value is lost by a request, or new in a response, where compatible() reports nothing that matters", () => {
    const pairs = fc.sample(fc.tuple(schema, fc.integer({ min: 1, max: 2_147_483_646 })), { numRuns: 120, seed: 11 });
    let quiet = 0;
    for (const [given, seed] of pairs) {
      let state = seed;
      const next = () => (state = (state * 16807) % 2_147_483_647) / 2_147_483_647;
      const before = plain(given);
      const after = change(before, next);
      const [was, is] = [validatorOf(before), validatorOf(after)];
      if (was === undefined || is === undefined) continue; // such as `anyOf` without alternatives
      for (const [documentOf, small, large] of [[sending, was, is], [receiving, is, was]] as const) {
        const changes = compatible(documentOf(before, { components }), documentOf(after, { components }));
        if (["breaking", "risky"].includes(worstOf(changes))) continue;
        // Clients send only keys that they know.
        if (documentOf === sending && changes.some(({ what }) => what.endsWith(": is new"))) continue;
        quiet++;
        const shown = values.find((value) => small(value) && !large(value));
        assertEquals(shown, undefined, JSON.stringify([before, after, changes]));
      }
    }
    assertEquals(quiet > 30, true, `Only ${quiet} pairs were judged`);
  });

  it("compatible() lists nothing for a schema and itself", () => {
    fc.assert(
      fc.property(schema, (schema) => {
        for (const documentOf of [sending, receiving]) {
          const document = documentOf(plain(schema), { components });
          assertEquals(compatible(document, plain(document)), []);
        }
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  it("compatible() lists something in one direction if it does so in the other", () => {
    fc.assert(
      fc.property(schema, schema, (before, after) => {
        const [x, y] = [plain(before), plain(after)];
        const none = (changes: readonly unknown[]) => changes.length === 0;
        const isSame = none(compatible(sending(x, { components }), sending(y, { components })));
        assertEquals(none(compatible(sending(y, { components }), sending(x, { components }))), isSame);
      }),
      { numRuns: 200, seed: 5 },
    );
  });
});

function validatorOf(schema: Json): ((value: unknown) => boolean) | undefined {
  try {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    return ajv.compile<unknown>({ components, allOf: [schema] });
  } catch {
    return undefined;
  }
}
