import type { AnyRoute } from "../core/declare/declared_route.ts";
import type { Endpoint } from "../core/declare/typed_endpoint.ts";
import type { RouteResponses } from "../core/responses/responses.ts";
import { ALL } from "../core/routing/method.ts";
import { parsePattern, type Pattern } from "../core/routing/pattern.ts";
import { describeRoute, isRecord, requireThat } from "../core/values/assert.ts";
import { requireKinds } from "./check_kinds.ts";
import type { OperationMethod } from "./document.ts";

/**
 * Lists the operations of the routes: one for each method of a route, in order.
 *
 * @param routes The routes to describe.
 * @param names The `operationId` of routes without their own, by method and path.
 * @param reject Called for a route that OpenAPI cannot express.
 * @returns The operations, each with its path in the document and its `operationId`.
 */
export function listOperations(
  routes: readonly Described[],
  names: ReadonlyMap<string, string>,
  reject: Reject,
): readonly NamedOperation[] {
  return nameOperations(locateOperations(routes, reject), names);
}

/** A route, or an endpoint. */
type Described = Endpoint & Pick<AnyRoute, "scopeResponses">;

/** Throws, unless `unrepresentable` is `"any"`. */
export type Reject = (message: string, cause?: unknown) => void;

/** One method of a route, with its path in the document. */
interface LocatedOperation extends DocumentPath {
  readonly route: Described;
  /** The route, as messages name it. */
  readonly name: string;
  readonly pattern: Pattern;
  readonly method: OperationMethod;
}

/** A path of the document. */
interface DocumentPath {
  /** The path as the document has it. */
  readonly path: string;
  /** The parameter names, in order. */
  readonly parameters: readonly string[];
}

/** Finds the path of each operation, and rejects a second operation with the same path and method. */
function locateOperations(routes: readonly Described[], reject: Reject): readonly LocatedOperation[] {
  const declared = routes.map((route, index) => readRoute(route, index + 1));
  const named = new Set(
    declared.flatMap(({ methods, pattern }) => methods.map((method) => `${method} ${pattern.shape}`)),
  );
  const paths = new Map<string, DocumentPath>();
  const taken = new Map<string, string>();
  const operations: LocatedOperation[] = [];

  for (const { route, name, pattern, methods } of declared) {
    const { shape } = pattern;
    // OpenAPI distinguishes paths by their literal segments only.
    const literals = shape.replaceAll(/[:*#]/g, "{}");
    const path = paths.get(literals) ?? documentPathOf(pattern);
    paths.set(literals, path);
    // A route for a named method takes precedence over an `ALL` route.
    const rest = [...METHODS.keys()].filter((method) => !named.has(`${method} ${shape}`));
    for (const method of methods.flatMap((method) => method === ALL ? rest : method)) {
      const openApiMethod = METHODS.get(method);
      const rival = taken.get(`${method} ${literals}`);
      if (openApiMethod === undefined) {
        reject(`Route ${name} must have methods that OpenAPI knows, or not be among routes: received ${method}`);
      } else if (rival !== undefined) {
        reject(`Routes ${rival} and ${name} are one operation to OpenAPI: leave one of them out of routes`);
      } else {
        taken.set(`${method} ${literals}`, name);
        operations.push({ ...path, route, name, pattern, method: openApiMethod });
      }
    }
  }
  return operations;
}

/** The methods that OpenAPI 3.2 supports, with their OpenAPI names. 3.1 supports the others without QUERY. */
const METHODS: ReadonlyMap<string, OperationMethod> = new Map([
  ["GET", "get"],
  ["PUT", "put"],
  ["POST", "post"],
  ["DELETE", "delete"],
  ["OPTIONS", "options"],
  ["HEAD", "head"],
  ["PATCH", "patch"],
  ["TRACE", "trace"],
  ["QUERY", "query"],
]);

/** A checked route. Checked here, since it may not have been passed to `setup`. */
interface Declared {
  readonly route: Described;
  readonly name: string;
  readonly methods: readonly string[];
  readonly pattern: Pattern;
}

function readRoute(route: Described, position: number): Declared {
  const { path, method }: { path?: unknown; method?: unknown } = isRecord(route) ? route : {};
  const isRoute = typeof path === "string" && (typeof method === "string" || Array.isArray(method));
  requireThat(isRoute, `Item ${position} of routes`, "a route or an endpoint", route);
  const name = describeRoute(route);
  const pattern = parsePattern(name, route.path);
  requireKinds(name, { ...route, responses: responsesOf(route) });
  return { route, name, methods: [route.method].flat(), pattern };
}

/**
 * The responses that a route declares; without any, those of its scope.
 *
 * @param route The route.
 * @returns The responses.
 */
export function responsesOf(route: Described): RouteResponses {
  const { scopeResponses = {}, responses = scopeResponses } = route;
  return responses;
}

/** Renders a pattern. `nameOf` returns what stands for each parameter. */
function render({ shape, names }: Pattern, nameOf: (name: string, index: number) => string): string {
  const path = names.reduce((path, name, index) => path.replace(/[:*#]/, () => nameOf(name, index)), shape);
  return path.replaceAll("\\", ":");
}

function documentPathOf(pattern: Pattern): DocumentPath {
  const own = pattern.names;
  let rest = "rest";
  while (own.includes(rest)) rest += "_";
  const parameters = own.map((name) => name === "*" ? rest : name);
  return { path: render(pattern, (_, index) => `{${parameters[index]}}`), parameters };
}

/** An operation with its `operationId`. */
export interface NamedOperation extends LocatedOperation {
  readonly operationId: string;
}

/** Assigns explicit operationIds first, so that generated ones cannot take them. */
function nameOperations(
  operations: readonly LocatedOperation[],
  names: ReadonlyMap<string, string>,
): readonly NamedOperation[] {
  const taken = new Map<string, string>();
  const given = operations.map(({ route, method, name }, index) => {
    const { operationId = names.get(name) } = route.docs ?? {};
    if (operationId === undefined) return undefined;
    const isFirst = operations[index - 1]?.route !== route;
    const id = isFirst ? operationId : operationId + capitalize(method);
    const rival = taken.get(id);
    if (rival !== undefined) {
      throw new TypeError(`Routes ${rival} and ${name} must not both have the operationId ${JSON.stringify(id)}`);
    }
    taken.set(id, name);
    return id;
  });

  return operations.map((operation, index) => {
    const id = given[index];
    if (id !== undefined) return { ...operation, operationId: id };
    const derived = operation.method + (wordsOf(operation.pattern) || "Root");
    let operationId = derived;
    for (let count = 2; taken.has(operationId); count++) operationId = `${derived}${count}`;
    taken.set(operationId, operation.name);
    return { ...operation, operationId };
  });
}

/** A pattern as a part of an operationId: `BooksById`, `FilesRest`. */
function wordsOf(pattern: Pattern): string {
  const words = render(pattern, (name) => name === "*" ? "rest" : `by-${name}`);
  return words.split(/[^A-Za-z0-9]+/).map(capitalize).join("");
}

/** A word with a capital first letter. */
export function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
