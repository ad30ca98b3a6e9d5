import type { AnyRoute, Route } from "../core/declare/declared_route.ts";
import type { Context, HookContext, NoLocals } from "../core/guards/context.ts";
import { beforeBody, type GuardResult } from "../core/guards/guard.ts";
import { type MadeGuards, rememberEndpoint } from "../core/guards/made_guards.ts";
import { requireThat } from "../core/values/assert.ts";
import { isOrigin } from "../core/values/origin.ts";
import { NAME, optionalRule, type OptionRule, requireRules } from "../core/values/option_rules.ts";
import { METHODS } from "../core/routing/method.ts";
import { answers, shapeOf } from "./with_head.ts";

/**
 * Lets scripts of other origins read responses (CORS). The headers are on every response, including errors and the 404.
 * If `origins` does not allow the origin of a request, the response has no CORS headers, and the browser keeps it from
 * the script. This protects users of browsers, not the app: any other client may send any `Origin`.
 *
 * Before a request that a form could not send, browsers send a preflight, a request with the method OPTIONS. Pass the
 * routes through `preflights` to answer them.
 *
 * With `credentials`, pages of another site need cookies with `SameSite=None; Secure`. Browsers do not send them those
 * with `SameSite=Lax`, such as the cookie of `createSessions`.
 *
 * Origins are compared as a whole. A response contains nothing from a request, except an origin that `origins` allows.
 *
 * @typeParam Extra The extra arguments of `app.fetch` that a function for `origins` reads.
 * @param options The policy.
 * @returns A concern, for `compose`, with the function `preflights`.
 * @throws A `TypeError` if an option is unknown, an origin is not a whole one, credentials are allowed to any origin or
 * with any header, a name is not that of a header, or `maxAge` is not a whole number of seconds.
 *
 * @example An API for the scripts of one site, with its users' cookies
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { compose, cors } from "@fw/core/hooks";
 * import { assertEquals } from "@std/assert";
 *
 * const policy = cors({
 *   origins: ["https://app.example.com"],
 *   credentials: true,
 *   allowHeaders: ["content-type"],
 *   maxAge: 600,
 * });
 * const app = setup({
 *   handlers: policy.preflights([
 *     route.post("/books", { resolve: () => reply(201, { title: "Emma" }) }),
 *   ]),
 *   ...compose(policy),
 * });
 *
 * const origin = "https://app.example.com";
 * const preflight = await app.fetch(
 *   new Request("http://localhost/books", {
 *     method: "OPTIONS",
 *     headers: { origin, "access-control-request-method": "POST" },
 *   }),
 * );
 * assertEquals(preflight.status, 204);
 * assertEquals(preflight.headers.get("access-control-allow-origin"), origin);
 * assertEquals(preflight.headers.get("access-control-allow-methods"), "POST");
 * ```
 */
export function cors<Extra extends readonly unknown[] = []>(options: CorsOptions<Extra>): CorsPolicy<Extra> {
  requireRules(options, "cors", RULES);
  for (const origin of typeof options.origins === "object" ? options.origins : []) {
    if (!isOrigin(origin)) {
      throw new TypeError(
        `Option origins of cors must be ${RULES.origins[0]}: received an array with ${JSON.stringify(origin)}`,
      );
    }
  }
  const { origins, credentials = false, allowHeaders = [], exposeHeaders = [], maxAge, unmatchedMethods = [] } =
    options;
  requireThat(!credentials || origins !== "*", "Option credentials of cors", 'absent if origins is "*"', credentials);
  // With credentials, browsers read it as the name of a header.
  const hasAnyHeader = credentials && allowHeaders.includes("*");
  requireThat(
    !hasAnyHeader,
    "Option allowHeaders of cors",
    'names other than "*" if credentials is true',
    allowHeaders,
  );
  const isAllowed = allowedBy(origins);
  const exposed = exposeHeaders.join(", ");
  const allowed = allowHeaders.join(", ");

  function originOf({ headers }: Request, extra: Extra): string | undefined {
    if (origins === "*") return "*";
    const origin = headers.get("origin");
    return origin !== null && isAllowed(origin, extra) ? origin : undefined;
  }

  /** The response to a preflight; `undefined` if the request is none. */
  function preflightResponse(request: Request, methods: string, extra: Extra): Response | undefined {
    if (request.method !== "OPTIONS" || !request.headers.has("access-control-request-method")) return undefined;
    const response = new Response(null, { status: 204 });
    if (originOf(request, extra)) {
      decide(response.headers, {
        "allow-methods": methods,
        "allow-headers": allowed,
        "max-age": maxAge?.toString(),
      });
    }
    return response;
  }

  /** A guard that responds to preflights. It runs before all other guards of the route. */
  function answerPreflight(methods: string) {
    return beforeBody(({ request }: Context, ...extra: readonly unknown[]): GuardResult => {
      // `app.fetch` requires them, since `headers` does.
      const response = preflightResponse(request, methods, extra as Extra);
      return response === undefined ? { allow: true } : { deny: response };
    });
  }

  return {
    replace: (_, { request, allowedMethods }, ...extra) =>
      allowedMethods === undefined || unmatchedMethods.length === 0
        ? undefined
        : preflightResponse(request, unmatchedMethods.join(", "), extra),
    headers: (headers, { request }, ...extra) => {
      const origin = originOf(request, extra);
      // The same for every origin, so that caches keep one.
      if (origins !== "*" && !VARIES_BY_ORIGIN.test(headers.get("vary") ?? "")) headers.append("vary", "Origin");
      decide(headers, {
        "allow-origin": origin,
        "allow-credentials": origin && credentials && "true",
        "expose-headers": origin && exposed,
      });
    },
    preflights: (routes) => {
      const unanswered = new Map(routes.map((route) => [shapeOf(route), route.path]));
      const guarded = routes.map((route) => {
        if (!answers(route, "OPTIONS")) return route;
        const shape = shapeOf(route);
        unanswered.delete(shape);
        const { guards }: { readonly guards: MadeGuards } = route;
        const all = [answerPreflight(methodsAt(shape, routes)), ...guards];
        return { ...route, guards: rememberEndpoint(all, guards["~endpoint"]) };
      });
      const added = Array.from(unanswered, ([shape, path]): PreflightRoute<Extra> => {
        const methods = methodsAt(shape, routes);
        const queries = queriesAt(shape, routes);
        const headers = { allow: `${methods}, OPTIONS`, ...queries && { "accept-query": queries } };
        // Marked as guards of `beforeBody` are, so that `openapi` leaves the route out.
        const resolve = Object.assign(() => new Response(null, { status: 204, headers }), { "~preflight": true });
        return { method: "OPTIONS", path, guards: [answerPreflight(methods)], resolve };
      });
      return [...guarded, ...added];
    },
  };
}

