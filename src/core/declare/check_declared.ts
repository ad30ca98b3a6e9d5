import { type RequestSchemas, requireRequest } from "../input/request_schemas.ts";
import { requireFirstSlash } from "../routing/pattern.ts";
import { mediaTypeOf } from "../responses/media_type.ts";
import type { RouteResponse } from "../responses/responses.ts";
import { isPlain, requireOptions } from "../values/assert.ts";
import type { Endpoint } from "./typed_endpoint.ts";

/**
 * Rejects a route or an endpoint with a misspelt key at any level, or with a path that does not start with a slash. It
 * may be handwritten.
 *
 * @param declared The route or the endpoint.
 * @param owner The route or the endpoint, as messages name it: `route GET "/"`.
 * @throws If it is rejected. The message names the key.
 */
export function requireDeclared(declared: Declared, owner: string): void {
  const others = ["docs", "resolve", "method", "path", "scopeResponses"];
  requireOptions(declared, owner, ["request", "responses", "guards"], others);
  requireFirstSlash(declared.path, owner);
  requireRequest(declared.request, declared.method, owner);
  requireDescribed(declared, owner);
  const { method, responses } = declared;
  const isGet = ["GET", "ALL"].some((each) => [method].flat().includes(each));
  if (!isGet && isSocket(Object(responses)[101])) {
    throw new TypeError(`responses.101 of ${owner} must not be a socket: a handshake is a GET request`);
  }
}

/** What is read of a route or an endpoint. */
interface Declared extends Described {
  readonly method: string | readonly string[];
  readonly path: string;
  readonly request?: RequestSchemas;
}

/** What is read of a route, an endpoint or a scope. */
interface Described {
  readonly docs?: unknown;
  readonly responses?: unknown;
}

/**
 * Rejects docs and responses with a misspelt key, a key of responses that is no status, and a header whose name cannot
 * be sent.
 *
 * @param described A route, an endpoint or a scope.
 * @param owner The route, the endpoint or the scope, as messages name it: `route GET "/"`.
 * @throws If they are rejected, or if a schema is `undefined`. The message names the key.
 */
export function requireDescribed({ docs, responses }: Described, owner: string): void {
  if (docs !== undefined) {
    requireOptions(docs, `docs of ${owner}`, [], DOCS);
    const { requestBody = {} }: { readonly requestBody?: unknown } = docs;
    requireOptions(requestBody, `docs.requestBody of ${owner}`, ["schema"], ["description", "contentType", "required"]);
  }
  const ofResponse = ["description", "contentType", "headers", "examples"];
  const allowed = ["100 to 599", "1XX to 5XX", "default"];
  requireEach(responses, "responses", owner, ofResponse, allowed, STATUS, true);
}

const DOCS = ["summary", "description", "tags", "operationId", "deprecated", "security", "requestBody"];

const STATUS = /^(?:[1-5](?:\d\d|XX)|default)$/;

/**
 * Checks responses by status, and the headers of each by name. Headers have no headers, so this ends.
 *
 * @param mayBeList Whether a status may have a list of responses.
 */
function requireEach(
  each: unknown,
  name: string,
  owner: string,
  keys: readonly string[],
  allowed: readonly string[],
  pattern: RegExp,
  mayBeList = false,
): void {
  if (each === undefined) return;
  requireOptions(each, `${name} of ${owner}`, [], allowed, "", pattern);
  for (
    const [key, value] of Object.entries(
      each as Readonly<Record<string, Partial<readonly RouteResponse[]> & RouteResponse>>,
    )
  ) {
    const path = `${name}.${key}`;
    const isList = mayBeList && Array.isArray(value);
    if (isList) requireTypes(value, `${path} of ${owner}`);
    const list: readonly RouteResponse[] = isList ? value : [value];
    for (const one of list) {
      if (mayBeList && "~standard" in Object(one)) {
        throw new TypeError(`${path} of ${owner} is a bare schema: write { schema: … } around it`);
      }
      requireOptions(one, `${path} of ${owner}`, ["schema"], keys, " such as { schema: … }");
      if (isSocket(one) && (key !== "101" || isList)) {
        const rule = "must not be a socket: write 101: socket({ client, server })";
        throw new TypeError(`${path} of ${owner} ${rule}${isList ? ", without a list" : ""}`);
      }
      const type = Object.keys(Object(one.headers)).find((header) => header.toLowerCase() === "content-type");
      if (type !== undefined) {
        throw new TypeError(
          `Option "${type}" of ${path}.headers of ${owner}: write contentType beside headers, not in it`,
        );
      }
      const ofHeader = ["description", "required"];
      requireEach(one.headers, `${path}.headers`, owner, ofHeader, ["names such as x-count"], HEADER);
    }
  }
}

/** Rejects a list of responses that is empty, or has a media type twice. */
function requireTypes(list: readonly (RouteResponse | undefined)[], name: string): void {
  if (list.length === 0) throw new TypeError(`The list at ${name} must have at least one response: write {}`);
  const types = new Set(list.map((one) => mediaTypeOf(one?.contentType)));
  if (types.size < list.length) {
    throw new TypeError(`The list at ${name} must have another contentType for each response`);
  }
}

function isSocket(response: Partial<RouteResponse> | undefined): boolean {
  return response?.["~stream"]?.isSocket === true;
}

/** A token (RFC 9110, 5.6.2): no other name can be sent. */
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Z-]+$/i;

/**
 * Lists the endpoints of a record by name. Other values are left out, such as the other exports of a module.
 *
 * @param endpoints The record.
 * @param owner The record, as messages name it.
 * @returns The endpoints, in the order of the record.
 * @throws A `TypeError` if a value contains endpoints: they would be left out, too.
 */
export function endpointsIn(endpoints: object, owner: string): readonly (readonly [name: string, Endpoint])[] {
  return Object.entries(endpoints).filter(([name, value]) => {
    if (hasEndpoints(value)) {
      throw new TypeError(`${owner} must be flat: write ...${name} in place of ${name}`);
    }
    return isEndpoint(value);
  });
}

/** Whether a value is a record of endpoints, or has one in it. Three records within each other are looked at. */
function hasEndpoints(value: unknown, depth = 3): boolean {
  return isPlain(value) &&
    Object.values(value).some((each) => isEndpoint(each) || (depth > 1 && hasEndpoints(each, depth - 1)));
}

function isEndpoint(value: unknown): value is Endpoint {
  const { method, path } = Object(value);
  return !!method && typeof path === "string";
}
