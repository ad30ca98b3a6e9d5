import type { HookContext, MatchedRoute, RawInput } from "./context.ts";
import { after, attempt, type Eventual, isPromise } from "./eventual.ts";
import { admit } from "./guard.ts";
import { type BodyFault, NONE, readJsonBody, readParams, readQuery } from "./raw.ts";
import type { Routable, Router } from "./router.ts";
import { describeKind, describeRoute, isRecord, isResponse } from "./shape.ts";
import { createTargetReader, type Target } from "./url.ts";
import type { AnyInput } from "./validate.ts";

/** A route, checked and made ready at setup, for one method. */
export interface CompiledRoute extends Routable {
  /** Whether the body has a schema, and so is read. */
  readonly readsBody: boolean;
  /** The largest body accepted, in bytes. */
  readonly maxBodyBytes: number;
  /** Runs the schemas, where there are any. */
  readonly validate: ((raw: RawInput, bodyFault: BodyFault | undefined) => Eventual<AnyInput>) | undefined;
  /** The guards, in order and without holes. What they return is checked at every request. */
  readonly guards: readonly ((c: Facts, ...platform: readonly unknown[]) => unknown)[];
  /** The handler. What it returns is checked at every request. */
  readonly resolve: (c: Facts, ...platform: readonly unknown[]) => unknown;
}

/** What `setup` gives the lifecycle. What hooks return is checked at every request. */
export interface Lifecycle {
  readonly router: Router<CompiledRoute>;
  readonly onRequest: ((arrival: { request: Request }) => unknown) | undefined;
  readonly onResponse:
    | ((departure: { context: HookContext; response: Response; locals: object }) => unknown)
    | undefined;
  readonly onError: ((failure: { error: unknown; context: HookContext }) => unknown) | undefined;
}

