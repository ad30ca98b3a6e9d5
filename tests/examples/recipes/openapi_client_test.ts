import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { createBooksClient, findTitle } from "../../../examples/recipes/openapi_client.ts";
import { document } from "../../../examples/recipes/client/app.ts";
import { granted } from "../../support/granted.ts";
import { describeServed } from "../describe_served.ts";
import { serveApp } from "./serve_app.ts";
import { ROOT } from "../serve.ts";

describeServed("examples/recipes/openapi_client.ts", (served) => {
  const createClient = () => createBooksClient(served.origin);

  it("the recipe openapi_client finds a book", async () => {
    const client = createClient();
    assertEquals(await findTitle(client, "emma"), "Emma");
    assertEquals(await findTitle(client, "none"), undefined);
  });

  it("the recipe openapi_client throws for a response that is not in the document", async () => {
    for (const body of ["<h1>Bad gateway</h1>", '{"error":"Bad gateway"}', "null", null]) {
      const init = { status: 502, headers: { "content-type": "application/json" } };
      await using proxy = serveApp({ fetch: () => new Response(body, init) });
      const client = createBooksClient(proxy.origin);
      await assertRejects(() => findTitle(client, "emma"), Error, "/books/emma responded with 502");
    }
  });

  it("the recipe openapi_client does not compile where it asks for what the API does not have", async () => {
    const client = createClient();
    const { data, error } = await client.GET("/books/{id}", { params: { path: { id: "emma" } } });
    // @ts-expect-error at `author`: Property 'author' does not exist on type '{ id: string; title: string; }'.
    assertEquals(data?.author, undefined);
    // @ts-expect-error at `error?.code === "taken"`: This comparison appears to be unintentional because the types
    //   '"missing" | undefined' and '"taken"' have no overlap.
    assertEquals(error?.code === "taken", false);
    // @ts-expect-error at `"/books"`: Argument of type '"/books"' is not assignable to parameter of type 'never'.
    assertEquals((await client.POST("/books", { body: {} })).response.status, 400);
    // @ts-expect-error at `"/books/{id}"`: Argument of type '"/books/{id}"' is not assignable to parameter of type
    //   'never'.
    assertEquals((await client.DELETE("/books/{id}", { params: { path: { id: "emma" } } })).response.status, 404);
  });
}, "examples/recipes/client/app.ts");

(granted("env", "read") ? describe : describe.skip)("the types of examples/recipes/openapi_client.ts", () => {
  it("the types of the recipe openapi_client are those of its app: if this fails, run its command again", async () => {
    // Only now: it reads the environment as soon as it is loaded.
    const { astToString, COMMENT_HEADER, default: openapiTS } = await import("openapi-typescript");
    const kept = await Deno.readTextFile(new URL("examples/recipes/openapi_client/books.d.ts", ROOT));
    assertEquals(kept, COMMENT_HEADER + astToString(await openapiTS(JSON.stringify(document))));
  });

  it("the types of the recipe openapi_client are generated from a valid document", async () => {
    // Only now: its parser reads the environment when it is imported.
    const { assertOpenApi } = await import("../../support/assert_openapi.ts");
    await assertOpenApi(document);
  });
});
