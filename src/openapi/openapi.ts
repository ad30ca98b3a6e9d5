import type { SecurityRequirement } from "../core/declare/docs.ts";
import { endpointsIn } from "../core/declare/check_declared.ts";
import type { Endpoint } from "../core/declare/typed_endpoint.ts";
import { ALL } from "../core/routing/method.ts";
import { describeRoute, hasProperties, isRecord, requireOptions, requireThat } from "../core/values/assert.ts";
import { describeOperation } from "./describe_operation.ts";
import type { Draft } from "./read_schema.ts";
import { describeWebhooks } from "./describe_webhooks.ts";
import type {
  Info,
  OpenApiDocument,
  OpenApiVersion,
  Operation,
  OperationMethod,
  SecurityScheme,
  Server,
  Tag,
} from "./document.ts";
import { collectSchemas, type ToJsonSchema } from "../core/schemas/json_schema.ts";
import { listOperations, type Reject } from "./operations.ts";

/** The options of {@linkcode openapi}: what to describe, and data about the API. */
export type OpenApiOptions = DocumentOptions & (ListedRoutes | NamedEndpoints);

/** The routes that a document describes. */
export interface ListedRoutes {
  /** The routes or endpoints to describe, in this order: `app.routes`, or the public ones of them. */
  readonly routes: readonly Endpoint[];
  /** Endpoints that give names to `routes` with the same method and path. */
  readonly endpoints?: object | undefined;
}

/** The endpoints that a document describes, by name. */
export interface NamedEndpoints {
  /**
   * The endpoints to describe, such as `import * as api from "./api.ts"`. Each name becomes an `operationId`, unless
   * the endpoint's `docs.operationId` says another. The document lists them in this order. The order of a module is
   * alphabetical. Values that are not endpoints are left out, but a value that contains endpoints is an error.
   */
  readonly endpoints: object;
}

/** The options of {@linkcode openapi}, except the endpoints and routes to describe. */
export interface DocumentOptions {
  /** The version of OpenAPI, `"3.1.0"` by default. Only `"3.2.0"` can describe QUERY, and the items of a stream. */
  readonly openapi?: OpenApiVersion | undefined;
  /** Title, version and description of the API. */
  readonly info: Info;
  /** The servers of the API; by default, the one that serves the document. */
  readonly servers?: readonly Server[] | undefined;
  /** Descriptions of the groups of operations, in the order in which to show them. */
  readonly tags?: readonly Tag[] | undefined;
  /** Default security requirements. A route's `docs.security` replaces them. */
  readonly security?: readonly SecurityRequirement[] | undefined;
  /** The security schemes that `security` refers to. */
  readonly securitySchemes?: { readonly [name: string]: SecurityScheme } | undefined;
  /**
   * The webhooks that the API sends, as `publish` and `deliver` of `@fw/core/webhooks` send them: schemas of the data,
   * by type, such as `{ "order.paid": z.object({ id: z.string() }) }`.
   */
  readonly webhooks?: { readonly [type: string]: unknown } | undefined;
  /** Converts schemas that do not implement Standard JSON Schema, or fail to convert. It is called for these only. */
  readonly toJsonSchema?: ToJsonSchema | undefined;
  /**
   * What to do with a schema or a route that OpenAPI cannot express: `"throw"`, the default, throws a `TypeError`. With
   * `"any"`, such a schema allows any value, and such a route is skipped.
   *
   * OpenAPI cannot express a schema without a JSON Schema, a schema for params, query, headers or cookies that is not
   * an object, or one that names a header in capital letters. It cannot express a route with a method that it does not
   * know, or with the path and the method of an earlier route.
   */
  readonly unrepresentable?: "throw" | "any" | undefined;
}