/** One request on its way through the stages. */
interface Exchange {
  readonly request: Request;
  readonly platform: readonly unknown[];
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
): (request: Request, ...platform: readonly unknown[]) => Eventual<Response> {
  const readTarget = createTargetReader();

  // 1. A request arrives. An error in stages 2 to 7 goes to onError, whose response goes on to stage 8.
  // What follows the request is not declared: a rest parameter costs each request 30 ns on Bun, there or not.
  return function fetch(request) {
    const platform = arguments.length > 1 ? Array.prototype.slice.call(arguments, 1) : NOTHING;
    const exchange: Exchange = { request, platform, locals: undefined, context: undefined };
    try {
      const response = arrive(exchange);
      if (isResponse(response)) return depart(exchange, response);
      // Each promise more costs 50 ns: none is made for hooks that are not there.
      if (onResponse === undefined && onError === undefined) return response;
      return response.then((response) => depart(exchange, response), (error: unknown) => fail(exchange, error));
    } catch (error) {
      return fail(exchange, error);
    }
  };

  function fail(exchange: Exchange, error: unknown): Eventual<Response> {
    return after(recover(exchange, error), (response) => depart(exchange, response));
  }

  // 2. onRequest gives the initial locals.
  function arrive(exchange: Exchange): Eventual<Response> {
    if (onRequest === undefined) return match(exchange, {});
    const locals = onRequest({ request: exchange.request });
    return isPromise(locals)
      ? Promise.resolve(locals).then((locals) => begin(exchange, locals))
      : begin(exchange, locals);
  }

  function begin(exchange: Exchange, locals: unknown): Eventual<Response> {
    if (locals === undefined) return match(exchange, {});
    if (isRecord(locals)) return match(exchange, { ...locals });
    throw misshapen("onRequest must return an object of locals, or nothing", undefined, locals);
  }

  // 3. The route is found by method and path. No route: 404.
  function match(exchange: Exchange, locals: object): Eventual<Response> {
    const { request } = exchange;
    exchange.locals = locals;
    const target = readTarget(request);
    if (target !== undefined) {
      const route = router.find(request.method, target);
      if (route !== undefined) return extract(exchange, locals, route, target);
    }
    // Only onResponse will ever see it, and an accessor costs a miss 200 ns.
    if (onResponse !== undefined) {
      exchange.context = {
        request,
        locals,
        get allowedMethods() {
          return target === undefined ? [] : router.methodsFor(target);
        },
      };
    }
    return new Response(null, { status: 404 });
  }

  // 4. The raw inputs are read; the body only where it has a schema.
  function extract(exchange: Exchange, locals: object, route: CompiledRoute, target: Target): Eventual<Response> {
    const { request, platform } = exchange;
    // Some validators fill in defaults where they stand, and must not find what is shared and frozen.
    const validates = route.validate !== undefined;
    const c: Facts = {
      request,
      raw: {
        params: validates || route.pattern.hasParams ? readParams(route.pattern, target) : NONE,
        query: validates || target.search !== "" ? readQuery(target.search) : NONE,
        body: undefined,
      },
      input: undefined,
      locals,
      route: route.matched,
    };
    exchange.context = c;
    if (!route.readsBody) return check(route, c, platform, undefined);
    return readJsonBody(request, route.maxBodyBytes).then((reading) => {
      if (reading.fault === undefined) c.raw.body = reading.value;
      return check(route, c, platform, reading.fault);
    });
  }

  // 5. Each part with a schema is validated. A failure is data for guards and handler; it does not stop the request.
  function check(
    route: CompiledRoute,
    c: Facts,
    platform: readonly unknown[],
    bodyFault: BodyFault | undefined,
  ): Eventual<Response> {
    if (route.validate === undefined) {
      c.input = VALID;
      return guard(route, c, platform, 0);
    }
    return after(route.validate(c.raw, bodyFault), (input) => {
      c.input = input;
      return guard(route, c, platform, 0);
    });
  }

  // 6. Guards run in declared order. The first denial is the response.
  function guard(route: CompiledRoute, c: Facts, platform: readonly unknown[], first: number): Eventual<Response> {
    for (let index = first;; index++) {
      const run = route.guards[index];
      if (run === undefined) return resolve(route, c, platform);
      const result = call(run, c, platform);
      if (isPromise(result)) {
        return after(result, (settled) => admit(settled, c, index + 1) ?? guard(route, c, platform, index + 1));
      }
      const denial = admit(result, c, index + 1);
      if (denial !== undefined) return denial;
    }
  }

  // 7. The handler answers.
  function resolve(route: CompiledRoute, c: Facts, platform: readonly unknown[]): Eventual<Response> {
    const { resolve } = route;
    const result = call(resolve, c, platform);
    if (isResponse(result)) return result;
    return after(result, (response) => {
      if (isResponse(response)) return response;
      throw new TypeError(
        `Handler of route ${describeRoute(route.matched)} must return a Response: received ${describeKind(response)}`,
      );
    });
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
    throw misshapen("onResponse must return a Response, or nothing to keep the given one", context, replacement);
  }

  // onError turns an error into a response. Without it, or when it fails, the error is the runtime's: a rejection.
  function recover(exchange: Exchange, error: unknown): Eventual<Response> {
    if (onError === undefined) return Promise.reject(error);
    const context = contextOf(exchange);
    const run = () =>
      after(onError({ error, context }), (response) => {
        if (isResponse(response)) return response;
        throw misshapen("onError must return a Response", context, response, { cause: error });
      });
    return attempt(run, (failure) => Promise.reject(failure));
  }
}

/** Calls with what follows the request, if anything does. Most servers hand over one thing; a spread costs Bun 30 ns. */
function call(run: CompiledRoute["resolve"], c: Facts, platform: readonly unknown[]): unknown {
  if (platform.length === 0) return run(c);
  return platform.length === 1 ? run(c, platform[0]) : run(c, ...platform);
}

/** What follows the request where nothing does. */
const NOTHING: readonly unknown[] = Object.freeze([]);
/** The outcome of validation where there are no schemas: one for all, as nobody can change it. */
const VALID: AnyInput = Object.freeze({ ok: true });

/** What hooks get: the request and its locals at least, which are none if onRequest failed. */
function contextOf(exchange: Exchange): HookContext {
  return exchange.context ??= { request: exchange.request, locals: exchange.locals ?? {} };
}

function misshapen(
  rule: string,
  context: HookContext | undefined,
  received: unknown,
  options?: ErrorOptions,
): TypeError {
  const place = context?.route === undefined ? "" : ` (for route ${describeRoute(context.route)})`;
  return new TypeError(`${rule}${place}: received ${describeKind(received)}`, options);
}
