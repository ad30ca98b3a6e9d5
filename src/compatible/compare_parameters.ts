import type { ComparedOperation, Documents, Report } from "./change.ts";
import { compareContent, reportAll } from "./compare_bodies.ts";
import { isKeywords, type Keywords, schemasOf, targetOf, toJson } from "./keywords.ts";

/**
 * Compares the parameters of an operation.
 *
 * @param documents The documents.
 * @param x The operation before.
 * @param y The operation after.
 * @param add Adds a change.
 */
export function compareParameters(documents: Documents, x: ComparedOperation, y: ComparedOperation, add: Report): void {
  const was = parametersOf(x, documents.resolveBefore);
  const is = parametersOf(y, documents.resolveAfter);
  for (const [key, { at, place, value }] of was) {
    const now = is.get(key);
    if (now !== undefined) compareParameter(documents, value, now, add);
    else if (value.in !== "path") {
      add(documents.levelOfRemoval(value, "risky"), at, `${place}: is removed, and no longer read`);
    }
  }
  for (const [key, { at, place, value }] of is) {
    // Paths of one shape have the same parts. A parameter beside them is in no url.
    if (was.has(key) || value.in === "path") continue;
    const isRequired = value.required === true;
    add(isRequired ? "breaking" : "safe", at, `${place}: is new${isRequired ? " and required" : ""}`);
  }
}

interface ComparedParameter {
  readonly at: string;
  /** How messages name it. */
  readonly place: string;
  readonly value: Keywords;
}

/** The parameters by location and name; those of the path by their position, since their names do not matter. */
function parametersOf(
  operation: ComparedOperation,
  resolve: (reference: string) => unknown,
): ReadonlyMap<string, ComparedParameter> {
  const parameters = new Map<string, ComparedParameter>();
  const inPath = Array.from(operation.path.matchAll(/\{([^{}]*)\}/g), ([, name]) => name);
  // A part of the path that nothing describes is any text.
  for (const [index, name] of inPath.entries()) {
    const value = { name, in: "path", schema: { type: "string" } };
    parameters.set(`path ${index}`, {
      at: `${operation.at}/parameters`,
      place: `path parameter ${toJson(name)}`,
      value,
    });
  }
  for (
    const [list, at] of [[operation.item.parameters, operation.atItem], [operation.value.parameters, operation.at]]
  ) {
    for (const [position, item] of (Array.isArray(list) ? list : []).entries()) {
      const value = targetOf(item, resolve);
      const { name, in: where } = value;
      if (typeof name !== "string" || typeof where !== "string") continue;
      if (where === "header" && IGNORED_HEADERS.has(name.toLowerCase())) continue;
      const index = where === "path" ? inPath.indexOf(name) : -1;
      const known = index >= 0 ? index : where === "header" ? name.toLowerCase() : name;
      const place = `${where === "query" ? "query parameter" : where === "path" ? "path parameter" : where} ${
        toJson(name)
      }`;
      parameters.set(`${where} ${known}`, { at: `${at}/parameters/${position}`, place, value });
    }
  }
  return parameters;
}

/** OpenAPI says that header parameters of these names are ignored: bodies and `security` describe them. */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(["accept", "content-type", "authorization"]);

function compareParameter(
  documents: Documents,
  x: Keywords,
  { at, place, value: y }: ComparedParameter,
  add: Report,
): void {
  const [was, is] = [x, y].map((one) => one.required === true || one.in === "path");
  if (is && !was) add("breaking", at, `${place}: is required now`);
  if (was && !is) add("safe", at, `${place}: is optional now`);
  if (x.allowEmptyValue === true && y.allowEmptyValue !== true) add("risky", at, `${place}: may no longer be empty`);
  if (isKeywords(x.content) || isKeywords(y.content)) {
    if (isKeywords(x.content) && isKeywords(y.content)) {
      return compareContent(documents, x, y, { at, place, side: "request" }, add);
    }
    return add("risky", at, `${place}: is written in another way`);
  }
  const schema = targetOf(x.schema, documents.resolveBefore);
  const other = targetOf(y.schema, documents.resolveAfter);
  const hasParts = [schema, other].some(({ type }) => !ONE_VALUE.has(type));
  if (toJson(styleOf(x, hasParts)) !== toJson(styleOf(y, hasParts))) {
    add("risky", at, `${place}: is written in another way`);
  }
  const { text } = documents.request;
  if (schema.type !== "array" && other.type === "array" && schema.type !== undefined) {
    // `tag=new` is a list of one, too.
    add("risky", at, `${place}: is a list now`);
    reportAll(text.compare(schemasOf(x.schema), [other.items]), `${at}/schema/items`, place, add);
  } else reportAll(text.compare(schemasOf(x.schema), schemasOf(y.schema)), `${at}/schema`, place, add);
}

/** Types that are written alike, whether or not parts are exploded. */
const ONE_VALUE: ReadonlySet<unknown> = new Set(["string", "boolean", "integer", "number"]);

/** How a value becomes text. */
function styleOf(
  { in: where, style = where === "query" || where === "cookie" ? "form" : "simple", explode = style === "form" }:
    Keywords,
  hasParts: boolean,
) {
  return [style, hasParts && explode];
}
