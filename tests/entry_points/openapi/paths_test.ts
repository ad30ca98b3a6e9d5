/** Paths, methods and operation ids in the document. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { type AnyRoute, route } from "../../../mod.ts";
import { documentOf, ok, operationOf, pathParameter, refusal, schemaOf, text } from "./document_of.ts";

describe("openapi() on paths", () => {
  it("writes them as templates, in the order of the routes", () => {
    const { openapi, paths } = documentOf([
      route.get("/", { resolve: ok }),
      route.get("/orgs/:orgId/users/:user_id", { resolve: ok }),
      route.get("/a/", { resolve: ok }),
      route.post("/a", { resolve: ok }),
    ]);
    assertEquals(openapi, "3.1.0");
    assertEquals(Object.keys(paths), ["/", "/orgs/{orgId}/users/{user_id}", "/a/", "/a"]);
  });

  it("writes literal text URL-encoded, as in requests", () => {
    const { paths } = documentOf([route.get("/café/a b/%7Bx%7D", { resolve: ok })]);
    assertEquals(Object.keys(paths), ["/caf%C3%A9/a%20b/%7Bx%7D"]);
  });

  it("lists every path parameter, with and without a schema", () => {
    const params: unknown = z.object({ orgId: z.uuid().describe("The org"), more: z.string().optional() });
    const { parameters } = operationOf(route.get("/orgs/:orgId/users/:id", { request: { params }, resolve: ok }));
    assertEquals(parameters?.map(({ schema: _, ...others }) => others), [
      { name: "orgId", in: "path", description: "The org", required: true },
      { name: "id", in: "path", required: true },
    ]);
    const [orgId, id] = parameters ?? [];
    assertMatch(JSON.stringify(orgId?.schema), /^{"type":"string","format":"uuid"/);
    assertEquals(id?.schema, text);
  });

  it("has a parameter for the rest, whose description says what it may be", () => {
    const { paths } = documentOf([route.get("/files/:volume/*", { resolve: ok })]);
    assertEquals(paths["/files/{volume}/{rest}"]?.get?.parameters, [
      pathParameter("volume"),
      { ...pathParameter("rest"), description: "The rest of the path: it may contain slashes, and may be empty." },
    ]);
  });

  it("gives the rest its schema, and another name if its name is taken", () => {
    const params = schemaOf({ type: "object", properties: { "*": { type: "string", description: "A file" } } });
    const { paths } = documentOf([route.get("/:rest/:rest_/*", { request: { params }, resolve: ok })]);
    const [, , rest] = paths["/{rest}/{rest_}/{rest__}"]?.get?.parameters ?? [];
    assertEquals(rest?.name, "rest__");
    assertMatch(rest?.description ?? "", /^A file\n\nThe rest of the path/);
  });

  it("has a parameter for :name+, whose description says what it may be", () => {
    const params = schemaOf({ type: "object", properties: { name: { type: "string", description: "A name" } } });
    const { paths } = documentOf([
      route.get("/v2/:name+/tags", { request: { params }, resolve: ok }),
      route.put("/v2/:name/tags", { resolve: ok }),
      route.get("/v2/:name+/blobs/:digest", { resolve: ok }),
    ]);
    const note = "One or more segments of the path, with slashes between them.";
    const tags = paths["/v2/{name}/tags"];
    assertEquals(tags?.get?.parameters, [{ ...pathParameter("name"), description: `A name\n\n${note}` }]);
    assertEquals(tags?.put?.parameters, [pathParameter("name")]);
    assertEquals(paths["/v2/{name}/blobs/{digest}"]?.get?.parameters, [
      { ...pathParameter("name"), description: note },
      pathParameter("digest"),
    ]);
    assertEquals(tags?.get?.operationId, "getV2ByNameTags");
  });

  it("describes QUERY in version 3.2, and leaves it out of 3.1 with one line", () => {
    const routes = [
      route.get("/books", { resolve: ok }),
      route.query("/books", { request: { body: z.object({ ids: z.array(z.string()) }) }, resolve: ok }),
      route.query("/films", { resolve: ok }),
      route.all("/any", { resolve: ok }),
    ];
    const { info, paths } = documentOf(routes, { openapi: "3.2.0" });
    assertEquals(info.description, undefined);
    assertEquals(Object.keys(paths["/books"] ?? {}), ["get", "query"]);
    assertEquals(paths["/books"]?.query?.operationId, "queryBooks");
    assertMatch(JSON.stringify(paths["/books"]?.query?.requestBody), /"ids"/);
    assertEquals(Object.keys(paths["/any"] ?? {}).includes("query"), true);

    const line = "QUERY is left out at /books, /films: OpenAPI 3.1 cannot describe it, 3.2 can.";
    const older = documentOf(routes);
    assertEquals(older.info.description, line);
    assertEquals(Object.entries(older.paths).map(([path, item]) => [path, "query" in item]), [
      ["/books", false],
      ["/any", false],
    ]);
    const described = documentOf(routes, { info: { title: "Books", version: "1", description: "Our books" } });
    assertEquals(described.info.description, `Our books\n\n${line}`);
    assertEquals(documentOf(routes.slice(3)).info.description, undefined);
  });

  it("has the prefix of a scope", () => {
    const v1 = route.with({ prefix: "/orgs/:orgId" });
    assertEquals(Object.keys(documentOf([v1.get("/users", { resolve: ok })]).paths), ["/orgs/{orgId}/users"]);
  });

  it("merges paths that differ only in parameter names, and keeps the names of the first", () => {
    const params = schemaOf({ type: "object", properties: { y: { type: "integer" } } });
    const { paths } = documentOf([
      route.get("/a/:x/b", { resolve: ok }),
      route.post("/a/:y/b", { request: { params }, resolve: ok }),
      route.put("/c/:z", { resolve: ok }),
      route.delete("/c/*", { resolve: ok }),
    ]);
    assertEquals(Object.keys(paths), ["/a/{x}/b", "/c/{z}"]);
    assertEquals(paths["/a/{x}/b"]?.post?.parameters, [pathParameter("x", { type: "integer" })]);
    assertEquals(paths["/c/{z}"]?.delete?.parameters?.map(({ name }) => name), ["z"]);
    assertMatch(paths["/c/{z}"]?.delete?.parameters?.[0]?.description ?? "", /rest of the path/);
  });

  it("keeps paths apart that differ in literal text", () => {
    const routes = ["/a/b", "/a/:x", "/a/", "/:x/b", "/*"].map((path) => route.get(path, { resolve: ok }));
    assertEquals(Object.keys(documentOf(routes).paths), ["/a/b", "/a/{x}", "/a/", "/{x}/b", "/{rest}"]);
  });

  it("rejects a parameter and a rest at one place for one method, and names both routes", () => {
    const routes = [route.get("/a/:x", { resolve: ok }), route.get("/a/*", { resolve: ok })];
    assertEquals(
      refusal(routes).message,
      'Routes GET "/a/:x" and GET "/a/*" are one operation to OpenAPI: leave one of them out of routes',
    );
    assertEquals(
      operationOf(routes[0] ?? fail()),
      documentOf(routes, { unrepresentable: "any" }).paths["/a/{x}"]?.get,
    );
  });

  it("rejects a schema of params that requires a parameter that the path does not have", () => {
    const params = schemaOf({ type: "object", properties: { id: text, uid: text }, required: ["id", "uid"] });
    const routes = [route.get("/:id", { request: { params }, resolve: ok })];
    assertEquals(
      refusal(routes).message,
      'Schema of the params of route GET "/:id" must not require what its path does not have: received "uid"',
    );
    assertEquals(documentOf(routes, { unrepresentable: "any" }).paths["/{id}"]?.get?.parameters, [
      pathParameter("id"),
    ]);
  });

  it("rejects a value that is not a route, and a path that breaks the grammar", () => {
    for (const item of [null, 1, "GET /", {}, { path: "/" }, { method: "GET" }, { path: "/", method: 1 }, []]) {
      const message = refusal([route.get("/", { resolve: ok }), item as unknown as AnyRoute]).message;
      assertMatch(message, /^Item 2 of routes must be a route or an endpoint: received /);
    }
    const byHand = { ...route.get("/", { resolve: ok }), path: "a" };
    assertMatch(refusal([byHand]).message, /^Path of route GET "a" must start with "\/"/);
  });
});

describe("openapi() on methods", () => {
  const methodsOf = (routes: readonly AnyRoute[], path = "/a") => Object.keys(documentOf(routes).paths[path] ?? {});

  it("describes each method that OpenAPI supports", () => {
    const { get, post, put, patch, delete: remove, head, options, on } = route;
    const routes = [get, post, put, patch, remove, head, options].map((declare) => declare("/a", { resolve: ok }));
    assertEquals(methodsOf([...routes, on("TRACE", "/a", { resolve: ok })]), [
      "get",
      "post",
      "put",
      "patch",
      "delete",
      "head",
      "options",
      "trace",
    ]);
  });

  it("describes a route for several methods under each of them", () => {
    const several = route.on(["GET", "HEAD"], "/a", { docs: { summary: "Shows it" }, resolve: ok });
    const { get, head } = documentOf([several]).paths["/a"] ?? {};
    assertEquals([get?.summary, head?.summary], ["Shows it", "Shows it"]);
  });

  it("describes a route for all methods under each method without a route of its own on the same pattern", () => {
    const all = route.all("/a/:x", { docs: { summary: "All" }, resolve: ok });
    const post = route.post("/a/:y", { docs: { summary: "Post" }, resolve: ok });
    for (const routes of [[all, post], [post, all]]) {
      const item = Object.values(documentOf(routes).paths)[0] ?? {};
      assertEquals(Object.keys(item).toSorted(), "delete get head options patch post put trace".split(" "));
      assertEquals(Object.values(item).filter(({ summary }) => summary === "All").length, 7);
      assertEquals(item.post?.summary, "Post");
    }
    assertEquals(methodsOf([route.on(["GET", "ALL"], "/a", { resolve: ok })]).length, 8);
  });

  it("rejects a method that OpenAPI does not support, or skips it", () => {
    const routes = [route.on(["PROPFIND", "GET"], "/a", { docs: { operationId: "find" }, resolve: ok })];
    assertEquals(
      refusal(routes).message,
      'Route PROPFIND,GET "/a" must have methods that OpenAPI knows, or not be among routes: received PROPFIND',
    );
    const { paths } = documentOf(routes, { unrepresentable: "any" });
    assertEquals(Object.keys(paths["/a"] ?? {}), ["get"]);
    assertEquals(paths["/a"]?.get?.operationId, "find");
  });

  it("skips a path without any method", () => {
    const routes = [route.on("PROPFIND", "/a", { resolve: ok })];
    assertEquals(documentOf(routes, { unrepresentable: "any" }).paths, {});
  });

  it("rejects two routes that match the same requests", () => {
    const twice = [route.get("/a/:x", { resolve: ok }), route.get("/a/:y", { resolve: ok })];
    assertMatch(refusal(twice).message, /^Routes GET "\/a\/:x" and GET "\/a\/:y" are one operation/);
  });
});

describe("openapi() on operation ids", () => {
  const idsOf = (...routes: readonly AnyRoute[]) =>
    Object.values(documentOf(routes).paths).flatMap((item) => Object.values(item)).map(({ operationId }) =>
      operationId
    );
  const get = (path: string, operationId?: string) =>
    route.get(path, { ...(operationId === undefined ? {} : { docs: { operationId } }), resolve: ok });

  it("generates them from method and path", () => {
    assertEquals(idsOf(get("/")), ["getRoot"]);
    assertEquals(idsOf(get("/v2/books/:id/similar-books")), ["getV2BooksByIdSimilarBooks"]);
    assertEquals(idsOf(get("/:org_id/:$x/files/*")), ["getByOrgIdByXFilesRest"]);
    assertEquals(idsOf(route.on(["PUT", "PATCH"], "/a", { resolve: ok })), ["putA", "patchA"]);
  });

  it("numbers equal ones, and skips explicit ones", () => {
    assertEquals(idsOf(get("/a-b"), get("/a/b"), get("/a.b"), get("/x", "getAB2")), [
      "getAB",
      "getAB3",
      "getAB4",
      "getAB2",
    ]);
  });

  it("uses explicit ones, unchanged for the first method of a route", () => {
    assertEquals(idsOf(get("/a", "show")), ["show"]);
    const docs = { operationId: "readFile" };
    assertEquals(idsOf(route.on(["GET", "HEAD"], "/a", { docs, resolve: ok })), ["readFile", "readFileHead"]);
  });

  it("rejects two equal ones, and names both routes", () => {
    assertEquals(
      refusal([get("/a", "show"), get("/b"), get("/c", "show")]).message,
      'Routes GET "/a" and GET "/c" must not both have the operationId "show"',
    );
    assertMatch(refusal([get("/a", "show"), get("/c", "show")], { unrepresentable: "any" }).message, /must not both/);
  });
});

function fail(): never {
  throw new Error("There is no such route");
}
