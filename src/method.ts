/** Stands for every method. */
export const ALL = "ALL";

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
    `Method of the route at ${JSON.stringify(route.path)} must be one or more methods in capital letters: ` +
      `received ${JSON.stringify(route.method)}`,
  );
}

/**
 * A token (RFC 9110, 5.6.2) without lowercase letters. Methods are case-sensitive (RFC 9110, 9.1): a route for `get` would
 * never match GET.
 */
const METHOD = /^[!#$%&'*+.^_`|~0-9A-Z-]+$/;

/**
 * Makes `get` and its siblings from a function that takes the method.
 *
 * @param on Declares a route or an endpoint for a method.
 * @returns One function for each name, and `on` itself.
 */
export function withMethods<Rest extends readonly unknown[]>(on: (method: string, ...rest: Rest) => unknown): Methods {
  const functions: { [name: string]: unknown } = { on };
  for (const name of ["get", "post", "put", "patch", "delete", "head", "options", "all"]) {
    functions[name] = (...rest: Rest) => on(name.toUpperCase(), ...rest);
  }
  return functions as Methods;
}

type Methods = Readonly<
  Record<"get" | "post" | "put" | "patch" | "delete" | "head" | "options" | "all" | "on", unknown>
>;
