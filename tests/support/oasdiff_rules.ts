/**
 * The rules of oasdiff, at its commit 4553c69, each with a short change that it is about. `compatible` says what it makes of
 * them, and `.github/COMPATIBLE.md` lists that: run this file to write it there.
 */
import { compatible } from "../../src/compatible/mod.ts";
import { documentOfOperation, documentWith, worstOf } from "../entry_points/compatible/compare_documents.ts";
import { ROOT } from "./server_process.ts";

/** A rule. */
export interface Rule {
  /** Its name. */
  readonly id: string;
  /** Whether oasdiff reports it as an error or a warning. Else it only informs. */
  readonly isFault: boolean;
  /** What `compatible` makes of it. `none`: it reports nothing. */
  readonly level: string;
  /** Why it is not compared, if it is not. */
  readonly reason?: string;
}

/** A schema that is required, or is not. A schema alone is required as a body, and is not anywhere else. */
interface Presence {
  readonly required: boolean;
  readonly schema: object;
}
type Part = object | Presence | undefined;

const required = (schema: object): Presence => ({ required: true, schema });
const optional = (schema: object): Presence => ({ required: false, schema });
const absent = undefined;
const string = { type: "string" };
const integer = { type: "integer" };
const number = { type: "number" };
const array = { type: "array" };
const object = { type: "object" };
const tuple = (...prefixItems: readonly object[]) => ({ ...array, prefixItems, items: false });
const nullable = { type: ["string", "null"] };
const closed = { type: "object", required: ["a"], properties: { a: string } };
const [A, B] = ["#/components/schemas/A", "#/components/schemas/B"];
const alternatives = { oneOf: [{ $ref: A }, { $ref: B }] };
const mapped = (mapping: object) => ({ ...alternatives, discriminator: { propertyName: "kind", mapping } });
const components = {
  schemas: {
    A: { type: "object", required: ["kind"], properties: { kind: { const: "a" }, type: { const: "a" } } },
    B: { type: "object", required: ["kind"], properties: { kind: { const: "b" }, type: { const: "b" } } },
  },
};

/** What a place of a document has. */
const read = (part: Part, byDefault: boolean) =>
  part === undefined ? undefined : "schema" in part ? part as Presence : { required: byDefault, schema: part };
const content = (schema: unknown, type = "application/json") => ({ content: { [type]: { schema } } });
const sends = (part: Part) => {
  const body = read(part, true);
  return documentOfOperation(
    body ? { requestBody: { required: body.required, ...content(body.schema) } } : {},
    { components },
  );
};
const receives = (schema: unknown, headers?: object) =>
  documentOfOperation({ responses: { 200: { description: "", headers, ...content(schema) } } }, { components });
const inObject = (part: Part, byDefault = false, flags: object = {}) => {
  const property = read(part, byDefault);
  return property === undefined
    ? object
    : { ...object, properties: { a: { ...property.schema, ...flags } }, ...property.required && { required: ["a"] } };
};
const takes = (part: Part, where = "query") => {
  const parameter = read(part, false);
  return documentOfOperation(parameter ? { parameters: [{ name: "a", in: where, ...parameter }] } : {}, { components });
};

/** Where a schema stands: a letter, the name that oasdiff has for it, and a document with the schema there. */
const PLACES: Readonly<Record<string, readonly [name: string, documentOf: (part: Part) => object]>> = {
  b: ["request-body", sends],
  p: ["request-property", (part) => sends(inObject(part))],
  q: ["request-parameter", takes],
  B: ["response-body", receives],
  P: ["response-property", (part) => receives(inObject(part))],
  H: ["response-header", (part) => receives(string, part && { a: read(part, false) })],
  k: ["request-parameter-property", (part) => takes(inObject(part))],
  h: ["request-header-property", (part) => takes(inObject(part), "header")],
  r: ["request-read-only-property", (part) => sends(inObject(part, false, { readOnly: true }))],
  o: ["request-optional-property", (part) => sends(inObject(part))],
  m: ["request-required-property", (part) => sends(inObject(part, true))],
  O: ["response-optional-property", (part) => receives(inObject(part))],
  M: ["response-required-property", (part) => receives(inObject(part, true))],
  V: ["response-optional-write-only-property", (part) => receives(inObject(part, false, { writeOnly: true }))],
  W: ["response-required-write-only-property", (part) => receives(inObject(part, true, { writeOnly: true }))],
  w: ["response-write-only-property", (part) => receives(inObject(part, false, { writeOnly: true }))],
};
/** The places that are columns of the table. */
const COLUMNS = ["b", "p", "q", "B", "P", "H"];

