import { JSON_BODY } from "./body.ts";
import { readWith } from "./body_reader.ts";
import { describeKind, describeRoute, isRecord, requireKnownKeys, requireThat } from "./checks.ts";
import type { HookContext, NoLocals } from "./context.ts";
import { countBeforeBody } from "./guard.ts";
import type { Simplify } from "./guard_list.ts";
import { type CompiledRoute, createFetch, type Lifecycle } from "./lifecycle.ts";
import { readMethods } from "./method.ts";
import { parsePattern } from "./pattern.ts";
import type { AllOf, Clashes, ClashesWith } from "./platform.ts";
import type { AnyRoute, Route } from "./route.ts";
import { createRouter } from "./router.ts";
import { type Check, PARTS, requireSchemas, validate, type Validator } from "./validate.ts";

/**
 * What `setup` returns: the fetch handler, and the routes that it serves.
 *
 * @typeParam Platform The extra arguments that `fetch` must receive after the request.
 * @typeParam Needs The locals that the routes need from `onRequest`; `never` if there are none, or if they are not known.
 */
export interface App<Platform extends readonly unknown[] = [], Needs = never> {
  /**
   * Handles a request. Pass this function to a runtime, such as `Deno.serve(app.fetch)`. It does not use `this`.
   *
   * It returns the response if no stage is asynchronous, else a promise of the response. It never throws. If `onError` does
   * not turn an error into a response, the promise is rejected with that same error. Guards and handlers receive the
   * arguments after the request, in order.
   *
   * @param request The request.
   * @param platform The runtime's extra arguments, such as an environment or a connection.
   * @returns The response, or a promise of it.
   */
  readonly fetch: (request: Request, ...platform: Platform) => Response | Promise<Response>;
  /** The routes as declared, in order. Another app that lists `...app.routes` must provide the same locals. */
  readonly routes: readonly ServedRoute<Needs, Platform>[];
}

/**
 * A route of an app. Without known needs it is marked: TypeScript would drop a route with needs from a union with an unmarked
 * one, as in `[...app.routes, route]`.
 *
 * @internal
 */
export type ServedRoute<Needs, Platform extends readonly unknown[]> =
  & Route<Needs, Platform>
  & ([Needs] extends [never] ? {
      /** Type-only, absent at run time. */
      readonly "~served"?: true;
    }
    : unknown);

/**
 * The routes to serve, under one of the two names.
 *
 * @internal
 */
export type Handlers<Served> =
  | {
    /** The routes to serve, in any order. */
    readonly handlers: Served;
    /** Not together with `handlers`. */
    readonly routes?: undefined;
  }
  | {
    /** The routes to serve: another name for `handlers`. */
    readonly routes: Served;
    /** Not together with `routes`. */
    readonly handlers?: undefined;
  };

/**
 * The routes, if what `onRequest` returns meets all their needs and one environment can satisfy them all. Else the list that the
 * compiler expects instead: it has a message in the place of each route that is at fault.
 *
 * @internal
 */
export type Compatible<Routes extends readonly AnyRoute[], Returned> =
  [UnmetNeeds<NeedsOfRoutes<Routes>, Returned>, Clashes<PlatformOfRoutes<Routes>>] extends [never, never] ? Routes : {
    readonly [Index in keyof Routes]:
      & WithMetNeed<
        UnmetNeeds<NeedsOfRoute<Routes[Index]>, Returned>,
        Routes[Index] extends { readonly "~late"?: infer Late } ? Late : never
      >
      & WithoutClash<ClashesOf<Routes[Index], Clashes<PlatformOfRoutes<Routes>>>>;
  };

/**
 * `unknown` if no need is unmet, else a message for each.
 *
 * @typeParam Unmet The names of the locals that are not provided.
 * @typeParam Late The names of the locals that a guard adds after an earlier guard has needed them.
 *
 * @internal
 */
export type WithMetNeed<Unmet extends string, Late> = [Unmet] extends [never] ? unknown
  : Unmet extends Late
    ? `The order of the guards is wrong: "${Unmet}" is needed before the guard that adds it. Put that guard first, or return "${Unmet}" from onRequest`
  : `This route needs the local "${Unmet}". List a guard that adds it before the guard that reads it, or return "${Unmet}" from onRequest`;

/**
 * Those of the clashes between the routes that this route has a part in.
 *
 * @internal
 */
