/** References in JSON Schemas, and the components that they lead to. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { bodyOf, documentOf, refusal, schemaOf, text, withBody, withQuery, withResponse } from "./document_of.ts";

describe("openapi() on references", () => {
  it("moves their targets into components, and drops the rest of $defs", () => {
    const body = schemaOf({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: { $ref: "#/$defs/A", description: "Mine" } },
      $defs: { A: { type: "array", items: { $ref: "#/$defs/B" } }, B: { type: "null" }, Unused: {} },
    });
    const { paths, components } = documentOf([withBody(body)]);
    assertEquals(paths["/b"]?.post?.requestBody?.content["application/json"]?.schema, {
      type: "object",
      properties: { a: { $ref: "#/components/schemas/A", description: "Mine" } },
    });
    assertEquals(components.schemas, {
      A: { type: "array", items: { $ref: "#/components/schemas/B" } },
      B: { type: "null" },
    });
  });

  it("keeps schemas that refer to themselves", () => {
    const tree = { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } };
    const { paths, components } = documentOf([withBody(schemaOf(tree), "/trees")]);
    const reference = { $ref: "#/components/schemas/postTreesBody" };
    assertEquals(paths["/trees"]?.post?.requestBody?.content["application/json"]?.schema, reference);
    assertEquals(components.schemas, {
      postTreesBody: { type: "object", properties: { children: { type: "array", items: reference } } },
    });
    const { components: ofResponse } = documentOf([withResponse(schemaOf(tree))]);
    assertEquals(Object.keys(ofResponse.schemas), ["getRResponse200"]);
    const { components: ofQuery } = documentOf([withQuery(schemaOf(tree))]);
    assertEquals(Object.keys(ofQuery.schemas), ["getQQuery"]);
  });

  it("shares equal schemas between routes, and renames different schemas with one name", () => {
    const node = (leaf: string) =>
      schemaOf({ $ref: "#/$defs/Node", $defs: { Node: { anyOf: [{ $ref: "#/$defs/Leaf" }] }, Leaf: { const: leaf } } });
    const { paths, components } = documentOf([
      withBody(node("a"), "/1"),
      withBody(node("a"), "/2"),
      withBody(node("b"), "/3"),
      withResponse(node("c"), "/4"),
      withResponse(node("d"), "/5"),
      withBody(node("a"), "/6"),
      withBody(node("d"), "/7"),
    ]);
    assertEquals(
      Object.values(paths).map(({ get, post }) => /schemas\/(\w+)/.exec(JSON.stringify(get ?? post))?.[1]),
      ["Node", "Node", "NodeInput", "NodeOutput", "NodeOutput2", "Node", "NodeInput2"],
    );
    const leaves = Object.entries(components.schemas).filter(([name]) => name.startsWith("Leaf"));
    assertEquals(Object.fromEntries(leaves), {
      Leaf: { const: "a" },
      LeafInput: { const: "b" },
      LeafOutput: { const: "c" },
      LeafOutput2: { const: "d" },
      LeafInput2: { const: "d" },
    });
  });

  it("follows them to any place, with the encodings of a JSON Pointer", () => {
    const body = schemaOf({
      properties: { "a/b~c d": { type: "integer" }, "": { type: "null" }, p: { anyOf: [{ const: 1 }] } },
      items: { $ref: "#/properties/a~1b~0c%20d" },
      not: { $ref: "#/properties/p/anyOf/0" },
      contains: { $ref: "#/properties/" },
      if: { $ref: "#/definitions/old" },
      definitions: { old: true },
    });
    const { paths, components } = documentOf([withBody(body)]);
    const schema = paths["/b"]?.post?.requestBody?.content["application/json"]?.schema;
    assertEquals(Object.entries(schema ?? {}).slice(1), [
      ["items", { $ref: "#/components/schemas/a_b_c_d" }],
      ["not", { $ref: "#/components/schemas/0" }],
      ["contains", { $ref: "#/components/schemas/postBBody" }],
      ["if", { $ref: "#/components/schemas/old" }],
    ]);
    assertEquals(components.schemas, {
      a_b_c_d: { type: "integer" },
      0: { const: 1 },
      postBBody: { type: "null" },
      old: true,
    });
  });

  it("finds them in every subschema, and nowhere else", () => {
    const $ref = "#/$defs/A";
    const lifted = "#/components/schemas/A";
    const single =
      "additionalProperties contains contentSchema else if items not propertyNames then unevaluatedItems " +
      "unevaluatedProperties";
    const list = "allOf anyOf oneOf prefixItems";
    const map = "$defs definitions dependentSchemas patternProperties properties";
    const build = (target: string, other = target): Record<string, unknown> => ({
      ...Object.fromEntries(single.split(" ").map((keyword) => [keyword, { $ref: target }])),
      ...Object.fromEntries(list.split(" ").map((keyword) => [keyword, [{ $ref: target }, true]])),
      ...Object.fromEntries(
        map.split(" ").map((keyword) => [keyword, { default: { $ref: target }, $ref: { $ref: target } }]),
      ),
      ...Object.fromEntries(
        ["default", "const", "example", "x-own"].map((keyword) => [keyword, { $ref: other, items: { $ref: other } }]),
      ),
      enum: [{ $ref: other }],
      examples: [{ $ref: other }],
    });
    const { $defs: _, definitions: __, ...outer } = build($ref);
    const body = bodyOf(withBody(schemaOf({ ...outer, anyOf: [build($ref)], $defs: { A: text } })));
    const { $defs: ___, definitions: ____, ...expected } = build(lifted, $ref);
    assertEquals(body, { ...expected, anyOf: [build(lifted, $ref)] });
  });

  it("copies keywords with values of the wrong type unchanged", () => {
    const odd = { type: "object", properties: [{ $ref: "#/no" }], allOf: { $ref: 1 }, items: "x", not: null, $ref: 7 };
    assertEquals(bodyOf(withBody(schemaOf(odd))), odd);
  });

  it("resolves the $id of the whole schema, and leaves subschemas with their own $id and external references unchanged", () => {
    const own = { $id: "https://example.com/own", properties: { a: { $ref: "#/properties/a" } } };
    const elsewhere = { $ref: "https://example.com/elsewhere#/$defs/x" };
    const body = {
      $id: "Tree",
      properties: {
        own,
        elsewhere,
        tree: { $ref: "Tree" },
        leaf: { $ref: "Tree#/$defs/L" },
        local: { $ref: "#/$defs/L" },
      },
    };
    const { components } = documentOf([withBody(schemaOf({ ...body, $defs: { L: text } }))]);
    assertEquals(components.schemas, {
      postBBody: {
        properties: {
          own,
          elsewhere,
          tree: { $ref: "#/components/schemas/postBBody" },
          leaf: { $ref: "#/components/schemas/L" },
          local: { $ref: "#/components/schemas/L" },
        },
      },
      L: text,
    });
    const { components: lifted } = documentOf([withBody(schemaOf({ $ref: "#/$defs/own", $defs: { own } }))]);
    assertEquals(lifted.schemas, { own });
  });

  it("rejects those without a target and names the route, or allows any value", () => {
    const nowhere = [
      "#/$defs/A",
      "#/$defs/toString",
      "#anchor",
      "#/title",
      "#/required/0",
      "Other",
      "./a.json",
      "#/a/%",
      "#/__proto__",
      "#/nowhere/deeper",
      "https://example.com/#/a/%",
    ];
    for (const $ref of nowhere) {
      const whole = { $id: "https://example.com/", title: "x", required: ["a"], items: { $ref }, $defs: { B: {} } };
      const routes = [withBody(schemaOf(whole))];
      assertEquals(
        refusal(routes).message,
        'Schema of the body of route POST "/b" must be expressible as JSON Schema: ' +
          `it refers to ${JSON.stringify($ref)}, which it does not contain`,
      );
      const { paths, components } = documentOf(routes, { unrepresentable: "any" });
      assertEquals(paths["/b"]?.post?.requestBody?.content["application/json"]?.schema, {});
      assertEquals(components.schemas, {});
    }
  });

  it("converts tuples from draft 7 to draft 2020-12", () => {
    const old = { $schema: "http://json-schema.org/draft-07/schema#", items: [text, { $ref: "#/definitions/A" }] };
    const definitions = { A: { items: [true], additionalItems: { $ref: "#/definitions/A" } } };
    const { paths, components } = documentOf([withBody(schemaOf({ ...old, definitions }))]);
    const reference = { $ref: "#/components/schemas/A" };
    assertEquals(paths["/b"]?.post?.requestBody?.content["application/json"]?.schema, {
      prefixItems: [text, reference],
    });
    assertEquals(components.schemas, { A: { prefixItems: [true], items: reference } });
  });

  it("treats names such as __proto__ and constructor like any other", () => {
    const json =
      '{"properties":{"__proto__":{"$ref":"#/$defs/__proto__"},"constructor":{"$ref":"#/$defs/constructor"}},' +
      '"required":["__proto__"],"$defs":{"__proto__":{"type":"null"},"constructor":{"type":"integer"}}}';
    const document = documentOf([withBody(schemaOf(JSON.parse(json))), withQuery(schemaOf(JSON.parse(json)))]);
    assertEquals(
      JSON.stringify(document.components.schemas),
      '{"__proto__":{"type":"null"},"constructor":{"type":"integer"}}',
    );
    assertEquals(document.paths["/q"]?.get?.parameters?.map(({ name, required }) => [name, required]), [
      ["__proto__", true],
      ["constructor", undefined],
    ]);
    assertEquals(Object.keys(Object.prototype), []);
  });
});
