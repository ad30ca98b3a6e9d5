import { allow, type Context, deny, reply } from "@fw/core";

/**
 * A guard that reads the `Idempotency-Key` header. A client that received no response to a creation can repeat the
 * request with the same key. If the first request created the book, the response contains that book, and no second one
 * is created.
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
