import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { after, before, describe, it } from "@std/testing/bdd";
import { type JsonSchema, openapi, type OpenApiDocument } from "../../../src/openapi/mod.ts";
import { run } from "../runtimes/programs.ts";
import { assertOpenApi, type Check } from "../../support/assert_openapi.ts";
import { operationsIn } from "./operations_in.ts";
import { granted } from "../../support/granted.ts";
import { serve, type Served } from "../../examples/serve.ts";

const EXAMPLE = "examples/books_docs.ts";

const suite = granted("net", "read", "run") ? describe : describe.skip;

let served: Served;

suite("/openapi.json", () => {
  before(start);
  after(stop);

  it("/openapi.json is a valid document with every route of the books API", async () => {
    const document = await readDocument();
    await assertOpenApi(document);
    const operations = operationsIn(document).map(([method, path]) => `${method} ${path}`);
    assertEquals(operations.toSorted(), [
      "delete /books/{id}",
      "get /books",
      "get /books/{id}",
      "get /ready",
      "get /v1/books",
      "get /v2/books",
      "get /v2/books/popular",
      "get /v2/books/top",
      "get /v2/books/{id}",
      "post /books",
    ]);
  });

  it("/openapi.json describes what the users API accepts, too: a body is valid exactly where the API takes it", async () => {
    const { default: users } = await import("../../../examples/users.ts");
    const document = openapi({
      info: { title: "Users", version: "1.0.0" },
      routes: users.routes,
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    });
    const accepts = createAccepts(await assertOpenApi(document));
    const schema = document.paths["/users"]?.post?.requestBody?.content["application/json"]?.schema ?? fail();

    await using served = await serve("examples/users.ts");
    const assertAlike = async (value: Readonly<Record<string, unknown>>) => {
      const body = JSON.stringify(value);
      const headers = { "content-type": "application/json" };
      const response = await fetch(`${served.origin}/users`, { method: "POST", headers, body });
      await response.body?.cancel();
      assertEquals([201, 400].includes(response.status), true);
      assertEquals(accepts(schema, JSON.parse(body)), response.status === 201, body);
    };
    const create = (change: Readonly<Record<string, unknown>>) => (
      assertAlike({ name: "Ada", email: `${crypto.randomUUID()}@example.com`, password: "12345678", ...change })
    );
    for (const name of ["", " ", "x", " x ", "a\0b", 1, undefined]) await create({ name });
    for (const one of ["x", "😀"]) {
      for (const length of [100, 101]) await create({ name: one.repeat(length) });
      for (const length of [7, 8, 1000, 1001]) await create({ password: one.repeat(length) });
    }
    for (const password of ["        ", "1234567\0", 12345678]) await create({ password });
    await create({ email: `${"x".repeat(64)}@${"x".repeat(60)}.${"x.".repeat(70)}com` });
    // Ajv does not look at formats.
    assertStringIncludes(JSON.stringify(schema), '{"format":"email","maxLength":254,"type":"string"}');
  });

  it("/openapi.json describes every response of the API: its status, and its body by schema", async () => {
    const document = await readDocument();
    const checks = await assertOpenApi(document);
    const book = JSON.stringify({ title: "The Trial", authorId: "nobody" });
    const otherBook = JSON.stringify({ title: "The Castle", authorId: "nobody" });
    const exchanges: readonly (readonly [path: string, status: number, target: string, options?: RequestInit])[] = [
      ["/books", 200, "/books"],
      ["/books", 200, "/books?limit=100&cursor=9999-12-31T23:59:59.999Z"],
      ["/books", 400, "/books?limit=0&cursor=x"],
      ["/books", 201, "/books", { method: "POST", body: book }],
      ["/books", 400, "/books", { method: "POST", body: "{}" }],
      ["/books", 400, "/books", { method: "POST", body: book, headers: { "idempotency-key": "a b" } }],
      ["/books", 413, "/books", { method: "POST", body: book.padEnd(64 * 1024 + 1) }],
      ["/books", 201, "/books", { method: "POST", body: book, headers: { "idempotency-key": "1" } }],
      ["/books", 422, "/books", { method: "POST", body: otherBook, headers: { "idempotency-key": "1" } }],
      ["/books/{id}", 200, "/books/emma"],
      ["/books/{id}", 404, "/books/nope"],
      ["/v1/books", 200, "/v1/books"],
      ["/v1/books", 400, "/v1/books?limit=x"],
      ["/v2/books", 200, "/v2/books?limit=100"],
      ["/v2/books", 400, "/v2/books?limit=x"],
      ["/v2/books/top", 200, "/v2/books/top"],
      ["/v2/books/top", 400, "/v2/books/top?limit=x"],
      ["/v2/books/popular", 200, "/v2/books/popular"],
      ["/v2/books/popular", 400, "/v2/books/popular?limit=x"],
      ["/v2/books/{id}", 200, "/v2/books/emma"],
      ["/v2/books/{id}", 404, "/v2/books/nope"],
      ["/books/{id}", 204, "/books/emma", { method: "DELETE" }],
      ["/books/{id}", 404, "/books/emma", { method: "DELETE" }],
      ["/ready", 200, "/ready"],
    ];
    const seen = new Set<string>();
    for (const [path, status, target, options] of exchanges) {
      const method = options?.method?.toLowerCase() ?? "get";
      const [, , operation] = operationsIn(document).find(([m, p]) => m === method && p === path) ?? fail();
      const response = await fetch(served.origin + target, options);
      assertEquals(response.status, status, target);
      const described = operation.responses[status] ?? fail();
      const schema = described.content?.["application/json"]?.schema;
      if (schema === undefined) assertEquals(await response.text(), "");
      else (checks.get(schema) ?? fail())(await response.json());
      seen.add(`${operation.operationId} ${status}`);
    }
    // Every described response has been seen, except 503, which books_postgres_test.ts tests.
    const described = operationsIn(document).flatMap(([, , { operationId, responses }]) =>
      Object.keys(responses).filter((status) => status !== "503").map((status) => `${operationId} ${status}`)
    );
    assertEquals(described.filter((response) => !seen.has(response)), []);
  });

  it("/openapi.json describes every request of the API: the API accepts what matches a schema, and rejects the rest", async () => {
    const document = await readDocument();
    const accepts = createAccepts(await assertOpenApi(document));
    const status = async (path: string, options?: RequestInit) => {
      const response = await fetch(served.origin + path, options);
      await response.body?.cancel();
      return response.status;
    };

    const { post, get } = document.paths["/books"] ?? fail();
    const body = post?.requestBody?.content["application/json"]?.schema ?? fail();
    const texts = [
      "",
      " ",
      "\n\u00a0",
      "x",
      " x ",
      "a\0b",
      "\0",
      1,
      null,
      ["x"],
      undefined,
    ];
    const long = ["x", "😀"].flatMap((one) => [100, 101, 500, 501].map((length) => one.repeat(length)));
    for (const text of [...texts, ...long, "吾輩は猫である", "a\nb"]) {
      for (const value of [{ title: text, authorId: "x" }, { title: "x", authorId: text }]) {
        const answer = await status("/books", { method: "POST", body: JSON.stringify(value) });
        assertEquals([201, 400].includes(answer), true);
        assertEquals(accepts(body, JSON.parse(JSON.stringify(value))), answer === 201, JSON.stringify(value));
      }
    }
    for (const value of [null, [], "x", 1, {}]) {
      assertEquals([accepts(body, value), await status("/books", { method: "POST", body: JSON.stringify(value) })], [
        false,
        400,
      ]);
    }

    const parameter = (name: string) => get?.parameters?.find((parameter) => parameter.name === name)?.schema ?? fail();
    const times = [
      "2023-01-01T00:00:00Z",
      "2023-01-01T00:00:00.123456Z",
      "2024-02-29T00:00:00+14:00",
      "2023-01-01T00:00Z",
    ];
    for (const cursor of [...times, "2023-02-29T00:00:00Z", "2023-01-01", "2023-01-01T00:00:00", "x", "", "0"]) {
      const answer = await status(`/books?cursor=${encodeURIComponent(cursor)}`);
      assertEquals(accepts(parameter("cursor"), cursor), answer === 200, cursor);
    }
    assertEquals(parameter("limit"), { type: "integer", minimum: 1, maximum: 2 ** 53 - 1, default: 20 });
    for (const limit of [1, 20, 100, 101, 2 ** 53 - 1, 0, -1, 1.5, 2 ** 53]) {
      assertEquals(accepts(parameter("limit"), limit), await status(`/books?limit=${limit}`) === 200, String(limit));
    }
  });

  it("/openapi.json marks an operation as deprecated if and only if its responses have the deprecation headers", async () => {
    const deprecated: string[] = [];
    for (const [method, path, operation] of operationsIn(await readDocument())) {
      const response = await fetch(served.origin + path.replace("{id}", "nope"), { method: method.toUpperCase() });
      await response.body?.cancel();
      for (const header of ["deprecation", "sunset"]) {
        assertEquals(response.headers.has(header), operation.deprecated ?? false, `${header} of ${method} ${path}`);
      }
      if (operation.deprecated) deprecated.push(path);
    }
    assertEquals(deprecated, ["/v1/books", "/v2/books/popular"]);
  });
});

