/**
 * The types of docs and of documents. The compiler checks them: nothing is asserted at run time, and no function is called.
 */
import { assertType, type IsExact } from "@std/testing/types";
import { toJsonSchema } from "@valibot/to-json-schema";
import { z } from "zod";
import { endpoint, route, type RouteDocs, setup } from "../../mod.ts";
import {
  docsPage,
  type JsonSchema,
  openapi,
  type OpenApiDocument,
  type Operation,
  type Parameter,
} from "../../src/openapi/mod.ts";

const ok = () => new Response();
const info = { title: "Books", version: "1.0.0" };

export function docsOfRoutes() {
  const docs = {
    summary: "Shows a book",
    description: "",
    tags: ["books"],
    operationId: "showBook",
    deprecated: true,
    security: [{ bearer: [] }, {}],
  } as const satisfies RouteDocs;
  route.get("/", { docs, resolve: ok });
  route.on(["GET", "HEAD"], "/", { docs: { ...docs, deprecated: false }, resolve: ok });
  route.with({ docs }).with({ prefix: "/v1", docs: { tags: ["v1"] } }).get("", { docs, resolve: ok });

  // @ts-expect-error at `sumary`: Object literal may only specify known properties, but 'sumary' does not exist in type
  //   'RouteDocs'. Did you mean to write 'summary'?
  route.get("/", { docs: { sumary: "Shows a book" }, resolve: ok });
  // @ts-expect-error at `deprecated`: Type 'string' is not assignable to type 'boolean | undefined | { readonly sunset:
  //   string; }'.
  route.get("/", { docs: { deprecated: "yes" }, resolve: ok });
  // @ts-expect-error at `tags`: Type 'string' is not assignable to type 'readonly string[]'.
  route.with({ docs: { tags: "books" } });
  // @ts-expect-error at `"bearer"`: Type 'string' is not assignable to type 'SecurityRequirement'.
  route.get("/", { docs: { security: ["bearer"] }, resolve: ok });
}

export function whatDocsLeaveAlone() {
  const scope = route.with({ prefix: "/orgs/:orgId", docs: { tags: ["orgs"] }, guards: [() => ({ allow: true })] });
  const app = setup({
    handlers: [
      scope.post("/:id", {
        request: { body: z.object({ title: z.string() }) },
        docs: { summary: "Adds a book" },
        guards: [() => ({ allow: true, locals: { user: "ada" } })],
        resolve: (c) => {
          assertType<IsExact<typeof c.raw.params, { readonly orgId: string; readonly id: string }>>(true);
          assertType<IsExact<typeof c.locals, { user: string }>>(true);
          if (c.input.ok) assertType<IsExact<typeof c.input.body, { title: string }>>(true);
          return ok();
        },
      }),
    ],
    validator: { validate: (_schema, value) => ({ ok: true, value }) },
  });
  assertType<IsExact<Parameters<typeof app.fetch>, [request: Request]>>(true);
}

export function page(document: OpenApiDocument) {
  route.get("/docs", { resolve: docsPage(document) });
  route.on(["GET", "HEAD"], "/docs", {
    responses: { 200: { contentType: "text/html" } },
    resolve: docsPage(document),
  });
  // @ts-expect-error at `resolve`: return reply(status, body)
  route.get("/docs", { responses: { 404: {} }, resolve: docsPage(document) });
  // @ts-expect-error at `"https://example.com/openapi.json"`: Argument of type 'string' is not assignable to parameter
  //   of type 'OpenApiDocument'.
  docsPage("https://example.com/openapi.json");
}

export function documents() {
  const app = setup({ handlers: [route.get("/", { resolve: (_c, _env: { key: string }) => ok() })] });
  const document = openapi({ info, routes: app.routes });
  assertType<IsExact<typeof document, OpenApiDocument>>(true);
  const operation = document.paths["/"]?.get;
  assertType<IsExact<typeof operation, Operation | undefined>>(true);
  const parameter = operation?.parameters?.[0];
  assertType<IsExact<typeof parameter, Parameter | undefined>>(true);
  if (parameter !== undefined) assertType<IsExact<typeof parameter.schema, JsonSchema>>(true);
  // The document belongs to the caller, who may change it.
  document.servers = [{ url: "/" }];
  document.paths["/health"] = { get: { operationId: "health", responses: { 204: { description: "Well" } } } };
  // @ts-expect-error at `GET`: Property 'GET' does not exist on type 'PathItem'. Did you mean 'get'?
  document.paths["/"]?.GET;

  // @ts-expect-error at `{ routes: app.routes }`: Property 'info' is missing in type '{…' but required in type
  //   'DocumentOptions'.
  openapi({ routes: app.routes });
  // @ts-expect-error at `info`: Property 'version' is missing in type '{ title: string; }' but required in type 'Info'.
  openapi({ info: { title: "Books" }, routes: app.routes });
  // @ts-expect-error at `{ info }`: Property 'endpoints' is missing in type '{ info: { title: string; version: string;
  //   }; }' but required in type 'NamedEndpoints'.
  openapi({ info });
  openapi({ info, endpoints: { home: endpoint.get("/") } });
  openapi({ info, routes: app.routes, endpoints: {} });
  // @ts-expect-error at `endpoints`: Type 'string' is not assignable to type 'object'.
  openapi({ info, endpoints: "home" });
  // @ts-expect-error at `unrepresentable`: Type '"open"' is not assignable to type '"any" | "throw" | undefined'.
  openapi({ info, routes: app.routes, unrepresentable: "open" });
  // @ts-expect-error at `type`: Type '"bearer"' is not assignable to type '"apiKey" | "http" | "mutualTLS" | "oauth2" |
  //   "openIdConnect"'.
  openapi({ info, routes: [], securitySchemes: { bearer: { type: "bearer" } } });
  // The schema may be of another library.
  // @ts-expect-error at `schema`: Argument of type 'unknown' is not assignable to parameter of type
  //   'BaseSchema<unknown, unknown, BaseIssue<unknown>>'.
  openapi({ info, routes: [], toJsonSchema: (schema) => toJsonSchema(schema) });
  openapi({
    info,
    routes: [],
    toJsonSchema: (schema, side) => {
      assertType<IsExact<typeof schema, unknown>>(true);
      assertType<IsExact<typeof side, "input" | "output">>(true);
      return schema instanceof z.ZodType ? z.toJSONSchema(schema, { io: side }) : undefined;
    },
  });
}
