/** What `docs` adds to the document, and what is wrong with it. */
import { assertEquals, assertMatch, assertStrictEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { route, type RouteDocs, setup } from "../../../mod.ts";
import { request } from "../../support/request.ts";
import { documentOf, info, ok, operationOf, refusal } from "./document_of.ts";

describe("openapi() on docs", () => {
  const docs: RouteDocs = {
    summary: "Shows a book",
    description: "With its *author*.",
    tags: ["books", "reading"],
    operationId: "showBook",
    deprecated: true,
    security: [{ bearer: [] }, {}],
  };
  const securitySchemes = { bearer: { type: "http", scheme: "bearer" } } as const;

  it("copies all keys", () => {
    const { responses: _, ...said } = operationOf(route.get("/", { docs, resolve: ok }), { securitySchemes });
    assertEquals<unknown>(said, docs);
  });

  it("has the day until which a route is deprecated as x-sunset, which other tools know, too", () => {
    const deprecated = { sunset: "2028-01-01" };
    const described = operationOf(route.get("/", { docs: { deprecated }, resolve: ok }));
    assertEquals([described.deprecated, described["x-sunset"]], [true, "2028-01-01"]);
  });

  it("uses the docs of the scopes as defaults, key by key, at any depth", () => {
    const scope = route.with({ docs: { tags: ["v1"], deprecated: true, summary: "A route" } });
    const inner = scope.with({ prefix: "/inner", docs: { tags: ["inner"] } });
    const { paths } = documentOf([
      scope.get("/a", { resolve: ok }),
      scope.get("/b", { docs: { deprecated: false, summary: "B" }, resolve: ok }),
      inner.get("/c", { docs: {}, resolve: ok }),
      route.get("/d", { resolve: ok }),
    ]);
    const said = Object.values(paths).map(({ get }) => [get?.tags, get?.deprecated, get?.summary]);
    assertEquals(said, [
      [["v1"], true, "A route"],
      [["v1"], false, "B"],
      [["inner"], true, "A route"],
      [undefined, undefined, undefined],
    ]);
  });

  it("has servers, tags, security and its schemes as given", () => {
    const given = {
      info: { ...info, summary: "S", license: { name: "MIT", identifier: "MIT" }, contact: { name: "Ada" } },
      servers: [{ url: "https://{region}.example.com", variables: { region: { default: "eu", enum: ["eu", "us"] } } }],
      tags: [{ name: "books", description: "All of them" }],
      security: [{ bearer: [] }],
    };
    const { paths: _, openapi: __, components, ...rest } = documentOf([], { ...given, securitySchemes });
    assertEquals(rest, given);
    assertEquals(components, { schemas: {}, securitySchemes });
  });

  it("rejects security schemes that are not declared", () => {
    const routes = [route.get("/", { docs: { security: [{ bearer: [] }, { key: [] }] }, resolve: ok })];
    assertEquals(
      refusal(routes, { securitySchemes }).message,
      'Option docs.security of route GET "/" must name a key of the option securitySchemes: received "key"',
    );
    assertMatch(refusal([], { security: [{ toString: [] }] }).message, /^Option security must .* received "toString"/);
  });

  it("does not affect requests: handlers do not see docs", async () => {
    const app = setup({ handlers: [route.get("/", { docs, resolve: (c) => Response.json(Object.keys(c)) })] });
    const keys: string[] = await (await app.fetch(request("/"))).json();
    assertEquals(keys.toSorted(), ["input", "locals", "raw", "request", "route"]);
    assertStrictEquals(app.routes[0]?.docs?.security, docs.security);
  });
});

describe("docs of a route", () => {
  const refused: readonly (readonly [docs: unknown, message: string])[] = [
    [{ summary: 1 }, 'Option docs.summary of route GET "/a" must be a string: received a number'],
    [{ description: null }, 'Option docs.description of route GET "/a" must be a string: received null'],
    [{ operationId: [] }, 'Option docs.operationId of route GET "/a" must be a string: received an array'],
    [{ deprecated: "yes" }, 'Option docs.deprecated of route GET "/a" must be true or false: received a string'],
    [
      { deprecated: { sunset: "soon" } },
      'Option docs.deprecated.sunset of route GET "/a" must be a day such as "2028-01-01": received a string',
    ],
    [
      { deprecated: {} },
      'Option docs.deprecated.sunset of route GET "/a" must be a day such as "2028-01-01": received undefined',
    ],
    [{ tags: "books" }, 'Option docs.tags of route GET "/a" must be an array of strings: received a string'],
    [{ tags: ["books", 1] }, 'Option docs.tags of route GET "/a" must be an array of strings: received an array'],
  ];

  const refusalOf = (docs: unknown) => refusal([route.get("/a", { docs: docs as RouteDocs, resolve: ok })]).message;

  it("is rejected if it has the wrong shape", () => {
    for (const [docs, message] of refused) assertEquals(refusalOf(docs), message);
  });

  it("is not checked by setup", async () => {
    const docs = { summary: 1 } as unknown as RouteDocs;
    const app = setup({ handlers: [route.get("/a", { docs, resolve: ok })] });
    assertEquals((await app.fetch(new Request("http://localhost/a"))).status, 200);
  });

  it("is rejected if a list has wrong items", () => {
    for (const security of [{}, ["bearer"], [{ bearer: "" }], [{ bearer: [1] }], [null]]) {
      assertMatch(
        refusalOf({ security }),
        /^Option docs\.security of route GET "\/a" must be an array of { scheme: scopes }, scopes being arrays of strings: /,
      );
    }
  });

  it("is rejected in a handwritten route if it has an unknown key or is not an object", () => {
    const refusalOf = (docs: unknown) =>
      refusal([{ ...route.get("/a", { resolve: ok }), docs: docs as RouteDocs }]).message;
    assertEquals(
      refusalOf({ sumary: "" }),
      'Option "sumary" of docs of route GET "/a" is unknown: did you mean summary?',
    );
    assertEquals(refusalOf(null), 'Options of docs of route GET "/a" must be an object: received null');
  });

  it("may have every key and no key", () => {
    const docs = { summary: "", tags: [], security: [], deprecated: false };
    const routes = [route.get("/a", { docs, resolve: ok }), route.get("/b", { docs: {}, resolve: ok })];
    documentOf(routes, { unrepresentable: "any" });
  });
});
