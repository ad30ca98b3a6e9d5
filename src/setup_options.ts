/** The options of `setup`. Types only. */

import type { HookContext, NoLocals } from "./context.ts";
import type { Validator } from "./validator.ts";

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
   * whose url leaves this in doubt matches no route. `.github/DEPLOYMENT.md` lists the servers and proxies that may be trusted.
   */
  readonly trustUrl?: boolean;
}

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
