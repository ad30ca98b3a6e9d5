/**
 * A schema of text that is sent unchanged, instead of as JSON.
 */
export interface TextSchema {
  /** As in a Standard Schema. */
  readonly "~standard": {
    /** As in a Standard Schema. */
    readonly version: 1;
    /** As in a Standard Schema. */
    readonly vendor: string;
    /** As in a Standard Schema. */
    validate(value: unknown): { readonly value: string } | { readonly issues: readonly { readonly message: string }[] };
    /** As in a Standard JSON Schema. */
    readonly jsonSchema: {
      /** As in a Standard JSON Schema. */
      input(): object;
      /** As in a Standard JSON Schema. */
      output(): object;
    };
    /** As in a Standard Schema. */
    readonly types?: {
      /** A string. */
      readonly input: string;
      /** A string. */
      readonly output: string;
    };
  };
  /** Marks the schema. */
  readonly "~text": true;
}

/**
 * Declares an event whose data is sent unchanged, such as HTML, or the `[DONE]` with which a stream ends. The data of
 * all other events is JSON. Each line of the text is sent as a separate line. Clients receive a line feed for each line
 * break.
 *
 * @returns A schema for `events`.
 *
 * @example A stream that ends with `[DONE]`
 * ```ts
 * import { endpoint, route, setup } from "@fw/core";
 * import { createClient } from "@fw/core/client";
 * import { events, replyEvents, text } from "@fw/core/events";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = {
 *   chat: endpoint.get("/chat", { responses: { 200: events({ token: z.string(), done: text() }) } }),
 * };
 * const chat = route.on(api.chat, {
 *   resolve: () =>
 *     replyEvents(200, async function* (_signal, event) {
 *       yield event("token", "Hello");
 *       yield event("done", "[DONE]");
 *     }),
 * });
 * const app = setup({ handlers: [chat] });
 *
 * const response = await app.fetch(new Request("http://localhost/chat"));
 * assertEquals(await response.text(), 'event: token\ndata: "Hello"\n\nevent: done\ndata: [DONE]\n\n');
 *
 * const { body } = await createClient(api, { fetch: app.fetch }).chat();
 * const told: string[] = [];
 * for await (const { data } of body) told.push(data);
 * assertEquals(told, ["Hello", "[DONE]"]);
 * ```
 */
export function text(): TextSchema {
  return {
    "~standard": {
      version: 1,
      vendor: "fw",
      validate: (value) => typeof value === "string" ? { value } : { issues: [{ message: "Expected a string" }] },
      jsonSchema: { input: describe, output: describe },
    },
    "~text": true,
  };
}

const describe = () => ({ type: "string" });

/**
 * The key of a response of `replyEvents` with the names of events whose data is text. It is a string, so that two
 * copies of the module know each other's responses.
 */
export const TEXTS = "~texts";
