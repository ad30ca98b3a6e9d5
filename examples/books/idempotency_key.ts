import { allow, type Context, deny, reply } from "@fw/core";

/**
 * A guard that reads the `Idempotency-Key` header. A request that is repeated with its key gets the book that the first
 * one created, and no second one is created.
 *
 * The store keeps the key in the transaction of the book: both are there or neither is, whatever dies. With a key in a
 * store of its own, as of `@fw/core/idempotency`, nobody knows what an instance has done that died in between.
 *
 * A key has 1 to 255 visible ASCII characters. It must be unique among all clients, such as a UUID. If your API has
 * accounts, prefix the key with the account id. Otherwise, a client could receive a response meant for another client.
 */
export function readIdempotencyKey({ request }: Context) {
  const key = request.headers.get("idempotency-key") ?? undefined;
  return key === undefined || /^[!-~]{1,255}$/.test(key)
    ? allow({ idempotencyKey: key })
    : deny(reply(400, { error: "Idempotency-Key must be 1 to 255 visible ASCII characters" }));
}