/** Changes of schemas: the end of the rules' names, the places that have the rule, before, after. `!`: a fault for oasdiff. */
const SCHEMA_RULES: readonly (readonly [end: string, places: string, before: Part, after: Part])[] = [
  ["added", "H O M V W", absent, string],
  ["added-optional", "b", absent, optional(string)],
  ["added-required", "b!", absent, required(string)],
  ["all-of-added", "b! p! B P", { allOf: [string] }, { allOf: [string, { maxLength: 9 }] }],
  ["all-of-added-annotation-only", "b p B P", { allOf: [string] }, { allOf: [string, { description: "Text" }] }],
  ["all-of-removed", "b! p! B P", { allOf: [string, { maxLength: 9 }] }, { allOf: [string] }],
  ["all-of-removed-annotation-only", "b p B P", { allOf: [string, { description: "Text" }] }, { allOf: [string] }],
  ["any-of-added", "b p B P", { anyOf: [string] }, { anyOf: [string, integer] }],
  ["any-of-removed", "b! p! B P", { anyOf: [string, integer] }, { anyOf: [string] }],
  ["became-enum", "b! p! q! h!", string, { ...string, enum: ["a"] }],
  ["became-not-nullable", "b! p! q! k! B P H", nullable, string],
  ["became-not-read-only", "o m O M", { ...string, readOnly: true }, string],
  ["became-not-write-only", "o m O M!", { ...string, writeOnly: true }, string],
  ["became-nullable", "b p q k B! P! H!", string, nullable],
  ["became-optional", "b p q P! H! w", required(string), optional(string)],
  ["became-read-only", "o m O M", string, { ...string, readOnly: true }],
  ["became-required", "b! p! q! h! P w", optional(string), required(string)],
  ["became-required-with-default", "p!", optional({ ...string, default: "a" }), required({ ...string, default: "a" })],
  ["became-write-only", "o m O M", string, { ...string, writeOnly: true }],
  ["const-added", "b! p! B P", string, { ...string, const: "a" }],
  ["const-changed", "b! p! B! P!", { ...string, const: "a" }, { ...string, const: "b" }],
  ["const-removed", "b p B! P!", { ...string, const: "a" }, string],
  ["contains-added", "b! p! B P", array, { ...array, contains: string }],
  ["contains-removed", "b p B! P!", { ...array, contains: string }, array],
  ["content-encoding-changed", "b! p! B! P!", { ...string, contentEncoding: "base64" }, {
    ...string,
    contentEncoding: "base16",
  }],
  ["content-media-type-changed", "b! p! B! P!", { ...string, contentMediaType: "image/png" }, {
    ...string,
    contentMediaType: "image/gif",
  }],
  ["content-schema-added", "b! p! B P", { ...string, contentMediaType: "application/json" }, {
    ...string,
    contentMediaType: "application/json",
    contentSchema: integer,
  }],
  ["content-schema-removed", "b p B! P!", { ...string, contentMediaType: "application/json", contentSchema: integer }, {
    ...string,
    contentMediaType: "application/json",
  }],
  ["default-value-added", "b p q! B P", string, { ...string, default: "a" }],
  ["default-value-changed", "b p q! B P", { ...string, default: "a" }, { ...string, default: "b" }],
  ["default-value-removed", "b p q! B P", { ...string, default: "a" }, string],
  ["dependent-required-added", "b! p! B P", object, { ...object, dependentRequired: { a: ["b"] } }],
  ["dependent-required-changed", "b! p! B! P!", { ...object, dependentRequired: { a: ["b"] } }, {
    ...object,
    dependentRequired: { a: ["b", "c"] },
  }],
  ["dependent-required-removed", "b p B! P!", { ...object, dependentRequired: { a: ["b"] } }, object],
  ["dependent-schema-added", "b! p! B P", object, { ...object, dependentSchemas: { a: { required: ["b"] } } }],
  ["dependent-schema-removed", "b p B! P!", { ...object, dependentSchemas: { a: { required: ["b"] } } }, object],
  ["deprecated", "p P", string, { ...string, deprecated: true }],
  ["deprecated-with-sunset", "p P", string, { ...string, deprecated: true, "x-sunset": "2099-01-01" }],
  ["discriminator-added", "b p B P", alternatives, { ...alternatives, discriminator: { propertyName: "kind" } }],
  ["discriminator-mapping-added", "b p B P", mapped({ a: A }), mapped({ a: A, b: B })],
  ["discriminator-mapping-changed", "b p B P", mapped({ a: A }), mapped({ a: B })],
  ["discriminator-mapping-deleted", "b p B P", mapped({ a: A, b: B }), mapped({ a: A })],
  ["discriminator-property-name-changed", "b p B P", { ...alternatives, discriminator: { propertyName: "kind" } }, {
    ...alternatives,
    discriminator: { propertyName: "type" },
  }],
  ["discriminator-removed", "b p B P", { ...alternatives, discriminator: { propertyName: "kind" } }, alternatives],
  ["else-added", "b! p! B P", { ...string, if: { minLength: 5 } }, {
    ...string,
    if: { minLength: 5 },
    else: { minLength: 1 },
  }],
  ["else-removed", "b p B! P!", { ...string, if: { minLength: 5 }, else: { minLength: 1 } }, {
    ...string,
    if: { minLength: 5 },
  }],
  ["enum-value-added", "p q k P! w", { ...string, enum: ["a"] }, { ...string, enum: ["a", "b"] }],
  ["enum-value-removed", "b! p! q! k! r P", { ...string, enum: ["a", "b"] }, { ...string, enum: ["a"] }],
  ["exclusive-max-decreased", "b! p! q! r", { ...integer, exclusiveMaximum: 2 }, { ...integer, exclusiveMaximum: 1 }],
  ["exclusive-max-increased", "b p q B! P!", { ...integer, exclusiveMaximum: 1 }, { ...integer, exclusiveMaximum: 2 }],
  ["exclusive-max-set", "b! p! q!", integer, { ...integer, exclusiveMaximum: 1 }],
  ["exclusive-min-decreased", "b p q B! P!", { ...integer, exclusiveMinimum: 2 }, { ...integer, exclusiveMinimum: 1 }],
  ["exclusive-min-increased", "b! p! q! r", { ...integer, exclusiveMinimum: 1 }, { ...integer, exclusiveMinimum: 2 }],
  ["exclusive-min-set", "b! p! q!", integer, { ...integer, exclusiveMinimum: 1 }],
  ["if-added", "b! p! B P", { ...string, then: { maxLength: 9 } }, {
    ...string,
    if: { minLength: 5 },
    then: { maxLength: 9 },
  }],
  ["if-removed", "b p B! P!", { ...string, if: { minLength: 5 }, then: { maxLength: 9 } }, {
    ...string,
    then: { maxLength: 9 },
  }],
  ["list-of-types-narrowed", "b! p! q! k! B P", { type: ["string", "integer"] }, { type: ["integer"] }],
  ["list-of-types-widened", "b p q k B! P!", { type: ["integer"] }, { type: ["string", "integer"] }],
  ["max-contains-decreased", "b! p! B P", { ...array, contains: string, maxContains: 2 }, {
    ...array,
    contains: string,
    maxContains: 1,
  }],
  ["max-contains-increased", "b p B! P!", { ...array, contains: string, maxContains: 1 }, {
    ...array,
    contains: string,
    maxContains: 2,
  }],
  ["max-decreased", "b! p! q! r", { ...integer, maximum: 2 }, { ...integer, maximum: 1 }],
  ["max-increased", "b p q B! P!", { ...integer, maximum: 1 }, { ...integer, maximum: 2 }],
  ["max-items-decreased", "q!", { ...array, maxItems: 2 }, { ...array, maxItems: 1 }],
  ["max-items-increased", "q", { ...array, maxItems: 1 }, { ...array, maxItems: 2 }],
  ["max-length-decreased", "b! p! q! r", { ...string, maxLength: 2 }, { ...string, maxLength: 1 }],
  ["max-length-increased", "b p q B! P!", { ...string, maxLength: 1 }, { ...string, maxLength: 2 }],
  ["max-length-set", "b! p! q!", string, { ...string, maxLength: 1 }],
  ["max-length-unset", "B! P!", { ...string, maxLength: 1 }, string],
  ["max-set", "b! p! q!", integer, { ...integer, maximum: 1 }],
  ["min-contains-decreased", "b p B! P!", { ...array, contains: string, minContains: 2 }, {
    ...array,
    contains: string,
    minContains: 1,
  }],
  ["min-contains-increased", "b! p! B P", { ...array, contains: string, minContains: 1 }, {
    ...array,
    contains: string,
    minContains: 2,
  }],
  ["min-decreased", "b p q B! P!", { ...integer, minimum: 2 }, { ...integer, minimum: 1 }],
  ["min-increased", "b! p! q! r", { ...integer, minimum: 1 }, { ...integer, minimum: 2 }],
  ["min-items-decreased", "q B! P!", { ...array, minItems: 2 }, { ...array, minItems: 1 }],
  ["min-items-increased", "b! p! q!", { ...array, minItems: 1 }, { ...array, minItems: 2 }],
  ["min-items-set", "b! p! q!", array, { ...array, minItems: 1 }],
  ["min-items-unset", "B! P!", { ...array, minItems: 1 }, array],
  ["min-length-decreased", "b p q B! P!", { ...string, minLength: 2 }, { ...string, minLength: 1 }],
  ["min-length-increased", "b! p! q!", { ...string, minLength: 1 }, { ...string, minLength: 2 }],
  ["min-set", "b! p! q!", integer, { ...integer, minimum: 1 }],
  ["one-of-added", "b p B! P!", { oneOf: [string] }, { oneOf: [string, integer] }],
  ["one-of-removed", "b! p! B P", { oneOf: [string, integer] }, { oneOf: [string] }],
  ["pattern-added", "p! q! P", string, { ...string, pattern: "^a" }],
  ["pattern-changed", "p! q! P", { ...string, pattern: "^a" }, { ...string, pattern: "^b" }],
  ["pattern-generalized", "p q", { ...string, pattern: "^a" }, { ...string, pattern: ".*" }],
  ["pattern-property-added", "b! p! B P", object, { ...object, patternProperties: { "^x": string } }],
  ["pattern-property-removed", "b p B! P!", { ...object, patternProperties: { "^x": string } }, object],
  ["pattern-removed", "p q P", { ...string, pattern: "^a" }, string],
  ["prefix-items-added", "b p B! P!", tuple(string), tuple(string, integer)],
  ["prefix-items-removed", "b! p! B P", tuple(string, integer), tuple(string)],
  ["property-names-added", "b! p! B P", object, { ...object, propertyNames: { maxLength: 9 } }],
  ["property-names-removed", "b p B! P!", { ...object, propertyNames: { maxLength: 9 } }, object],
  ["reactivated", "p P", { ...string, deprecated: true }, string],
  ["removed", "b! p! q! O! M! V W", string, absent],
  ["then-added", "b! p! B P", { ...string, if: { minLength: 5 } }, {
    ...string,
    if: { minLength: 5 },
    then: { maxLength: 9 },
  }],
  ["then-removed", "b p B! P!", { ...string, if: { minLength: 5 }, then: { maxLength: 9 } }, {
    ...string,
    if: { minLength: 5 },
  }],
  ["type-changed", "b! p! q! k! B! P! H!", { type: "boolean" }, integer],
  ["type-generalized", "b p q k B! P! H!", integer, number],
  ["type-specialized", "k! B P H", number, integer],
  ["unevaluated-items-added", "b! p! B P", array, { ...array, unevaluatedItems: false }],
  ["unevaluated-items-removed", "b p B! P!", { ...array, unevaluatedItems: false }, array],
  ["unevaluated-properties-added", "b! p! B P", object, { ...object, unevaluatedProperties: false }],
  ["unevaluated-properties-removed", "b p B! P!", { ...object, unevaluatedProperties: false }, object],
  ["wrapped-in-one-of", "b! B!", closed, { oneOf: [closed, { ...object, required: ["b"] }] }],
  ["x-extensible-enum-value-removed", "p! q!", { ...string, "x-extensible-enum": ["a", "b"] }, {
    ...string,
    "x-extensible-enum": ["a"],
  }],
];

