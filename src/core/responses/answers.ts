/** The answers of declared responses, and what a handler may return for them. Types only. */

import type { InferOutput } from "../input/input.ts";
import type { Answer, AnyAnswer, AsJson, HeaderValue, MustReturn, SentAs, SentAsOneOf } from "./reply_type.ts";
import type { JsonType } from "./media_type.ts";
import type { MergeResponses, StreamBody } from "./responses.ts";

/**
 * @internal What the handler of a route must return. The responses of a scope alone demand nothing.
 *
 * @typeParam Defaults The responses of the scope.
 * @typeParam Responses The responses of the route; `never` if it declares none.
 */
export type ResultOf<Defaults, Responses> = [Responses] extends [never] ? AnyResult["any"]
  // Inferred anew, so that TypeScript does not infer the responses from what the handler returns.
  : DeclaredAnswers<MergeResponses<Defaults, Responses>> extends infer Answers ? HandlerResult<Answers>
  : never;

/** @internal What a handler must return: any response, or, if there are declared answers, a reply with one of them. */
export type HandlerResult<Answers> = [Answers] extends [never] ? AnyResult["any"]
  : [Answers] extends [AnyAnswer] ? MustReturn<"reply(status, body)", Answers>
  : never;

/**
 * What a handler without declared responses returns. A property of an interface: TypeScript instantiates a union with
 * `Promise` that stands in a type alias anew for each route.
 */
interface AnyResult {
  /** Any response. */
  readonly any: Response | Promise<Response>;
}

/** @internal The answers of declared responses; `never` if there are none. */
export type DeclaredAnswers<Responses> = [Responses] extends [never] ? never
  // The statuses of a value of type `RouteResponses` are not known: any answer is possible. They are compared as text,
  // since any number is a member of an enum.
  : `${number}` extends `${keyof Responses & number}` ? AnyAnswer
  : DeclaredAnswer<keyof Responses, Responses>;

/** The answer that one key of `responses` declares. A mapped type takes 58 instantiated types more per response. */
type DeclaredAnswer<Key, Responses> = Key extends keyof Responses
  ? Responses[Key] extends readonly unknown[] ? AnswerOfSeveral<Key, keyof Responses, Responses[Key][number]>
  : Answer<
    StatusesOf<Key, keyof Responses, Responses[Key]>,
    Responses[Key] extends { readonly schema: infer Schema extends object }
      ? BodyOf<Responses[Key], InferOutput<Schema>>
      : undefined extends Responses[Key] ? "This status may be absent: declare it without a condition"
      : undefined,
    SentOf<Responses[Key]>
  >
  : never;

/** The answers that a list of responses declares. */
type AnswerOfSeveral<Key, Keys, Entry> = Entry extends unknown ? Answer<
    StatusesOf<Key, Keys, Entry>,
    Entry extends { readonly schema: infer Schema extends object } ? BodyOf<Entry, InferOutput<Schema>> : undefined,
    SentAsOneOf<
      Entry extends { readonly contentType: infer Type extends string } ? TypesIn<Type> : "application/json",
      Entry extends { readonly headers: infer Headers extends object } ? HeadersOf<Headers> : Record<never, never>
    >
  >
  : never;

/**
 * @internal The body of a declared response: the output of its schema, or a string if the declared media type is not
 * JSON.
 */
export type BodyOf<Entry, Output> = Entry extends { readonly contentType: infer Type extends string }
  ? Output extends string | StreamBody ? Output
  : Lowercase<Type> extends JsonType ? Output
  : string extends Type ? Output
  : string
  : Output;

/** The media type and the headers of a declared response. */
type SentOf<Entry> = keyof Entry extends "schema" | "description" | "examples" ? AsJson : SentAs<
  Entry extends { readonly schema: object; readonly contentType: infer Type } ? TypesIn<Type> : "application/json",
  Entry extends { readonly headers: infer Headers } ? HeadersOf<Headers> : Record<never, never>
>;

/** The media types that a reply may name for a declared one: those of a range. */
type TypesIn<Type> = Type extends `${infer Top}/*` ? `${Top extends "*" ? string : Top}/${string}` : Type;

/** The declared headers of a response, with what `reply` takes for each. */
type HeadersOf<Headers> =
  & { readonly [Name in keyof Headers as IfRequired<Headers[Name], Name, never>]: ValueOf<Headers[Name]> }
  & {
    readonly [Name in keyof Headers as IfRequired<Headers[Name], never, Name>]?: ValueOf<Headers[Name]> | undefined;
  } extends infer Merged ? { readonly [Name in keyof Merged]: Merged[Name] } : never;

/** Whether a header is required. It is if `required` may be any boolean, as in a variable without `as const`. */
type IfRequired<Header, Then, Else> = Header extends { readonly required: infer Value }
  ? true extends Value ? Then : Else
  : Else;

/** The values of a declared header: the output of its schema if that can be sent, else a string. */
type ValueOf<Header> = Header extends { readonly schema: infer Schema extends object }
  ? unknown extends InferOutput<Schema> ? HeaderValue
  : InferOutput<Schema> extends infer Value extends HeaderValue ? Value
  : string
  : HeaderValue;

/**
 * The statuses that a key of `responses` stands for. A range and `default` become the statuses that no other key stands
 * for: TypeScript tells answers apart by literal statuses only. With a schema, these are statuses that have a body.
 */
type StatusesOf<Key, Keys, Entry> = `${Key & (string | number)}` extends `${infer Status extends number}` ? Status
  : Exclude<
    StatusRanges[RangeIn<Key>],
    | StatusIn<Keys>
    | (Key extends "default" ? RangesIn<Keys> : never)
    | (Entry extends { readonly schema: object } ? 204 | 205 | 304 : never)
  >;

/** The single statuses among the keys. */
type StatusIn<Keys> = Keys extends string | number ? `${Keys}` extends `${infer Status extends number}` ? Status : never
  : never;

/** The first digit of the range that a key is. For `default`, those of the statuses that a handler can send. */
type RangeIn<Key> = Key extends `${infer First extends keyof StatusRanges}XX` ? First : 2 | 3 | 4 | 5;

/** The statuses of all ranges among the keys. */
type RangesIn<Keys> = Keys extends `${infer First extends keyof StatusRanges}XX` ? StatusRanges[First] : never;

/** The statuses of each range. */
interface StatusRanges {
  /** Informational. A handler sends no other. */
  readonly 1: 101;
  /** Successful. */
  readonly 2: RangeOf<2>;
  /** Redirection. */
  readonly 3: RangeOf<3>;
  /** Client errors. */
  readonly 4: RangeOf<4>;
  /** Server errors. */
  readonly 5: RangeOf<5>;
}

/** The statuses that begin with a digit, as numbers. */
type RangeOf<First extends number> = StatusIn<`${First}${Digit}${Digit}`>;

/** The digits. */
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
