import { describeRoute } from "../values/assert.ts";

/** Stands for every method. */
export const ALL = "ALL";

/** The methods that clients use, which a route for all methods is described by. */
export const METHODS: readonly string[] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"];

/** Whether a method only reads a resource. OPTIONS is safe, too, but asks for something else (RFC 9110, 9.3.7). */
export function isRead(method: string): boolean {
  return method === "GET" || method === "HEAD" || method === "QUERY";
}

/**
 * Reads the methods of a route.
 *
 * @param route The route as declared.
 * @returns Its methods, one or more.
 * @throws If one of them is not an HTTP method in capital letters.
 */
export function readMethods(route: {
  readonly method: string | readonly string[];
  readonly path: string;
}): readonly string[] {
  const methods = [route.method].flat();
  if (methods.length > 0 && methods.every((method) => typeof method === "string" && METHOD.test(method))) {
    return methods;
  }
  throw new TypeError(
    `Method of route ${describeRoute(route)} must be in capital letters, such as "GET", or an array: ` +
      `received ${JSON.stringify(route.method)}`,
  );
}

/**
 * A token (RFC 9110, 5.6.2) without lowercase letters. Methods are case-sensitive (RFC 9110, 9.1): a route for `get`
 * would never match GET.
 */
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Z-]+$/;
