import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { endpoint, route, setup } from "../../../mod.ts";
import { docsPage, type JsonSchema, openapi, type OpenApiDocument, type Operation } from "../../../src/openapi/mod.ts";
import { request } from "../../support/request.ts";
import { info, unused } from "./document_of.ts";

/** Text that is markup if it is not escaped, between tags and in an attribute. */
const HOSTILE = `"></script><script>alert(1)</script><img src=x onerror='alert(1)'>`;

const OK = { 200: { description: "Fine" } };

/** A document with these operations, each of a path of its own. */
function documentWith(
  operations: readonly Partial<Operation>[],
  others: Partial<OpenApiDocument> = {},
): OpenApiDocument {
  const paths = operations.map((operation, index) => [
    `/${index}`,
    { post: { operationId: `op${index}`, responses: OK, ...operation } },
  ]);
  return { openapi: "3.1.0", info, paths: Object.fromEntries(paths), components: { schemas: {} }, ...others };
}

async function respond(document: OpenApiDocument): Promise<Response> {
  const app = setup({ handlers: [route.get("/docs", { resolve: docsPage(document) })] });
  return await app.fetch(request("/docs"));
}

async function pageOf(document: OpenApiDocument): Promise<string> {
  return await (await respond(document)).text();
}

/** The page of one operation. */
async function pageWith(operation: Partial<Operation>, others: Partial<OpenApiDocument> = {}): Promise<string> {
  return await pageOf(documentWith([operation], others));
}

/** The page of one body. */
function pageWithBody(type: string, schema: JsonSchema, schemas: Record<string, JsonSchema> = {}): Promise<string> {
  const requestBody = { required: true, content: { [type]: { schema } } };
  return pageWith({ requestBody }, { components: { schemas } });
}

/** The attributes of the elements of a kind, as they are written. */
function attributesOf(page: string, tag: string): readonly string[] {
  return Array.from(page.matchAll(new RegExp(`<${tag}\\b([^>]*)>`, "g")), ([, attributes = ""]) => attributes.trim());
}

/** Attributes without those that every control has. */
function own(attributes: string): string {
  return attributes.replace(/ ?(?:id|aria-describedby|autocomplete|autocapitalize|spellcheck)="[^"]*"/g, "").trim();
}

/** The text of a part of a page. */
function textOf(markup: string): string {
  const text = markup.replace(/<(script|style)>[^]*?<\/\1>/g, "").replace(/<[^>]*>/g, " ");
  return unescape(text.replace(/\s+/g, " ").trim());
}

function unescape(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}

/** The value in the box for a body. */
async function sampleOf(schema: JsonSchema, schemas: Record<string, JsonSchema> = {}): Promise<unknown> {
  const page = await pageWithBody("application/json", schema, schemas);
  const [, text = ""] = /<textarea[^>]*rows="8"[^>]*>\n([^<]*)<\/textarea>/.exec(page) ?? [];
  return JSON.parse(unescape(text));
}

/** How a schema is described. */
async function describedAs(schema: JsonSchema): Promise<string> {
  const page = await pageOf(documentWith([], { components: { schemas: { It: schema } } }));
  const [, markup = ""] = /<code>It<\/code><\/summary><div class="opened">([^]*?)<details/.exec(page) ?? [];
  return textOf(markup);
}

