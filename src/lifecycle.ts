import type { HookContext, MatchedRoute, RawInput } from "./context.ts";
import { after, type Eventual, isPromise } from "./eventual.ts";
import { admit } from "./guard.ts";
import { type BodyFault, NONE, parseJsonBody, readParams, readQuery, readText } from "./raw.ts";
import type { Match, Routable, Router } from "./router.ts";
import { describeKind, describeRoute, isRecord, isResponse, NativeResponse } from "./shape.ts";
import { hasSoundHost } from "./url.ts";
import type { AnyInput } from "./validate.ts";

/** A route, checked and made ready at setup, for one method. */
export interface CompiledRoute extends Routable {
  /** The largest body accepted, in bytes, where the body has a schema, and so is read. */
  readonly maxBodyBytes: number | undefined;
  /** Runs the schemas, where there are any. */
  readonly validate: ((raw: RawInput, bodyFault: BodyFault | undefined) => Eventual<AnyInput>) | undefined;
  /** The guards, in order and without holes. What they return is checked at every request. */
  readonly guards: readonly Step[];
  /** The handler. What it returns is checked at every request. */
  readonly resolve: Step;
}

type Step = (c: Facts, ...platform: Platform) => unknown;
/** What follows the request in `app.fetch`. */
type Platform = readonly unknown[];

/** What `setup` gives the lifecycle. What hooks return is checked at every request. */
export interface Lifecycle {
  readonly router: Router<CompiledRoute>;
  readonly onRequest: Hook<{ request: Request }> | undefined;
  readonly onResponse: Hook<{ context: HookContext; response: Response; locals: object }> | undefined;
  readonly onError: Hook<{ error: unknown; context: HookContext }> | undefined;
}

type Hook<Occasion> = (occasion: Occasion) => unknown;

/** One request on its way through the stages. */
interface Exchange {
  readonly request: Request;
  readonly platform: Platform;
  /** The initial locals, as soon as there are any. */
  locals: object | undefined;
  /** What hooks get, once there is more than request and locals: the context of guards and handler, or that of a miss. */
  context: HookContext | undefined;
}

/** The context of guards and handler, while the stages fill it in. */
interface Facts {
  readonly request: Request;
  readonly raw: { -readonly [Key in keyof RawInput]: RawInput[Key] };
  input: AnyInput | undefined;
  locals: object;
  readonly route: MatchedRoute;
}

/**
 * The fixed path of every request, stage by stage as SPEC.md numbers them ("States and transitions").
 *
 * @param options What `setup` has checked.
 * @returns The fetch handler. It never throws: an error that nobody handles becomes a rejection.
 */