/**
 * Describes routes, or endpoints, as an OpenAPI document, of version 3.1 or 3.2.
 *
 * Paths, parameters, bodies and responses come from patterns and schemas, everything else from the `docs` of the
 * routes. Schemas are converted by [Standard JSON Schema](https://standardschema.dev/json-schema), which Zod 4.2,
 * ArkType 2.1.28 and later versions implement. For other schemas pass `toJsonSchema`.
 *
 * - `:id` becomes `{id}`. A final `*` becomes the parameter `{rest}`. Its value may contain slashes, which OpenAPI
 *   cannot express.
 * - Paths that differ only in parameter names become one path, with the names of the first route.
 * - An `ALL` route is listed under every OpenAPI method that has no route of its own on that pattern.
 * - `docs.operationId` names an operation, else its name in `endpoints`, else method and path: `getBooksById`. If an
 *   endpoint has several methods, the later ones are added to its name: `showBookHead`.
 * - A query key that is declared as an array may be repeated.
 * - A `Date` in the schema of a response becomes a string of the format `date-time`, as in JSON. Options of Zod 4.5,
 *   ArkType and Valibot's `toStandardJsonSchema` make it so. A `toJsonSchema` of your own has to convert dates itself.
 * - OpenAPI 3.2 describes the items of a stream, each event as an object whose `data` is a string of JSON. In 3.1, the
 *   body of a stream is a string.
 * - The `examples` of a response are shown in the form in which they are sent.
 * - A list of responses is one response with several media types. It has the descriptions and the headers of all. A
 *   header is required if each of the list requires it.
 * - The headers `accept`, `authorization` and `content-type` are not listed as parameters: OpenAPI ignores them there.
 *   Describe credentials by `security`.
 * - The media types of a body are those of `request.bodyReader`, or `application/json`. A form with a file is
 *   `multipart/form-data` only.
 * - A body without a schema is a string if its media type begins with `text/`. It is any value for JSON, XML and forms,
 *   and bytes for all other media types. A response to HEAD has no body.
 *
 * @param options The routes to describe, and data about the API.
 * @returns The document: plain data that belongs to the caller. The same routes give the same document.
 * @throws A `TypeError` if a route cannot be described, unless `unrepresentable` is `"any"`; if two routes have the
 * same `operationId`; if an option has the wrong shape. The message about a route names it.
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
  const routes = checkOptions(options);
  const { info, servers, tags, security, securitySchemes, webhooks, toJsonSchema, unrepresentable } = options;
  const reject: Reject = (message, cause) => {
    if (unrepresentable !== "any") throw new TypeError(message, cause === undefined ? undefined : { cause });
  };
  requireSchemes("Option security", security, securitySchemes);

  const { openapi: version = "3.1.0" } = options;
  const schemas = collectSchemas(toJsonSchema, unrepresentable === "any");
  const paths = new Map<string, Map<OperationMethod, Draft<Operation>>>();
  const leftOut: string[] = [];
  for (const operation of listOperations(routes, namesOf(options.endpoints), reject)) {
    const { route, name, path, method } = operation;
    requireSchemes(`Option docs.security of route ${name}`, route.docs?.security, securitySchemes);
    if (method === "query" && version === "3.1.0") {
      if (route.method !== ALL) leftOut.push(path);
      continue;
    }
    const item = paths.get(path) ?? new Map();
    paths.set(path, item.set(method, describeOperation(operation, schemas, reject, version)));
  }

  const operations = [...paths.values()].flatMap((item) => [...item.values()]);
  const names = new Set(operations.map(({ operationId }) => operationId));
  const draft: Draft<OpenApiDocument> = {
    openapi: version,
    info: leftOut.length === 0 ? info : { ...info, description: describeLeftOut(info, leftOut) },
    servers,
    tags,
    security,
    paths: Object.fromEntries(Array.from(paths, ([path, item]) => [path, Object.fromEntries(item)])),
    webhooks: webhooks && describeWebhooks(webhooks, schemas, names, reject),
    components: { schemas: schemas.components(), securitySchemes },
  };
  // A deep copy without `undefined`, which shares nothing with the options and contains no object twice.
  return JSON.parse(JSON.stringify(draft));
}

/** The description of the API, with a line about the operations that its version of OpenAPI cannot describe. */
function describeLeftOut({ description }: Info, paths: readonly string[]): string {
  const line = `QUERY is left out at ${paths.join(", ")}: OpenAPI 3.1 cannot describe it, 3.2 can.`;
  return description === undefined ? line : `${description}\n\n${line}`;
}

/** Run-time checks for JavaScript callers; TypeScript has checked the same. Returns what to describe. */
function checkOptions(options: OpenApiOptions): readonly Endpoint[] {
  requireOptions(options, "openapi", [], [
    "openapi",
    "info",
    "routes",
    "endpoints",
    "servers",
    "tags",
    "security",
    "securitySchemes",
    "webhooks",
    "toJsonSchema",
    "unrepresentable",
  ]);
  const { openapi: version = "3.1.0", info, endpoints, toJsonSchema, unrepresentable = "throw" } = options;
  if (version !== "3.1.0" && version !== "3.2.0") {
    throw new TypeError(`Option openapi must be "3.1.0" or "3.2.0": received ${JSON.stringify(version)}`);
  }
  requireThat(isRecord(info), "Option info", "an object", info);
  requireThat(typeof info.title === "string", "Option info.title", "a string", info.title);
  requireThat(typeof info.version === "string", "Option info.version", "a string", info.version);
  if (endpoints !== undefined) {
    requireThat(isRecord(endpoints), OWNER, "an object of endpoints", endpoints);
  }
  const routes = routesOf(options);
  requireThat(Array.isArray(routes), "Option routes", "an array of routes", routes);
  if (options.webhooks !== undefined) {
    requireThat(isRecord(options.webhooks), "Option webhooks", "an object of schemas by type", options.webhooks);
  }
  if (toJsonSchema !== undefined) {
    requireThat(typeof toJsonSchema === "function", "Option toJsonSchema", "a function", toJsonSchema);
  }
  if (unrepresentable !== "throw" && unrepresentable !== "any") {
    throw new TypeError(
      `Option unrepresentable must be "throw" or "any": received ${JSON.stringify(unrepresentable)}`,
    );
  }
  return routes.filter((route) => !isPreflight(route));
}

/** Whether `preflights` of a CORS policy has added a route. */
function isPreflight(route: { readonly resolve?: unknown } | null): boolean {
  return hasProperties(route?.resolve) && route.resolve["~preflight"] === true;
}

/** What to describe. */
function routesOf({ routes, endpoints }: Partial<ListedRoutes>): readonly Endpoint[] | undefined {
  return routes ?? (endpoints && endpointsIn(endpoints, OWNER).map(([, endpoint]) => endpoint));
}

/** The names of endpoints, by method and path. */
function namesOf(endpoints: object = {}): ReadonlyMap<string, string> {
  return new Map(endpointsIn(endpoints, OWNER).map(([name, endpoint]) => [describeRoute(endpoint), name]));
}

const OWNER = "Option endpoints";

function requireSchemes(
  option: string,
  security: readonly SecurityRequirement[] = [],
  schemes: OpenApiOptions["securitySchemes"] = {},
): void {
  for (const name of security.flatMap((requirement) => Object.keys(requirement))) {
    if (Object.hasOwn(schemes, name)) continue;
    throw new TypeError(`${option} must name a key of the option securitySchemes: received ${JSON.stringify(name)}`);
  }
}
