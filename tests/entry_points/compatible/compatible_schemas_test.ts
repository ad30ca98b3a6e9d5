/** How `compatible` judges a change of a schema, in a request and in a response. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { compatible } from "../../../src/compatible/mod.ts";
import { assertLinear } from "../../support/count_work.ts";
import { changesOf, receiving, sending, worstOf } from "./compare_documents.ts";

type Case = readonly [name: string, before: unknown, after: unknown, inRequest: string, inResponse: string];

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });
const text = { type: "string" };
const open = object({ a: text });
const closed = object({ a: text }, { additionalProperties: false });
const cat = object({ kind: { const: "cat" }, lives: { type: "integer" } }, { required: ["kind"] });
const dog = object({ kind: { const: "dog" }, name: text }, { required: ["kind"] });

/** The worst level of each change, in a request and in a response. The reverse change has the opposite levels, if given. */
const CASES: readonly Case[] = [
  ["another type", text, { type: "number" }, "breaking", "breaking"],
  ["a type more", text, { type: ["string", "number"] }, "safe", "breaking"],
  ["a type less", { type: ["string", "null"] }, text, "breaking", "safe"],
  ["numbers for integers", { type: "integer" }, { type: "number" }, "safe", "breaking"],
  ["null by anyOf", text, { anyOf: [text, { type: "null" }] }, "safe", "breaking"],
  ["null by oneOf", { oneOf: [text, { type: "null" }] }, text, "breaking", "safe"],
  ["the same in other words", { anyOf: [text, { type: "null" }] }, { type: ["null", "string"] }, "none", "none"],
  ["a value less", { enum: ["a", "b"] }, { enum: ["a"] }, "breaking", "safe"],
  ["a value more", { enum: ["a"] }, { enum: ["b", "a"] }, "safe", "breaking"],
  ["const for enum", { enum: ["a"] }, { const: "a" }, "none", "none"],
  [
    "a value more, and the keys of another in another order",
    { enum: [{ a: 1, b: 2 }] },
    { enum: [{ b: 2, a: 1 }, "c"] },
    "safe",
    "breaking",
  ],
  ["another const", { const: 1 }, { const: 2 }, "breaking", "breaking"],
  [
    "alternatives in another order, one of which allows anything",
    { oneOf: [text, true] },
    { oneOf: [true, text] },
    "risky",
    "risky",
  ],
  [
    "a key less, and others that are numbers",
    open,
    { type: "object", additionalProperties: { type: "number" } },
    "breaking",
    "risky",
  ],
  ["values for all texts", text, { type: "string", enum: ["a"] }, "breaking", "safe"],
  ["all short texts for values", { enum: ["a", "bbb"] }, { type: "string", maxLength: 2 }, "breaking", "breaking"],
  ["all texts for values", { enum: ["a", "bbb"] }, text, "safe", "breaking"],
  ["values that a pattern may reject", { enum: ["a"] }, { type: "string", pattern: "b" }, "risky", "breaking"],
  ["true for any boolean", { type: "boolean" }, { const: true }, "breaking", "safe"],
  ["values by anyOf", { anyOf: [{ const: "a" }, { const: "b" }] }, { enum: ["a", "b"] }, "none", "none"],
  ["maxLength is less", { ...text, maxLength: 9 }, { ...text, maxLength: 5 }, "breaking", "safe"],
  ["maxLength is gone", { ...text, maxLength: 9 }, text, "safe", "breaking"],
  ["minLength is new", text, { ...text, minLength: 1 }, "breaking", "safe"],
  ["minLength 0 excludes nothing", text, { ...text, minLength: 0 }, "none", "none"],
  ["minimum is more", { type: "number", minimum: 1 }, { type: "number", minimum: 2 }, "breaking", "safe"],
  ["maximum is more", { type: "number", maximum: 1 }, { type: "number", maximum: 2 }, "safe", "breaking"],
  [
    "exclusiveMinimum for minimum",
    { type: "number", minimum: 1 },
    { type: "number", exclusiveMinimum: 1 },
    "breaking",
    "safe",
  ],
  [
    "exclusiveMaximum is more",
    { type: "number", exclusiveMaximum: 1 },
    { type: "number", exclusiveMaximum: 2 },
    "safe",
    "breaking",
  ],
  [
    "more than 0 for at least 1, of integers",
    { type: "integer", minimum: 1 },
    { type: "integer", exclusiveMinimum: 0 },
    "none",
    "none",
  ],
  [
    "at most 0 for less than 1, of integers",
    { type: "integer", maximum: 0 },
    { type: "integer", exclusiveMaximum: 1 },
    "none",
    "none",
  ],
  ["both bounds", { type: "number", minimum: 1 }, { type: "number", minimum: 1, exclusiveMinimum: 0 }, "none", "none"],
  ["a bound of another type", text, { ...text, minimum: 5 }, "risky", "none"],
  ["no bound of another type any more", { ...text, minimum: 5 }, text, "none", "risky"],
  ["a format of another type", { type: "object" }, { type: "object", format: "uuid" }, "risky", "none"],
  ["other properties of another type", text, { ...text, properties: { a: {} } }, "risky", "risky"],
  ["a bound of a type that comes with it", text, { type: ["string", "integer"], minimum: 5 }, "safe", "breaking"],
  [
    "other unevaluated properties in a part that another part says nothing about",
    { allOf: [{ unevaluatedProperties: { type: "boolean" } }, { additionalProperties: true }] },
    { allOf: [{ unevaluatedProperties: {} }, { additionalProperties: true }] },
    "risky",
    "risky",
  ],
  ["a bound beside a list of values", { ...text, enum: ["a"] }, { ...text, enum: ["a"], minimum: 5 }, "none", "none"],
  ["multipleOf is new", { type: "number" }, { type: "number", multipleOf: 2 }, "breaking", "safe"],
  ["multipleOf is gone", { type: "number", multipleOf: 2 }, { type: "number" }, "safe", "breaking"],
  [
    "multipleOf is a multiple",
    { type: "number", multipleOf: 2 },
    { type: "number", multipleOf: 4 },
    "breaking",
    "safe",
  ],
  ["multipleOf is a divisor", { type: "number", multipleOf: 4 }, { type: "number", multipleOf: 2 }, "safe", "breaking"],
  [
    "multipleOf is another",
    { type: "number", multipleOf: 4 },
    { type: "number", multipleOf: 3 },
    "breaking",
    "breaking",
  ],
  ["a pattern is new", text, { ...text, pattern: "^a" }, "breaking", "safe"],
  ["a pattern is gone", { ...text, pattern: "^a" }, text, "safe", "risky"],
  ["another pattern", { ...text, pattern: "^a" }, { ...text, pattern: "^b" }, "risky", "risky"],
  ["a pattern that excludes nothing", text, { ...text, pattern: ".*" }, "none", "none"],
  ["a format is new", text, { ...text, format: "uuid" }, "breaking", "safe"],
  ["a format is gone", { ...text, format: "uuid" }, text, "safe", "breaking"],
  ["another format", { ...text, format: "date" }, { ...text, format: "date-time" }, "breaking", "breaking"],
  ["a wider format", { type: "integer", format: "int32" }, { type: "integer", format: "int64" }, "safe", "breaking"],
  ["a narrower format", { type: "integer", format: "int64" }, { type: "integer", format: "int32" }, "breaking", "safe"],
  ["a format for people", text, { ...text, format: "password" }, "none", "none"],
  [
    "another encoding",
    { ...text, contentEncoding: "base64" },
    { ...text, contentEncoding: "base16" },
    "breaking",
    "breaking",
  ],
  ["other items", { type: "array", items: text }, { type: "array", items: { type: "number" } }, "breaking", "breaking"],
  ["fewer items", { type: "array", maxItems: 9 }, { type: "array", maxItems: 5 }, "breaking", "safe"],
  ["unique items", { type: "array" }, { type: "array", uniqueItems: true }, "breaking", "safe"],
  ["items that repeat", { type: "array", uniqueItems: true }, { type: "array" }, "safe", "breaking"],
  ["another first item", { prefixItems: [text] }, { prefixItems: [{ type: "number" }] }, "breaking", "breaking"],
  ["a tuple of draft 7", { type: "array", items: [text] }, { type: "array", prefixItems: [text] }, "none", "none"],
  [
    "no item beside the first",
    { prefixItems: [text], items: text },
    { prefixItems: [text], items: false },
    "breaking",
    "safe",
  ],
  ["at least one of contains", { contains: text }, { contains: text, minContains: 2 }, "breaking", "safe"],
  ["contains is new", { type: "array" }, { type: "array", contains: text }, "breaking", "safe"],
  ["an optional property", open, object({ a: text, b: text }), "safe", "safe"],
  [
    "an optional property, where others were closed",
    closed,
    { ...closed, properties: { a: text, b: text } },
    "safe",
    "risky",
  ],
  [
    "an optional property, where others were welcome",
    { ...open, additionalProperties: true },
    object({ a: text, b: text }, { additionalProperties: true }),
    "risky",
    "safe",
  ],
  ["a required property", open, object({ a: text, b: text }, { required: ["b"] }), "breaking", "safe"],
  ["a required property without a schema", open, { ...open, required: ["b"] }, "breaking", "safe"],
  ["a property is required", open, { ...open, required: ["a"] }, "breaking", "safe"],
  ["a property is optional", { ...open, required: ["a"] }, open, "safe", "breaking"],
  ["a property is gone", object({ a: text, b: text }), open, "risky", "risky"],
  ["a required property is gone", object({ a: text, b: text }, { required: ["b"] }), open, "risky", "breaking"],
  [
    "a property is gone, and others are closed",
    object({ a: text, b: text }, { additionalProperties: false }),
    closed,
    "breaking",
    "risky",
  ],
  ["other keys are closed", open, closed, "breaking", "safe"],
  ["other keys are open", closed, open, "safe", "risky"],
  [
    "other keys are of another type",
    { additionalProperties: text },
    { additionalProperties: { type: "number" } },
    "breaking",
    "breaking",
  ],
  ["other keys by unevaluatedProperties", open, { ...open, unevaluatedProperties: false }, "breaking", "safe"],
  [
    "a property within",
    object({ a: object({ b: text }) }),
    object({ a: object({ b: { type: "number" } }) }),
    "breaking",
    "breaking",
  ],
  ["fewer properties", { type: "object", maxProperties: 2 }, { type: "object", maxProperties: 1 }, "breaking", "safe"],
  ["read-only now", object({ a: text }), object({ a: { ...text, readOnly: true } }), "risky", "none"],
  ["write-only no more", object({ a: { ...text, writeOnly: true } }), object({ a: text }), "none", "risky"],
  [
    "required, but not sent",
    object({ a: { readOnly: true } }),
    object({ a: { readOnly: true } }, { required: ["a"] }),
    "none",
    "safe",
  ],
  ["names by pattern", { type: "object", patternProperties: { "^a": text } }, { type: "object" }, "risky", "risky"],
  ["not is new", text, { ...text, not: { const: "a" } }, "risky", "safe"],
  ["not is gone", { ...text, not: { const: "a" } }, text, "safe", "risky"],
  ["not has changed", { ...text, not: { const: "a" } }, { ...text, not: { const: "b" } }, "risky", "risky"],
  ["if and then are new", open, { ...open, if: { required: ["a"] }, then: { required: ["b"] } }, "risky", "safe"],
  ["values under not", { enum: [null], not: { type: "null" } }, { enum: [null] }, "safe", "risky"],
  [
    "x-extensible-enum",
    { ...text, "x-extensible-enum": ["a", "b"] },
    { ...text, "x-extensible-enum": ["a"] },
    "risky",
    "none",
  ],
  ["a default", { ...text, default: "a" }, { ...text, default: "b" }, "risky", "safe"],
  [
    "allOf for one object",
    { allOf: [object({ a: text }), object({ b: text })] },
    object({ a: text, b: text }),
    "none",
    "none",
  ],
  ["a required property by allOf", open, { allOf: [open, { required: ["a"] }] }, "breaking", "safe"],
  ["allOf with a closed part", open, { allOf: [closed, object({ b: text })] }, "breaking", "safe"],
  [
    "values of both parts of allOf",
    { enum: ["a", "b"] },
    { allOf: [{ enum: ["a", "b"] }, { enum: ["b"] }] },
    "breaking",
    "safe",
  ],
  ["nothing that fits", text, { allOf: [text, { type: "number" }] }, "breaking", "safe"],
  ["an alternative more", { oneOf: [cat] }, { oneOf: [cat, dog] }, "safe", "breaking"],
  ["an alternative less", { oneOf: [dog, cat] }, { oneOf: [cat] }, "breaking", "safe"],
  [
    "an alternative more, by anyOf",
    { anyOf: [cat, { type: "null" }] },
    { anyOf: [cat, dog, { type: "null" }] },
    "safe",
    "risky",
  ],
  [
    "an alternative that changes",
    { oneOf: [cat, dog] },
    { oneOf: [dog, { ...cat, required: [] }] },
    "risky",
    "breaking",
  ],
  ["alternatives in another order", { oneOf: [cat, dog] }, { oneOf: [dog, cat] }, "none", "none"],
  [
    "alternatives that may overlap",
    { oneOf: [text] },
    { oneOf: [text, { type: "string", maxLength: 5 }] },
    "risky",
    "risky",
  ],
  [
    "alternatives that a discriminator does not tell apart, since they are no references",
    { oneOf: [open], discriminator: { propertyName: "a" } },
    { oneOf: [open, closed], discriminator: { propertyName: "a" } },
    "risky",
    "risky",
  ],
  [
    "another discriminator",
    { oneOf: [cat, dog], discriminator: { propertyName: "a" } },
    { oneOf: [cat, dog], discriminator: { propertyName: "kind" } },
    "risky",
    "risky",
  ],
  [
    "short and long texts for all",
    text,
    { anyOf: [{ ...text, maxLength: 5 }, { ...text, minLength: 3 }] },
    "breaking",
    "safe",
  ],
  [
    "a schema of another document",
    { $ref: "https://example.com/a.json" },
    { $ref: "https://example.com/b.json" },
    "risky",
    "risky",
  ],
  [
    "only what describes",
    { ...text, title: "A", description: "", examples: ["a"] },
    { ...text, deprecated: true },
    "none",
    "none",
  ],
  ["values that a bound excludes", { enum: [1, 5] }, { type: "number", exclusiveMinimum: 1 }, "breaking", "breaking"],
  ["values of every type", { enum: [[1], { a: 1 }, 0.5, null] }, { enum: [{ a: 1 }, [1], null, 0.5] }, "none", "none"],
  ["lists for all lists", { enum: [[1]] }, { type: "array", items: text }, "risky", "breaking"],
  ["null or a boolean", { type: ["null", "boolean"] }, { enum: [null, true] }, "breaking", "safe"],
  [
    "exclusiveMaximum beyond maximum",
    { type: "number", maximum: 1 },
    { type: "number", maximum: 1, exclusiveMaximum: 2 },
    "none",
    "none",
  ],
  [
    "exclusiveMaximum below maximum",
    { type: "number", maximum: 2 },
    { type: "number", maximum: 2, exclusiveMaximum: 1 },
    "breaking",
    "safe",
  ],
  ["read-only by allOf", object({ a: text }), object({ a: { allOf: [text, { readOnly: true }] } }), "risky", "none"],
  [
    "a property beside a pattern",
    { type: "object", patternProperties: { "^a": text }, additionalProperties: false },
    { type: "object", properties: { a: text }, patternProperties: { "^a": text }, additionalProperties: false },
    "risky",
    "risky",
  ],
  ["no names by pattern", { ...open, patternProperties: {} }, open, "none", "none"],
  [
    "an optional property of a wider type than the others",
    { type: "object", additionalProperties: text },
    object({ a: { type: ["string", "null"] } }, { additionalProperties: text }),
    "safe",
    "risky",
  ],
  ["a default is new", text, { ...text, default: "a" }, "risky", "safe"],
  ["a default is gone", { ...text, default: "a" }, text, "risky", "safe"],
  [
    "alternatives with titles",
    { oneOf: [{ ...cat, title: "A", required: [] }, { type: "null" }] },
    { oneOf: [{ ...dog, title: "A", required: [] }, { type: "null" }] },
    "breaking",
    "breaking",
  ],
  ["an alternative that nothing fits", { oneOf: [text, { allOf: [text, { type: "null" }] }] }, text, "none", "none"],
  [
    "alternatives told apart by several values",
    { oneOf: [object({ k: { enum: ["a", "b"] } }, { required: ["k"] })] },
    {
      oneOf: [
        object({ k: { enum: ["a", "b"] } }, { required: ["k"] }),
        object({ k: { enum: ["c"] } }, { required: ["k"] }),
      ],
    },
    "safe",
    "breaking",
  ],
  ["false", text, false, "breaking", "safe"],
  ["both const and enum", { const: "b", enum: ["a", "b"] }, { enum: ["b"] }, "none", "none"],
  [
    "a listed object that is small enough now",
    { type: "object", maxProperties: 0, enum: [{ a: 1 }, {}] },
    { type: "object", maxProperties: 1, enum: [{ a: 1 }, {}] },
    "safe",
    "breaking",
  ],
  [
    "a property where no others were evaluated",
    object({ a: text }, { unevaluatedProperties: false }),
    object({ a: text, b: text }, { unevaluatedProperties: false }),
    "safe",
    "risky",
  ],
  [
    "other keys that are evaluated",
    { type: "object", unevaluatedProperties: false },
    { type: "object", unevaluatedProperties: false, additionalProperties: text },
    "risky",
    "risky",
  ],
  [
    "items that are evaluated",
    { type: "array", prefixItems: [text], unevaluatedItems: false },
    { type: "array", prefixItems: [text, text], unevaluatedItems: false },
    "risky",
    "risky",
  ],
  [
    "a property where names were bounded",
    { type: "object", propertyNames: { maxLength: 5 } },
    object({ a: text }, { propertyNames: { maxLength: 5 } }),
    "risky",
    "safe",
  ],
  [
    "contains that demands an item",
    { contains: text, minContains: 0 },
    { contains: text },
    "breaking",
    "safe",
  ],
];

