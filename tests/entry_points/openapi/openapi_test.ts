/** The document as a whole: the endpoints that it describes, whose it is, and the options of `openapi`. */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { type AnyRoute, endpoint, reply, route, setup } from "../../../mod.ts";
import { openapi, type OpenApiOptions } from "../../../src/openapi/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { assertLinear } from "../../support/count_work.ts";
import { request } from "../../support/request.ts";
import { documentOf, info, operationOf, schemaOf, unused, withBody, withResponse } from "./document_of.ts";

describe("openapi() on endpoints", () => {
  const api = endpoint.with({ prefix: "/v1", responses: { 401: {} }, docs: { tags: ["v1"] } });
  const showBook = api.get("/books/:id", {
    request: { query: z.object({ q: z.string() }) },
    responses: { 200: { schema: z.object({ id: z.string() }) } },
    docs: { operationId: "showBook" },
  });

  it("describes them as the routes that implement them", () => {
    const implemented = route.on(showBook, { resolve: () => reply(401) });
    const document = documentOf([showBook, endpoint.on(["GET", "HEAD"], "/health")]);
    assertEquals(document.paths["/v1/books/{id}"], documentOf([implemented]).paths["/v1/books/{id}"]);
    const described = document.paths["/v1/books/{id}"]?.get;
    assertEquals(Object.keys(described?.responses ?? {}), ["200", "401"]);
    assertEquals([described?.operationId, described?.tags], ["showBook", ["v1"]]);
    assertEquals(Object.keys(document.paths["/health"] ?? {}), ["get", "head"]);
  });

  it("describes a record of endpoints, whose names become operationIds", () => {
    const named = {
      listBooks: endpoint.get("/books"),
      showFile: endpoint.on(["GET", "HEAD"], "/files/*"),
      book: showBook,
      Book: z.object({}),
      version: 1,
      nothing: null,
    };
    const { paths } = openapi({ info, endpoints: named });
    const ids = Object.values(paths).flatMap((item) => Object.values(item)).map(({ operationId }) => operationId);
    // The docs of an endpoint say more than its name in a record.
    assertEquals(ids, ["listBooks", "showFile", "showFileHead", "showBook"]);
  });

  it("names the routes that implement endpoints of a record, if both are given", () => {
    const listBooks = endpoint.get("/books");
    const routes = [
      route.on(listBooks, { resolve: () => Response.json([]) }),
      route.post("/books", { resolve: () => new Response() }),
    ];
    const { paths } = openapi({ info, routes, endpoints: { listBooks, showBook } });
    assertEquals(Object.keys(paths), ["/books"]);
    assertEquals([paths["/books"]?.get?.operationId, paths["/books"]?.post?.operationId], ["listBooks", "postBooks"]);
  });

  it("rejects a name of a record that another operation has", () => {
    const twice = { showBook: endpoint.get("/books"), book: showBook };
    assertThrows(
      () => openapi({ info, endpoints: twice }),
      TypeError,
      'must not both have the operationId "showBook"',
    );
  });

  it("describes what a route adds to the docs of its endpoint", () => {
    const implemented = route.on(showBook, { docs: { summary: "Shows a book" }, resolve: () => reply(401) });
    assertEquals(operationOf(implemented).summary, "Shows a book");
  });
});

