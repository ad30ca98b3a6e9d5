import { allow, type Context, deny } from "@fw/core";

/**
 * A guard that reads the header `Idempotency-Key`. A client that got no answer to a creation repeats the request with the same
 * key: if the book was created the first time, the answer is that book, and there is no second one.
 *
 * A key is up to 255 visible ASCII characters, unique among all clients: a UUID does. In an API with accounts, put the account
 * before it, so that no client gets an answer that was another's.
 */
export function readIdempotencyKey({ request }: Context) {
  const key = request.headers.get("idempotency-key") ?? undefined;
  return key === undefined || /^[!-~]{1,255}$/.test(key)
    ? allow({ idempotencyKey: key })
    : deny(Response.json({ error: "Idempotency-Key must be 1 to 255 visible ASCII characters" }, { status: 400 }));
}