/** Schemas that mean the same in other words. */
const FORMS: readonly (readonly [schema: unknown, other: unknown])[] = [
  [{ enum: ["a", "b", "a"] }, { enum: ["b", "a"] }],
  [{ allOf: [open, object({ b: text }, { required: ["b"] })] }, object({ b: text, a: text }, { required: ["b"] })],
  [{ allOf: [cat, open] }, { allOf: [open, cat] }],
  [{ anyOf: [text] }, { oneOf: [{ type: ["string"] }] }],
  [{ ...text, allOf: [] }, { ...text, allOf: [{}, true] }],
  [{ anyOf: [text, { anyOf: [{ type: "null" }, text] }] }, { type: ["null", "string"] }],
  [{ type: ["integer", "number"] }, { type: "number" }],
  [{ type: "number", multipleOf: 1 }, { type: "integer", multipleOf: 0.5 }],
  [{ type: "integer", minimum: 0.5, maximum: 9.5 }, { type: "integer", minimum: 1, exclusiveMaximum: 10 }],
  [{ ...text, minLength: 0, pattern: "^" }, text],
  [{ type: "array", items: true, uniqueItems: false, minItems: 0 }, { type: "array", items: {} }],
  [{ type: "array", contains: text, minContains: 0 }, { type: "array" }],
  [object({ a: text, b: true }, { required: [] }), object({ b: {}, a: text }, { additionalProperties: true })],
  [{ ...open, patternProperties: {}, dependentRequired: {}, dependentSchemas: {}, propertyNames: {} }, open],
  [{ ...text, not: false, if: { minLength: 1 } }, { ...text, then: false, else: false }],
  [{ not: {} }, false],
  [{ anyOf: [{ const: 1, type: "boolean" }, text] }, text],
  [{ anyOf: [open, closed, { type: "object" }] }, { anyOf: [{ type: "object" }, closed, open] }],
  [{ not: false }, {}],
  [{ anyOf: [text, {}] }, true],
  [{ enum: [false, true] }, { type: "boolean" }],
  [{ not: { type: ["null", "string"] } }, { not: { anyOf: [text, { type: "null" }] } }],
  [{ if: { const: 1 }, then: { anyOf: [text] } }, { if: { enum: [1] }, then: text }],
  [{ const: null }, { type: "null" }],
  [{ ...text, $defs: { A: open }, $comment: "c", title: "t", description: "d", examples: ["e"], "x-y": 1 }, text],
];