/** Whether an origin may read responses. */
function allowedBy<Extra extends readonly unknown[]>(
  origins: CorsOptions<Extra>["origins"],
): (origin: string, extra: Extra) => boolean {
  if (typeof origins === "function") {
    // Exactly `true`: a promise must not pass. What is no whole origin, such as `null`, is not asked about.
    return (origin, extra) => isOrigin(origin) && origins(origin, ...extra) === true;
  }
  const listed = [...origins];
  return (origin) => listed.includes(origin);
}

const VARIES_BY_ORIGIN = /(?:^|,)\s*(?:origin|\*)\s*(?:,|$)/i;

/**
 * The options of {@linkcode cors}.
 *
 * @typeParam Extra The extra arguments of `app.fetch` that a function for `origins` reads.
 */
export type CorsOptions<Extra extends readonly unknown[] = []> =
  & CorsHeaders
  & (CorsOfOrigins | CorsOfAny | CorsOfFunction<Extra>);

/** Who may read responses: the origins that a function accepts. */
export interface CorsOfFunction<Extra extends readonly unknown[] = []> {
  /**
   * Decides about an origin, such as one of a tenant. Compare it as a whole: `https://evil-example.com` ends with
   * `example.com`. It is not called for `null`, which every sandboxed frame has.
   *
   * @param origin The origin that the client sends: scheme, host, and port if it is not the scheme's own.
   * @param extra The extra arguments of `app.fetch`, such as the bindings of a Worker.
   * @returns Whether scripts of this origin may read responses. Only `true` counts.
   */
  readonly origins: (origin: string, ...extra: [...Extra]) => boolean;
  /** Whether the browser sends cookies along, and lets the script read the response; `false` by default. */
  readonly credentials?: boolean | undefined;
}

/** Who may read responses: listed origins. */
export interface CorsOfOrigins {
  /**
   * The origins, whole: scheme, host, and port if it is not the scheme's own, such as `https://app.example.com` and
   * `http://localhost:5173`. Do not list `null`: every sandboxed frame has this origin.
   */
  readonly origins: readonly string[];
  /** Whether the browser sends cookies along, and lets the script read the response; `false` by default. */
  readonly credentials?: boolean | undefined;
}

/** Who may read responses: any origin, but never with the cookies of users. */
export interface CorsOfAny {
  /** Any origin. */
  readonly origins: "*";
  /** Not allowed with any origin: each site could then read the data of its visitors. */
  readonly credentials?: false | undefined;
}

/** The headers of requests and responses in a CORS policy. Nothing is allowed, exposed or cached by default. */
export interface CorsHeaders {
  /**
   * The headers that scripts may send, besides those that a form may send: `["content-type", "authorization"]`. `"*"`
   * means all headers except `authorization`. It has this meaning only without `credentials`.
   */
  readonly allowHeaders?: readonly string[] | undefined;
  /** The headers that scripts may read, besides `content-type`, `cache-control` and a few more. */
  readonly exposeHeaders?: readonly string[] | undefined;
  /** How long browsers may remember the response to a preflight, in seconds: a whole number from 0. */
  readonly maxAge?: number | undefined;
  /**
   * The methods that a preflight allows where the path has no route: the script then sends its request, and sees the
   * response that the app has for it, such as a 404. None by default: the response to the preflight comes from the app,
   * and browsers report a network error.
   */
  readonly unmatchedMethods?: readonly string[] | undefined;
}

