/** What a handler may return, by the responses that its route declares. Types only. */

import type { InferOutput } from "../input/input.ts";
import type { MaybePromise } from "../values/maybe_promise.ts";
import type { Answer, Reply } from "./reply.ts";
import type { MergeResponses } from "./responses.ts";

/**
 * What a handler must return: any response, or, if the route declares responses, one of these.
 *
 * @typeParam Defaults The responses of the scope.
 * @typeParam Responses The responses of the route; `never` if it declares none.
 *
 * @internal
 */
export type ResultOf<Defaults, Responses> = [Responses] extends [never] ? MaybePromise<Response>
  // The statuses of a value of type `RouteResponses` are not known.
  : number extends keyof Responses ? MaybePromise<Reply>
  // Inferred anew, so that TypeScript does not infer the responses from what the handler returns.
  : MergeResponses<Defaults, Responses> extends infer Known ? MaybePromise<
      // Not `AnswersOf`, whose name the compiler would print in place of the answers.
      Reply<
        {
          readonly [Key in keyof Known]-?: Answer<StatusesOf<Key, keyof Known> & number, Sendable<Known[Key]>>;
        }[keyof Known]
      >
    >
  : never;

/**
 * The answers that fit declared responses.
 *
 * @internal
 */
export type AnswersOf<Responses> = {
  readonly [Key in keyof Responses]-?: Answer<StatusesOf<Key, keyof Responses>, Sendable<Responses[Key]>>;
}[keyof Responses];

/**
 * The statuses that a key of `responses` stands for. A range and `default` become the statuses that no other key stands
 * for: TypeScript tells answers apart by literal statuses only.
 *
 * @internal
 */
export type StatusesOf<Key, Keys> = Key extends number ? Key
  : Key extends `${infer Status extends number}` ? Status
  : Key extends `${infer First}XX` ? Exclude<RangeOf<First>, StatusIn<Keys>>
  : Exclude<RangeOf<1 | 2 | 3 | 4 | 5>, StatusIn<Keys> | RangesIn<Keys>>;

/**
 * The single statuses among the keys.
 *
 * @internal
 */
export type StatusIn<Keys> = Keys extends number ? Keys
  : Keys extends `${infer Status extends number}` ? Status
  : never;

/**
 * The statuses of all ranges among the keys.
 *
 * @internal
 */
export type RangesIn<Keys> = Keys extends `${infer First}XX` ? RangeOf<First> : never;

/**
 * The statuses of a range such as `"4XX"`, as numbers.
 *
 * @internal
 */
export type RangeOf<First extends string | number> = `${First}${Digit}${Digit}` extends `${infer Status extends number}`
  ? Status
  : never;

/**
 * The digits.
 *
 * @internal
 */
export type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;

/**
 * What a handler may send as the body of a declared response.
 *
 * @internal
 */
export type Sendable<Entry> = Entry extends { readonly schema: infer Schema extends object }
  ? Frozen<BodyOf<Entry, InferOutput<Schema>>>
  : Response | undefined;

/**
 * The body of a declared response: the output of its schema, or a text if the declared media type is not JSON.
 *
 * @internal
 */
export type BodyOf<Entry, Output> = Entry extends { readonly contentType: infer Type extends string }
  ? Output extends string ? Output : Type extends JsonType ? Output : string extends Type ? Output : string
  : Output;

/**
 * The media types of JSON.
 *
 * @internal
 */
export type JsonType = `${string}${"/" | "+"}json${"" | `;${string}`}`;

/**
 * A type whose arrays may be read-only: a body is only serialized, so it may come from a frozen store.
 *
 * @internal
 */
export type Frozen<T> = unknown extends T ? T
  : T extends Unfrozen ? T
  : { readonly [Key in keyof T]: Frozen<T[Key]> };

/**
 * Types without arrays to freeze.
 *
 * @internal
 */
export type Unfrozen =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | ((...args: never) => unknown);
