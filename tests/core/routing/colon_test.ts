import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, reply, route, setup } from "../../../mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { holdToEndpoints } from "../../../src/testing/mod.ts";
import { tools } from "../../../src/tools/mod.ts";
import { request } from "../../support/request.ts";

describe("a literal colon, written \\:, in a pattern", () => {
  const paths = [
    "/items\\:batch",
    "/items",
    "/items/:id",
    "/items/:id/notes\\:search",
    "/\\:all",
    "/a\\:b\\:c",
    "/v1/:name+/tags\\:list",
    "/x:y".replace(":", "\\:") + "/*",
  ];
  const app = setup({
    handlers: paths.map((path) => route.get(path, { resolve: (c) => Response.json([c.route.path, c.raw.params]) })),
  });
  const match = async (path: string) => {
    const response = await app.fetch(request(path));
    return response.status === 404 ? 404 : await response.json();
  };

  it("matches a colon, and names no parameter", async () => {
    assertEquals(await match("/items:batch"), ["/items\\:batch", {}]);
    assertEquals(await match("/items"), ["/items", {}]);
    assertEquals(await match("/items/7"), ["/items/:id", { id: "7" }]);
    assertEquals(await match("/items/a:b"), ["/items/:id", { id: "a:b" }]);
    assertEquals(await match("/items/7/notes:search"), ["/items/:id/notes\\:search", { id: "7" }]);
    assertEquals(await match("/:all"), ["/\\:all", {}]);
    assertEquals(await match("/a:b:c"), ["/a\\:b\\:c", {}]);
    assertEquals(await match("/v1/a/b/tags:list"), ["/v1/:name+/tags\\:list", { name: "a/b" }]);
    assertEquals(await match("/x:y/z"), ["/x\\:y/*", { "*": "z" }]);
    for (const path of ["/items:", "/items:batch/", "/all", "/items;batch"]) {
      assertEquals(await match(path), 404, path);
    }
  });

  it("is no way around a route: another spelling of it matches nothing beside an open one", async () => {
    const guarded = setup({
      handlers: [
        route.get("/items\\:batch", { resolve: () => new Response("guarded") }),
        route.get("/:open", { resolve: () => new Response("open") }),
      ],
    });
    const textOf = async (path: string) => await (await guarded.fetch(request(path))).text();
    assertEquals(await textOf("/items:batch"), "guarded");
    assertEquals(await textOf("/items%3Abatch"), "");
    assertEquals(await textOf("/items%3abatch"), "");
    assertEquals(await textOf("/other%3Abatch"), "open");
  });

  it("may be spelt %3A, and stands for itself once", () => {
    const resolve = () => new Response();
    assertThrows(
      () => setup({ handlers: [route.get("/a\\:b", { resolve }), route.get("/a%3Ab", { resolve })] }),
      TypeError,
      "match the same requests",
    );
    for (const path of ["/a:b", "/a\\:b:c", "/v:id"]) {
      assertThrows(() => setup({ handlers: [route.get(path, { resolve })] }), TypeError, 'must not contain ":"');
    }
    for (const path of ["/a\\b", "/a\\\\:b", "/:a\\:b"]) {
      assertThrows(() => setup({ handlers: [route.get(path, { resolve })] }), TypeError, "Path of route");
    }
  });

  it("means the same to the types, the client, the document, tools and tests", async () => {
    const api = {
      batch: endpoint.get("/items\\:batch", { responses: { 200: { schema: z.string() } } }),
      search: endpoint.get("/items/:id/notes\\:search", { responses: { 200: { schema: z.string() } } }),
    };
    const served = setup({
      endpoints: api,
      validator: standardSchema,
      handlers: [
        route.on(api.batch, { resolve: () => reply(200, "batch") }),
        route.on(api.search, { resolve: (c) => reply(200, c.raw.params.id) }),
      ],
    });
    const held = holdToEndpoints(api, served);
    const client = createClient(api, { fetch: held.fetch });
    assertEquals((await client.batch()).body, "batch");
    assertEquals((await client.search({ params: { id: "a:b" } })).body, "a:b");
    const { paths } = openapi({ info: { title: "", version: "" }, endpoints: api });
    assertEquals(Object.keys(paths), ["/items:batch", "/items/{id}/notes:search"]);
    const [batch, search] = tools(api, { fetch: served.fetch });
    assertEquals([(await batch?.call({}))?.body, (await search?.call({ params: { id: "7" } }))?.body], ["batch", "7"]);
  });
});
