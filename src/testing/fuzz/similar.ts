import { mutateText } from "./mutate.ts";
import type { Prepared } from "./prepare.ts";
import type { Result } from "./run.ts";

/**
 * Lists the properties of the JSON object that a request sends.
 *
 * @param prepared The request.
 * @returns The object; one without properties if the body is none.
 */
export function sentBy({ body = "" }: Prepared): { readonly [name: string]: unknown } {
  try {
    const json: unknown = JSON.parse(body);
    return Array.isArray(json) ? {} : Object(json);
  } catch {
    return {};
  }
}

/**
 * Makes a similar request: with other values in its JSON body, another `Idempotency-Key`, and the version that a
 * response has given.
 *
 * @param prepared The request.
 * @param changes The other values.
 * @param result The response to the request, if there is one.
 * @returns The similar request.
 */
export function similar(
  prepared: Prepared,
  changes: { readonly [name: string]: unknown },
  result?: Result,
): Prepared {
  const headers = new Headers(prepared.headers);
  const [key, etag] = [headers.get("idempotency-key"), result?.headers.get("etag") ?? null];
  if (key !== null) headers.set("idempotency-key", mutateText(key));
  if (headers.has("if-match") && etag !== null) headers.set("if-match", etag);
  return { ...prepared, headers, body: JSON.stringify({ ...sentBy(prepared), ...changes }) };
}
