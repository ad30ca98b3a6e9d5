import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { endpoint } from "../../../mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import * as z from "zod";

const info = { title: "Orders", version: "1" };
const schemas = { "order.paid": z.object({ at: z.date() }), "order.created": z.object({ id: z.string() }) };

describe("openapi({ webhooks })", () => {
  it("describes each webhook as it is sent", () => {
    const { webhooks = {} } = openapi({ info, routes: [], webhooks: schemas });
    assertEquals(Object.keys(webhooks), ["order.paid", "order.created"]);
    const { operationId, parameters = [], requestBody } = webhooks["order.paid"]?.post ?? {};
    assertEquals(operationId, "onOrderPaid");
    assertEquals(parameters.map(({ name, required }) => [name, required]), [
      ["webhook-id", true],
      ["webhook-timestamp", true],
      ["webhook-signature", true],
    ]);
    assertEquals(requestBody, {
      required: true,
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: {
              type: { const: "order.paid" },
              timestamp: { type: "string", format: "date-time" },
              data: {
                type: "object",
                properties: { at: { type: "string", format: "date-time" } },
                required: ["at"],
                additionalProperties: false,
              },
            },
            required: ["type", "timestamp", "data"],
          },
        },
      },
    });
  });

  it("refers to schemas that webhooks and routes share", () => {
    const order = z.object({
      get parts() {
        return z.array(order);
      },
    }).meta({ id: "Order" });
    const document = openapi({
      info,
      endpoints: { show: endpoint.get("/", { responses: { 200: { schema: order } } }) },
      webhooks: { paid: order },
    });
    assertEquals(Object.keys(document.components.schemas), ["Order"]);
    const text = JSON.stringify(document.webhooks);
    assertEquals(text.includes('"data":{"$ref":"#/components/schemas/Order"}'), true);
  });

  it("names a webhook whose type has neither letters nor digits", () => {
    const { webhooks = {} } = openapi({ info, routes: [], webhooks: { "*": z.string() } });
    assertEquals(webhooks["*"]?.post?.operationId, "on");
  });

  it("has none without the option", () => {
    assertEquals("webhooks" in openapi({ info, routes: [] }), false);
  });

  it("throws for a schema that has no JSON Schema, and for two operations with one name", () => {
    const webhooks = { "order.paid": () => true };
    assertThrows(
      () => openapi({ info, routes: [], webhooks }),
      TypeError,
      'Schema of webhook "order.paid" must be expressible as JSON Schema',
    );
    const { webhooks: described } = openapi({ info, routes: [], webhooks, unrepresentable: "any" });
    assertEquals(JSON.stringify(described).includes('"data":true'), true);
    const { "order.paid": paid } = schemas;
    assertThrows(
      () => openapi({ info, routes: [], webhooks: { "order.paid": paid, order_paid: paid } }),
      TypeError,
      'Webhook "order_paid" has the operationId of another: onOrderPaid',
    );
    const endpoints = { onOrderPaid: endpoint.get("/") };
    assertThrows(() => openapi({ info, endpoints, webhooks: { "order.paid": paid } }), TypeError, "onOrderPaid");
    assertThrows(
      () => openapi({ info, routes: [], webhooks: [] as never }),
      TypeError,
      "Option webhooks must be an object of schemas by type: received an array",
    );
  });
});
