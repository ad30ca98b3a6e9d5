import type { CheckedOptions, CheckLocals, ExtraOfApp, NeedsOfApp, OptionName } from "./checked_options.ts";
import { requireComposed } from "./composed.ts";
import { endpointsIn, requireDeclared } from "./declare/check_declared.ts";
import type { AnyRoute, Route } from "./declare/declared_route.ts";
import type { Endpoint } from "./declare/typed_endpoint.ts";
import { runsBeforeBody } from "./guards/guard.ts";
import type { MadeGuards } from "./guards/made_guards.ts";
import { withoutBodyForHead } from "./head.ts";
import { bindSchema } from "./input/bind_schema.ts";
import { readJson } from "./input/body.ts";
import { readWith } from "./input/body_reader.ts";
import { PARTS } from "./input/request_schemas.ts";
import type { BoundSchema } from "./input/validate.ts";
import type { Validator } from "./input/validator.ts";
import { type CompiledRoute, createFetch, type Lifecycle } from "./lifecycle.ts";
import { readMethods } from "./routing/method.ts";
import { parsePattern } from "./routing/pattern.ts";
import { createRouter } from "./routing/router.ts";
import { schemasIn } from "./schemas/joined.ts";
import { tellStreams } from "./tell_streams.ts";
import {
  describeKind,
  describeRoute,
  isRecord,
  requireFunction,
  requireOptions,
  requireThat,
  requireValidator,
} from "./values/assert.ts";

/**
 * Turns declared routes into one fetch handler. Options are validated once, here. A mistake throws immediately, and the
 * message names the route and the fix.
 *
 * The option `handlers` lists the routes, in any order; `routes` is an alias of it. `SetupOptions` lists the other
 * options. TypeScript infers all type arguments.
 *
 * @typeParam Routes The routes. They determine what `onRequest` must return and which extra arguments `fetch` must
 * receive.
 * @typeParam Returned What `onRequest` returns.
 * @typeParam Keys The names of the options that are given.
 * @typeParam Api The record of endpoints that the routes implement.
 * @typeParam RequestExtra The extra arguments that `onRequest` reads.
 * @typeParam ResponseExtra The extra arguments that `onResponse` reads.
 * @typeParam ErrorExtra The extra arguments that `onError` reads.
 * @param options Routes, validator and hooks.
 * @returns The app: pass its `fetch` to any runtime.
 * @throws A `TypeError` if an option is unknown, a path breaks the grammar, two routes have the same method and shape,
 * a route has a schema and there is no validator, the validator does not accept a schema, or a value has the wrong
 * type.
 *
 * @example Routes, a hook and an error handler
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * const app = setup({
 *   handlers: [
 *     route.get("/", { resolve: () => new Response("It works") }),
 *     route.get("/old", {
 *       resolve: () => Response.redirect("http://localhost/"),
 *     }),
 *   ],
 *   onRequest: () => ({ requestId: crypto.randomUUID() }),
 *   onResponse: ({ response, locals }) => {
 *     // A copy: the headers of a redirect are immutable.
 *     const sent = new Response(response.body, response);
 *     sent.headers.set("x-request-id", locals.requestId ?? "none");
 *     return sent;
 *   },
 *   onError: () => new Response(null, { status: 500 }),
 * });
 *
 * const found = await app.fetch(new Request("http://localhost/"));
 * assertEquals(await found.text(), "It works");
 *
 * const missing = await app.fetch(new Request("http://localhost/nowhere"));
 * assertEquals(missing.status, 404);
 * assertEquals(missing.headers.has("x-request-id"), true);
 *
 * const redirect = await app.fetch(new Request("http://localhost/old"));
 * assertEquals(redirect.status, 302);
 * assertEquals(redirect.headers.has("x-request-id"), true);
 * ```
 */
export function setup<
  const Routes extends readonly AnyRoute[],
  Returned = unknown,
  Keys extends PropertyKey = never,
  const Api = unknown,
  RequestExtra extends readonly unknown[] = readonly unknown[],
  ResponseExtra extends readonly unknown[] = readonly unknown[],
  ErrorExtra extends readonly unknown[] = readonly unknown[],
