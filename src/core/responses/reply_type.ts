/** What TypeScript knows of a reply. Types only. */

import type { SentBody, SentKeys } from "./body.ts";

/**
 * A response whose status, body, media type and declared headers TypeScript knows. {@linkcode reply} makes it. A route
 * that declares `responses` must return one that fits.
 *
 * Its headers can be changed: `response.headers.set("etag", tag)`. A copy made by `new Response` loses the type.
 *
 * If a function returns one of several, write `Reply<Found | Missing>`. `Reply<Found> | Reply<Missing>`, as TypeScript
 * infers it, fits there, but not the reverse.
 *
 * @typeParam Answers An {@linkcode Answer}, or a union of them.
 *
 * @example A response that TypeScript cannot check
 * ```ts
 * import { type Answer, type Reply, route } from "@fw/core";
 * import { z } from "zod";
 *
 * const greeting = route.get("/greeting", {
 *   responses: { 200: { schema: z.string() } },
 *   resolve: () => new Response('"Hello"') as Reply<Answer<200, string>>,
 * });
 * ```
 */
export interface Reply<Answers extends AnyAnswer = AnyAnswer> extends Response {
  /**
   * As in `Response`. Its type makes TypeScript compare replies property by property, because of the mapped type with
   * `-?`: so a message about a status names all declared ones. An optional property would do that as well, but add a
   * hint about `exactOptionalPropertyTypes` to each message.
   */
  readonly redirected: boolean & { readonly [Key in keyof Answers as never]-?: unknown };
  /** The status. */
  readonly status: Answers["status"];
  /**
   * Type-only, absent at run time: what the response answers. TypeScript names it if a route returns another response.
   */
  readonly "return reply(status, body)": Answers;
}

/**
 * What the handler of declared responses returns: a {@linkcode Reply}. It is not `Reply` itself, so that the message
 * about another value, such as a plain object, names the one key that says what to write, and no keys of a `Response`.
 *
 * @typeParam Answers The declared answers.
 */
export interface Replied<Answers extends AnyAnswer = AnyAnswer> {
  /** Type-only, absent at run time: what the response answers. */
  readonly "return reply(status, body)": Answers;
  /** As in {@linkcode Reply}. */
  readonly redirected: boolean & { readonly [Key in keyof Answers as never]-?: unknown };
  /** The status. */
  readonly status: Answers["status"];
}

/**
 * What the handler of declared responses returns, or a promise of it. TypeScript prints the name with its first
 * argument: `MustReturn<"reply(status, body)", …>`.
 *
 * @typeParam _Advice What to write.
 * @typeParam Answers The declared answers.
 */
export type MustReturn<_Advice extends "reply(status, body)", Answers extends AnyAnswer> =
  | Replied<Answers>
  | Promise<Replied<Answers>>;

/** Any answer. Types only. */
export interface AnyAnswer {
  /** The status. */
  readonly status: number;
}

/**
 * One status with one body. Types only.
 *
 * @typeParam Status The status.
 * @typeParam Body The body before it is sent. Without a schema: a ready `Response`, or `undefined` for no body.
 * @typeParam Sent How it is sent: {@linkcode AsJson}, or a {@linkcode SentAs} with another media type or with headers.
 */
export interface Answer<out Status extends number = number, Body = unknown, out Sent = AsJson> {
  /** The status. */
  readonly status: Status;
  /** How the body is sent. */
  readonly sent: Sent;
  /**
   * Nothing. A mapped type with `-?` makes TypeScript compare answers property by property, if it stands before the
   * properties that depend on `Body`.
   */
  readonly "~compared": { readonly [Key in keyof Body & string as never]-?: unknown };
  /** The body. */
  readonly body: SentBody<Body>;
  /** The keys of the body. The absence of a body does not match an optional schema. */
  readonly keys: [Body] extends [undefined] ? "no body" : SentKeys<Body>;
}

