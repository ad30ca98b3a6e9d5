import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, type RouteResponses } from "../../../mod.ts";
import { events } from "../../../src/events/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { compatible } from "../../../src/compatible/mod.ts";

const book = z.object({ id: z.string() });
const csv = {
  schema: z.string(),
  contentType: "text/csv",
  description: "As a table",
  headers: { etag: { required: true }, "x-count": { required: true } },
  examples: { one: "id" },
} as const;

function documentOf(responses: RouteResponses, openApi: "3.1.0" | "3.2.0" = "3.2.0") {
  const info = { title: "Books", version: "1" };
  return openapi({ info, openapi: openApi, endpoints: { showBook: endpoint.get("/book", { responses }) } });
}

describe("openapi() with several media types", () => {
  it("describes the content of each, and the headers and descriptions of all", () => {
    const json = { schema: book, description: "A book", headers: { etag: { required: true } } };
    const { paths } = documentOf({ 200: [json, csv, { contentType: "image/png", headers: { etag: {} } }] });
    assertEquals(paths["/book"]?.get?.responses[200], {
      description: "A book\n\nAs a table",
      headers: {
        etag: { schema: { type: "string" } },
        "x-count": { schema: { type: "string" } },
      },
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { id: { type: "string" } },
            required: ["id"],
            additionalProperties: false,
          },
        },
        "text/csv": { schema: { type: "string" }, examples: { one: { value: "id" } } },
        "image/png": { schema: { type: "string", format: "binary", contentMediaType: "image/png" } },
      },
    });
    assertEquals(
      documentOf({ 200: [json, { ...csv, headers: json.headers }] }).paths["/book"]?.get?.responses[200]?.headers,
      { etag: { required: true, schema: { type: "string" } } },
    );
  });

  it("describes a stream that is one of them", () => {
    const responses = { 200: [{ schema: book }, events({ done: book })] } as const;
    const content = (version: "3.1.0" | "3.2.0") =>
      documentOf(responses, version).paths["/book"]?.get?.responses[200]?.content;
    assertEquals(Object.keys(content("3.2.0")?.["text/event-stream"] ?? {}), ["itemSchema"]);
    assertEquals(content("3.1.0")?.["text/event-stream"], { schema: { type: "string" } });
  });
});

describe("compatible() with several media types", () => {
  it("finds one that is gone, and one whose body has changed", () => {
    const before = documentOf({ 200: [{ schema: book }, csv] });
    assertEquals(compatible(before, before), []);
    const levels = (responses: RouteResponses) => compatible(before, documentOf(responses)).map(({ level }) => level);
    assertEquals(levels({ 200: { schema: book } }).includes("breaking"), true);
    assertEquals(levels({ 200: [{ schema: z.object({}) }, csv] }), ["breaking"]);
    assertEquals(levels({ 200: [{ schema: book }, csv, { contentType: "text/html" }] }).includes("breaking"), false);
  });
});
