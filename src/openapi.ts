/**
 * Describes routes as an [OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.0.html) document, for reference pages, generated
 * clients and other tools. The document is generated from the routes that you serve. It is not served itself unless you add
 * a route for it.
 *
 * @example A document, and a route that serves it
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { openapi } from "@fw/core/openapi";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = setup({
 *   validator: standardSchema,
 *   handlers: [
 *     route.get("/books/:id", {
 *       docs: { summary: "Shows a book", responses: { 200: { schema: z.object({ title: z.string() }) } } },
 *       resolve: () => Response.json({ title: "Emma" }),
 *     }),
 *   ],
 * });
 * const document = openapi({ info: { title: "Books", version: "1.0.0" }, routes: api.routes });
 * const described = route.get("/openapi.json", { resolve: () => Response.json(document) });
 *
 * assertEquals(Object.keys(document.paths), ["/books/{id}"]);
 * assertEquals(document.paths["/books/{id}"]?.get?.operationId, "getBooksById");
 * ```
 *
 * @module
 */

import { requireDocs, type RouteResponse, type SecurityRequirement } from "./docs.ts";
import type {
  Info,
  OpenApiDocument,
  Operation,
  OperationMethod,
  Parameter,
  SecurityScheme,
  Server,
  Tag,
} from "./openapi_document.ts";
import { collectSchemas, messageOf } from "./openapi_schema.ts";
import type { Expression, JsonSchema, Properties, SchemaCollection, Side, ToJsonSchema } from "./openapi_schema.ts";
import { requireThat } from "./option.ts";
import { parsePattern, type Pattern } from "./pattern.ts";
import type { AnyRoute } from "./route.ts";
import { ALL } from "./router.ts";
import { describeRoute, isRecord } from "./shape.ts";

export type * from "./openapi_document.ts";
export type { JsonSchema, JsonSchemaObject, Side, ToJsonSchema } from "./openapi_schema.ts";

/** The options of {@linkcode openapi}. */
export interface OpenApiOptions {
  /** Title, version and description of the API. */
  readonly info: Info;
  /** The routes to describe, in this order: `app.routes`, or the public ones of them. */
  readonly routes: readonly AnyRoute[];
  /** The servers of the API; by default, the one that serves the document. */
  readonly servers?: readonly Server[];
  /** Descriptions of the groups of operations, in the order in which to show them. */
  readonly tags?: readonly Tag[];
  /** Default security requirements. A route's `docs.security` replaces them. */
  readonly security?: readonly SecurityRequirement[];
  /** The security schemes that `security` refers to. */
  readonly securitySchemes?: { readonly [name: string]: SecurityScheme };
  /** Converts schemas that do not implement Standard JSON Schema, or fail to. It is called for those only. */
  readonly toJsonSchema?: ToJsonSchema;
  /**
   * What to do with what OpenAPI cannot express: a schema without a JSON Schema, a schema of params or query that is not an
   * object, an unknown method, a second route on one OpenAPI path. `"throw"`, the default, throws. With `"open"` such a schema
   * allows any value, and such a route is skipped.
   */
  readonly inexpressible?: "throw" | "open";
}

/**
 * Describes routes as an OpenAPI 3.1 document.
 *
 * Paths, parameters and bodies come from patterns and schemas, everything else from the `docs` of the routes. Schemas are
 * converted by [Standard JSON Schema](https://standardschema.dev/json-schema), which Zod 4.2, ArkType 2.1.28 and later
 * versions implement. For other schemas pass `toJsonSchema`.
 *
 * - `:id` becomes `{id}`. A final `*` becomes the parameter `{rest}`. Its value may contain slashes, which OpenAPI cannot
 *   express.
 * - Paths that differ only in parameter names become one path, with the names of the first route.
 * - An `ALL` route is listed under every OpenAPI method that has no route of its own on that pattern.
 * - The default `operationId` is made of method and path: `getBooksById`.
 * - A query key that is declared as an array may be repeated.
 *
 * @param options The routes to describe, and data about the API.
 * @returns The document: plain data that belongs to the caller. The same routes give the same document.
 * @throws A `TypeError` if a route cannot be described, unless `inexpressible` is `"open"`; if two routes have the same
 * `operationId`; if an option has the wrong shape. The message about a route names it.
 *
 * @example Schemas of a library that needs a converter
 * ```ts
 * import { route } from "@fw/core";
 * import { openapi } from "@fw/core/openapi";
 * import { assertEquals } from "@std/assert";
 * import { toJsonSchema } from "@valibot/to-json-schema";
 * import * as v from "valibot";
 *
 * const isValibot = (schema: unknown): schema is v.GenericSchema =>
 *   typeof schema === "object" && schema !== null && "kind" in schema && schema.kind === "schema";
 *
 * const document = openapi({
 *   info: { title: "Books", version: "1.0.0" },
 *   routes: [
 *     route.get("/books", {
 *       request: { query: v.object({ limit: v.optional(v.pipe(v.string(), v.toNumber())) }) },
 *       resolve: () => new Response(),
 *     }),
 *   ],
 *   toJsonSchema: (schema, side) =>
 *     isValibot(schema) ? toJsonSchema(schema, { typeMode: side, target: "draft-2020-12" }) : undefined,
 * });
 * assertEquals(document.paths["/books"]?.get?.parameters, [
 *   { name: "limit", in: "query", schema: { type: "string" } },
 * ]);
 * ```
 */