const operation = { responses: { 200: { description: "" } } };
const at = (path: string, value: object = operation, more: object = {}) =>
  documentWith({ [path]: { get: value } }, more);
const none = documentWith({});
const deprecated = (sunset?: string) => ({ ...operation, deprecated: true, ...sunset && { "x-sunset": sunset } });
const parameters = (...list: readonly object[]) => documentOfOperation({ parameters: list });
const query = { name: "a", in: "query", schema: string };
const oldQuery = (sunset: string) => parameters({ ...query, deprecated: true, "x-sunset": sunset });
const request = (type: string, schema?: unknown) => documentOfOperation({ requestBody: content(schema, type) });
const response = (type: string, schema?: unknown) =>
  documentOfOperation({ responses: { 200: { description: "", ...content(schema, type) } } });
const twoTypes = documentOfOperation({
  requestBody: { content: { "text/a": { schema: string }, "text/b": { schema: string } } },
});
const statuses = (...list: readonly number[]) =>
  documentOfOperation({ responses: Object.fromEntries(list.map((status) => [status, { description: "" }])) });
const flow = (more: object = {}) => ({
  type: "oauth2",
  flows: { authorizationCode: { authorizationUrl: "https://a", tokenUrl: "https://b", scopes: { read: "" }, ...more } },
});
const scheme = (value?: object) =>
  at("/x", { ...operation, security: [{ s: ["read"] }] }, { components: { securitySchemes: value && { s: value } } });
