// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/idempotency.ts
//
// Lets clients repeat a POST safely: the work of an `Idempotency-Key` is done once, however often the request is repeated.
//
// curl -i -H 'authorization: Bearer ada' -H 'idempotency-key: 1' -d '{"amount":5}' http://localhost:8000/payments

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { createIdempotency, idempotencyHeaders, type IdempotencyLimits } from "./idempotency/idempotency.ts";

export interface IdempotencyOptions {
  /**
   * Pays. It ends within some seconds. If it fails half-way, it can be repeated with the same key: pass the key on to whom you
   * call, or the client pays twice after a time-out.
   */
  readonly pay: (amount: number, key: string) => Promise<string>;
  readonly limits: IdempotencyLimits;
  readonly now?: () => number;
}

const payment = z.object({ id: z.string(), amount: z.int() });
const failure = z.object({ error: z.string() });

/** Tokens for the example only: see the recipes jwt and sessions. */
const USERS = new Map([["Bearer ada", "ada"], ["Bearer bob", "bob"]]);

const authenticated = beforeBody(({ request }: Context) => {
  const userId = USERS.get(request.headers.get("authorization") ?? "");
  if (userId !== undefined) return allow({ userId });
  return deny(reply(401, { error: "Sign in" }, { headers: { "www-authenticate": "Bearer" } }));
});

const validInput = denyInvalid(({ issues: [issue] }) =>
  reply(400, { error: `${issue?.path.join(".")}: ${issue?.message}` })
);

export function createApp({ pay, limits, now }: IdempotencyOptions): App {
  const once = createIdempotency<z.infer<typeof payment>>(limits, now);
  return setup({
    validator: standardSchema,
    maxBodyBytes: 16 * 1024,
    handlers: [
      route.post("/payments", {
        request: { headers: idempotencyHeaders, body: z.object({ amount: z.int().positive() }) },
        responses: {
          201: { schema: payment },
          400: { schema: failure },
          401: { schema: failure },
          409: { schema: failure },
          422: { schema: failure },
          503: { schema: failure },
        },
        guards: [authenticated, validInput],
        resolve: async ({ input: { headers, body }, locals: { userId } }) => {
          const key = headers["idempotency-key"];
          const work = async () => ({ id: await pay(body.amount, `${userId}/${key}`), ...body });
          const outcome = await once({ client: userId, key, input: body }, work);
          switch (outcome.state) {
            case "done":
              return reply(201, outcome.result);
            case "running":
              return reply(409, { error: "The first request is still running" }, { headers: { "retry-after": "1" } });
            case "mismatch":
              return reply(422, { error: "The key belongs to another payment" });
            case "full":
              return reply(503, { error: "Too many payments" }, { headers: { "retry-after": "60" } });
          }
        },
      }),
    ],
    onError: ({ error, context }) => {
      console.error(`${context.request.method} ${context.route?.path} failed:`, error);
      return reply(500, { error: "Internal server error" });
    },
  });
}

export default createApp({
  pay: () => Promise.resolve(crypto.randomUUID()),
  limits: { lifetime: 10 * 60 * 1000, max: 20_000, maxPerClient: 200 },
});
