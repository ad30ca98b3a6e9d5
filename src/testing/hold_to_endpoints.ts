import { endpointsIn } from "../core/declare/check_declared.ts";
import type { Validator } from "../core/input/validator.ts";
import { entriesOf, EVENT_STREAM } from "../core/responses/media_type.ts";
import type { RouteResponse, RouteResponses } from "../core/responses/responses.ts";
import type { MatchedRoute } from "../core/routing/matched_route.ts";
import { ALL, readMethods } from "../core/routing/method.ts";
import { parsePattern, type Pattern } from "../core/routing/pattern.ts";
import { createRouter } from "../core/routing/router.ts";
import { describeRoute, isRecord, requireOptions, requireThat, requireValidator } from "../core/values/assert.ts";
import { checkResponse, type Expectation, namedResponses } from "./check_response.ts";
import { standardValidator } from "./standard_validator.ts";

/** The options of {@linkcode holdToEndpoints}. */
export interface HoldOptions {
  /**
   * Validates the bodies of responses. Without it, schemas validate themselves, as
   * [Standard Schemas](https://standardschema.dev) do.
   */
  readonly validator?: Validator;
  /**
   * The headers that hooks and guards add to any response, such as `x-request-id`. Responses need not declare them.
   */
  readonly headers?: readonly string[] | undefined;
}

/**
 * An app that is held to its endpoints.
 *
 * @typeParam Extra The extra arguments that `fetch` must receive after the request.
 */
export interface Held<Extra extends readonly unknown[] = []> {
  /**
   * Sends a request to the app. Pass this function to a client: `createClient(api, { fetch: held.fetch })`.
   *
   * @param request The request.
   * @param extra The extra arguments of the app.
   * @returns The response of the app, whose body is still to be read.
   * @throws An `Error` if no endpoint matches the request, or if the endpoint does not declare the response. Errors of
   * the app are passed on.
   */
  readonly fetch: (request: Request, ...extra: Extra) => Promise<Response>;
  /**
   * Lists the responses that endpoints declare and that have not passed through `fetch`: `GET /books/:id 404`, and
   * `GET /books 200 text/csv` for one of several media types. A response that only a scope declares is not listed.
   *
   * @returns The responses, in the order of the endpoints.
   */
  readonly unseen: () => readonly string[];
  /**
   * Sends a request without any credentials to each endpoint whose `docs.security` demands some, and lists those that
   * respond with another status than 401 and 403: `DELETE /books/:id 204`. It has the headers of a page of the same
   * origin, so that a guard against forged requests lets it pass. Parameters are `0`; there is no query and no body. So
   * authenticate before you deny invalid input. If an endpoint is not protected, its handler runs.
   *
   * @param extra The extra arguments of the app.
   * @returns The endpoints with the status of their response, in order.
   * @throws Errors of the app.
   */
  readonly unprotected: (...extra: Extra) => Promise<readonly string[]>;
}

/**
 * Holds an app to its endpoints. Use it in tests: it reads the bodies of responses.
 *
 * - The status must be declared: by itself, by a range such as `"4XX"`, or by `default`.
 * - The media type must be the declared one, or one of a list, and required headers must be there. If a response
 *   declares headers, it must have no others, except the headers in the option `headers`.
 * - A body must fit its schema, and must have no keys that the schema removes, as objects of Zod and Valibot do with
 *   unknown keys. In a union, the library chooses the member: write the member with more keys first. If a schema
 *   requires a `Date`, its text in JSON fits.
 * - The items of a stream are checked while the test reads it: events must be declared, and each item must fit its
 *   schema as a body must. An item that does not fit ends the stream with the error.
 * - A JSON body must have a schema, or at least a media type. Any other body without a schema, such as a file, is not
 *   read.
 * - Of a socket, only the response to the handshake is checked, not its messages.
 * - A response to HEAD needs no body. HEAD requests that have no endpoint are held to the endpoint for GET.
 *
 * @typeParam Extra The extra arguments of the app.
 * @param endpoints The endpoints by name, such as `import * as api from "./api.ts"`. Values that are not endpoints are
 * left out, but a value that contains endpoints is an error. An endpoint without `responses` declares nothing to hold
 * the app to.
 * @param app The app.
 * @param options How to validate bodies.
 * @returns The app, held to its endpoints.
 * @throws A `TypeError` if there is no endpoint, if two of them match the same requests, if `app` has no `fetch`, if
 * nothing can validate one of the schemas, or if an option is unknown.
 *
 * @example Responses that are not declared
 * ```ts
 * import { endpoint, reply, route, setup } from "@fw/core";
 * import { holdToEndpoints } from "@fw/core/testing";
 * import { assertEquals, assertRejects } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = {
 *   showUser: endpoint.get("/users/:id", {
 *     docs: { security: [{ token: [] }] },
 *     responses: { 200: { schema: z.object({ name: z.string() }) } },
 *   }),
 * };
 * const app = setup({
 *   handlers: [
 *     // Not `route.on(api.showUser, …)`: the compiler would reject the handler.
 *     route.get("/users/:id", { resolve: () => Response.json({ name: "Ada", password: "secret" }) }),
 *   ],
 * });
 *
 * const held = holdToEndpoints(api, app);
 * await assertRejects(
 *   () => held.fetch(new Request("http://localhost/users/7")),
 *   Error,
 *   "Response 200 of GET /users/:id must not have the key password: its schema does not have it",
 * );
 * assertEquals(await held.unprotected(), ["GET /users/:id 200"]);
 * ```
 */