export type ClashesOf<Each, Clash> = Each extends Route<never, infer Platform> ? ClashesWith<Platform, Clash> : never;

/**
 * `unknown` if there is no clash, else a message for each.
 *
 * @internal
 */
export type WithoutClash<Clash> = [Clash] extends [never] ? unknown
  : `Another route declares ${Clash extends `${number}` ? `extra argument ${Clash}`
    : `"${Clash & string}" in an extra argument`} of app.fetch with a type that excludes the type here`;

/**
 * The locals that a route needs from `onRequest`. Of a union, the locals that all its members need, apart from those whose
 * needs are not known: their `never` would absorb the needs of the others.
 *
 * @internal
 */
export type NeedsOfRoute<Each> =
  (Each extends Route<infer Needs, never> ? [Needs] extends [never] ? never : (needs: Needs) => void : never) extends
    (needs: infer All) => void ? All : NoLocals;

/**
 * The names of the needed locals that `onRequest` does not return, or returns with another type.
 *
 * @internal
 */
export type UnmetNeeds<Needs, Returned> = unknown extends Returned ? never : Returned extends unknown ? {
    [Key in keyof Needs & string]-?: Key extends keyof Returned ? [Returned[Key]] extends [Needs[Key]] ? never : Key
      : Record<never, never> extends Pick<Needs, Key> ? never
      : Key;
  }[keyof Needs & string]
: never;

/**
 * The locals that `onRequest` provides: no known keys if it may return nothing.
 *
 * @internal
 */
export type LocalsOf<Returned> = unknown extends Returned ? NoLocals
  : Awaited<Returned> extends infer Locals ? Locals extends object ? Locals : NoLocals
  : never;

/** What `onRequest` is called with. */
export interface OnRequestArgs {
  /** The incoming request. */
  readonly request: Request;
}

/**
 * What `onResponse` is called with.
 *
 * @typeParam Locals What `onRequest` returns.
 */
export interface OnResponseArgs<Locals extends object = NoLocals> {
  /** The request, its locals and its route, as far as processing got. */
  readonly context: HookContext<Locals>;
  /** The response about to be sent. */
  readonly response: Response;
  /** Same as `context.locals`. */
  readonly locals: Partial<Locals>;
}

/**
 * What `onError` is called with.
 *
 * @typeParam Locals What `onRequest` returns.
 */
export interface OnErrorArgs<Locals extends object = NoLocals> {
  /** The thrown value, of any type, unchanged. */
  readonly error: unknown;
  /** The request, its locals and its route, as far as processing got. */
  readonly context: HookContext<Locals>;
}

/**
 * The options of {@linkcode setup}, except `handlers`.
 *
 * @typeParam Returned What `onRequest` returns.
 */
export interface SetupOptions<Returned> {
  /** The adapter to the schema library; required if any route has a schema. */
  readonly validator?: Validator;
  /**
   * Runs first, on every request. It returns an object with the initial locals, or nothing, or a promise of either. The
   * object is copied. It must have all locals that the routes need.
   *
   * @param args The request.
   * @returns The initial locals, or nothing.
   */
  readonly onRequest?: (args: OnRequestArgs) => Returned;
  /**
   * Runs last, exactly once for every response: a handler's, a guard's, the 404, or that of `onError`. It returns the
   * response to send instead, or nothing to send the given one. If it throws, `onError` makes the response, and `onResponse`
   * does not run again.
   *
   * Some responses have immutable headers, such as those of `Response.redirect` and of `fetch`. Change a copy instead:
   * `new Response(response.body, response)`. A copy works for every response except the 101 of a WebSocket.
   *
   * @param args The response and the context of the request.
   * @returns The response to send instead, or nothing to send the given one.
   */
  readonly onResponse?: (args: OnResponseArgs<LocalsOf<Returned>>) => Response | void | Promise<Response | void>;
  /**
   * Turns an error into a response. It receives whatever another hook, the validator, a guard or a handler throws, and the
   * error of a body that cannot be read. Without `onError`, the promise of `fetch` is rejected with the error. If `onError`
   * itself throws, the promise is rejected with the new error.
   *
   * @param args The error and the context of the request.
   * @returns The response to send.
   */
  readonly onError?: (args: OnErrorArgs<LocalsOf<Returned>>) => Response | Promise<Response>;
  /**
   * The largest body that routes with a body schema accept, in bytes: a whole number from 0, or `Infinity`, the default. A
   * route may override it. It does not bound a body that a handler reads itself.
   */
  readonly maxBodyBytes?: number;
  /**
   * `true` trusts that `request.url` has the path that the client sent and that a proxy, if there is one, has checked. Then
   * the `Host` header is not read, a `#` ends the path, and parameters may contain decoded dot segments. By default a request
   * whose url leaves this in doubt matches no route. README, "Security", lists the servers and proxies that may be trusted.
   */
  readonly trustUrl?: boolean;
}