describe("docsPage()", () => {
  it("sends one HTML file, which no browser takes for anything else, each time the same", async () => {
    const handler = docsPage(documentWith([{}]));
    const app = setup({ handlers: [route.get("/docs", { resolve: handler })] });
    const response = await app.fetch(request("/docs"));
    assertEquals(response.status, 200);
    assertEquals(response.headers.get("content-type"), "text/html; charset=utf-8");
    assertEquals(response.headers.get("x-content-type-options"), "nosniff");
    const page = await response.text();
    assert(page.startsWith("<!doctype html>"));
    assertEquals(await (await app.fetch(request("/docs"))).text(), page);
    assertEquals(Array.from(page.matchAll(/(?:src|href)="([^"#][^"]*)"/g), ([, url]) => url), ["data:,"]);
  });

  it("allows its own script and style by their hashes, and nothing of other hosts", async () => {
    const response = await respond(documentWith([{}]));
    const policy = response.headers.get("content-security-policy") ?? "";
    const page = await response.text();
    for (const tag of ["script", "style"]) {
      const [, text = ""] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(page) ?? [];
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
      assertStringIncludes(policy, `${tag}-src 'sha256-${btoa(String.fromCharCode(...digest))}'`);
    }
    assertEquals(policy.split("; ").filter((rule) => !/^(?:script|style)-src/.test(rule)), [
      "default-src 'none'",
      "img-src data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ]);
  });

  it("lets requests go to the servers of the document, and offers a choice of them", async () => {
    const servers = [
      { url: "/v1" },
      { url: "https://{region}.example.com:8443/v1", variables: { region: { default: "eu" } }, description: "Europe" },
      { url: "https://{unknown}.example.com" },
      { url: "https://a.example.com;script-src%20*" },
      { url: "https://a.example.com;*" },
      { url: "javascript:alert(1)" },
    ];
    const response = await respond(documentWith([{}], { servers }));
    assertStringIncludes(
      response.headers.get("content-security-policy") ?? "",
      "; connect-src 'self' https://eu.example.com:8443; base-uri",
    );
    const page = await response.text();
    assertStringIncludes(page, '<option value="https://eu.example.com:8443/v1">');
    assertStringIncludes(textOf(page), "https://eu.example.com:8443/v1: Europe");
    const alone = await pageOf(documentWith([{}], { servers: [{ url: "/v1" }] }));
    assertStringIncludes(alone, '<div hidden><div class="field"><label for="server">');
  });

  it("groups operations by their first tag, in the order of the tags, and links to them", async () => {
    const tags = [{ name: "b", description: "All of b" }, { name: "unused" }, { name: "a" }];
    const operations = [{ tags: ["a", "b"] }, { tags: ["b"] }, {}, { tags: ["c"] }];
    const page = await pageOf(documentWith(operations, { tags }));
    const main = page.slice(page.indexOf("<main>"));
    assertEquals(Array.from(main.matchAll(/<h2[^>]*>([^<]*)/g), ([, name]) => name), ["b", "a", "Operations", "c"]);
    assertEquals(
      Array.from(main.matchAll(/data-operation="([^"]*)"/g), ([, id]) => id),
      ["op1", "op0", "op2", "op3"],
    );
    assertStringIncludes(main, "All of b");
    const targets = Array.from(page.matchAll(/href="#(operation-[^"]*)"/g), ([, id]) => id);
    assertEquals(targets, ["operation-op1", "operation-op0", "operation-op2", "operation-op3"]);
    for (const id of targets) assertStringIncludes(page, `id="${id}"`);
  });

  it("gives different operations different ids, whatever they are named", async () => {
    const names = ["a b", "a_b", "a~20~b", 'a"b', "\ud800"];
    const page = await pageOf(documentWith(names.map((operationId) => ({ operationId }))));
    const ids = Array.from(page.matchAll(/<details class="operation" id="([^"]*)"/g), ([, id = ""]) => id);
    assertEquals(new Set(ids).size, names.length);
    for (const id of ids) assertEquals(id, encodeURI(id));
  });

  it("gives no control the id of an operation", async () => {
    const about: Partial<Operation> = {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      requestBody: { content: { "application/json": { schema: {} }, "text/plain": { schema: {} } } },
    };
    const names = ["op", "op-0", "op-body", "op-body-type", "op-body-0", "op-0-about", "op-accept"];
    const page = await pageOf(documentWith(names.map((operationId) => ({ operationId, ...about }))));
    const ids = Array.from(page.matchAll(/ id="([^"]*)"/g), ([, id]) => id);
    assertEquals(ids.filter((id, index) => ids.indexOf(id) !== index), []);
  });

  it("shows everything in a document as text", async () => {
    const schema = {
      type: "object",
      title: HOSTILE,
      description: HOSTILE,
      required: [HOSTILE],
      properties: { [HOSTILE]: { type: "string", format: HOSTILE, default: HOSTILE, pattern: HOSTILE } },
      [HOSTILE]: HOSTILE,
    };
    const strange = [{ type: HOSTILE }, { $ref: HOSTILE }, { enum: [HOSTILE] }, { const: HOSTILE }];
    const content = {
      [HOSTILE]: { schema: { anyOf: [schema, ...strange] }, examples: { [HOSTILE]: { value: HOSTILE } } },
    };
    const fields = { "multipart/form-data": { schema, encoding: { [HOSTILE]: { contentType: HOSTILE } } } };
    const places = ["path", "query", "header", "cookie"] as const;
    const document = documentWith([
      {
        operationId: HOSTILE,
        summary: HOSTILE,
        description: HOSTILE,
        tags: [HOSTILE],
        deprecated: true,
        "x-sunset": HOSTILE,
        security: [{ [HOSTILE]: [HOSTILE] }],
        parameters: places.map((place) => ({
          name: HOSTILE,
          in: place,
          description: HOSTILE,
          schema: { enum: [HOSTILE] },
        })),
        requestBody: { description: HOSTILE, content: { ...content, ...fields } },
        responses: {
          [HOSTILE]: {
            description: HOSTILE,
            headers: { [HOSTILE]: { description: HOSTILE, required: true, schema } },
            content,
          },
        },
      },
    ], {
      info: { title: HOSTILE, version: HOSTILE, summary: HOSTILE, description: HOSTILE },
      servers: [{ url: HOSTILE, description: HOSTILE }, { url: HOSTILE }],
      tags: [{ name: HOSTILE, description: HOSTILE }],
      security: [{ [HOSTILE]: [] }],
      components: {
        schemas: { [HOSTILE]: schema },
        securitySchemes: { [HOSTILE]: { type: "apiKey", in: "header", name: HOSTILE, description: HOSTILE } },
      },
    });
    document.paths[HOSTILE] = { get: { operationId: "hostile", responses: OK } };
    document.webhooks = { [HOSTILE]: { post: { operationId: "sent", description: HOSTILE, responses: OK } } };
    const page = await pageOf(document);
    assertEquals(attributesOf(page, "script"), [""]);
    assertEquals(attributesOf(page, "img"), []);
    // Without what is in quotes, no attribute is left that is not one of the page.
    const names = Array.from(
      page.replace(/<(script|style)>[^]*?<\/\1>/g, "").matchAll(/<\w+([^<>]*)>/g),
      ([, each = ""]) => each.replace(/"[^"]*"/g, "").split(/[\s=]+/),
    ).flat();
    assertEquals(names.filter((name) => /^on|alert|src/.test(name)), []);
    assertStringIncludes(unescape(page), HOSTILE);
  });

  it("has a field for each parameter, described by its schema, and requires those of the path", async () => {
    const page = await pageWith({
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string", examples: ["emma"] } },
        { name: "limit", in: "query", description: "How many", schema: { type: "integer", maximum: 100, default: 20 } },
        { name: "sort", in: "query", required: true, schema: { $ref: "#/components/schemas/Sort" } },
        { name: "all", in: "query", schema: { type: "boolean" } },
        { name: "tag", in: "query", schema: { type: "array", items: { type: "string" } } },
        { name: "x-trace", in: "header", schema: true },
        { name: "theme", in: "cookie", schema: { type: "string" } },
      ],
    }, { components: { schemas: { Sort: { enum: ["title", "year"] } } } });
    const fields = [...attributesOf(page, "input"), ...attributesOf(page, "select"), ...attributesOf(page, "textarea")]
      .filter((field) => field.includes("data-in="))
      .map(own);
    assertEquals(
      fields,
      [
        'data-in="path" data-name="id" required value="emma"',
        'data-in="query" data-name="limit" value="" inputmode="decimal"',
        'data-in="header" data-name="x-trace" value=""',
        'data-in="cookie" data-name="theme" value=""',
        'data-in="query" data-name="sort"',
        'data-in="query" data-name="all"',
        'data-in="query" data-name="tag" data-many rows="2" placeholder="one value per line"',
      ].map((field) => field),
    );
    assertEquals(Array.from(page.matchAll(/<option value="([^"\/]+)"/g), ([, value]) => value), [
      "title",
      "year",
      "true",
      "false",
    ]);
    const text = textOf(page);
    assertStringIncludes(text, 'id required path string examples: ["emma"]');
    assertStringIncludes(text, "limit query integer maximum: 100 default: 20 How many");
    assertStringIncludes(text, "sort required title year query Sort");
    // A label and a description of each field.
    for (const [, id] of page.matchAll(/<(?:input|select|textarea) (?:type="file" )?id="(operation-op0:\d)"/g)) {
      assertStringIncludes(page, `<label for="${id}">`);
      assertStringIncludes(page, `id="${id}-about"`);
    }
  });

  it("keeps the slashes of a parameter that is the rest of a path, which may be empty", async () => {
    const document = openapi({
      info,
      routes: [route.get("/a/:id/b/:path+", { resolve: unused }), route.get("/c/*", { resolve: unused })],
    });
    const inputs = attributesOf(await pageOf(document), "input").filter((field) => field.includes("data-in"));
    assertEquals(
      inputs.map((
        field,
      ) => [/data-name="([^"]*)"/.exec(field)?.[1], / data-slashes/.test(field), / required/.test(field)]),
      [
        ["id", false, true],
        ["path", true, false],
        ["rest", true, false],
      ],
    );
  });

  it("has a box with an example for a body of JSON, and one field for each part of a form", async () => {
    assertEquals(await sampleOf({ type: "object", properties: { a: { type: "string" } } }), { a: "text" });
    const given = { "application/json": { schema: { type: "string" }, examples: { emma: { value: "Emma" } } } };
    assertStringIncludes(unescape(await pageWith({ requestBody: { content: given } })), '>\n"Emma"</textarea>');
    const schema = {
      type: "object",
      required: ["title", "photo"],
      properties: {
        title: { type: "string", default: "Emma" },
        photo: { type: "string", format: "binary" },
        more: { type: "array", items: { type: "string", format: "binary" } },
        size: { enum: ["S", "M"], default: "M" },
      },
      allOf: [{ properties: { note: { type: "string" }, title: { type: "integer" } } }],
    };
    const requestBody = {
      content: {
        "multipart/form-data": { schema, encoding: { photo: { contentType: "image/png, image/jpeg" } } },
        "application/x-www-form-urlencoded": { schema: {} },
        "text/csv": { schema: { type: "string" } },
        "image/*": { schema: { type: "string" } },
      },
    };
    const page = await pageWith({ requestBody });
    assertEquals(
      attributesOf(page, "div").filter((div) => div.includes("data-type")).map((div) => div.replaceAll(/"|data-/g, "")),
      [
        "type=multipart/form-data kind=parts",
        "type=application/x-www-form-urlencoded kind=form hidden",
        "type=text/csv kind=one hidden",
        "type=image/* kind=one hidden",
      ],
    );
    assertEquals(attributesOf(page, "select").filter((each) => each.endsWith("data-types")).length, 1);
    const files = attributesOf(page, "input").filter((each) => each.includes('type="file"')).map(own);
    assertEquals(files, [
      'type="file" data-in="body" data-name="photo" accept="image/png, image/jpeg"',
      'type="file" data-in="body" data-name="more" multiple',
      'type="file" data-in="body" data-name=""',
    ]);
    assertStringIncludes(page, '<option value="M" selected>M');
    assertEquals(attributesOf(page, "textarea").filter((each) => each.includes("data-pairs")).length, 1);
    assertStringIncludes(textOf(page), "Body (optional)");
    assertEquals(page.match(/data-name="(?:title|note)"/g), ['data-name="title"', 'data-name="note"']);
  });

  it("has no end in a form whose schema is an alternative of itself", async () => {
    const schemas = { Loop: { anyOf: [{ $ref: "#/components/schemas/Loop" }, { properties: { a: {} } }] } };
    const page = await pageWithBody("multipart/form-data", { $ref: "#/components/schemas/Loop" }, schemas);
    assertEquals(page.match(/data-name="a"/g)?.length, 1);
  });

  it("shows the bounds of an integer, except those of every exact integer", async () => {
    const text = textOf(
      await pageWithBody("application/json", {
        properties: {
          any: { type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 },
          few: { type: "integer", minimum: 0, maximum: 9 },
        },
      }),
    );
    assertStringIncludes(text.replaceAll(/\s+/g, " "), "few integer minimum: 0 maximum: 9");
    assertEquals(text.includes("9007199254740991"), false);
  });

  it("makes the example of a body from the examples, the defaults and the types of its schema", async () => {
    const cases: readonly (readonly [JsonSchema, unknown])[] = [
      [{ type: "string", examples: ["Emma"] }, "Emma"],
      [{ type: "string", default: "Emma" }, "Emma"],
      [{ const: 7 }, 7],
      [{ enum: ["b", "a"] }, "b"],
      [{ type: "string", minLength: 6, maxLength: 6 }, "text t"],
      [{ type: "string", maxLength: 2 }, "te"],
      [{ type: "string", format: "date-time" }, "2026-01-31T12:00:00Z"],
      [{ type: "integer" }, 1],
      [{ type: "integer", minimum: 5 }, 5],
      [{ type: "integer", minimum: -9007199254740991, maximum: 9007199254740991 }, 1],
      [{ type: "integer", minimum: -5, maximum: -2 }, -2],
      [{ type: "number", exclusiveMinimum: 5 }, 6],
      [{ type: "number", maximum: 0 }, 0],
      [{ type: "boolean" }, true],
      [{ type: "null" }, null],
      [{ type: ["string", "null"] }, "text"],
      [{ type: "array", items: { type: "string" } }, ["text"]],
      [{ type: "array" }, []],
      [{ type: "array", prefixItems: [{ type: "string" }, { type: "integer" }] }, ["text", 1]],
      [{ properties: { a: { type: "string" }, b: true } }, { a: "text", b: null }],
      [{ type: "object" }, {}],
      [JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'), JSON.parse('{"__proto__":"text"}')],
      [{ oneOf: [{ type: "integer" }, { type: "string" }] }, 1],
      [{ type: "object", properties: { a: {} }, allOf: [{ properties: { b: { const: 2 } } }] }, { a: null, b: 2 }],
      [{ anyOf: [true] }, null],
      [false, null],
      [{ $ref: "#/components/schemas/Book", default: "own" }, "own"],
      [{ $ref: "#/components/schemas/Book" }, { title: "text", next: null }],
      [{ $ref: "#/components/schemas/Missing" }, null],
      [{ $ref: "https://example.com/schema" }, null],
      [{ $ref: "#/components/schemas/Circle" }, null],
    ];
    const schemas: Record<string, JsonSchema> = {
      Book: {
        type: "object",
        properties: { title: { type: "string" }, next: { $ref: "#/components/schemas/Circle" } },
      },
      Circle: { $ref: "#/components/schemas/Other" },
      Other: { $ref: "#/components/schemas/Circle" },
    };
    for (const [schema, expected] of cases) {
      assertEquals(await sampleOf(schema, schemas), expected, JSON.stringify(schema));
    }
  });

  it("describes a schema in words, and leaves none of its keywords out", async () => {
    const cases: readonly (readonly [JsonSchema, string])[] = [
      [true, "any value"],
      [false, "any value not: {}"],
      [{ type: "string", format: "uuid", minLength: 3, description: "The id" }, "string (uuid) minLength: 3 The id"],
      [{ type: ["string", "null"] }, "string or null"],
      [{ enum: ["a", null] }, '"a" or null'],
      [{ const: 1 }, "1"],
      [{ type: "array", items: { type: "integer" }, maxItems: 3 }, "array of integer maxItems: 3"],
      [{ type: "array", prefixItems: [{ type: "integer" }] }, "array these, in this order: integer"],
      [
        { type: "object", required: ["a"], properties: { a: {}, b: { $ref: "#/components/schemas/Book" } } },
        "object a required any value b Book",
      ],
      [{ properties: { a: {} }, additionalProperties: false }, "object a any value no other keys"],
      [{ type: "object", additionalProperties: { type: "integer" } }, "object any other key: integer"],
      [{ oneOf: [{ type: "integer" }, { $ref: "https://example.com/x" }] }, "one of: integer https://example.com/x"],
      [{ not: { type: "string" }, "x-own": [1] }, 'any value not: {"type":"string"} x-own: [1]'],
    ];
    for (const [schema, expected] of cases) {
      assertEquals((await describedAs(schema)).replace(/ +/g, " "), expected, JSON.stringify(schema));
    }
  });

  it("shows the responses: description, headers, media types, items of streams and examples", async () => {
    const page = await pageWith({
      responses: {
        200: {
          description: "The book",
          headers: {
            etag: { required: true, description: "Its version", schema: { type: "string" } },
            vary: { schema: true },
          },
          content: {
            "application/json": { schema: { type: "string" }, examples: { emma: { value: "Emma" } } },
            "application/ld+json": { schema: { type: "integer" } },
            "text/event-stream": { itemSchema: { type: "boolean" } },
            "text/plain": {},
          },
        },
        404: { description: "None" },
      },
    });
    const text = textOf(page.slice(page.indexOf("<h4>Responses")));
    assertStringIncludes(
      text,
      "200 The book Headers: etag required string Its version vary any value " +
        'application/json string emma "Emma" application/ld+json integer Example 1 ' +
        "text/event-stream each item: boolean text/plain 404 None",
    );
    // It asks for one of the media types of its success.
    const [, options = ""] = /data-accept>([^]*?)<\/select>/.exec(page) ?? [];
    assertEquals(
      textOf(options.replaceAll("</option>", " ")),
      "*/* application/json application/ld+json text/event-stream text/plain",
    );
  });

  it("has a field for each credential, and says which an operation needs", async () => {
    const securitySchemes = {
      token: { type: "http", scheme: "bearer", description: "From the sign-in" },
      user: { type: "http", scheme: "Basic" },
      signed: { type: "http", scheme: "signature" },
      key: { type: "apiKey", in: "header", name: "x-key" },
      plain: { type: "apiKey", name: "x-plain" },
      asked: { type: "apiKey", in: "query", name: "key" },
      session: { type: "apiKey", in: "cookie", name: "sid" },
      provider: { type: "oauth2" },
      certificate: { type: "mutualTLS" },
    } as const;
    const components = { schemas: {}, securitySchemes };
    const security = [{ token: [], key: [] }, { provider: ["read", "write"] }, {}];
    const page = await pageWith({ security }, { components });
    const fields = attributesOf(page, "input").filter((each) => each.includes("data-scheme")).map((each) =>
      /data-scheme="(\w+)" data-kind="(\w+)"(?: data-key="([^"]*)")?/.exec(each)?.slice(1).join(" ").trim()
    );
    assertEquals(fields, [
      "token bearer",
      "user basic",
      "signed authorization",
      "key header x-key",
      "plain header x-plain",
      "asked query key",
      "session cookie sid",
      "provider bearer",
    ]);
    const text = textOf(page);
    for (
      const about of [
        "bearer token From the sign-in",
        "user:password",
        "oauth2: an access token",
        "a certificate, which the browser sends",
      ]
    ) {
      assertStringIncludes(text, about);
    }
    assertStringIncludes(text, "Credentials: token and key, or provider (read, write), or none");
    assertStringIncludes(unescape(page), 'data-security="[["token","key"],["provider"],[]]"');
    const byDefault = await pageWith({}, { components, security: [{ token: [] }] });
    assertStringIncludes(unescape(byDefault), 'data-security="[["token"]]"');
    const open = await pageWith({ security: [] }, { components, security: [{ token: [] }] });
    assertStringIncludes(unescape(open), 'data-security="[]"');
    assertEquals((await pageWith({})).includes('id="credentials"'), false);
  });

  it("says what is deprecated, and until when it is there", async () => {
    const page = await pageOf(documentWith([{ deprecated: true }, { deprecated: true, "x-sunset": "2028-01-01" }]));
    assertStringIncludes(page, "<del>/0</del>");
    assertStringIncludes(textOf(page), "Deprecated. It may be gone from 2028-01-01.");
  });

  it("shows the webhooks without a form, and every schema with an example", async () => {
    const schema = { type: "object", properties: { id: { $ref: "#/components/schemas/Id" } } };
    const page = await pageOf(documentWith([], {
      webhooks: {
        "order.paid": {
          post: {
            operationId: "onOrderPaid",
            description: "Paid in full",
            requestBody: { content: { "application/json": { schema } } },
            responses: OK,
          },
        },
      },
      components: { schemas: { Id: { type: "integer" } } },
    }));
    assertEquals(attributesOf(page, "form"), []);
    const text = textOf(page.slice(page.indexOf("<main>")));
    assertStringIncludes(
      text,
      'Webhooks POST order.paid Paid in full application/json object id Id Example { "id": 1 }',
    );
    assertStringIncludes(text, "Expected responses 200 Fine");
    assertStringIncludes(text, "Schemas Id integer Example 1");
    assertStringIncludes(page, '<a href="#schema-Id">Id</a>');
  });

  it("has a page of 300 operations, also if their schemas refer to each other without end", async () => {
    const references = (name: string) => ({
      a: { $ref: `#/components/schemas/${name}` },
      b: { $ref: `#/components/schemas/${name}` },
    });
    const schemas = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [
        `S${index}`,
        { type: "object", properties: references(`S${(index + 1) % 50}`) },
      ]),
    );
    const requestBody = { content: { "application/json": { schema: { $ref: "#/components/schemas/S0" } } } };
    const page = await pageOf(
      documentWith(Array.from({ length: 300 }, () => ({ requestBody })), { components: { schemas } }),
    );
    assertEquals(attributesOf(page, "form").length, 300);
    assert(page.length < 10_000_000, `${page.length} characters`);
  });

  it("describes the endpoints of an app as openapi does", async () => {
    const api = { showBook: endpoint.get("/books/:id", { docs: { summary: "Shows a book" }, responses: { 404: {} } }) };
    const page = await pageOf(openapi({ info, endpoints: api }));
    assertStringIncludes(page, 'data-method="GET" data-path="/books/{id}"');
    assertStringIncludes(page, "Shows a book");
    assertStringIncludes(page, "<title>Test</title>");
  });

  it("rejects what is no document when it is called", () => {
    for (const document of [undefined, {}, { info, paths: {} }, [], '{"openapi":"3.1.0"}']) {
      const error = assertThrows(() => docsPage(document as never), TypeError);
      assertStringIncludes(error.message, "Document of docsPage must be what openapi returns: received ");
    }
  });
});
