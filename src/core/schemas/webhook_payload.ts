import type { JsonSchema, JsonSchemaObject } from "./json_schema.ts";

/**
 * The JSON Schema of a webhook, as [Standard Webhooks](https://www.standardwebhooks.com) advises.
 *
 * @param type The type of the webhook.
 * @param data The JSON Schema of the data.
 * @returns The JSON Schema.
 */
export function webhookPayload(type: string, data: JsonSchema): JsonSchemaObject {
  return {
    type: "object",
    properties: { type: { const: type }, timestamp: { type: "string", format: "date-time" }, data },
    required: ["type", "timestamp", "data"],
  };
}