/**
 * What {@linkcode cors} returns.
 *
 * @typeParam Extra The extra arguments of `app.fetch` that a function for `origins` reads.
 */
export interface CorsPolicy<Extra extends readonly unknown[] = []> {
  /** Responds to preflights where no route matches, if `unmatchedMethods` says so. */
  replace(response: Response, context: HookContext, ...extra: Extra): Response | undefined;
  /** Sets the headers for the origin of the request. */
  headers(headers: Headers, context: HookContext, ...extra: Extra): void;
  /**
   * Answers preflights for these routes. No handler and no guard of a route runs for a preflight, even if a route is
   * declared for OPTIONS or for all methods. Other requests with OPTIONS reach such a route. If a path has no such
   * route, the response is 204 with `Allow`, and with `Accept-Query` if a route for QUERY has a body schema. `openapi`
   * leaves out the routes that `preflights` adds.
   *
   * @typeParam Declared The routes.
   * @param routes All routes of the app.
   * @returns The routes for `setup`, with a route for OPTIONS for each path that has none.
   */
  preflights<Declared extends AnyRoute>(routes: readonly Declared[]): readonly (Declared | PreflightRoute<Extra>)[];
}

/**
 * A route that `preflights` adds. It implements no endpoint for another method than OPTIONS.
 *
 * @typeParam Extra The extra arguments of `app.fetch` that the policy reads.
 */
export interface PreflightRoute<Extra extends readonly unknown[] = []> extends Route<NoLocals, Extra> {
  /** The method. */
  readonly method: "OPTIONS";
}

const NAMES: OptionRule = /* @__PURE__ */ optionalRule([
  "an array of names of headers",
  (names) => Array.isArray(names) && names.every(NAME[1]),
]);

const RULES = {
  origins: [
    'an array of whole origins such as https://app.example.com, a function, or "*"',
    (origins) => origins === "*" || typeof origins === "function" || Array.isArray(origins),
  ],
  credentials: /* @__PURE__ */ optionalRule(["a boolean", (value) => typeof value === "boolean"]),
  allowHeaders: /* @__PURE__ */ optionalRule([
    'an array of names of headers, or of "*"',
    (names) => Array.isArray(names) && names.every((name) => name === "*" || NAME[1](name)),
  ]),
  exposeHeaders: NAMES,
  maxAge: /* @__PURE__ */ optionalRule([
    "a whole number of seconds",
    (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  ]),
  unmatchedMethods: /* @__PURE__ */ optionalRule([
    "an array of methods in capital letters",
    (methods) => Array.isArray(methods) && methods.every((method) => /^[A-Z-]+$/.test(String(method))),
  ]),
} satisfies Record<string, OptionRule>;

/** Sets the headers that have a value, and deletes the others: a handler may have passed on those of another server. */
function decide(headers: Headers, values: { readonly [name: string]: string | false | undefined }): void {
  for (const [name, value] of Object.entries(values)) {
    if (value) headers.set(`access-control-${name}`, value);
    else headers.delete(`access-control-${name}`);
  }
}

/** All routes that may match a path of this shape. */
function routesAt(shape: string, routes: readonly AnyRoute[]): readonly AnyRoute[] {
  return routes.filter((route) => overlap(shape.split("/"), shapeOf(route).split("/")));
}

/** The media types that QUERY takes there (RFC 10008, Accept-Query), as a list for a header. */
function queriesAt(shape: string, routes: readonly AnyRoute[]): string {
  const types = routesAt(shape, routes).flatMap(({ method, request: { body, bodyReader } = {} }) =>
    body !== undefined && [method].flat().includes("QUERY") ? bodyReader?.contentTypes ?? ["application/json"] : []
  );
  return [...new Set(types)].join(", ");
}

/** The methods of the routes there, as a list for a header. */
function methodsAt(shape: string, routes: readonly AnyRoute[]): string {
  const methods = routesAt(shape, routes).flatMap(({ method }) => method === "ALL" ? METHODS : method);
  return [...new Set(methods)].filter((method) => method !== "OPTIONS").toSorted().join(", ");
}

/** Whether a path can match both shapes. A parameter matches no empty segment. */
function overlap(one: readonly string[], other: readonly string[]): boolean {
  const [[a, ...restOfA], [b, ...restOfB]] = [one, other];
  if (a === undefined || b === undefined) return a === b;
  if (a === "*" || b === "*") return true;
  return (a === b || a !== "" && b !== "" && (a[0] === ":" || b[0] === ":")) &&
    (overlap(restOfA, restOfB) || a === ":+" && overlap(one, restOfB) || b === ":+" && overlap(restOfA, other));
}
