import { assert, assertEquals, assertInstanceOf, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import * as mini from "npm:zod@^4/mini";
import { zodValidator } from "../../examples/zod_validator.ts";
import { route, setup } from "../../mod.ts";

describe("zodValidator", () => {
  it("zodValidator returns the value that the schema produces", () => {
    const schema = z.object({ limit: z.coerce.number().default(20) });
    assertEquals(zodValidator.validate(schema, { limit: "7", other: "x" }, "query"), { ok: true, value: { limit: 7 } });
    assertEquals(zodValidator.validate(schema, {}, "query"), { ok: true, value: { limit: 20 } });
  });

  it("zodValidator returns each issue with its part, its path as strings, its message and its code", async () => {
    const book = z.object({ tags: z.array(z.string("Not a tag")), title: z.string("No title") });
    const failing = z.unknown().refine(() => false, { path: [Symbol("secret"), 0], error: "No" });
    const invalid: readonly (readonly [schema: z.ZodType, value: unknown, ...issues: readonly string[][]])[] = [
      [book, { tags: ["a", 2] }, ["Not a tag", "invalid_type", "tags", "1"], ["No title", "invalid_type", "title"]],
      [z.string("No text"), 1, ["No text", "invalid_type"]],
      [failing, 1, ["No", "custom", "Symbol(secret)", "0"]],
    ];
    for (const [schema, value, ...issues] of invalid) {
      const result = await zodValidator.validate(schema, value, "body");
      assert(!result.ok);
      assertEquals(
        result.issues,
        issues.map(([message = "", code = "", ...path]) => ({ part: "body", path, message, code })),
      );
    }
  });

  it("zodValidator returns the original error of Zod", async () => {
    const result = await zodValidator.validate(z.string(), 1, "body");
    assert(!result.ok);
    assertInstanceOf(result.error, z.core.$ZodError);
  });

  it("zodValidator accepts schemas of Zod Mini", () => {
    const schema = mini.object({ title: mini.string() });
    assertEquals(zodValidator.validate(schema, { title: "Emma" }, "body"), { ok: true, value: { title: "Emma" } });
  });

  it("zodValidator throws a TypeError that names the part if the schema is not one of Zod 4", () => {
    for (const schema of [{}, { safeParse: () => ({ success: true, data: 1 }) }, null, () => true, "string"]) {
      assertThrows(
        () => zodValidator.validate(schema, {}, "query"),
        TypeError,
        "Schema of the query must be a Zod 4 schema: received",
      );
    }
  });

  it("zodValidator makes setup reject schemas that it cannot run, before any request", () => {
    for (const schema of [{}, null, () => true, "string"]) {
      assertThrows(
        () =>
          setup({
            validator: zodValidator,
            handlers: [route.get("/", { request: { query: schema }, resolve: () => new Response() })],
          }),
        TypeError,
        'Schema of the query of route GET "/" must be one the validator accepts',
      );
    }
  });

  it("zodValidator gives handlers the output types of the schemas", async () => {
    const app = setup({
      validator: zodValidator,
      handlers: [
        route.get("/double/:n", {
          request: { params: z.object({ n: z.coerce.number() }) },
          resolve: ({ input }) => Response.json(input.ok ? input.params.n * 2 : input.issues),
        }),
      ],
    });
    const response = await app.fetch(new Request("http://localhost/double/21"));
    assertEquals(await response.json(), 42);
  });
});