/**
 * The options of {@linkcode setup}, with the routes, checked against each other.
 *
 * @internal
 */
export type CheckedOptions<Routes extends readonly AnyRoute[], Returned, Keys extends PropertyKey = never> =
  & Handlers<Compatible<Routes, "onRequest" extends Keys ? Awaited<Returned> : NoLocals>>
  & SetupOptions<Returned>
  & { readonly [Key in Keys]?: Key extends OptionName ? unknown : never }
  & ("onRequest" extends Keys
    ? keyof NeedsOfRoutes<Routes> extends never ? { readonly onRequest?: CheckedHook<Returned> }
    : { readonly onRequest: CheckedHook<Returned> }
    : unknown);

/**
 * Any hook that returns an object or nothing, or whose return type is not inferred yet; else the message for it.
 *
 * @internal
 */
export type CheckedHook<Returned> = unknown extends Returned ? object
  : Awaited<Returned> extends object | void ? object
  : "onRequest must return an object of locals, nothing, or a promise of either";

/**
 * The names of the options.
 *
 * @internal
 */
export type OptionName = keyof SetupOptions<unknown> | "handlers" | "routes";

const OPTIONS: readonly OptionName[] = [
  "handlers",
  "routes",
  "validator",
  "onRequest",
  "onResponse",
  "onError",
  "maxBodyBytes",
  "trustUrl",
];

/**
 * The locals that all routes together need from `onRequest`.
 *
 * @internal
 */
export type NeedsOfRoutes<Routes extends readonly AnyRoute[]> = NeedsOfRoute<Routes[number]> extends infer Needs
  ? keyof Needs extends never ? NoLocals : Simplify<Needs>
  : never;

/**
 * The extra arguments of `app.fetch` that all routes together require, position by position.
 *
 * @internal
 */
export type PlatformOfRoutes<Routes extends readonly AnyRoute[]> = AllOf<
  Routes[number] extends infer Each ? Each extends Route<never, infer Platform> ? Platform : [] : []
>;

/**
 * The needs of all routes as an app has them: `never` if there are none.
 *
 * @internal
 */
export type NeedsOfApp<Routes extends readonly AnyRoute[]> = keyof NeedsOfRoutes<Routes> extends never ? never
  : NeedsOfRoutes<Routes>;

/**
 * Turns declared routes into one fetch handler. Options are validated once, here. A mistake throws immediately, and the
 * message names the route and the fix.
 *
 * The option `handlers` lists the routes, in any order; `routes` is another name for it. {@linkcode SetupOptions} lists the
 * other options. TypeScript infers all type arguments.
 *
 * @typeParam Routes The routes. They determine what `onRequest` must return and which extra arguments `fetch` must receive.
 * @typeParam Returned What `onRequest` returns.
 * @typeParam Keys The names of the options that are given.
 * @param options Routes, validator and hooks.
 * @returns The app: pass its `fetch` to any runtime.
 * @throws A `TypeError` if an option is unknown, a path breaks the grammar, two routes have the same method and shape, a
 * route has a schema and there is no validator, the validator does not accept a schema, or a value has the wrong type.
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
>(
  options: CheckedOptions<Routes, Returned, Keys>,
): App<PlatformOfRoutes<Routes>, NeedsOfApp<Routes>> {
  requireThat(isRecord(options), "Options of setup", "an object", options);
  requireKnownKeys(options, "setup", [], OPTIONS);
  const { validator, onRequest, onResponse, onError, maxBodyBytes = Infinity, trustUrl = false } = options;
  const hooks: Record<Exclude<keyof Lifecycle, "router">, unknown> = { onRequest, onResponse, onError };
  for (const [name, hook] of Object.entries(hooks)) {
    if (hook !== undefined) requireFunction(`Option ${name}`, hook);
  }
  if (validator !== undefined) requireFunction("Option validator.validate", validator?.validate);
  requireBytes("Option maxBodyBytes", maxBodyBytes);
  requireThat(typeof trustUrl === "boolean", "Option trustUrl", "a boolean", trustUrl);

  const routes: App<PlatformOfRoutes<Routes>, NeedsOfApp<Routes>>["routes"] = readHandlers(options);
  const compiled = routes.flatMap((route, index) => compile(route, index + 1, validator, maxBodyBytes));
  const fetch = createFetch({ router: createRouter(compiled, trustUrl), ...hooks } as Lifecycle);
  return Object.freeze({ fetch, routes });
}

/** The routes, under whichever of the two names they are given. */
function readHandlers<Each>(options: { readonly handlers?: unknown; readonly routes?: unknown }): readonly Each[] {
  const { handlers, routes } = options;
  if (handlers !== undefined && routes !== undefined) {
    throw new TypeError("Options handlers and routes: give one");
  }
  const given = handlers === undefined ? routes : handlers;
  requireThat(Array.isArray(given), "Option handlers", "an array of routes", given);
  return Object.freeze([...given]);
}