>(
  this: CheckLocals<Routes, Returned, Keys>,
  options: CheckedOptions<Routes, Returned, Keys, Api, RequestExtra, ResponseExtra, ErrorExtra>,
): App<ExtraOfApp<Routes, RequestExtra | ResponseExtra | ErrorExtra>, NeedsOfApp<Routes>> {
  requireOptions(options, "setup", [], OPTIONS);
  const { handlers, routes: list = handlers, validator, onRequest, onResponse, onError } = options;
  const { maxBodyBytes = Infinity, trustUrl = false } = options;
  if (handlers !== undefined && options.routes !== undefined) {
    throw new TypeError("Option routes is an alias of handlers: received both, give one");
  }
  requireThat(Array.isArray(list), "Option handlers", "an array of routes", list);
  const hooks: Record<Exclude<keyof Lifecycle, "router">, unknown> = { onRequest, onResponse, onError };
  for (const [name, hook] of Object.entries(hooks)) {
    if (hook !== undefined) requireFunction(`Option ${name}`, hook);
  }
  requireComposed(options);
  if (validator !== undefined) requireValidator("Option validator", validator);
  requireBytes("Option maxBodyBytes", maxBodyBytes);
  requireThat(typeof trustUrl === "boolean", "Option trustUrl", "a boolean", trustUrl);

  const routes: ServedRoute<NeedsOfApp<Routes>, ExtraOfApp<Routes, RequestExtra | ResponseExtra | ErrorExtra>>[] = [
    ...list,
  ];
  Object.freeze(routes);
  const compiled = routes.flatMap((route, index) => compile(route, index + 1, validator, maxBodyBytes));
  if (options.endpoints !== undefined) requireRoutes(options.endpoints, routes);
  const fetch = createFetch({ router: createRouter(compiled, trustUrl), ...hooks } as Lifecycle);
  return Object.freeze({ fetch, routes });
}

const OPTIONS: readonly OptionName[] = [
  "handlers",
  "routes",
  "endpoints",
  "validator",
  "onRequest",
  "onResponse",
  "onError",
  "maxBodyBytes",
  "trustUrl",
];

/** Checks that each endpoint of a record has a route for each of its methods. */
function requireRoutes(endpoints: unknown, routes: readonly AnyRoute[]): void {
  requireThat(isRecord(endpoints), "Option endpoints", "a record of endpoints", endpoints);
  const listed = endpointsIn(endpoints, "Option endpoints");
  if (listed.length === 0) {
    throw new TypeError("Option endpoints must contain an endpoint, such as { list }: received none");
  }
  for (const [name, each] of listed as readonly (readonly [string, ImplementedEndpoint])[]) {
    // What an endpoint demands is checked where its routes are made of it. The endpoint may itself be a route.
    const isServed = (method: string) =>
      routes.some((route: ImplementedEndpoint & { readonly guards: MadeGuards }) =>
        route.path === each.path && (route.guards === each.guards || route.guards["~endpoint"] === each) &&
        [route.method].flat().includes(method)
      );
    if (![each.method].flat().every(isServed)) {
      throw new TypeError(`No route of handlers implements ${describeRoute(each)}: write route.on(api.${name}, …)`);
    }
  }
}

/** An endpoint, which may itself be a route. */
type ImplementedEndpoint = Endpoint & Partial<Pick<AnyRoute, "guards">>;