const secured = (...security: readonly object[]) => ({ ...operation, security });
const globally = (...security: readonly object[]) => at("/x", operation, { security });
const hooks = (webhooks: object) => documentWith({}, { webhooks });
const xml = "application/xml";

/** The other rules: name, before, after, and the day of the comparison. `!`: a fault for oasdiff. */
const OTHER_RULES: readonly (readonly [id: string, before: object, after: object, today?: string])[] = [
  ["endpoint-added", none, at("/x")],
  ["endpoint-deprecated", at("/x"), at("/x", deprecated())],
  ["endpoint-deprecated-with-sunset", at("/x"), at("/x", deprecated("2030-01-01"))],
  ["endpoint-reactivated", at("/x", deprecated()), at("/x")],
  ["api-removed-without-deprecation!", at("/x"), none],
  ["api-path-removed-without-deprecation!", at("/x"), none],
  ["api-removed-with-deprecation", at("/x", deprecated("2030-01-01")), none, "2030-01-01"],
  ["api-path-removed-with-deprecation", at("/x", deprecated("2030-01-01")), none, "2030-01-01"],
  ["api-removed-before-sunset!", at("/x", deprecated("2030-01-01")), none, "2029-12-31"],
  ["api-path-removed-before-sunset!", at("/x", deprecated("2030-01-01")), none, "2029-12-31"],
  ["api-path-sunset-parse!", at("/x", deprecated("soon")), none],
  ["api-deprecated-sunset-parse!", at("/x", deprecated("soon")), none],
  ["sunset-deleted!", at("/x", deprecated("2030-01-01")), at("/x", deprecated())],
  ["api-sunset-date-changed-too-small!", at("/x", deprecated("2030-01-01")), at("/x", deprecated("2029-01-01"))],
  ["webhook-added", hooks({}), hooks({ x: { post: operation } })],
  ["webhook-removed!", hooks({ x: { post: operation } }), hooks({})],
  ["api-operation-id-added", at("/x"), at("/x", { ...operation, operationId: "a" })],
  ["api-operation-id-removed", at("/x", { ...operation, operationId: "a" }), at("/x")],
  ["api-security-added", at("/x"), at("/x", secured({ s: [] }))],
  ["api-security-removed", at("/x", secured({ s: [] })), at("/x")],
  ["api-security-scope-added", at("/x", secured({ s: [] })), at("/x", secured({ s: ["read"] }))],
  ["api-security-scope-removed", at("/x", secured({ s: ["read"] })), at("/x", secured({ s: [] }))],
  ["api-global-security-added", globally(), globally({ s: [] })],
  ["api-global-security-removed", globally({ s: [] }), globally()],
  ["api-global-security-scope-added", globally({ s: [] }), globally({ s: ["read"] })],
  ["api-global-security-scope-removed", globally({ s: ["read"] }), globally({ s: [] })],
  ["api-security-component-added", scheme(), scheme(flow())],
  ["api-security-component-removed", scheme(flow()), scheme()],
  ["api-security-component-type-changed", scheme(flow()), scheme({ type: "http", scheme: "bearer" })],
  ["api-security-component-oauth-url-changed", scheme(flow()), scheme(flow({ authorizationUrl: "https://c" }))],
  ["api-security-component-oauth-token-url-changed", scheme(flow()), scheme(flow({ tokenUrl: "https://c" }))],
  ["api-security-component-oauth-scope-added", scheme(flow()), scheme(flow({ scopes: { read: "", write: "" } }))],
  ["api-security-component-oauth-scope-removed", scheme(flow()), scheme(flow({ scopes: {} }))],
  ["api-security-component-oauth-scope-changed", scheme(flow()), scheme(flow({ scopes: { read: "Reads" } }))],
  ["new-required-request-parameter!", parameters(), parameters({ ...query, required: true })],
  ["new-optional-request-parameter", parameters(), parameters(query)],
  [
    "new-required-request-default-parameter-to-existing-path!",
    documentWith({ "/x": { get: operation } }),
    documentWith({ "/x": { get: operation, parameters: [{ ...query, required: true }] } }),
  ],
  [
    "new-optional-request-default-parameter-to-existing-path",
    documentWith({ "/x": { get: operation } }),
    documentWith({ "/x": { get: operation, parameters: [query] } }),
  ],
  [
    "new-request-path-parameter!",
    at("/x/{a}", { ...operation, parameters: [{ name: "a", in: "path", required: true, schema: string }] }),
    at("/x/{a}/{b}", {
      ...operation,
      parameters: ["a", "b"].map((name) => ({ name, in: "path", required: true, schema: string })),
    }),
  ],
  ["request-parameter-removed-with-deprecation", oldQuery("2030-01-01"), parameters(), "2030-01-01"],
  ["request-parameter-removed-before-sunset!", oldQuery("2030-01-01"), parameters(), "2029-12-31"],
  ["request-parameter-sunset-parse!", oldQuery("soon"), parameters()],
  ["new-required-request-header-property!", takes(object, "header"), takes(inObject(required(string)), "header")],
  ["new-required-request-property!", sends(object), sends(inObject(required(string)))],
  [
    "new-required-request-property-with-default!",
    sends(object),
    sends(inObject(required({ ...string, default: "a" }))),
  ],
  ["new-optional-request-property", sends(object), sends(inObject(string))],
  ["request-body-media-type-added", request("text/a", string), twoTypes],
  ["request-body-media-type-removed!", twoTypes, request("text/a", string)],
  ["request-body-media-type-schema-added!", request("application/json"), request("application/json", string)],
  ["request-body-media-type-schema-removed", request("application/json", string), request("application/json")],
  ["response-body-media-type-schema-added", response("application/json"), response("application/json", string)],
  ["response-body-media-type-schema-removed!", response("application/json", string), response("application/json")],
  ["request-body-type-compatible", request(xml, integer), request(xml, string)],
  ["request-property-type-compatible", request(xml, inObject(integer)), request(xml, inObject(string))],
  ["response-body-type-compatible", response(xml, string), response(xml, integer)],
  ["response-property-type-compatible", response(xml, inObject(string)), response(xml, inObject(integer))],
  [
    "response-header-type-compatible",
    receives(string, { a: { schema: string } }),
    receives(string, { a: { schema: integer } }),
  ],
  ["required-response-header-removed!", receives(string, { a: required(string) }), receives(string)],
  ["optional-response-header-removed!", receives(string, { a: optional(string) }), receives(string)],
  ["response-media-type-removed!", response("text/a"), statuses(200)],
  ["response-media-type-added", statuses(200), response("text/a")],
  ["response-media-type-name-changed", response("text/a; v=1"), response("text/a; v=2")],
  ["response-media-type-name-generalized!", response("application/problem+json"), response("application/json")],
  ["response-media-type-name-specialized", response("application/json"), response("application/problem+json")],
  [
    "response-mediatype-enum-value-removed",
    response("application/json", { ...string, enum: ["a", "b"] }),
    response("application/json", { ...string, enum: ["a"] }),
  ],
  ["response-success-status-removed!", statuses(200, 201), statuses(200)],
  ["response-success-status-added", statuses(200), statuses(200, 201)],
  ["response-non-success-status-removed", statuses(200, 404), statuses(200)],
  ["response-non-success-status-added", statuses(200), statuses(200, 404)],
];

