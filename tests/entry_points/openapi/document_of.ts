/** What several tests of the OpenAPI document call. */
import { assert, assertThrows } from "@std/assert";
import { type AnyRoute, type Endpoint, route, type RouteDocs } from "../../../mod.ts";
import {
  type JsonSchema,
  openapi,
  type OpenApiDocument,
  type OpenApiOptions,
  type Operation,
  type Parameter,
} from "../../../src/openapi/mod.ts";

export const info = { title: "Test", version: "1.0.0" };
export const ok = () => new Response("ok");
/** A handler that fits any declared responses. It is not called. */
export const unused = (): never => {
  throw new Error("called");
};
export const text: JsonSchema = { type: "string" };

/** The document of these routes. */
export function documentOf(routes: readonly Endpoint[], options: Partial<OpenApiOptions> = {}): OpenApiDocument {
  return openapi({ info, routes, ...options });
}

/** The one operation of this one route. */
export function operationOf(route: AnyRoute, options: Partial<OpenApiOptions> = {}): Operation {
  const { paths } = documentOf([route], options);
  const [operation, ...others] = Object.values(paths).flatMap((item) => Object.values(item));
  assert(operation !== undefined && others.length === 0);
  return operation;
}

/** The error for these routes. */
export function refusal(routes: readonly AnyRoute[], options: Partial<OpenApiOptions> = {}): TypeError {
  return assertThrows(() => documentOf(routes, options), TypeError);
}

/** A schema whose JSON Schema is this. */
export function schemaOf(input: unknown, output = input): unknown {
  return { "~standard": { version: 1, vendor: "own", jsonSchema: { input: () => input, output: () => output } } };
}

export function withQuery(query: unknown, docs: RouteDocs = {}): AnyRoute {
  return route.get("/q", { request: { query }, docs, resolve: ok });
}

export function withBody(body: unknown, path = "/b"): AnyRoute {
  return route.post(path, { request: { body }, resolve: ok });
}

export function withResponse(schema: unknown, path = "/r"): AnyRoute {
  return route.get(path, { responses: { 200: { schema } }, resolve: unused });
}

/** The schema of the body in the document. */
export function bodyOf(route: AnyRoute, options: Partial<OpenApiOptions> = {}): JsonSchema | undefined {
  return operationOf(route, options).requestBody?.content["application/json"]?.schema;
}

export const pathParameter = (name: string, schema: JsonSchema = text): Parameter => (
  { name, in: "path", required: true, schema }
);
