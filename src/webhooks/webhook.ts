import type { InferOutput } from "../core/input/input.ts";

/** The schemas of webhooks by type, such as `"order.paid"`: Standard Schemas of the data. */
export interface WebhookSchemas {
  /** The schema of the data. */
  readonly [type: string]: { readonly "~standard": object };
}

/**
 * A webhook, in the form that [Standard Webhooks](https://www.standardwebhooks.com) advises: the union of all types, told
 * apart by `type`.
 *
 * @typeParam Schemas The schemas of the data by type.
 */
export type Webhook<Schemas> = {
  [Type in keyof Schemas & string]: {
    /** The type. */
    readonly type: Type;
    /** When it happened, by RFC 3339: `2026-11-28T08:00:00.000Z`. */
    readonly timestamp: string;
    /** What happened. */
    readonly data: InferOutput<Schemas[Type]>;
  };
}[keyof Schemas & string];
