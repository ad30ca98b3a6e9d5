/** The bodies of requests and responses in the document. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { type Context, route, type RouteDocs, setup } from "../../../mod.ts";
import { form } from "../../../src/form/mod.ts";
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
  it("describes the body by the content types of the reader", () => {
    const body = z.object({ title: z.string(), cover: z.file() });
    const { requestBody } = operationOf(route.post("/b", { request: { body, bodyReader: form }, resolve: ok }));
    const schema = bodyOf(withBody(body)) ?? false;
    assertEquals(requestBody, {
      required: true,
      content: { "application/x-www-form-urlencoded": { schema }, "multipart/form-data": { schema } },
    });
    assertMatch(JSON.stringify(schema), /"format":"binary"/);
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
