// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/idempotency.ts
//
// Lets clients repeat a POST safely: the work of an `Idempotency-Key` is done once, however often the request is repeated.
// The keys are in memory. To keep them in a database, pass `idempotencyStore(client)` of `@fw/core/postgres`.
//
// curl -i -H 'authorization: Bearer ada' -H 'idempotency-key: 1' -d '{"amount":5}' http://localhost:8000/payments

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { type IdempotencyStore, idempotent } from "@fw/core/idempotency";
import { idempotencyStore } from "@fw/core/memory";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";

export interface PaymentOptions {
  /**
   * Pays. It ends within some seconds. If it fails half-way, it can be repeated with the same key: pass the key on to
   * whom you call, or the client pays twice after a time-out.
   */
  readonly pay: (amount: number, key: string) => Promise<string>;
  readonly store: IdempotencyStore;
}

/** Declared, so that the document says so, a typed client must send it, and `fuzz` does. */
const headers = z.object({
  "idempotency-key": z.string().regex(/^[!-~]{1,255}$/, "Send 1 to 255 visible ASCII characters"),
});

const failure = { schema: z.object({ error: z.string() }) };

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

export function createApp({ pay, store }: PaymentOptions): App {
  const once = idempotent({
    store,
    client: (c: Context<{ userId: string }>) => c.locals.userId,
    lifetime: 24 * 60 * 60,
    perClient: 200,
    refuse: (_c, why) => {
      if (why === "missing") return reply(400, { error: "Send an Idempotency-Key" }); // `validInput` refuses it first
      if (why === "mismatch") return reply(422, { error: "The key belongs to another payment" });
      if (why === "full") return reply(503, { error: "Too many payments" }, { headers: { "retry-after": "60" } });
      return reply(409, { error: "The first request is still running" }, { headers: { "retry-after": "1" } });
    },
    whenStoreFails: (error) => {
      console.error("The store of the idempotency keys failed:", error);
      return reply(503, { error: "Try again" }, { headers: { "retry-after": "5" } });
    },
  });
  return setup({
    validator: standardSchema,
    maxBodyBytes: 16 * 1024,
    handlers: [
      route.post("/payments", {
        request: { headers, body: z.object({ amount: z.int().positive() }) },
        responses: {
          201: { schema: z.object({ id: z.string(), amount: z.int() }) },
          400: failure,
          401: failure,
          409: failure,
          422: failure,
          503: failure,
        },
        guards: [authenticated, validInput],
        resolve: once(async ({ request, input: { body: { amount } }, locals: { userId } }) => {
          const key = `${userId}/${request.headers.get("idempotency-key")}`;
          return reply(201, { id: await pay(amount, key), amount });
        }),
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
  store: idempotencyStore({ most: 20_000 }),
});