/** The rules that are not compared, by reason. `!`: a fault for oasdiff. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  "does not apply: it describes":
    "api-tag-added api-tag-removed request-parameter-deprecated request-parameter-reactivated",
  "does not apply: a component matters where an operation uses it": "api-schema-removed",
  "does not apply: clients do not see the version of a document":
    "api-version-not-bumped api-version-decreased api-major-version-not-bumped",
  "refused: how long something is deprecated is a policy of the team": "api-deprecated-sunset-missing! " +
    "api-sunset-date-too-small! request-property-deprecated-sunset-missing! request-property-deprecated-sunset-invalid! " +
    "request-property-sunset-date-too-small! response-property-deprecated-sunset-missing! " +
    "response-property-deprecated-sunset-invalid! response-property-sunset-date-too-small! " +
    "request-parameter-deprecated-sunset-missing! request-parameter-sunset-date-too-small!",
  "refused: the day of a parameter counts when it is removed":
    "request-parameter-sunset-deleted! request-parameter-sunset-date-changed-too-small!",
  "refused: x-stability-level is an extension of oasdiff": "api-stability-decreased! api-stability-increased " +
    "api-invalid-stability-level! request-property-stability-decreased! request-property-stability-increased " +
    "response-property-stability-decreased! response-property-stability-increased",
};

const compare = (before: object, after: object, today = "2026-11-26") => worstOf(compatible(before, after, { today }));
const withMark = (mark: string) => ({ id: mark.replace("!", ""), isFault: mark.endsWith("!") });

/** All rules, in the order of the tables. */
export function rules(): readonly Rule[] {
  return [
    ...SCHEMA_RULES.flatMap(([end, places, before, after]) =>
      places.split(" ").map((mark): Rule => {
        const [name, documentOf] = PLACES[mark.charAt(0)] ?? ["", () => none];
        const level = compare(documentOf(before), documentOf(after));
        return { id: `${name}-${end}`, isFault: mark.endsWith("!"), level };
      })
    ),
    ...OTHER_RULES.map(([mark, before, after, today]): Rule => {
      return { ...withMark(mark), level: compare(before, after, today) };
    }),
    ...Object.entries(NOT_COMPARED).flatMap(([reason, marks]) =>
      marks.split(" ").map((mark): Rule => ({ ...withMark(mark), level: "none", reason }))
    ),
  ];
}

