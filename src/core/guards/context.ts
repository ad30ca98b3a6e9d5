import type { AnyInput, RawInput } from "../input/input.ts";
import type { MatchedRoute } from "../routing/matched_route.ts";
import type { RawParams } from "../routing/pattern.ts";

/** Locals without known keys: the default when neither `onRequest` nor a guard adds any. */
export type NoLocals = Record<never, never>;

/**
 * The facts about one request, as guards and the handler receive them. Plain data: destructure it freely.
 *
 * Annotate the parameter of a reusable guard with only what it reads: locals, path parameters, valid input. In a route
 * that does not provide these, the guard does not compile.
 *
 * @typeParam Locals The locals that `onRequest` and the earlier guards have added.
 * @typeParam Params The path parameters.
 * @typeParam Input The input after validation.
 *
 * @example A guard that needs a user
 * ```ts
 * import { allow, type Context, deny } from "@fw/core";
 *
 * const adminOnly = (c: Context<{ user: { role: string } }>) =>
 *   c.locals.user.role === "admin" ? allow() : deny(new Response(null, { status: 403 }));
 * ```
 *
 * @example A guard that needs the parameter `slug` in the path
 * ```ts
 * import { allow, type Context, deny, type NoLocals } from "@fw/core";
 *
 * const titles = new Map([["emma", "Emma"]]);
 * const findBook = (c: Context<NoLocals, { readonly slug: string }>) => {
 *   const title = titles.get(c.raw.params.slug);
 *   return title === undefined ? deny(new Response(null, { status: 404 })) : allow({ title });
 * };
 * ```
 */
export interface Context<out Locals = NoLocals, out Params = RawParams, out Input = AnyInput> {
  /** The original `Request`. Its body is unread unless the route has a body schema. */
  readonly request: Request;
  /** The input before validation. */
  readonly raw: RawInput<Params>;
  /** The input after validation; `{ ok: true }` if the route has no schemas. */
  readonly input: Input;
  /** The locals that `onRequest` returned, and the locals that earlier guards have added. */
  readonly locals: Locals;
  /** The route that matched. */
  readonly route: MatchedRoute;
}

/**
 * A stage of the lifecycle, in order. `"beforeBody"` is reached only by routes with a guard marked by `beforeBody`,
 * `"body"` only by routes with a body schema, `"validate"` only by routes with a schema.
 */
export type Stage = "onRequest" | "match" | "beforeBody" | "body" | "validate" | "guards" | "resolve" | "onResponse";

/**
 * The context that `onResponse` and `onError` receive. Processing may have stopped at any stage, so only `request`,
 * `locals` and `stage` are always present.
 *
 * @typeParam Locals What `onRequest` returns.
 */
export interface HookContext<out Locals = NoLocals> {
  /** The original `Request`. */
  readonly request: Request;
  /** The locals set so far, with the keys that guards have added; empty if `onRequest` failed. */
  readonly locals: Partial<Locals>;
  /**
   * The stage that the request has reached. In `onError` it is the stage in which the error occurred: `"body"` means
   * that the body had been read before, or that its reader failed. In `onResponse` it is the stage that the response
   * comes from: `"match"` for a 404, `"guards"` or `"beforeBody"` for a denial.
   */
  readonly stage: Stage;
  /** The route, if the request matched one. */
  readonly route?: MatchedRoute;
  /** The input before validation, if the request matched a route. `body` is set once the body has been read. */
  readonly raw?: RawInput;
  /**
   * The input after validation; `{ ok: true }` from the start if the route has no schemas. `undefined` until validation
   * has run, and if the body could not be read. At the stage `"beforeBody"`, `ok` is `false` and there are no issues.
   */
  readonly input?: AnyInput | undefined;
  /**
   * On a 404 only: the methods that do have a route at this path, in alphabetical order; empty if there are none.
   * Computed on access.
   */
  readonly allowedMethods?: readonly string[];
}