/**
 * How an answer is sent. Types only.
 *
 * @typeParam Type The media type.
 * @typeParam Headers The headers: `{ location: string; etag?: string }`.
 *
 * @example A function that replies with problem details
 * ```ts
 * import { type Answer, type Reply, reply, type SentAs } from "@fw/core";
 *
 * type Problem = Answer<404 | 409, { title: string }, SentAs<"application/problem+json">>;
 *
 * const missing = (): Reply<Problem> =>
 *   reply(404, { title: "No such book" }, { contentType: "application/problem+json" });
 * ```
 */
export interface SentAs<out Type, Headers = Record<never, never>> {
  /** The media type. */
  readonly contentType: Type;
  /**
   * Nothing. A mapped type with `-?` makes TypeScript compare property by property, if it stands before the properties
   * that depend on `Headers`.
   */
  readonly "~compared": { readonly [Key in keyof Headers & string as never]-?: unknown };
  /** The names of the headers. They stand before the headers: of both errors, this one says what to do. */
  readonly names: HeaderNames<Headers>;
  /** The headers. */
  readonly headers: Headers;
}

/**
 * How one of several answers with the same status is sent. Types only. A reply fits if it has the media type of one of
 * them, with its body and its headers.
 *
 * @typeParam Type The media type.
 * @typeParam Headers The headers.
 */
export interface SentAsOneOf<out Type, Headers = Record<never, never>> extends SentAs<Type, Headers> {
  /** Type-only. */
  readonly "~oneOf"?: true;
}

/**
 * @internal The names of headers, in a form that TypeScript compares: a reply fits a declared response only if the
 * names of its headers are among the declared ones. Without headers, there is nothing to compare: a declared response
 * without them accepts any, and a reply without them has none. Of `Headers`, pairs and records, the names are not
 * known.
 */
export type HeaderNames<Headers> = Headers extends Iterable<unknown> ? Record<never, never>
  : [keyof Headers] extends [never] ? Record<never, never>
  : string extends keyof Headers ? Record<never, never>
  : {
    /** The names, in a tuple, since TypeScript would compare them one by one with the members of a union. */
    readonly "declare each header, or leave it out"?: readonly [
      { [Name in keyof Headers]-?: Headers[Name] extends undefined ? never : Name }[keyof Headers],
    ];
  };

/** As `application/json`, without declared headers. Types only. */
export interface AsJson extends SentAs<"application/json"> {}

/** For a ready `Response`, whose media type and headers TypeScript does not know. Types only. */
export interface AsItIs extends SentAs<never, never> {}

/** A value that is sent as a header. */
export type HeaderValue = string | number | boolean;

/** The third argument of {@linkcode reply}. */
export interface ReplyInit {
  /** The headers. A header whose value is `undefined` is not sent. */
  readonly headers?: ReplyHeaders | undefined;
  /** The status text. HTTP/2 does not send it. */
  readonly statusText?: string | undefined;
  /**
   * The media type; `application/json` by default. With a media type of JSON, such as `application/problem+json`, the
   * body is sent as JSON. With any other, the body is a string, and is sent unchanged.
   */
  readonly contentType?: string | undefined;
}

/**
 * A third argument whose type is inferred. If it does not fit, TypeScript infers this type, and the reply then fits any
 * response: the mistake is reported where it is, not at each route that returns the reply.
 */
export interface InferredInit extends Omit<ReplyInit, "headers"> {
  /** Any headers. Those that are declared are demanded by the parameter itself. */
  // `Iterable` in place of `Headers`, whose methods editors would complete.
  readonly headers?:
    | Iterable<readonly string[]>
    | {
      readonly [name: string]: HeaderValue | undefined;
      readonly "content-type"?: "Write contentType beside headers, not in it";
    }
    | undefined;
  /**
   * Type-only: no value has this key. It tells this type from each that is given. It is a symbol, since editors do not
   * complete symbols, and one that all know, since declarations name it.
   */
  readonly [Symbol.unscopables]?: never;
}

/** The headers of a reply. To send one of them several times, use `Headers` or pairs. */
export type ReplyHeaders = Headers | readonly (readonly [name: string, value: string])[] | {
  /** The value of a header. */
  readonly [name: string]: HeaderValue | undefined;
  /** Not allowed here: the media type is `contentType`. */
  readonly "content-type"?: "Write contentType beside headers, not in it";
};