/** What `COMPATIBLE.md` says of each rule, before `deno fmt` aligns the columns. */
export function tables(all: readonly Rule[] = rules()): string {
  const levels = new Map(all.map(({ id, level }) => [id, level]));
  const names = COLUMNS.map((letter) => PLACES[letter]?.[0] ?? "");
  const ends = SCHEMA_RULES.filter(([, places]) => COLUMNS.some((letter) => places.includes(letter)));
  const inColumns = new Set(ends.flatMap(([end]) => names.map((name) => `${name}-${end}`)));
  const rows = ends.map(([end]) => [`\`${end}\``, ...names.map((name) => levels.get(`${name}-${end}`) ?? "–")]);
  const others = Map.groupBy(all.filter(({ id }) => !inColumns.has(id)), ({ level, reason }) => reason ?? level);
  return [
    "Each column has the beginning of the names of rules, each row the end. –: oasdiff has no such rule. none: nothing changes",
    "for clients, and `compatible` reports nothing.\n",
    table(["", ...names.map((name) => `\`${name}-\``)], rows),
    "The other rules:\n",
    ...Array.from(others, ([answer, rules]) => `- ${answer}: ${rules.map(({ id }) => `\`${id}\``).join(", ")}`),
  ].join("\n");
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n") + "\n";

if (import.meta.main) {
  const url = new URL(".github/COMPATIBLE.md", ROOT);
  const text = await Deno.readTextFile(url);
  await Deno.writeTextFile(url, text.replace(/(?<=\n## Rule by rule\n)[^]*?(?=\n## )/, () => `\n${tables()}\n`));
}
