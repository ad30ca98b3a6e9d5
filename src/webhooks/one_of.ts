import { readJsonSchema, type Side } from "../core/schemas/json_schema.ts";
import { relocate } from "../core/schemas/relocate.ts";
import { webhookPayload } from "../core/schemas/webhook_payload.ts";
import { hasProperties, isRecord, requireFunction, requireThat } from "../core/values/assert.ts";
import type { Webhook, WebhookSchemas } from "./webhook.ts";

/**
 * Makes the schema of a body that is one of several webhooks: `{ type, timestamp, data }`. The output is a union that
 * `type` tells apart. A type without a schema is an issue, so list the types that you subscribe to; to ignore others,
 * respond to that issue with 204.
 *
 * @typeParam Schemas The schemas of the data by type.
 * @param schemas Standard Schemas of the data, by the type of the webhook.
 * @returns A Standard Schema, with a JSON Schema if all of them have one.
 * @throws A `TypeError` if there is no schema, or one is not a Standard Schema.
 *
 * @example Two webhooks
 * ```ts
 * import { oneOf } from "@fw/core/webhooks";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const body = oneOf({ "order.created": z.object({ id: z.string() }), "order.paid": z.object({ cents: z.int() }) });
 *
 * const paid = { type: "order.paid", timestamp: "2026-11-28T08:00:00Z", data: { cents: 500 } } as const;
 * assertEquals(await body["~standard"].validate(paid), { value: paid });
 * ```
 */
export function oneOf<const Schemas extends WebhookSchemas>(schemas: Schemas): WebhookSchema<Webhook<Schemas>> {
  requireThat(isRecord(schemas), "Schemas of oneOf", "an object of schemas by type", schemas);
  const known = new Map(Object.entries(schemas).map(([type, schema]) => [type, requireStandard(type, schema)]));
  requireThat(known.size > 0, "Schemas of oneOf", "an object with at least one schema", schemas);
  const describe = (side: Side) => ({
    oneOf: Array.from(known.keys(), (type, index) => {
      const data = readJsonSchema(schemas[type], side, undefined);
      return webhookPayload(type, relocate(data, `/oneOf/${index}/properties/data`));
    }),
  });
  return {
    "~standard": {
      version: 1,
      vendor: "@fw/core",
      jsonSchema: { input: () => describe("input"), output: () => describe("output") },
      async validate(value): Promise<WebhookResult<Webhook<Schemas>>> {
        const { type, timestamp, data }: { type?: unknown; timestamp?: unknown; data?: unknown } = Object(value);
        const validate = typeof type === "string" ? known.get(type) : undefined;
        if (validate === undefined) return issue("type", `type must be one of ${[...known.keys()].join(", ")}`);
        if (
          typeof timestamp !== "string" || !/^\d{4}-\d\d-\d\dT/.test(timestamp) || Number.isNaN(Date.parse(timestamp))
        ) {
          return issue("timestamp", "timestamp must be a date and a time");
        }
        const result = await validate(data);
        if (result.issues) {
          return { issues: result.issues.map((each) => ({ ...each, path: ["data", ...each.path ?? []] })) };
        }
        return { value: { type, timestamp, data: result.value } as Webhook<Schemas> };
      },
    },
  };
}

/**
 * A Standard Schema of webhooks.
 *
 * @typeParam Value The webhooks.
 */
export interface WebhookSchema<Value> {
  /** As in a Standard Schema and in a Standard JSON Schema. */
  readonly "~standard": {
    /** As in a Standard Schema. */
    readonly version: 1;
    /** As in a Standard Schema. */
    readonly vendor: string;
    /** As in a Standard Schema. */
    readonly types?: {
      /** The input type. */
      readonly input: Value;
      /** The output type. */
      readonly output: Value;
    };
    /** As in a Standard JSON Schema. */
    readonly jsonSchema: {
      /** As in a Standard JSON Schema. */
      input(): object;
      /** As in a Standard JSON Schema. */
      output(): object;
    };
    /** As in a Standard Schema. */
    validate(value: unknown): Promise<WebhookResult<Value>>;
  };
}

/**
 * The result of a validation, as in a Standard Schema.
 *
 * @typeParam Value The webhooks.
 */
export type WebhookResult<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly WebhookIssue[] };

/** An issue, as in a Standard Schema. */
export interface WebhookIssue {
  /** The message. */
  readonly message: string;
  /** The path of the value. */
  readonly path?: readonly unknown[] | undefined;
}

interface Validated {
  readonly value?: unknown;
  readonly issues?: readonly WebhookIssue[] | undefined;
}

function requireStandard(type: string, schema: unknown): (data: unknown) => Validated | PromiseLike<Validated> {
  const standard = hasProperties(schema) ? schema["~standard"] : undefined;
  const validate = hasProperties(standard) ? standard.validate : undefined;
  const found = requireFunction(`"~standard".validate of the schema ${JSON.stringify(type)} of oneOf`, validate);
  return (data) => found.call(standard, data) as Validated | PromiseLike<Validated>;
}

function issue(key: string, message: string): { readonly issues: readonly WebhookIssue[] } {
  return { issues: [{ message, path: [key] }] };
}