export function holdToEndpoints<Extra extends readonly unknown[] = []>(
  endpoints: object,
  app: { readonly fetch: (request: Request, ...extra: Extra) => Response | Promise<Response> },
  options: HoldOptions = {},
): Held<Extra> {
  requireThat(isRecord(endpoints), "Argument endpoints of holdToEndpoints", "an object of endpoints", endpoints);
  requireThat(
    typeof app?.fetch === "function",
    "Argument app of holdToEndpoints",
    "an app: an object with a function fetch",
    app,
  );
  requireOptions(options, "holdToEndpoints", ["validator"], ["headers"]);
  const { validator = standardValidator, headers = [] } = options;
  requireThat(Array.isArray(headers), "Option headers", "an array of names", headers);
  const others = new Set(["content-type", "content-length", ...headers.map((name) => `${name}`.toLowerCase())]);
  requireValidator("Option validator", validator);
  const { declared, unseen, guarded } = readEndpoints(endpoints, validator);
  // Trusts urls: the app responds with 404 where it does not, and that is not declared.
  const router = createRouter(declared, true);
  return {
    async fetch(request, ...extra) {
      const found = router.find(request) ?? router.find(request.method === "HEAD" ? new Request(request.url) : request);
      if (found === undefined) throw new Error(`${request.method} ${new URL(request.url).pathname} has no endpoint`);
      const { route } = found;
      const response = await app.fetch(request, ...extra);
      try {
        const [seen, checked] = await checkResponse(response, request, { ...route, others }, validator);
        unseen.delete(seen);
        return checked;
      } catch (error) {
        drop(response);
        throw error;
      }
    },
    unseen: () => [...unseen.values()],
    async unprotected(...extra) {
      const found: string[] = [];
      for (const { method, path } of guarded) {
        const url = `http://localhost${path.replace(/(?<!\\)[:*][^/]*/g, "0").replaceAll("\\:", ":")}`;
        const response = await app.fetch(
          new Request(url, { method: method === ALL ? "GET" : method, headers: OWN_PAGE }),
          ...extra,
        );
        drop(response);
        const { status } = response;
        if (status !== 401 && status !== 403) found.push(`${method} ${path} ${status}`);
      }
      return found;
    },
  };
}

/** Ends the source of a body that nobody reads. How it ends does not matter. */
function drop({ body }: Response): void {
  body?.cancel().catch(() => {});
}

/** What is read of endpoints. */
interface HeldEndpoints {
  /** Their methods. */
  readonly declared: readonly HeldMethod[];
  /** The names of the declared responses that no response has had yet. */
  readonly unseen: Map<RouteResponse | undefined, string>;
  /** What only an authenticated client may call, as its documentation says. */
  readonly guarded: readonly MatchedRoute[];
}

function readEndpoints(endpoints: object, validator: Validator): HeldEndpoints {
  const declared: HeldMethod[] = [];
  const unseen = new Map<RouteResponse | undefined, string>();
  const guarded: MatchedRoute[] = [];
  // An endpoint may have two names.
  for (
    const endpoint of new Set(
      endpointsIn(endpoints, "Argument endpoints of holdToEndpoints").map(([, endpoint]) => endpoint),
    )
  ) {
    const { method, path, responses, scopeResponses, docs } = endpoint;
    const name = `${method} ${path}`;
    const pattern = parsePattern(describeRoute(endpoint), path);
    const ofScope: { readonly [key: string]: unknown } = scopeResponses ?? {};
    // Copies: responses may be shared, and each is seen by itself.
    const own: { [key: string]: RouteResponses[number] } = {};
    for (const [key, declared] of Object.entries(responses ?? {})) {
      const copy = own[key] = copyOf(declared);
      for (const [label, each] of namedResponses({ [key]: copy })) {
        for (const [part, schema] of readSchemas(each)) {
          const isAccepted = schema === undefined || validator.accepts?.(schema, "body") !== false;
          requireThat(isAccepted, `Schema of ${part}response ${label} of ${name}`, "one the validator accepts", schema);
        }
        if (declared !== ofScope[key]) unseen.set(each, `${name} ${label}`);
      }
    }
    const security = docs?.security ?? [];
    const isProtected = security.length > 0 && security.every((schemes) => Object.keys(schemes).length > 0);
    for (const method of readMethods(endpoint)) {
      const matched = { method, path };
      declared.push({ name, matched, pattern, responses: responses && own });
      if (isProtected) guarded.push(matched);
    }
  }
  if (declared.length === 0) {
    throw new TypeError("Argument endpoints of holdToEndpoints must contain an endpoint: received none");
  }
  return { declared, unseen, guarded };
}

/** What a browser sends from a page of the app itself. */
const OWN_PAGE = { origin: "http://localhost", "sec-fetch-site": "same-origin" };

/** One method of an endpoint. */
interface HeldMethod extends Expectation {
  readonly pattern: Pattern;
}

/** A copy of a declared response, or of a list. */
function copyOf(declared: RouteResponses[number]): RouteResponses[number] {
  return Array.isArray(declared) ? entriesOf(declared).map((each) => ({ ...each })) : { ...declared };
}

/** The schema of a body, or those of the items of a stream, each with what it is of. */
function readSchemas(
  { schema, contentType, "~stream": stream }: RouteResponse,
): readonly (readonly [string, unknown])[] {
  if (stream === undefined) return [["", schema]];
  if (stream.isSocket) return [];
  if (contentType !== EVENT_STREAM) return [["the lines of ", stream.items]];
  return Object.entries(Object(stream.items)).map(([event, schema]) => [`event ${event} of `, schema]);
}