describe("compatible() on a schema", () => {
  for (const [name, before, after, inRequest, inResponse] of CASES) {
    it(`finds ${name}: ${inRequest} in a request, ${inResponse} in a response`, () => {
      const found = (["request", "response"] as const).map((side) => {
        const documentOf = side === "request" ? sending : receiving;
        return worstOf(compatible(documentOf(before), documentOf(after)));
      });
      assertEquals(found, [inRequest, inResponse], JSON.stringify(changesOf("request", before, after)));
    });
  }

  it("says in one line what has changed", () => {
    const before = object({
      data: { type: "array", items: object({ "a/b": { ...text, maxLength: 50 }, n: { type: "integer" } }) },
    });
    const after = object({
      data: { type: "array", items: object({ "a/b": { ...text, maxLength: 10 }, n: { type: "number" } }) },
    });
    assertEquals(compatible(sending(before), sending(after)), [{
      level: "breaking",
      operation: "POST /x",
      at:
        "/paths/~1x/post/requestBody/content/application~1json/schema/properties/data/items/properties/a~1b/maxLength",
      what: "request body, data[].a/b: maxLength was 50, is 10",
    }, {
      level: "safe",
      operation: "POST /x",
      at: "/paths/~1x/post/requestBody/content/application~1json/schema/properties/data/items/properties/n",
      what: "request body, data[].n: number is allowed now",
    }]);
    assertEquals(changesOf("request", { oneOf: [cat, dog] }, { oneOf: [cat] }), [
      'breaking: kind "dog" is no longer among the alternatives',
    ]);
    assertEquals(
      changesOf("response", { additionalProperties: { prefixItems: [text] } }, {
        additionalProperties: { prefixItems: [{ type: "null" }] },
      }),
      [
        "breaking: {}[0]: type was string, is null",
      ],
    );
    const long = "x".repeat(100);
    assertEquals(changesOf("request", { enum: ["a", long] }, { enum: ["a"] }), [
      `breaking: "${"x".repeat(56)}... is no longer allowed`,
    ]);
  });

  it("follows references, in schemas that refer to themselves, too", () => {
    const tree = (name: object) => ({
      components: {
        schemas: { Tree: object({ name, kids: { type: "array", items: { $ref: "#/components/schemas/Tree" } } }) },
      },
    });
    const root = { $ref: "#/components/schemas/Tree" };
    assertEquals(compatible(sending(root, tree(text)), sending(root, tree(text))), []);
    assertEquals(
      compatible(sending(root, tree(text)), sending(root, tree({ ...text, maxLength: 5 }))).map(({ what }) => what),
      [
        "request body, name: maxLength is new: 5",
      ],
    );
    // A list of itself, and an alternative of itself.
    const loop = (more: object) => ({
      components: { schemas: { Tree: { anyOf: [{ $ref: "#/components/schemas/Tree" }, more] } } },
    });
    assertEquals(worstOf(compatible(sending(root, loop(text)), sending(root, loop({ type: "number" })))), "breaking");
    const itself = { components: { schemas: { Tree: { allOf: [{ $ref: "#/components/schemas/Tree" }, text] } } } };
    assertEquals(compatible(sending(root, itself), sending(text)), []);
  });

  it("reads a reference that leads nowhere as a schema that it does not know", () => {
    for (
      const $ref of ["#/components/schemas/None", "#/%", "#/paths/~1x/post/requestBody/required/x", "other.yaml#/A"]
    ) {
      assertEquals(compatible(sending({ $ref }), sending({ $ref })), []);
      assertEquals(worstOf(compatible(sending({ $ref }), sending({ $ref: "#/nowhere" }))), "risky");
    }
    assertEquals(worstOf(compatible(sending({ $ref: "#" }), sending({ $ref: "#" }))), "none");
    const [changed] = compatible(sending({ $ref: "a.yaml#/A" }), sending({ $ref: "b.yaml#/A" }));
    assertEquals(changed?.what, "request body: $ref that cannot be resolved has changed");
    assertEquals(changed?.at.endsWith("/schema/$ref"), true);
  });

  it("is risky if not refers to a schema that has changed around it", () => {
    const tree = (maxProperties: number) => ({
      components: {
        schemas: {
          Tree: object({ a: text }, { maxProperties, not: object({ b: { $ref: "#/components/schemas/Tree" } }) }),
        },
      },
    });
    const schema = { $ref: "#/components/schemas/Tree" };
    assertEquals(worstOf(compatible(sending(schema, tree(5)), sending(schema, tree(6)))), "risky");
  });

  it("follows anchors, dynamic references and definitions within schemas", () => {
    const named = (schema: object, ...more: readonly object[]) => ({ components: { schemas: { A: schema, ...more } } });
    const number = { type: "number" };
    const cases: readonly (readonly [schema: object, more: (named: object) => object, level: string])[] = [
      [{ $ref: "#A" }, (schema) => named({ ...schema, $anchor: "A" }, { ...text, $anchor: "B" }), "breaking"],
      [{ $dynamicRef: "#A" }, (schema) => named({ ...schema, $dynamicAnchor: "A" }), "risky"],
      [{ $ref: "#/$defs/A" }, (schema) => named({ $defs: { A: schema } }, { $defs: { B: text } }), "breaking"],
      // Which of the two is meant depends on the place.
      [{ $ref: "#/$defs/A" }, (schema) => named({ $defs: { A: schema } }, { $defs: { A: text } }), "risky"],
      [
        { $ref: "#/components/schemas/100%" },
        (schema) => ({ components: { schemas: { "100%": schema } } }),
        "breaking",
      ],
    ];
    for (const [schema, more, level] of cases) {
      const [before, after] = [sending(schema, more(text)), sending(schema, more(number))];
      assertEquals(worstOf(compatible(before, after)), level, JSON.stringify(before));
      assertEquals(compatible(before, structuredClone(before)), []);
    }
  });

  it("reports a schema once for each operation, where it is met first", () => {
    // Each level refers to the next one twice: 2^20 ways lead to the last.
    const levels = (last: object) => ({
      components: {
        schemas: Object.fromEntries(Array.from({ length: 21 }, (_, n) => {
          const next = { $ref: `#/components/schemas/S${n + 1}` };
          return [`S${n}`, n === 20 ? last : object({ a: next, b: next })];
        })),
      },
    });
    assertEquals(
      changesOf("request", { $ref: "#/components/schemas/S0" }, { $ref: "#/components/schemas/S0" }, levels(text)),
      [],
    );
    const [before, after] = [levels(text), levels({ ...text, maxLength: 5 })].map((more) =>
      sending({ $ref: "#/components/schemas/S0" }, more)
    );
    assertEquals(compatible(before, after).map(({ what }) => what), [
      `request body, ${"a.".repeat(20).slice(0, -1)}: maxLength is new: 5`,
    ]);
  });

  it("pairs alternatives by the names of their schemas", () => {
    const [a, b] = [object({ x: text }, { required: ["x"] }), object({ y: text }, { required: ["y"] })];
    const alternatives = { oneOf: [{ $ref: "#/components/schemas/A" }, { $ref: "#/components/schemas/B" }] };
    const [before, after] = [{ components: { schemas: { A: a, B: b } } }, {
      components: { schemas: { B: b, A: { ...a, required: ["x", "z"] } } },
    }];
    const lines = compatible(sending(alternatives, before), sending(alternatives, after)).map(({ what }) => what);
    assertEquals(lines.slice(0, 1), ["request body, z: is new and required"]);
  });

  it("compares what stands beside a reference, too, unless it is OpenAPI 3.0", () => {
    const components = { components: { schemas: { A: object({ a: { ...text, maxLength: 9 } }) } } };
    const $ref = "#/components/schemas/A";
    const [plain, more] = [object({ x: { $ref } }), object({ x: { $ref, required: ["a"] } })];
    assertEquals(changesOf("request", plain, more, components), ["breaking: x.a: is required now"]);
    assertEquals(changesOf("request", plain, more, { ...components, openapi: "3.0.0" }), []);
    assertEquals(
      changesOf("request", { anyOf: [{ $ref }, text] }, { anyOf: [{ $ref }] }, { ...components, openapi: "3.0.0" }),
      [
        "breaking: string is no longer allowed",
      ],
    );
  });

  it("finds nothing in another form of the same", () => {
    for (const [schema, other] of FORMS) {
      for (const documentOf of [sending, receiving]) {
        assertEquals(compatible(documentOf(schema), documentOf(other)), [], JSON.stringify(other));
        assertEquals(compatible(documentOf(other), documentOf(schema)), [], JSON.stringify(schema));
      }
    }
  });

  it("takes alternatives to be told apart if a discriminator chooses among references", () => {
    const components = { schemas: { A: open, B: closed } };
    const choose = (...names: readonly string[]) => ({
      oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })),
      discriminator: { propertyName: "a" },
    });
    const levelOf = (...names: readonly string[]) =>
      worstOf(compatible(sending(choose("A"), { components }), sending(choose(...names), { components })));
    assertEquals([levelOf("A", "B"), levelOf("A", "A")], ["safe", "risky"]);
  });

  it("reads keywords of OpenAPI 3.0 as those of 3.1", () => {
    const old = { openapi: "3.0.3", components: { schemas: { A: text } } };
    const same: readonly (readonly [unknown, unknown])[] = [
      [{ ...text, nullable: true }, { type: ["string", "null"] }],
      [{ type: "number", minimum: 1, exclusiveMinimum: true }, { type: "number", exclusiveMinimum: 1 }],
      [{ type: "number", maximum: 1, exclusiveMaximum: false }, { type: "number", maximum: 1 }],
      [{ $ref: "#/components/schemas/A", maxLength: 5 }, text],
      [{ ...text, format: "byte" }, { ...text, contentEncoding: "base64" }],
      [{ ...text, format: "binary" }, {}],
      [{ nullable: true }, {}],
      // A type beside `nullable` is missing, and tools read it all the same.
      [{ allOf: [{ $ref: "#/components/schemas/A" }], nullable: true }, { type: ["string", "null"] }],
    ];
    for (const [before, after] of same) {
      assertEquals(compatible(sending(before, old), sending(after)), [], JSON.stringify(before));
      assertEquals(compatible(receiving(after), receiving(before, old)), [], JSON.stringify(before));
    }
    assertEquals(worstOf(compatible(sending({ ...text, nullable: true }, old), sending(text, old))), "breaking");
    assertEquals(worstOf(compatible(sending({ ...text, nullable: true }), sending(text))), "none");
  });
});

