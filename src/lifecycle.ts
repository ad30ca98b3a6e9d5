import type { HookContext, MatchedRoute, RawInput } from "./context.ts";
import { after, attempt, type Eventual, isPromise } from "./eventual.ts";
import { admit } from "./guard.ts";
import { type BodyFault, readJsonBody, readParams, readQuery } from "./raw.ts";
import type { Routable, Router } from "./router.ts";
import { describeKind, describeRoute, isLocals, isResponse } from "./shape.ts";
import { createTargetReader, type Target } from "./url.ts";
import type { AnyInput } from "./validate.ts";

/** A route, checked and made ready at setup, for one method. */
export interface CompiledRoute extends Routable {
  /** Whether the body has a schema, and so is read. */
  readonly readsBody: boolean;
  /** The largest body accepted, in bytes. */
  readonly maxBodyBytes: number;
  /** Runs the schemas. */
  readonly validate: (raw: RawInput, bodyFault: BodyFault | undefined) => Eventual<AnyInput>;
  /** The guards, in order. What they return is checked at every request. */
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
  /** What hooks get: little at first, the context of guards and handler once a route has matched. */
  context: HookContext;
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
  return function fetch(request, ...platform) {
    const exchange: Exchange = { request, platform, context: { request, locals: {} } };
    const rescue = (error: unknown) => recover(exchange, error);
    try {
      return after(
        attempt(() => arrive(exchange), rescue),
        (response) => attempt(() => depart(exchange, response), rescue),
      );
    } catch (error) {
      return Promise.reject(error);
    }
  };

  // 2. onRequest gives the initial locals.
  function arrive(exchange: Exchange): Eventual<Response> {
    if (onRequest === undefined) return match(exchange);
    const { request } = exchange;
    return after(onRequest({ request }), (locals) => {
      if (locals !== undefined) {
        if (!isLocals(locals)) {
          throw misshapen("onRequest must return an object of locals, or nothing", exchange.context, locals);
        }
        exchange.context = { request, locals: { ...locals } };
      }
      return match(exchange);
    });
  }

  // 3. The route is found by method and path; no route, 404.
  function match(exchange: Exchange): Eventual<Response> {
    const { request, context: { locals } } = exchange;
    const target = readTarget(request);
    const route = target && router.find(request.method, target.pathname);
    if (target !== undefined && route !== undefined) return extract(exchange, route, target);
    exchange.context = {
      request,
      locals,
      get allowedMethods() {
        return target === undefined ? [] : router.methodsFor(target.pathname);
      },
    };
    return new Response(null, { status: 404 });
  }

  // 4. The raw inputs are read; the body only where it has a schema.
  function extract(exchange: Exchange, route: CompiledRoute, target: Target): Eventual<Response> {
    const { request, platform, context: { locals } } = exchange;
    const c: Facts = {
      request,
      raw: {
        params: readParams(route.segments, target.pathname),
        query: readQuery(target.search),
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
      const result = run(c, ...platform);
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
    return after(resolve(c, ...platform), (response) => {
      if (isResponse(response)) return response;
      throw new TypeError(
        `Handler of route ${describeRoute(route.matched)} must return a Response: received ${describeKind(response)}`,
      );
    });
  }

  // 8. onResponse may replace the response: the handler's, a guard's, the 404 or that of onError.
  function depart(exchange: Exchange, response: Response): Eventual<Response> {
    if (onResponse === undefined) return response;
    const { context } = exchange;
    return after(onResponse({ context, response, locals: context.locals }), (replacement) => {
      if (replacement === undefined) return response;
      if (isResponse(replacement)) return replacement;
      throw misshapen(
        "onResponse must return a Response, or nothing to keep the one it was given",
        context,
        replacement,
      );
    });
  }

  // onError turns an error into a response. Without it, or when it fails, the error is the runtime's.
  function recover({ context }: Exchange, error: unknown): Eventual<Response> {
    if (onError === undefined) throw error;
    return after(onError({ error, context }), (response) => {
      if (isResponse(response)) return response;
      throw misshapen("onError must return a Response", context, response, { cause: error });
    });
  }
}

function misshapen(rule: string, { route }: HookContext, received: unknown, options?: ErrorOptions): TypeError {
  const place = route === undefined ? "" : ` (for route ${describeRoute(route)})`;
  return new TypeError(`${rule}${place}: received ${describeKind(received)}`, options);
}
