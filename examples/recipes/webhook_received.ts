// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/webhook_received.ts
//
// Receives webhooks that are signed as https://www.standardwebhooks.com says. A signature is of the bytes of the body, so
// a body reader verifies it, within a bound in bytes and before anything is parsed. Each webhook is worked on once.
//
// curl -i -d '{"type":"order.created"}' http://localhost:8000/webhooks # has no signature: 401

import { type App, type BodyReader, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { Webhook } from "standardwebhooks";
import { z } from "zod";

/**
 * Makes a reader of JSON that only who knows the secret can have sent, within the last five minutes.
 *
 * @param secret The secret, in base64, after `whsec_`. The sender has told it.
 */
export function signedJson(secret: string): BodyReader {
  const webhook = new Webhook(secret);
  return {
    contentTypes: ["application/json"],
    async read({ body, headers }, maxBytes) {
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true }); // the text has all that the signature is of
      let [text, bytes] = ["", 0];
      try {
        for await (const chunk of body ?? []) {
          if ((bytes += chunk.length) > maxBytes) return refuse("Body too large", "body_too_large");
          text += decoder.decode(chunk, { stream: true });
        }
        text += decoder.decode();
      } catch { // the client cut the body off
        return refuse("Incomplete body", "incomplete_body");
      }
      try {
        return { value: webhook.verify(text, Object.fromEntries(headers)) };
      } catch (error) { // the text is signed, and not JSON
        if (error instanceof SyntaxError) return refuse("Invalid JSON", "invalid_json");
        return refuse("No valid signature", "invalid_signature");
      }
    },
  };
}

function refuse(message: string, code: string) {
  return { issue: { message, code } };
}

export interface ReceiverOptions {
  readonly secret: string;
  /** Does the work. If it fails, the sender tries again. */
  readonly receive: (event: { readonly type: string; readonly data?: unknown }) => Promise<void>;
}

const failure = { schema: z.object({ error: z.string() }) };

const STATUSES = { invalid_signature: 401, body_too_large: 413 } as const;

/** How many ids are remembered, in place of a table: there, write the id in the transaction of the work. */
const MAX_IDS = 10_000;

export function createApp({ secret, receive }: ReceiverOptions): App {
  const working = new Map<string, Promise<void>>();

  /** Does the work of an id once. A repetition waits for it, and fails with it. */
  const once = async (id: string, work: () => Promise<void>) => {
    const promise = working.get(id) ?? work();
    working.set(id, promise);
    for (const oldest of working.size > MAX_IDS ? [...working.keys()].slice(0, 1) : []) working.delete(oldest);
    try {
      await promise;
    } catch (error) {
      working.delete(id);
      throw error;
    }
  };

  return setup({
    validator: standardSchema,
    maxBodyBytes: 256 * 1024,
    handlers: [
      route.post("/webhooks", {
        request: {
          body: z.object({ type: z.string(), data: z.unknown().optional() }),
          bodyReader: signedJson(secret),
        },
        responses: { 204: { description: "Received" }, 400: failure, 401: failure, 413: failure },
        guards: [
          denyInvalid(({ issues: [issue] }) => {
            const status = STATUSES[issue?.code as keyof typeof STATUSES] ?? 400;
            return reply(status, { error: issue?.message ?? "Invalid input" });
          }),
        ],
        resolve: async ({ request, input }) => {
          // The id is signed, too.
          await once(request.headers.get("webhook-id") ?? "", () => receive(input.body));
          return reply(204);
        },
      }),
    ],
    onError: ({ error }) => {
      console.error(error);
      return reply(500, { error: "Try again" });
    },
  });
}

/** A secret for this example only. */
const SECRET = `whsec_${btoa("a secret of the example")}`;

export default createApp({
  secret: SECRET,
  receive: ({ type }) => Promise.resolve(console.log("Received", type)),
});