export function openapi(options: OpenApiOptions): OpenApiDocument {
  requireOptions(options);
  const { info, routes, servers, tags, security, securitySchemes, toJsonSchema, inexpressible } = options;
  const refuse: Refuse = (message, cause) => {
    if (inexpressible !== "open") throw new TypeError(message, cause === undefined ? undefined : { cause });
  };
  requireSchemes("Option security", security, securitySchemes);

  const schemas = collectSchemas(toJsonSchema);
  const paths = new Map<string, Map<OperationMethod, Draft<Operation>>>();
  for (const endpoint of nameEndpoints(listEndpoints(routes, refuse))) {
    const { route, name, path, method } = endpoint;
    requireSchemes(`Option docs.security of route ${name}`, route.docs?.security, securitySchemes);
    const item = paths.get(path) ?? new Map();
    paths.set(path, item.set(method, describe(endpoint, schemas, refuse)));
  }

  const draft: Draft<OpenApiDocument> = {
    openapi: "3.1.0",
    info,
    servers,
    tags,
    security,
    paths: Object.fromEntries(Array.from(paths, ([path, item]) => [path, Object.fromEntries(item)])),
    components: { schemas: schemas.components(), securitySchemes },
  };
  // A deep copy without `undefined`, which shares nothing with the options and contains no object twice.
  return JSON.parse(JSON.stringify(draft));
}

/** Throws, unless `inexpressible` is `"open"`. */
type Refuse = (message: string, cause?: unknown) => void;

/** `T` before serialization: any key may be `undefined`. */
type Draft<T> = T extends readonly (infer Item)[] ? readonly Draft<Item>[]
  : T extends object ? { readonly [Key in keyof T]: Draft<T[Key]> | undefined }
  : T;

/** Run-time checks for JavaScript callers; TypeScript has checked the same. */
function requireOptions(options: OpenApiOptions): void {
  requireThat(isRecord(options), "Options of openapi", "an object", options);
  const { info, routes, toJsonSchema, inexpressible = "throw" } = options;
  requireThat(isRecord(info), "Option info", "an object", info);
  requireThat(typeof info.title === "string", "Option info.title", "a string", info.title);
  requireThat(typeof info.version === "string", "Option info.version", "a string", info.version);
  requireThat(Array.isArray(routes), "Option routes", "an array of routes", routes);
  if (toJsonSchema !== undefined) {
    requireThat(typeof toJsonSchema === "function", "Option toJsonSchema", "a function", toJsonSchema);
  }
  if (inexpressible !== "throw" && inexpressible !== "open") {
    throw new TypeError(`Option inexpressible must be "throw" or "open": received ${JSON.stringify(inexpressible)}`);
  }
}

function requireSchemes(
  option: string,
  security: readonly SecurityRequirement[] = [],
  schemes: OpenApiOptions["securitySchemes"] = {},
): void {
  for (const name of security.flatMap((requirement) => Object.keys(requirement))) {
    if (Object.hasOwn(schemes, name)) continue;
    throw new TypeError(`${option} must name what is in securitySchemes: received ${JSON.stringify(name)}`);
  }
}

/** One method of a route, with its place in the document. */
interface Endpoint extends Place {
  readonly route: AnyRoute;
  /** The route, as messages name it. */
  readonly name: string;
  readonly pattern: Pattern;
  readonly method: OperationMethod;
}

/** A path of the document. */
interface Place {
  /** The path as the document has it. */
  readonly path: string;
  /** The parameter names, in order. */
  readonly parameters: readonly string[];
}