describe("the document", () => {
  const Book = z.object({ id: z.string(), tags: z.array(z.string()).default(["x"]) }).meta({ id: "Book" });
  const routes = [
    route.put("/books/:id", {
      request: { params: z.object({ id: z.string() }), query: z.object({ q: z.enum(["a", "b"]) }), body: Book },
      responses: { 200: { schema: Book } },
      docs: { tags: ["books"] },
      resolve: unused,
    }),
    withResponse(z.array(Book)),
  ];

  it("is plain data that survives a round trip through JSON", () => {
    const document = documentOf(routes, { servers: [{ url: "/" }] });
    assertEquals(JSON.parse(JSON.stringify(document)), document);
    assert(!JSON.stringify(document).includes("~standard"));
  });

  it("is the same every time", () => {
    assertEquals(JSON.stringify(documentOf(routes)), JSON.stringify(documentOf(routes)));
  });

  it("belongs to the caller: it shares no object with schemas, docs or options, and contains none twice", () => {
    const json = {
      type: "object",
      properties: { a: { $ref: "#/$defs/E" }, b: { enum: ["x"] } },
      $defs: { E: { enum: [] } },
    };
    const tags = ["books"];
    const shared = [
      withBody(schemaOf(json), "/1"),
      withBody(schemaOf(json), "/2"),
      route.on(["GET", "HEAD"], "/3", {
        responses: { 200: { schema: schemaOf(json) } },
        docs: { tags },
        resolve: unused,
      }),
    ];
    const servers = [{ url: "/" }];
    const before = JSON.stringify([json, tags, servers, info]);
    const document = documentOf(shared, { servers });
    const seen = new Set<object>();
    const spoil = (value: object) => {
      assert(!seen.has(value), "twice in one document");
      seen.add(value);
      for (const item of Object.values(value)) if (typeof item === "object" && item !== null) spoil(item);
      Object.assign(value, { spoiled: true });
    };
    spoil(document);
    assertEquals(JSON.stringify([json, tags, servers, info]), before);
    assert(!JSON.stringify(documentOf(shared, { servers })).includes("spoiled"));
  });

  it("describes exactly the input that the app accepts", async () => {
    const query = z.object({ tag: z.array(z.string()), limit: z.coerce.number().default(20) });
    const app = setup({
      validator: standardSchema,
      handlers: [
        route.get("/a/:x/*", {
          request: { query },
          resolve: ({ input, raw }) => Response.json(input.ok ? [raw.params, input.query] : input.issues),
        }),
      ],
    });
    const [[path = ""] = []] = Object.entries(documentOf(app.routes).paths);
    const url = path.replace("{x}", "1").replace("{rest}", "b/c") + "?tag=a&tag=b";
    assertEquals(await (await app.fetch(request(url))).json(), [{ x: "1", "*": "b/c" }, {
      tag: ["a", "b"],
      limit: 20,
    }]);
  });

  it("takes work that is linear in the number of routes with schemas of their own", () => {
    const many = Array.from({ length: 200 }, (_, n) =>
      route.post(`/things${n}/:id/*`, {
        request: {
          params: z.object({ id: z.uuid() }),
          query: z.object({ limit: z.coerce.number().default(20), [`q${n}`]: z.string().optional() }),
          body: z.object({ name: z.string().min(1), [`books${n}`]: z.array(Book) }),
        },
        responses: { 201: { schema: Book }, 400: { schema: z.object({ n: z.literal(n) }) } },
        docs: { summary: `Thing ${n}` },
        resolve: unused,
      }));
    documentOf(many.slice(0, 1)); // Zod builds some of its tables when it is first used.
    assertLinear((length) => assertEquals(Object.keys(documentOf(many.slice(0, length)).paths).length, length), 100);
  });
});

describe("the options of openapi()", () => {
  const refusalOf = (options: unknown) => assertThrows(() => openapi(options as OpenApiOptions), TypeError).message;

  it("are rejected if one is unknown", () => {
    assertEquals(
      refusalOf({ info, routes: [], securitySchema: {} }),
      'Option "securitySchema" of openapi is unknown: did you mean securitySchemes?',
    );
  });

  it("are rejected if they have the wrong shape", () => {
    const routes: AnyRoute[] = [];
    assertEquals(refusalOf(undefined), "Options of openapi must be an object: received undefined");
    assertEquals(refusalOf({ routes }), "Option info must be an object: received undefined");
    assertEquals(refusalOf({ routes, info: {} }), "Option info.title must be a string: received undefined");
    assertEquals(
      refusalOf({ routes, info: { title: "" } }),
      "Option info.version must be a string: received undefined",
    );
    assertEquals(refusalOf({ info }), "Option routes must be an array of routes: received undefined");
    assertEquals(
      refusalOf({ info, endpoints: [] }),
      "Option endpoints must be an object of endpoints: received an array",
    );
    assertEquals(
      refusalOf({ info, endpoints: { books: { list: endpoint.get("/books") } } }),
      "Option endpoints must be flat: write ...books in place of books",
    );
    assertEquals(
      refusalOf({ info, routes, toJsonSchema: "valibot" }),
      "Option toJsonSchema must be a function: received a string",
    );
    assertEquals(
      refusalOf({ info, routes, unrepresentable: "open" }),
      'Option unrepresentable must be "throw" or "any": received "open"',
    );
    assertEquals(
      refusalOf({ info, routes, openapi: "3.0.3" }),
      'Option openapi must be "3.1.0" or "3.2.0": received "3.0.3"',
    );
  });

  it("may be only info and routes", () => {
    assertEquals(openapi({ info, routes: [] }), { openapi: "3.1.0", info, paths: {}, components: { schemas: {} } });
    assertEquals(openapi({ info, routes: [], unrepresentable: "throw" }).paths, {});
  });
});