export function createFetch(
  { router, onRequest, onResponse, onError }: Lifecycle,
): (request: Request, ...platform: Platform) => Eventual<Response> {
  // 1. A request arrives. An error in stages 2 to 7 goes to onError, whose response goes on to stage 8.
  // What follows the request is not declared: a rest parameter costs each request 30 ns on Bun, there or not.
  return function fetch(request) {
    const { length } = arguments;
    // Most servers hand over one thing more. To slice costs Deno 35 ns and Bun 80.
    const platform = length < 2 ? NOTHING : length === 2 ? [arguments[1]] : [].slice.call(arguments, 1);
    const exchange: Exchange = { request, platform, locals: undefined, context: undefined };
    try {
      const response = onRequest === undefined ? match(exchange, {}) : arrive(exchange, onRequest);
      if (isPromise(response)) return settle(exchange, response);
      return depart(exchange, response);
    } catch (error) {
      return fail(exchange, error);
    }
  };

  function settle(exchange: Exchange, response: Promise<Response>): Promise<Response> {
    // Each promise more costs 50 ns: none is made for hooks that are not there.
    if (onResponse === undefined && onError === undefined) return response;
    return response.then((response) => depart(exchange, response), (error: unknown) => fail(exchange, error));
  }

  function fail(exchange: Exchange, error: unknown): Eventual<Response> {
    return after(recover(exchange, error), (response) => depart(exchange, response));
  }

  // 2. onRequest gives the initial locals.
  function arrive(exchange: Exchange, onRequest: Hook<{ request: Request }>): Eventual<Response> {
    const locals = onRequest({ request: exchange.request });
    return isPromise(locals)
      ? Promise.resolve(locals).then((locals) => begin(exchange, locals))
      : begin(exchange, locals);
  }

  function begin(exchange: Exchange, locals: unknown): Eventual<Response> {
    if (locals === undefined) return match(exchange, {});
    if (isRecord(locals)) return match(exchange, { ...locals });
    throw misshapen("onRequest must return an object of locals, or nothing", locals);
  }

  // 3. The route is found by method and path. No route: 404.
  function match(exchange: Exchange, locals: object): Eventual<Response> {
    const { request } = exchange;
    exchange.locals = locals;
    const match = router.find(request.method, request.url);
    return match === undefined || !hasSoundHost(request) ? miss(exchange, locals) : extract(exchange, locals, match);
  }

  function miss(exchange: Exchange, locals: object): Response {
    // Only onResponse will ever see it, and an accessor costs a miss 200 ns.
    if (onResponse !== undefined) {
      const { request } = exchange;
      const { url } = request;
      // Later may be too late: Deno shows no headers once the response is sent.
      const isSound = hasSoundHost(request);
      exchange.context = {
        request,
        locals,
        get allowedMethods() {
          return isSound ? router.methodsFor(url) : [];
        },
      };
    }
    return new Response(null, { status: 404 });
  }

  // 4. The raw inputs are read; the body only where it has a schema. A route pays for those of the next stages that it has.
  function extract(exchange: Exchange, locals: object, match: Match<CompiledRoute>): Eventual<Response> {
    const { request, platform } = exchange;
    const { route, search } = match;
    const { pattern, maxBodyBytes, validate, guards } = route;
    // Some validators fill in defaults where they stand, and must not find what is shared and frozen.
    const validates = validate !== undefined;
    const c: Facts = {
      request,
      raw: {
        params: validates || pattern.values.length > 0 ? readParams(pattern, match) : NONE,
        query: validates || search !== "" ? readQuery(search) : NONE,
        body: undefined,
      },
      input: validates ? undefined : VALID,
      locals,
      route: route.matched,
    };
    exchange.context = c;
    if (maxBodyBytes !== undefined) return read(route, c, platform, maxBodyBytes);
    if (validates) return check(route, c, platform, undefined);
    return guards.length > 0 ? guard(route, c, platform, 0) : resolve(route, c, platform);
  }

  function read(route: CompiledRoute, c: Facts, platform: Platform, maxBytes: number): Promise<Response> {
    return readText(c.request, maxBytes).then((text) => {
      const { value, fault } = parseJsonBody(text);
      c.raw.body = value;
      return check(route, c, platform, fault);
    });
  }

  // 5. Each part with a schema is validated. A failure is data for guards and handler; it does not stop the request.
  function check(
    route: CompiledRoute,
    c: Facts,
    platform: Platform,
    bodyFault: BodyFault | undefined,
  ): Eventual<Response> {
    return after(route.validate?.(c.raw, bodyFault), (input) => {
      c.input = input;
      return guard(route, c, platform, 0);
    });
  }

  // 6. Guards run in declared order. The first denial is the response.
  function guard(route: CompiledRoute, c: Facts, platform: Platform, first: number): Eventual<Response> {
    for (let index = first;; index++) {
      const run = route.guards[index];
      if (run === undefined) return resolve(route, c, platform);
      const result = call(run, c, platform);
      if (isPromise(result)) return wait(route, c, platform, index + 1, result);
      const denial = admit(result, c, index + 1);
      if (denial !== undefined) return denial;
    }
  }

  // Apart, as `read` and `settle` are: where there is a closure, it costs those who wait for nothing, too.
  function wait(
    route: CompiledRoute,
    c: Facts,
    platform: Platform,
    next: number,
    result: unknown,
  ): Eventual<Response> {
    return after(result, (settled) => admit(settled, c, next) ?? guard(route, c, platform, next));
  }

  // 7. The handler answers.
  function resolve(route: CompiledRoute, c: Facts, platform: Platform): Eventual<Response> {
    const { resolve } = route;
    const result = call(resolve, c, platform);
    return result instanceof NativeResponse ? result : requireResponse(route, result);
  }

  // 8. onResponse may replace the response: the handler's, a guard's, the 404 or that of onError. An error goes to onError.
  function depart(exchange: Exchange, response: Response): Eventual<Response> {
    if (onResponse === undefined) return response;
    const context = contextOf(exchange);
    try {
      const replacement = onResponse({ context, response, locals: context.locals });
      return isPromise(replacement)
        ? Promise.resolve(replacement)
          .then((replacement) => replace(context, response, replacement))
          .catch((error: unknown) => recover(exchange, error))
        : replace(context, response, replacement);
    } catch (error) {
      return recover(exchange, error);
    }
  }

  function replace(context: HookContext, response: Response, replacement: unknown): Response {
    if (replacement === undefined) return response;
    if (isResponse(replacement)) return replacement;
    throw misshapen("onResponse must return a Response, or nothing to keep the given one", replacement, context.route);
  }

  // onError turns an error into a response. Without it, or when it fails, the error is the runtime's: a rejection.
  function recover(exchange: Exchange, error: unknown): Eventual<Response> {
    if (onError === undefined) return Promise.reject(error);
    const context = contextOf(exchange);
    try {
      return after(onError({ error, context }), (response) => {
        if (isResponse(response)) return response;
        throw misshapen("onError must return a Response", response, context.route, { cause: error });
      });
    } catch (failure) {
      return Promise.reject(failure);
    }
  }
}

function requireResponse({ matched }: CompiledRoute, result: unknown): Eventual<Response> {
  return after(result, (response) => {
    if (isResponse(response)) return response;
    throw misshapen(`Handler of route ${describeRoute(matched)} must return a Response`, response);
  });
}

/** Calls with what follows the request, if anything does. A spread costs Bun 30 ns. */
function call(run: Step, c: Facts, platform: Platform): unknown {
  if (platform.length === 0) return run(c);
  return platform.length === 1 ? run(c, platform[0]) : run(c, ...platform);
}

/** What follows the request where nothing does. */
const NOTHING: Platform = [];
/** The outcome of validation where there are no schemas: one for all, as nobody can change it. */
const VALID: AnyInput = Object.freeze({ ok: true });

/** What hooks get: the request and its locals at least, which are none if onRequest failed. */
function contextOf(exchange: Exchange): HookContext {
  return exchange.context ??= { request: exchange.request, locals: exchange.locals ?? {} };
}

function misshapen(rule: string, received: unknown, route?: MatchedRoute, options?: ErrorOptions): TypeError {
  const place = route === undefined ? "" : ` (for route ${describeRoute(route)})`;
  return new TypeError(`${rule}${place}: received ${describeKind(received)}`, options);
}