/** Lists the endpoints of the routes, method by method, in order. */
function listEndpoints(routes: readonly AnyRoute[], refuse: Refuse): readonly Endpoint[] {
  const declared = routes.map((route, index) => readRoute(route, index + 1));
  const named = new Set(
    declared.flatMap(({ methods, pattern }) => methods.map((method) => `${method} ${pattern.shape}`)),
  );
  const places = new Map<string, Place>();
  const taken = new Map<string, string>();
  const endpoints: Endpoint[] = [];

  for (const { route, name, pattern, methods } of declared) {
    const { shape } = pattern;
    // OpenAPI distinguishes paths by their literal text only.
    const text = shape.replaceAll(/[:*]/g, "{}");
    const place = places.get(text) ?? placeOf(pattern);
    places.set(text, place);
    // A route for a named method takes precedence over an `ALL` route.
    const rest = [...METHODS.keys()].filter((method) => !named.has(`${method} ${shape}`));
    for (const method of methods.flatMap((method) => method === ALL ? rest : method)) {
      const known = METHODS.get(method);
      const rival = taken.get(`${method} ${text}`);
      if (known === undefined) {
        refuse(`Route ${name} must have methods that OpenAPI knows, or not be among routes: received ${method}`);
      } else if (rival !== undefined) {
        refuse(`Routes ${rival} and ${name} are one operation to OpenAPI: leave one of them out of routes`);
      } else {
        taken.set(`${method} ${text}`, name);
        endpoints.push({ ...place, route, name, pattern, method: known });
      }
    }
  }
  return endpoints;
}

/** The methods that OpenAPI 3.1 supports, with their OpenAPI names. */
const METHODS: ReadonlyMap<string, OperationMethod> = new Map([
  ["GET", "get"],
  ["PUT", "put"],
  ["POST", "post"],
  ["DELETE", "delete"],
  ["OPTIONS", "options"],
  ["HEAD", "head"],
  ["PATCH", "patch"],
  ["TRACE", "trace"],
]);

/** A checked route. Checked here, since it may not have been passed to `setup`. */
interface Declared {
  readonly route: AnyRoute;
  readonly name: string;
  readonly methods: readonly string[];
  readonly pattern: Pattern;
}

function readRoute(route: AnyRoute, position: number): Declared {
  const { path, method }: { path?: unknown; method?: unknown } = isRecord(route) ? route : {};
  const isRoute = typeof path === "string" && (typeof method === "string" || Array.isArray(method));
  requireThat(isRoute, `Item ${position} of routes`, "a route", route);
  const name = describeRoute(route);
  const pattern = parsePattern(name, route.path);
  if (route.docs !== undefined) requireDocs(name, route.docs);
  return { route, name, methods: [route.method].flat(), pattern };
}

/** Renders a pattern as text, each parameter written by `put`. */
function write({ shape, names }: Pattern, put: (name: string, index: number) => string): string {
  return names.reduce((text, name, index) => text.replace(/[:*]/, () => put(name, index)), shape);
}

function placeOf(pattern: Pattern): Place {
  const own = pattern.names;
  let rest = "rest";
  while (own.includes(rest)) rest += "_";
  const parameters = own.map((name) => name === "*" ? rest : name);
  return { path: write(pattern, (_, index) => `{${parameters[index]}}`), parameters };
}

/** An endpoint with its `operationId`. */
interface NamedEndpoint extends Endpoint {
  readonly operationId: string;
}

/** Assigns explicit operationIds first, so that generated ones cannot take them. */
function nameEndpoints(endpoints: readonly Endpoint[]): readonly NamedEndpoint[] {
  const taken = new Map<string, string>();
  const given = endpoints.map(({ route, method, name }, index) => {
    const { operationId } = route.docs ?? {};
    if (operationId === undefined) return undefined;
    const isFirst = endpoints[index - 1]?.route !== route;
    const id = isFirst ? operationId : operationId + capitalize(method);
    const rival = taken.get(id);
    if (rival !== undefined) {
      throw new TypeError(`Routes ${rival} and ${name} must not both have the operationId ${JSON.stringify(id)}`);
    }
    taken.set(id, name);
    return id;
  });

  return endpoints.map((endpoint, index) => {
    const id = given[index];
    if (id !== undefined) return { ...endpoint, operationId: id };
    const derived = endpoint.method + (wordsOf(endpoint.pattern) || "Root");
    let operationId = derived;
    for (let count = 2; taken.has(operationId); count++) operationId = `${derived}${count}`;
    taken.set(operationId, endpoint.name);
    return { ...endpoint, operationId };
  });
}

