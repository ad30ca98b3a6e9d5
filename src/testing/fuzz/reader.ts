import { isReaderOf } from "./needs.ts";
import type { Operation } from "./operations.ts";
import type { Prepared } from "./prepare.ts";
import { ORIGIN } from "./requests.ts";
import type { Result } from "./run.ts";

/**
 * Says where the thing is that a request has made or changed.
 *
 * @param prepared The request.
 * @param result The response to it.
 * @returns The path: of what a POST has made, the one in `location`, or the one that ends with its `id`.
 */
export function placeOf(
  { operation: { method }, path }: Prepared,
  { headers, json }: Pick<Result, "headers" | "json">,
): string {
  if (method !== "POST") return path;
  const location = headers.get("location");
  return location !== null && URL.canParse(location, ORIGIN + path)
    ? new URL(location, ORIGIN + path).pathname
    : `${path}/${encodeURIComponent(String(Object(json).id))}`;
}

/**
 * Finds the request by which the same actor reads the thing that a request has made or changed.
 *
 * @param prepared The request.
 * @param place Where the thing is.
 * @param operations All operations.
 * @returns The request; `undefined` if no endpoint reads the thing.
 */
export function readerOf(
  prepared: Prepared,
  place: string,
  operations: readonly Operation[],
): Prepared | undefined {
  const { operation: { method, segments }, path } = prepared;
  const wanted = method === "POST" ? [...segments, ":"] : segments;
  const operation = operations.find((other) => isReaderOf(other, wanted));
  if (operation === undefined || !place.startsWith(path)) return undefined;
  const headers = new Headers(prepared.headers);
  for (const name of ["content-type", "if-match", "idempotency-key"]) headers.delete(name);
  return { ...prepared, operation, headers, path: place, query: "", body: undefined };
}