/** Checks one declared route, and makes it ready for each of its methods. */
function compile(
  route: AnyRoute,
  position: number,
  validator: Validator | undefined,
  maxBodyBytesOfApp: number,
): readonly CompiledRoute[] {
  requireThat(typeof route?.path === "string", `Item ${position} of handlers`, "a route", route);
  const { path, request = {}, guards, resolve } = route;
  const methods = readMethods(route);
  const name = describeRoute(route);

  const pattern = parsePattern(name, path);
  requireThat(isRecord(request), `Option request of route ${name}`, "an object", request);
  requireSchemas(request, `route ${name}`);
  requireThat(Array.isArray(guards), `Option guards of route ${name}`, "an array", guards);
  const { headers, cookies, body, bodyReader, maxBodyBytes = maxBodyBytesOfApp } = request;
  requireBytes(`Option maxBodyBytes of route ${name}`, maxBodyBytes);
  if (body === undefined && (bodyReader ?? request.maxBodyBytes) !== undefined) {
    throw new TypeError(`Option ${bodyReader ? "bodyReader" : "maxBodyBytes"} of route ${name} needs a body schema`);
  }
  const format = bodyReader === undefined ? JSON_BODY : readWith(bodyReader, name);
  const checks: Check[] = [];
  for (const part of PARTS) {
    const schema = request[part];
    if (schema === undefined) continue;
    if (validator === undefined) throw new TypeError(`Route ${name} has schemas: give setup a validator`);
    const isAccepted = validator.accepts?.(schema, part) !== false;
    requireThat(isAccepted, `Schema of the ${part} of route ${name}`, "one the validator accepts", schema);
    checks.push({ part, run: validator.validate.bind(validator, schema) });
  }

  const checkedGuards = Array.from(
    guards,
    (guard, index) => requireFunction(`Guard ${index + 1} of route ${name}`, guard),
  );
  const beforeBody = countBeforeBody(checkedGuards, name);

  return methods.map((method) => {
    const matched = Object.freeze({ method, path });
    return {
      matched,
      pattern,
      readsHeaders: headers !== undefined,
      readsCookies: cookies !== undefined,
      body: body === undefined ? undefined : format,
      maxBodyBytes,
      validate: checks.length === 0 ? undefined : (raw, reading) => validate(checks, raw, reading, matched),
      guards: checkedGuards,
      beforeBody,
      resolve: requireFunction(`Handler (resolve) of route ${name}`, resolve),
    };
  });
}

/** Deliberately loose: the compiler checked the argument types where the function was declared. */
type UntypedFunction = (...args: readonly unknown[]) => unknown;

function requireFunction(name: string, value: unknown): UntypedFunction {
  requireThat(typeof value === "function", name, "a function", value);
  return value as UntypedFunction;
}

function requireBytes(name: string, value: unknown): asserts value is number {
  if (value === Infinity || (Number.isSafeInteger(value) && Number(value) >= 0)) return;
  const received = typeof value === "number" ? value : describeKind(value);
  throw new TypeError(`${name} must be a whole number of bytes, from 0, or Infinity: received ${received}`);
}
