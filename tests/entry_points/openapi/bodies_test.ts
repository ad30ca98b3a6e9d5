/** The bodies of requests and responses in the document. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { type BodyReader, type Context, route, type RouteDocs, setup } from "../../../mod.ts";
import { decompressed, form, json, optional } from "../../../src/body/mod.ts";
import type { JsonSchema } from "../../../src/openapi/mod.ts";
import { request } from "../../support/request.ts";
import {
  bodyOf,
  documentOf,
  ok,
  operationOf,
  refusal,
  schemaOf,
  unused,
  withBody,
  withResponse,
} from "./document_of.ts";

describe("openapi() on a bodyReader", () => {
  const contentOf = (body: unknown, bodyReader: BodyReader = form) =>
    operationOf(route.post("/b", { request: { body, bodyReader }, resolve: ok })).requestBody?.content ?? {};

  it("describes the body by the content types of the reader, in order", () => {
    const body = z.object({ title: z.string() });
    const schema = bodyOf(withBody(body)) ?? false;
    assertEquals(operationOf(route.post("/b", { request: { body, bodyReader: form }, resolve: ok })).requestBody, {
      required: true,
      content: { "application/x-www-form-urlencoded": { schema }, "multipart/form-data": { schema } },
    });
    assertEquals(Object.keys(contentOf(body)), ["application/x-www-form-urlencoded", "multipart/form-data"]);
  });

  it("does not require a body that is optional", () => {
    const body = z.object({ title: z.string() }).optional();
    for (const bodyReader of [optional(form), optional(json), decompressed(optional(json), { maxBodyBytes: 9 })]) {
      const { requestBody } = operationOf(route.post("/b", { request: { body, bodyReader }, resolve: ok }));
      assertEquals(requestBody?.required, false);
    }
  });

  it("describes a form with a file as multipart/form-data only: a generated client would lose the file", () => {
    const upload = z.object({ title: z.string(), cover: z.file() });
    assertMatch(JSON.stringify(contentOf(upload)), /"format":"binary"/);
    const node: JsonSchema = { properties: { next: { $ref: "#/$defs/Node" }, cover: { contentEncoding: "binary" } } };
    const withFiles: readonly unknown[] = [
      upload,
      z.object({ cover: z.file().optional() }),
      z.object({ covers: z.array(z.file()) }),
      z.object({ cover: z.union([z.string(), z.file()]) }),
      z.object({ cover: z.file().meta({ id: "Cover" }) }),
      z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), upload.extend({ kind: z.literal("b") })]),
      z.record(z.string(), z.file()),
      schemaOf({ allOf: [{ $ref: "#/$defs/Node" }], $defs: { Node: node } }),
    ];
    for (const body of withFiles) assertEquals(Object.keys(contentOf(body)), ["multipart/form-data"]);
  });

  it("describes bytes by format alone: with contentEncoding, generators make a string of a file", () => {
    assertEquals(contentOf(z.object({ cover: z.file() }))["multipart/form-data"]?.schema, {
      type: "object",
      properties: { cover: { type: "string", format: "binary" } },
      required: ["cover"],
    });
    const encoded = { type: "string", contentEncoding: "base64" };
    assertEquals(bodyOf(withBody(schemaOf(encoded))), encoded);
    assertEquals(bodyOf(withBody(schemaOf({ contentEncoding: "binary" }))), { format: "binary" });
  });

  it("keeps both media types for a form whose property is only called like a file, and for a tree of texts", () => {
    const forms: readonly unknown[] = [
      z.object({ format: z.literal("binary"), contentEncoding: z.string().default("binary") }),
      schemaOf({ type: "object", default: { format: "binary" } }),
      schemaOf({ $ref: "#/$defs/Node", $defs: { Node: { properties: { next: { $ref: "#/$defs/Node" } } } } }),
      schemaOf({ properties: { more: { $ref: "https://example.com/other.json" } } }),
      schemaOf(true),
    ];
    for (const body of forms) assertEquals(Object.keys(contentOf(body)).length, 2);
  });

  it("keeps the media types of a reader that reads no multipart/form-data", () => {
    const bytes: BodyReader = { contentTypes: ["image/png", "image/jpeg"], read: form.read };
    const png = schemaOf({ type: "string", format: "binary" });
    assertEquals(Object.keys(contentOf(png, bytes)), ["image/png", "image/jpeg"]);
  });
});

describe("openapi() on bodies and responses", () => {
  const stamp = z.object({ at: z.iso.datetime().transform((at) => at.length).pipe(z.number()) });

  it("describes a body as required JSON, by the input side of its schema", () => {
    const { requestBody } = operationOf(withBody(stamp));
    assertEquals(requestBody?.required, true);
    assertEquals(Object.keys(requestBody?.content ?? {}), ["application/json"]);
    assertMatch(JSON.stringify(requestBody), /"format":"date-time"/);
  });

  it("describes a schema that is true or false: anything, or nothing", () => {
    assertEquals(bodyOf(withBody(schemaOf(true))), {});
    assertEquals(bodyOf(withBody(schemaOf(false))), { not: {} });
  });

  it("describes a response by the output side of its schema", () => {
    assertEquals(operationOf(withResponse(stamp)).responses, {
      200: {
        description: "Successful",
        content: {
          "application/json": {
            schema: {
              type: "object",
              properties: { at: { type: "number" } },
              required: ["at"],
              additionalProperties: false,
            },
          },
        },
      },
    });
  });

  it("describes responses by status, range and default, and gives each a description", () => {
    const responses = {
      default: {},
      "5XX": { description: "Sorry" },
      404: { schema: schemaOf({}), contentType: "application/problem+json" },
      "3XX": {},
      201: { description: "" },
      100: {},
    };
    assertEquals(operationOf(route.get("/", { responses, resolve: unused })).responses, {
      100: { description: "Informational" },
      201: { description: "" },
      404: { description: "Client error", content: { "application/problem+json": { schema: {} } } },
      "3XX": { description: "Redirection" },
      "5XX": { description: "Sorry" },
      default: { description: "Any other response" },
    });
    const failed = route.get("/", { responses: { 500: {} }, resolve: unused });
    assertEquals(operationOf(failed).responses, { 500: { description: "Server error" } });
  });

  it("shows the examples of a response as they are sent", () => {
    const described = operationOf(route.get("/", {
      responses: {
        200: { schema: schemaOf({}), examples: { first: { at: new Date(0) }, none: null } },
        404: { contentType: "text/plain", examples: { short: "Nothing" } },
      },
      resolve: unused,
    }));
    assertEquals(described.responses[200]?.content, {
      "application/json": {
        schema: {},
        examples: { first: { value: { at: "1970-01-01T00:00:00.000Z" } }, none: { value: null } },
      },
    });
    assertEquals(described.responses[404]?.content?.["text/plain"]?.examples, { short: { value: "Nothing" } });
  });

  it("shows no examples of a response to HEAD", () => {
    const described = operationOf(
      route.head("/", { responses: { 200: { schema: schemaOf({}), examples: { one: 1 } } }, resolve: unused }),
    );
    assertEquals(described.responses[200], { description: "Successful" });
  });

  it("describes a body of which only the media type is known as text, as anything, or as bytes", () => {
    const schemaFor = (contentType: string) => {
      const described = operationOf(route.get("/", { responses: { 200: { contentType } }, resolve: unused }));
      return (described.responses[200]?.content ?? {})[contentType]?.schema;
    };
    const bytes = { type: "string", format: "binary" };
    for (const type of ["image/png", "application/octet-stream", "application/vnd.ms-excel", "audio/x-json5"]) {
      assertEquals(schemaFor(type), { ...bytes, contentMediaType: type });
    }
    // A range is not a media type.
    assertEquals(schemaFor("image/*"), bytes);
    for (const type of ["text/csv", "text/html; charset=utf-8", "TEXT/plain"]) {
      assertEquals(schemaFor(type), { type: "string" });
    }
    const structured = ["application/json", "application/problem+json", "application/xml", "image/svg+xml"];
    for (const type of [...structured, "multipart/form-data", "application/x-www-form-urlencoded"]) {
      assertEquals(schemaFor(type), {});
    }
  });

  it("describes no body of a response to HEAD, and does not convert its schema", () => {
    const responses = {
      200: { schema: z.object({ id: z.string() }).meta({ id: "Book" }) },
      404: { contentType: "text/plain" },
    };
    const document = documentOf([route.on("HEAD", "/", { responses, resolve: unused })]);
    assertEquals(document.paths["/"]?.head?.responses, {
      200: { description: "Successful" },
      404: { description: "Client error" },
    });
    assertEquals(document.components.schemas, {});
    const both = documentOf([route.on(["GET", "HEAD"], "/", { responses, resolve: unused })]).paths["/"];
    assertEquals(Object.keys(both?.get?.responses[200]?.content ?? {}), ["application/json"]);
    assertEquals(both?.head?.responses[200], { description: "Successful" });
  });

  it("describes any response if the route documents none", () => {
    const { responses } = operationOf(route.get("/", { responses: {}, resolve: unused }));
    assertEquals(responses, { default: { description: "Any response" } });
    assertEquals(operationOf(route.get("/", { resolve: ok })), {
      operationId: "getRoot",
      responses: { default: { description: "Any response" } },
    });
  });
});

describe("openapi() on bodies that handlers read themselves", () => {
  const form = z.object({ title: z.string(), cover: z.string().meta({ format: "binary" }) });
  const upload = (requestBody: unknown, more: object = {}) =>
    route.post("/covers", { docs: { requestBody } as RouteDocs, resolve: ok, ...more });

  it("describes them by docs.requestBody: content type, schema, description, required", () => {
    const requestBody = {
      contentType: "multipart/form-data",
      schema: form,
      required: true,
      description: "The cover as a file",
    };
    const document = documentOf([upload(requestBody)]);
    assertEquals(document.paths["/covers"]?.post?.requestBody, {
      description: "The cover as a file",
      required: true,
      content: {
        "multipart/form-data": {
          schema: {
            type: "object",
            properties: { title: { type: "string" }, cover: { type: "string", format: "binary" } },
            required: ["title", "cover"],
          },
        },
      },
    });
  });

  it("allows any content without a schema, and is optional by default", () => {
    const document = documentOf([upload({ contentType: "application/xml" })]);
    assertEquals(document.paths["/covers"]?.post?.requestBody, { content: { "application/xml": { schema: {} } } });
  });

  it("describes an upload without a schema as bytes, so that generated clients send a Blob", () => {
    const { requestBody } = operationOf(upload({ contentType: "image/png", required: true }));
    assertEquals(requestBody?.content, {
      "image/png": { schema: { type: "string", format: "binary", contentMediaType: "image/png" } },
    });
  });

  it("leaves the body unread", async () => {
    const app = setup({
      handlers: [
        upload({ contentType: "text/plain" }, { resolve: async (c: Context) => new Response(await c.request.text()) }),
      ],
    });
    const sent = request("/covers", { method: "POST", body: "raw" });
    assertEquals(await (await app.fetch(sent)).text(), "raw");
  });

  it("rejects it next to a body schema, and with the wrong shape", () => {
    const place = 'Option docs.requestBody of route POST "/covers" ';
    assertEquals(
      refusal([upload({ contentType: "text/plain" }, { request: { body: form } })]).message,
      `${place}describes a body that request.body does: remove one of them`,
    );
    for (
      const [requestBody, message] of [
        [{}, 'Option docs.requestBody.contentType of route POST "/covers" must be a string: received undefined'],
        [
          { contentType: 1 },
          'Option docs.requestBody.contentType of route POST "/covers" must be a string: received a number',
        ],
        [
          { contentType: "text/plain", required: "yes" },
          'Option docs.requestBody.required of route POST "/covers" must be true or false: received a string',
        ],
      ] as const
    ) {
      assertEquals(refusal([upload(requestBody)]).message, message);
    }
  });
});