/** A pattern as a part of an operationId: `BooksById`, `FilesRest`. */
function wordsOf(pattern: Pattern): string {
  const text = write(pattern, (name) => name === "*" ? "rest" : `by-${name}`);
  return text.split(/[^A-Za-z0-9]+/).map(capitalize).join("");
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function describe(endpoint: NamedEndpoint, schemas: SchemaCollection, refuse: Refuse): Draft<Operation> {
  const { route, name, pattern, parameters: names, operationId } = endpoint;
  const { tags, summary, description, requestBody, responses = {}, deprecated, security } = route.docs ?? {};
  const { params, query, body } = route.request ?? {};

  /** Returns what `use` makes of the schema of a part. Returns `open` without a schema, or if a failure is to be ignored. */
  function read<Result>(
    part: string,
    schema: unknown,
    side: Side,
    use: (expression: Expression) => Result,
    open: Result,
  ): Result {
    if (schema === undefined) return open;
    try {
      return use(schemas.express(schema, side, operationId + capitalize(part).replace(" ", "")));
    } catch (error) {
      refuse(`Schema of the ${part} of route ${name} must be expressible as JSON Schema: ${messageOf(error)}`, error);
      return open;
    }
  }

  const ownNames = pattern.names;
  const inPath = read("params", params, "input", placeProperties, NO_PROPERTIES);
  for (const required of inPath.required) {
    if (ownNames.includes(required)) continue;
    refuse(
      `Schema of the params of route ${name} must not require what its path does not have: received "${required}"`,
    );
  }
  const inQuery = read("query", query, "input", placeProperties, NO_PROPERTIES);
  const parameters = [
    ...ownNames.map((ownName, index) => {
      const schema = inPath.schemas.get(ownName) ?? { type: "string" };
      const parameter = describeParameter(names[index], "path", true, schema);
      return ownName === "*" ? { ...parameter, description: describeRest(parameter.description) } : parameter;
    }),
    ...Array.from(inQuery.schemas, ([key, schema]) => (
      describeParameter(key, "query", inQuery.required.has(key) || undefined, schema)
    )),
  ];

  if (body !== undefined && requestBody !== undefined) {
    throw new TypeError(
      `Option docs.requestBody of route ${name} describes a body that request.body does: remove one of them`,
    );
  }
  const bodySchema = read("body", body === undefined ? requestBody?.schema : body, "input", place, {});
  const described = Object.entries(responses).map(([status, response]: [string, RouteResponse]) => {
    const { description, schema, contentType } = response;
    const content = read(`response ${status}`, schema, "output", place, {});
    return [status, {
      description: description ?? MEANINGS[status.charAt(0)],
      content: schema === undefined ? undefined : { [contentType ?? JSON_TYPE]: { schema: content } },
    }];
  });

  return {
    tags,
    summary,
    description,
    operationId,
    parameters: parameters.length === 0 ? undefined : parameters,
    requestBody: body !== undefined
      ? { required: true, content: { [JSON_TYPE]: { schema: bodySchema } } }
      : requestBody && {
        description: requestBody.description,
        required: requestBody.required,
        content: { [requestBody.contentType]: { schema: bodySchema } },
      },
    responses: described.length === 0 ? { default: { description: "Any response" } } : Object.fromEntries(described),
    deprecated,
    security,
  };
}

const place = (expression: Expression): JsonSchema => expression.place();

const placeProperties = (expression: Expression): Properties => expression.placeProperties();

const JSON_TYPE = "application/json";

const NO_PROPERTIES: Properties = { schemas: new Map(), required: new Set() };

/** Default response descriptions, by the first character of the status. */
const MEANINGS: Readonly<Record<string, string>> = {
  "1": "Informational",
  "2": "Successful",
  "3": "Redirection",
  "4": "Client error",
  "5": "Server error",
  "d": "Any other response",
};

/** Describes a parameter. The description of its schema is moved to the parameter, since tools would show it twice. */
function describeParameter(
  name: string | undefined,
  where: Parameter["in"],
  required: true | undefined,
  schema: JsonSchema,
): Draft<Parameter> {
  const { description, ...undescribed } = typeof schema === "boolean" ? {} : schema;
  return typeof description === "string"
    ? { name, in: where, description, required, schema: undescribed }
    : { name, in: where, required, schema };
}

/** Describes a wildcard parameter in words: OpenAPI cannot express that a parameter may contain slashes. */
function describeRest(description: string | undefined): string {
  const rest = "The rest of the path: it may contain slashes, and may be empty.";
  return description === undefined ? rest : `${description}\n\n${rest}`;
}
