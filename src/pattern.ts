/** The name of the parameter that one segment declares, or `never` for a literal. */
export type NameIn<Head extends string> = Head extends `:${infer Name}` ? Name
  : Head extends "*" ? "*"
  : never;

/** The names of all parameters of `Path`, as a union. */
export type NamesIn<Path extends string> = Path extends `${infer Head}/${infer Rest}` ? NameIn<Head> | NamesIn<Rest>
  : NameIn<Path>;

/**
 * The path parameters of a pattern: exactly the names that it declares, `"*"` for the rest that a final wildcard takes.
 * A path that is only known as `string` gives any name, possibly absent.
 *
 * @example The names of a pattern
 * ```ts
 * import type { PathParams } from "@fw/core";
 *
 * const params: PathParams<"/orgs/:orgId/*"> = { orgId: "deno", "*": "logo.svg" };
 * ```
 */
export type PathParams<Path extends string> = Path extends unknown
  ? string extends Path ? RawParams : { readonly [Name in NamesIn<Path>]: string }
  : never;

/** Path parameters as they came, decoded once: a null-prototype object. */
export type RawParams = { readonly [name: string]: string | undefined };

/** A path pattern, read. */
export interface Pattern {
  /**
   * The pattern without names, such as `/books/:/notes` or `/files/*`: patterns of one shape match the same paths. Literal text
   * is in the encoding that a URL parser gives a request's path, and has neither of the two signs.
   */
  readonly shape: string;
  /** The names of its parameters, in order; `"*"` for the rest that a wildcard takes. */
  readonly names: readonly string[];
}

/**
 * Reads a path pattern (DESIGN 4): `/books/:id`, `/files/*`.
 *
 * @param route The route's name for error messages.
 * @param path The pattern as declared.
 * @returns The pattern.
 * @throws If the pattern breaks the grammar; the message names the route and the way out.
 */
export function parsePattern(route: string, path: string): Pattern {
  const fault = (rule: string) => new TypeError(`Path of route ${route} ${rule}`);
  if (!path.startsWith("/")) throw fault('must start with "/"');
  const names: string[] = [];
  let shape = "";
  path.slice(1).split("/").forEach((part, index, { length }) => {
    const last = index === length - 1;
    shape += "/";
    if (part === "*" || part.startsWith(":")) {
      const name = part.slice(1) || part;
      if (part === "*") {
        if (!last) throw fault('must have "*" only as its last segment');
      } else if (!PARAMETER_NAME.test(name)) {
        throw fault(
          `must name a parameter by an identifier alone: received ${JSON.stringify(part)}`,
        );
      }
      if (names.includes(name)) throw fault(`must not repeat the parameter ":${name}"`);
      // As engines keep the keys of objects: to set a key by a text cut out of another costs Node.js 20 400 ns more.
      names.push(...Object.keys({ [name]: true }));
      shape += part.charAt(0);
      return;
    }
    if (part === "" && !last) throw fault("must not contain an empty segment: remove the doubled slash");
    const unusable = UNUSABLE_IN_LITERAL.exec(part)?.[0];
    if (unusable !== undefined) {
      throw fault(
        `must not contain ${JSON.stringify(unusable)} in a literal segment: received ${JSON.stringify(part)}`,
      );
    }
    if (DOT_SEGMENT.test(part)) throw fault(`must not contain the segment "${part}": a URL never keeps it`);
    shape += canonical(part);
  });
  return { shape, names };
}

const PARAMETER_NAME = /^[A-Za-z_$][\w$]*$/;
/** What would read as a parameter, a wildcard, a query, a fragment or a regular expression, and what no URL path holds. */
// deno-lint-ignore no-control-regex
const UNUSABLE_IN_LITERAL = /[\x00-\x1f\x7f:*?#()[\]{}|^\\]/;
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/** A segment as a URL parser writes it; the slash behind it keeps a final space from being trimmed. */
function canonical(segment: string): string {
  return new URL(`http://localhost/${segment}/`).pathname.slice(1, -1);
}
