/** Whether declared responses have only known keys, and include what guards deny with. Types only. */

import type { AnswersOf } from "./answers.ts";
import type { MergeResponses, RouteResponse, RouteResponses } from "./responses.ts";

/**
 * Checks declared responses. They must have only known keys, and include what guards deny with by a `reply`. If so, it
 * is `unknown`. Otherwise it has a property whose name or type is the message of the compiler.
 *
 * @typeParam Denied The answers that guards deny with.
 * @typeParam Defaults The responses of the scope.
 * @typeParam Responses The responses of the route.
 *
 * @internal
 */
export type CheckResponses<Denied, Defaults, Responses> = [keyof Responses] extends [keyof RouteResponses | `${number}`]
  ? [KeysOf<Responses[keyof Responses]>] extends [keyof RouteResponse]
    ? [Denied] extends [never] ? unknown : CheckDenials<Denied, AnswersOf<MergeResponses<Defaults, Responses>>>
  : {
    readonly [Key in keyof Responses]?: {
      readonly [Unknown in Exclude<keyof Responses[Key], keyof RouteResponse>]?:
        "Unknown key: a response has schema, description, contentType and headers";
    };
  }
  : {
    readonly [Key in UnknownStatuses<Responses>]?:
      'Not a status: write a number such as 200, a range such as "4XX", or default';
  };

/**
 * The keys that are no statuses.
 *
 * @internal
 */
export type UnknownStatuses<Responses> = Exclude<keyof Responses, keyof RouteResponses | `${number}`>;

/**
 * The keys of all responses.
 *
 * @internal
 */
export type KeysOf<Response> = Response extends unknown ? keyof Response : never;

/**
 * `unknown` if the answers that guards deny with are accepted; else a property whose name is the message of the
 * compiler.
 *
 * @internal
 */
export type CheckDenials<Denied, Accepted> = [Denied] extends [Accepted] ? unknown : {
  readonly [
    Status in UndeclaredIn<Denied, Accepted> as Status extends AnsweredStatus<Accepted>
      ? `${Status} is declared with another body than a guard denies with`
      : `${Status} must be declared, with the body that a guard denies with`
  ]: unknown;
};

/**
 * The statuses of answers.
 *
 * @internal
 */
export type AnsweredStatus<Answers> = Answers extends { readonly status: infer Status } ? Status : never;

/**
 * The statuses of the denials that are not accepted.
 *
 * @internal
 */
export type UndeclaredIn<Denied, Accepted> = AnsweredStatus<Exclude<Denied, Accepted>> & number;

/**
 * The answers that the guards of a list deny with by a `reply`.
 *
 * @internal
 */
export type DenialsOf<Guards> = Guards extends readonly (infer Guard)[]
  ? Guard extends (...args: never) => infer Result ? DenialOf<Result> : never
  : never;

/**
 * The answer that a guard denies with; `never` if it does not deny, or denies with any response.
 *
 * @internal
 */
export type DenialOf<Result> = Result extends { readonly deny: infer Denied }
  ? Denied extends { readonly "~made by reply(status, body)": infer Said } ? Said : never
  : Result extends Promise<infer Settled> ? DenialOf<Settled>
  : never;