describe("compatible() on a huge or hostile schema", () => {
  /** A schema of this many levels of references. */
  const chain = (length: number, last: unknown) => ({
    components: {
      schemas: Object.fromEntries(
        Array.from(
          { length },
          (_, n) => [`S${n}`, n === length - 1 ? last : object({ a: { $ref: `#/components/schemas/S${n + 1}` } })],
        ),
      ),
    },
  });
  const first = { $ref: "#/components/schemas/S0" };

  it("takes work that is linear in its size", () => {
    const wide = (length: number, more: object) =>
      object(Object.fromEntries(Array.from({ length }, (_, n) => [`p${n}`, { ...text, maxLength: n + 5, ...more }])));
    assertLinear((length) => {
      const changes = compatible(sending(wide(length, {})), sending(wide(length, { maxLength: 4 })));
      assertEquals(changes.length, length);
    }, 200);
  });

  it("compares schemas that all refer to each other", () => {
    const all = (maxProperties: number) => ({
      components: {
        schemas: Object.fromEntries(
          Array.from({ length: 40 }, (_, n) => [
            `S${n}`,
            object(
              Object.fromEntries(
                Array.from({ length: 40 }, (_, to) => [`p${to}`, { $ref: `#/components/schemas/S${to}` }]),
              ),
              { maxProperties, required: [`p${n}`] },
            ),
          ]),
        ),
      },
    });
    const changes = compatible(sending(first, all(50)), sending(first, all(40)));
    assertEquals(changes.length, 40);
    assertEquals(worstOf(changes), "breaking");
  });

  it("is compared, however many references lead to a change", () => {
    const [before, after] = [chain(2000, text), chain(2000, { type: "number" })];
    assertEquals(changesOf("request", first, first, before), []);
    assertEquals(worstOf(compatible(sending(first, before), sending(first, after))), "breaking");
  });

  it("is risky if alternatives are within too many alternatives, and a change is in them", () => {
    const deep = (last: object) => ({
      components: {
        schemas: Object.fromEntries(Array.from({ length: 300 }, (_, n) => {
          const next = n === 299 ? last : { $ref: `#/components/schemas/S${n + 1}` };
          return [`S${n}`, { anyOf: [cat, dog].map((one) => ({ ...one, properties: { ...one.properties, next } })) }];
        })),
      },
    });
    const changes = compatible(sending(first, deep(text)), sending(first, deep({ type: "number" })));
    assert(changes.some(({ level, what }) => level === "risky" && what.endsWith("is too large to be compared")));
  });

  it("is risky if too many schemas are combined, and a change is in them", () => {
    const wide = (last: object) => ({
      anyOf: [last, text].map((type, n) => ({
        allOf: Array.from(
          { length: 2500 },
          (_, m) => object({ [`k${m}`]: m === 2499 ? type : text }, { title: `T${n}` }),
        ),
      })),
    });
    const found = changesOf("request", wide(text), wide({ type: "number" }));
    assert(found.some((change) => /^risky: .*is too large to be compared$/.test(change)), `${found}`);
  });

  it("is risky if too many pairs of alternatives are compared", () => {
    const many = (added: number) => ({
      anyOf: Array.from({ length: 60 }, (_, n) =>
        object(Object.fromEntries(
          Array.from({ length: 60 }, (_, m) => [`k${m}`, { ...text, minLength: n + 100 - added }]),
        ))),
    });
    const found = changesOf("request", many(0), many(1));
    assert(found.some((change) => /^risky: .*is too large to be compared$/.test(change)), `${found}`);
  });

  it("is risky if it has too many alternatives, and has changed", () => {
    const many = (length: number) => ({
      allOf: Array.from({ length: 8 }, (_, n) => ({
        anyOf: Array.from({ length }, (_, m) => object({ [`k${n}`]: { const: m } })),
      })),
    });
    assertEquals(changesOf("request", many(4), many(4)), []);
    assertEquals(changesOf("request", many(4), many(5)), ["risky: has too many alternatives to be compared"]);
  });

  it("is risky if an alternative has too many alternatives", () => {
    const values = Array.from({ length: 70 }, (_, n) => object({ k: { const: n } }));
    const one = (keyword: string, more: object) => ({ [keyword]: [{ anyOf: values }, more] });
    for (const keyword of ["anyOf", "oneOf"]) {
      const changed = [one(keyword, text), one(keyword, { type: "null" })] as const;
      assertEquals(changesOf("request", ...changed), ["risky: has too many alternatives to be compared"]);
    }
    const told = (more: object) => ({
      oneOf: [object({ k: { anyOf: values } }, { required: ["k"] }), object({ k: text }, { required: ["k"] }), more],
    });
    assertEquals(worstOf(compatible(sending(told(text)), sending(told({ type: "null" })))), "breaking");
  });

  it("ends where each level doubles the schema", () => {
    const doubled = (last: unknown) => ({
      components: {
        schemas: Object.fromEntries(Array.from({ length: 40 }, (_, n) => [
          `S${n}`,
          n === 39
            ? last
            : { allOf: [{ $ref: `#/components/schemas/S${n + 1}` }, { $ref: `#/components/schemas/S${n + 1}` }] },
        ])),
      },
    });
    assertEquals(changesOf("request", first, first, doubled(text)), []);
    assertEquals(
      worstOf(compatible(sending(first, doubled(text)), sending(first, doubled({ type: "number" })))),
      "risky",
    );
  });
});
