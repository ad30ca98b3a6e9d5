import { JSON_TYPE } from "./describe_content.ts";
import type { SchemaCollection } from "../core/schemas/json_schema.ts";
import { messageOf } from "../core/schemas/json_schema.ts";
import { webhookPayload } from "../core/schemas/webhook_payload.ts";
import type { Draft } from "./read_schema.ts";
import type { Operation, Parameter, PathItem } from "./document.ts";
import { capitalize, type Reject } from "./operations.ts";

/**
 * Describes the webhooks that `deliver` of `@fw/core/webhooks` sends.
 *
 * @param webhooks The schemas of the data, by the type of the webhook.
 * @param schemas The schemas of the document.
 * @param names The names of the operations so far.
 * @param reject Called for a schema that OpenAPI cannot express.
 * @returns The webhooks, by their type.
 * @throws A `TypeError` if a webhook and an operation, or two webhooks, have one name.
 */
export function describeWebhooks(
  webhooks: { readonly [type: string]: unknown },
  schemas: SchemaCollection,
  names: ReadonlySet<string | undefined>,
  reject: Reject,
): { readonly [type: string]: Draft<PathItem> } {
  const used = new Set(names);
  const described = Object.entries(webhooks).map(([type, schema]): [string, Draft<PathItem>] => {
    const operationId = `on${(type.match(/[a-z\d]+/gi) ?? []).map(capitalize).join("")}`;
    if (used.has(operationId)) throw new TypeError(`Webhook "${type}" has the operationId of another: ${operationId}`);
    used.add(operationId);
    const convert = () => {
      try {
        return schemas.convert(schema, "output", `${capitalize(operationId)}Data`).emit();
      } catch (error) {
        reject(`Schema of webhook "${type}" must be expressible as JSON Schema: ${messageOf(error)}`, error);
        return true;
      }
    };
    const post: Draft<Operation> = {
      operationId,
      parameters: PARAMETERS,
      requestBody: { required: true, content: { [JSON_TYPE]: { schema: webhookPayload(type, convert()) } } },
      responses: { "2XX": { description: "The webhook is received." }, default: { description: "It is sent again." } },
    };
    return [type, { post }];
  });
  return Object.fromEntries(described);
}

/** The headers of [Standard Webhooks](https://www.standardwebhooks.com). */
const PARAMETERS: Parameter[] = /* @__PURE__ */ [
  ["webhook-id", "The same for each attempt"],
  ["webhook-timestamp", "When it is sent, in seconds since 1970"],
  ["webhook-signature", "Signatures of the id, the time and the body, separated by spaces"],
].map(([name = "", description = ""]) => ({
  name,
  in: "header",
  description,
  required: true,
  schema: { type: "string" },
}));