/** Checks one declared route, and makes it ready for each of its methods. */
function compile(
  route: AnyRoute,
  position: number,
  validator: Validator | undefined,
  maxBodyBytesOfApp: number,
): readonly CompiledRoute[] {
  const expected = Array.isArray(route) ? "a route: write ... before an array of routes" : "a route";
  requireThat(typeof route?.path === "string", `Item ${position} of handlers`, expected, route);
  const { path, request = {}, guards, resolve } = route;
  const methods = readMethods(route);
  const name = describeRoute(route);

  requireDeclared(route, `route ${name}`);
  const pattern = parsePattern(name, path);
  if (guards === undefined && resolve === undefined) {
    throw new TypeError(
      `Item ${position} of handlers is the endpoint ${name}: write route.on(endpoint, { resolve: … })`,
    );
  }
  requireThat(Array.isArray(guards), `Option guards of route ${name}`, "an array", guards);
  const { headers, cookies, body, bodyReader, maxBodyBytes = maxBodyBytesOfApp } = request;
  requireBytes(`Option maxBodyBytes of route ${name}`, maxBodyBytes);
  if (body === undefined && (bodyReader ?? request.maxBodyBytes) !== undefined) {
    throw new TypeError(`Option ${bodyReader ? "bodyReader" : "maxBodyBytes"} of route ${name} needs a body schema`);
  }
  const readBody = body === undefined ? undefined : bodyReader === undefined ? readJson : readWith(bodyReader, name);
  const schemas = PARTS.filter((part) => request[part] !== undefined).map((part): BoundSchema => {
    const schema = request[part];
    if (validator === undefined) {
      throw new TypeError(
        `Route ${name} has schemas: give setup the option validator, such as standardSchema of @fw/core/standard-schema`,
      );
    }
    for (const one of schemasIn(schema)) {
      const isAccepted = validator.accepts?.(one, part) !== false;
      requireThat(isAccepted, `Schema of the ${part} of route ${name}`, "one the validator accepts", one);
    }
    return { part, run: bindSchema(validator, schema, part, bodyReader) };
  });

  let beforeBody = 0;
  const checkedGuards = Array.from(guards, (guard, index) => {
    const guardName = `Guard ${index + 1} of route ${name}`;
    const checkedGuard = requireFunction(guardName, guard);
    if (runsBeforeBody(checkedGuard) && index !== beforeBody++) {
      throw new TypeError(`${guardName} has beforeBody: put it before guard ${index}, which has not`);
    }
    return checkedGuard;
  });

  const { responses = {} } = route;
  const handler = tellStreams(requireFunction(`Handler (resolve) of route ${name}`, resolve), responses);
  const hasStream = Object.values(responses).flat().some((response) => response["~stream"] !== undefined);
  return methods.map((method) => ({
    matched: Object.freeze({ method, path }),
    pattern,
    headers,
    cookies,
    readBody,
    maxBodyBytes,
    schemas,
    guards: checkedGuards,
    beforeBody,
    resolve: hasStream && method !== "GET" ? withoutBodyForHead(handler) : handler,
  }));
}

function requireBytes(name: string, value: unknown): asserts value is number {
  if (value === Infinity || (Number.isSafeInteger(value) && (value as number) >= 0)) return;
  const received = typeof value === "number" ? value : describeKind(value);
  throw new TypeError(`${name} must be a whole number of bytes, or Infinity: received ${received}`);
}

/**
 * What `setup` returns: the fetch handler, and the routes that it serves.
 *
 * An annotation, `const inner: App = setup(…)`, forgets which locals the routes need from `onRequest`. Do not write one
 * if another app lists `...inner.routes`: that app is checked only with the inferred type.
 *
 * @typeParam Extra The extra arguments that `fetch` must receive after the request.
 * @typeParam Needs The locals that the routes need from `onRequest`; `never` if there are none, or if they are not
 * known.
 */
export interface App<Extra extends readonly unknown[] = [], Needs = never> {
  /**
   * Handles a request. Pass this function to a runtime, such as `Deno.serve(app.fetch)`. It does not use `this`.
   *
   * It returns the response if no stage is asynchronous, else a promise of the response. It never throws. If `onError`
   * does not turn an error into a response, the promise is rejected with that same error. Guards and handlers receive
   * the arguments after the request, in order.
   *
   * @param request The request.
   * @param extra The runtime's extra arguments, such as an environment or a connection.
   * @returns The response, or a promise of it.
   */
  readonly fetch: (request: Request, ...extra: Extra) => Response | Promise<Response>;
  /** The routes as declared, in order. Another app that lists `...app.routes` must provide the same locals. */
  readonly routes: readonly ServedRoute<Needs, Extra>[];
}

/**
 * A route of an app.
 *
 * @typeParam Needs The locals that the routes of the app need from `onRequest`; `never` if they are not known.
 * @typeParam Extra The extra arguments that `fetch` must receive after the request.
 */
// If its needs are not known, the type has a marker. Without the marker, `[...app.routes, route]` would have this type, and
// TypeScript would lose the needs of `route`.
export type ServedRoute<Needs, Extra extends readonly unknown[]> =
  & Route<Needs, Extra>
  & ([Needs] extends [never] ? {
      /** Type-only, absent at run time. */
      readonly "~served"?: true;
    }
    : unknown);