suite("the books API beside /docs", () => {
  before(start);
  after(stop);

  it("the books API beside /docs responds as it does without /docs", async () => {
    const list = await fetch(`${served.origin}/books?limit=1`);
    const { data, pagination }: { data: unknown[]; pagination: { limit: number } } = await list.json();
    assertEquals([list.status, data.length, pagination.limit], [200, 1, 1]);
    assert(list.headers.has("x-request-id"));
    const missing = await fetch(`${served.origin}/docs/nope`, { method: "POST" });
    assertEquals([missing.status, await missing.json()], [404, { error: "Not found" }]);
  });
});

suite("/docs", () => {
  before(start);
  after(stop);

  it("/docs is one file whose policy forbids resources of other servers, and scripts that are not its own", async () => {
    const response = await fetch(`${served.origin}/docs`);
    assertEquals([response.status, response.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
    assertEquals(response.headers.get("x-content-type-options"), "nosniff");
    const policy = response.headers.get("content-security-policy") ?? "";
    for (
      const rule of ["default-src 'none'", "script-src 'sha256-.*'", "connect-src 'self'", "frame-ancestors 'none'"]
    ) {
      assertMatch(policy, new RegExp(`(^|; )${rule}(;|$)`));
    }
    const urls = Array.from((await response.text()).matchAll(/(?:src|href)="([^"#][^"]*)"/g), ([, url]) => url);
    assertEquals(urls, ["data:,"]);
    for (const url of ["/docs", "/openapi.json"]) {
      assertEquals((await fetch(served.origin + url, { method: "HEAD" })).status, 200, url);
    }
  });
});

(granted("env", "net", "read", "run", "write") ? describe : describe.skip)(
  "a client generated from /openapi.json",
  () => {
    let directory = "";
    before(async () => {
      await start();
      directory = await Deno.makeTempDir();
      // Imported here, because it reads environment variables when it is imported, which needs a permission.
      const { default: openapiTS, astToString } = await import("openapi-typescript");
      const types = await openapiTS(JSON.stringify(await readDocument()));
      await Deno.writeTextFile(`${directory}/books.d.ts`, astToString(types));
    });
    after(async () => {
      await Deno.remove(directory, { recursive: true });
      await stop();
    });

    const client = `import createClient from "openapi-fetch";
import type { components, paths } from "./books.d.ts";

const client = createClient<paths>({ baseUrl: Deno.args[0] ?? "" });
`;
    const deno = async (command: readonly string[], name: string, text: string, ...args: readonly string[]) => {
      await Deno.writeTextFile(`${directory}/${name}`, client + text);
      const flags = ["--quiet", "--config=deno.json", "--import-map=tests/import_map.json"];
      return await run(Deno.execPath(), [...command, ...flags, `${directory}/${name}`, ...args]);
    };

    it("/docs lists, creates, shows and deletes books, and distinguishes errors from data", async () => {
      const text = `
const { data: created } = await client.POST("/books", { body: { title: "The Trial", authorId: "franz-kafka" } });
if (created === undefined) throw new Error("Not created");
const book: components["schemas"]["Book"] = created;
const params = { path: { id: book.id } };
const shown = await client.GET("/books/{id}", { params });
const list = await client.GET("/books", { params: { query: { limit: 1 } } });
const v2 = await client.GET("/v2/books/{id}", { params });
const author: string | undefined = v2.data?.author?.name;
const invalid = await client.GET("/v2/books/top", { params: { query: { limit: 0 } } });
const issues = invalid.error !== undefined && "issues" in invalid.error ? invalid.error.issues : [];
const deleted = await client.DELETE("/books/{id}", { params });
const missing = await client.GET("/books/{id}", { params });
console.log(JSON.stringify([
  shown.data?.title,
  list.data?.data.map(({ id }) => id === book.id),
  list.data?.pagination.hasMore,
  author,
  [invalid.response.status, issues[0]?.part],
  deleted.response.status,
  [missing.response.status, missing.error?.error],
]));
`;
      const permission = `--allow-net=${new URL(served.origin).host}`;
      assertEquals(JSON.parse(await deno(["run", "--check", permission], "calls.ts", text, served.origin)), [
        "The Trial",
        [true],
        true,
        "Franz Kafka",
        [400, "query"],
        204,
        [404, "Not found"],
      ]);
    });

    it("/docs does not compile when it uses a path, method or field that the API does not have", async () => {
      const text = `
// @ts-expect-error: no such path
client.GET("/authors");
// @ts-expect-error: no such method at this path
client.PUT("/books");
// @ts-expect-error: the id is missing
client.GET("/books/{id}");
// @ts-expect-error: the title is missing
client.POST("/books", { body: { authorId: "x" } });
// @ts-expect-error: not a number
client.GET("/books", { params: { query: { limit: "many" } } });
const { data } = await client.GET("/v2/books");
// @ts-expect-error: version 2 has the author instead
data?.data[0]?.authorId;
const title: string | undefined = data?.data[0]?.title;
console.log(title);
`;
      await deno(["check"], "refused.ts", text);
    });
  },
);

/** Makes a function that tells whether a value is as a schema of a document describes it. */
function createAccepts(checks: ReadonlyMap<JsonSchema, Check>): (schema: JsonSchema, value: unknown) => boolean {
  return (schema, value) => {
    const check = checks.get(schema) ?? fail();
    try {
      check(value);
      return true;
    } catch {
      return false;
    }
  };
}

async function start(): Promise<void> {
  served = await serve(EXAMPLE);
}

async function stop(): Promise<void> {
  await served.stop();
}

async function readDocument(): Promise<OpenApiDocument> {
  const response = await fetch(`${served.origin}/openapi.json`);
  assertEquals([response.status, response.headers.get("content-type")], [200, "application/json"]);
  return await response.json();
}

function fail(): never {
  throw new Error("The document lacks an operation, a response or a schema");
}
