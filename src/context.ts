import type { RawParams } from "./pattern.ts";
import type { AnyInput } from "./validate.ts";

/** Query values as strings, decoded; an array, in order of appearance, where a key repeats. A null-prototype object. */
export type RawQuery = { readonly [key: string]: string | readonly string[] | undefined };

/** No keys promised. */
export type NoLocals = Record<never, never>;

/** Which of the declared routes a request matched. */
export interface MatchedRoute {
  /** The method that the route was declared for, or `"ALL"`. */
  readonly method: string;
  /** The path pattern, as declared. */
  readonly path: string;
}

/** The inputs of a request before validation. */
export interface RawInput<Params = RawParams> {
  /** Path parameters, percent-decoded once. A malformed escape leaves its value as it came. */
  readonly params: Params;
  /** Query values. */
  readonly query: RawQuery;
  /** The parsed JSON body where the route has a body schema and the body is JSON; else `undefined`. */
  readonly body: unknown;
}

/**
 * The facts about one request, as guards and the handler receive them. Plain data: destructure it freely.
 *
 * A guard that serves many routes annotates its parameter with the locals that it needs and nothing else.
 *
 * @typeParam Locals What `onRequest` and the guards before have put into `locals`.
 * @typeParam Params The path parameters.
 * @typeParam Outcome The outcome of validation.
 *
 * @example A guard that needs a user
 * ```ts
 * import { allow, type Context, deny } from "@fw/core";
 *
 * const adminOnly = (c: Context<{ user: { role: string } }>) =>
 *   c.locals.user.role === "admin" ? allow() : deny(new Response(null, { status: 403 }));
 * ```
 */
export interface Context<out Locals = NoLocals, out Params = RawParams, out Outcome = AnyInput> {
  /** The very request that came in. Its body can be read once, unless a body schema had it read already. */
  readonly request: Request;
  /** The inputs before validation. */
  readonly raw: RawInput<Params>;
  /** The outcome of validation; `{ ok: true }` where nothing is to be validated. */
  readonly input: Outcome;
  /** What `onRequest` returned, and what each guard so far has added. */
  readonly locals: Locals;
  /** The route that matched. */
  readonly route: MatchedRoute;
}

/** A stage of the lifecycle, in order. */
export type Stage = "onRequest" | "match" | "body" | "validate" | "guards" | "resolve" | "onResponse";

/**
 * What `onResponse` and `onError` know of a request. Processing may have stopped at any stage, so only `request`, `locals` and
 * `stage` are always present.
 *
 * @typeParam Locals What `onRequest` returns.
 */
export interface HookContext<out Locals = NoLocals> {
  /** The very request that came in. */
  readonly request: Request;
  /** The locals so far: empty if `onRequest` failed, with the keys that guards have added if it did not. */
  readonly locals: Partial<Locals>;
  /**
   * The stage that the request had come to. In `onError` it is the stage where the error arose: `"body"` means that the body
   * could not be read. In `onResponse` it is the stage that the response comes from: `"match"` for a 404, `"guards"` for a
   * denial.
   */
  readonly stage: Stage;
  /** The route, if the request matched one. */
  readonly route?: MatchedRoute;
  /** The inputs before validation, if the request matched a route; the body once it has been read. */
  readonly raw?: RawInput;
  /** The outcome of validation, once there is one. A body that could not be read leaves none. */
  readonly input?: AnyInput | undefined;
  /**
   * Where no route matched: the methods that other requests to the same path would match, in alphabetical order; none if
   * there is nothing at this path. Computed when it is read.
   */
  readonly allowedMethods?: readonly string[];
}
