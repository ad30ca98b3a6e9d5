/** What the arguments of `reply` may be, by the answers that the context declares. Types only. */

import type { ExactBody, KeysIn } from "./body.ts";
import type { Named } from "../values/named.ts";
import type { JsonType } from "./media_type.ts";
import type { Answer, AsItIs, AsJson, InferredInit, ReplyInit, SentAs, SentAsOneOf } from "./reply_type.ts";

/**
 * @internal `unknown`, or the message for a status whose response has a body or headers. It is the type of `this` of
 * `reply`, so that editors complete all declared statuses. For a status that is not declared, TypeScript infers all of
 * those that are, so the message is for it, too.
 */
export type WithoutBody<Answers, Status> = [Status] extends [Bare<Answers>] ? unknown
  : "This status is not declared, or it is declared with a body or with headers: reply(status, body, { headers })";

/** The statuses of the answers without a body. */
type Bare<Answers> = Answers extends Answer<infer Status, infer Body, infer Sent>
  ? [Body, AsJson] extends [undefined, Sent] ? Status : never
  : number;

/**
 * The answer of a reply by itself: one for each status and each media type, since each is compared with a declared one.
 * Types only.
 *
 * @typeParam Status The status.
 * @typeParam Body The body.
 * @typeParam Sent How it is sent.
 */
export type OwnAnswer<Status, Body, Sent> = Status extends number ? Answer<Status, Body, Sent> : never;

/**
 * The answer of a reply with a third argument. Types only.
 *
 * @typeParam Status The status.
 * @typeParam Body The body.
 * @typeParam Init The third argument.
 * @typeParam Type The media type.
 */
export type OwnAnswerWith<Status, Body, Init, Type = TypeIn<Init>> = Type extends unknown
  ? OwnAnswer<Status, Body, SentWith<Init, Type>>
  : never;

/**
 * How a body is sent without a third argument. Types only.
 *
 * @typeParam Body The body.
 */
export type SentAlone<Body> = Body extends Response ? AsItIs : AsJson;

/**
 * @internal How a body is sent with a third argument.
 *
 * @typeParam Type The media type, if the third argument cannot have one.
 */
type SentWith<Init, Type = TypeIn<Init>> = keyof InferredInit extends keyof Init ? AsItIs
  : SentAs<Type, SentHeaders<Init>>;

/** @internal The headers of a third argument. If they may be left out, none are among them. */
export type SentHeaders<Init> = Init extends { readonly headers?: unknown }
  ? "headers" extends keyof Init
    ? undefined extends Init["headers"] ? Exclude<Init["headers"], undefined> | Record<never, never> : Init["headers"]
  : Record<never, never>
  : Record<never, never>;

/**
 * @internal The body that goes with a status, without a third argument: what the context declares, or, without a
 * context, what is given. Without a context, `Answers` is `Given`. Both directions are compared: a body of a wider type
 * would accept the only answer, too.
 */
export type BodyIn<Answers, Status, Body, Given, Statuses = Status, All = Answers> = [Answers, Given] extends
  [Given, Answers] ? Body
  : Answers extends Answer<infer Declared, infer Expected, infer Sent>
    ? Status extends Declared
      ? [Statuses] extends [Declared] ? "~oneOf" extends keyof Sent ? BodyInOneOf<All, Status, Body>
        : AsJson extends Sent ? ExpectedBody<Body, Expected>
        : [Expected] extends [undefined] ? Response | MissingInit<Status, "undefined", Sent>
        : ExpectedBody<Body, Expected> & MissingInit<Status, "body", Sent>
      : FitEach<Body, Statuses extends unknown ? [Statuses, BodyIn<All, Statuses, Body, Given>] : never>
    : never
  : Body;

/** @internal The body that goes with a status, beside a third argument. */
export type BodyBeside<Answers, Status, Body, Init, Given, Statuses = Status, All = Answers> = [Answers, Given] extends
  [Given, Answers] ? BodyOfType<Body, TypeIn<Init>>
  : Answers extends Answer<infer Declared, infer Expected, infer Sent>
    ? Status extends Declared
      ? [Statuses] extends [Declared]
        ? "~oneOf" extends keyof Sent ? BodyOfChosen<AnswerOfType<All, Status, TypeIn<Init>>, Status, Body, Init>
        : Exclude<ExpectedBody<Body, Expected>, Response>
      : FitEach<Body, Statuses extends unknown ? [Statuses, BodyBeside<All, Statuses, Body, Init, Given>] : never>
    : never
  : Body;

/** @internal The third argument that goes with a status. */
export type InitIn<Answers, Status, Init, Given, Statuses = Status, All = Answers> = [Answers, Given] extends
  [Given, Answers] ? Init
  : Answers extends Answer<infer Declared, infer _, infer Sent>
    ? Status extends Declared
      ? [Statuses] extends [Declared]
        ? "~oneOf" extends keyof Sent ? InitIn<AnswerOfType<All, Status, TypeIn<Init>>, Status, Init, never>
        : InitFor<Sent, Init>
      : FitEach<Init, Statuses extends unknown ? [Statuses, InitIn<All, Statuses, Init, Given>] : never>
    : never
  : Init;

/**
 * @internal The body that goes with a status, for a {@linkcode ReplyAs}.
 *
 * @typeParam Headers The headers that are given: `never` if there is a third argument, which is checked by itself.
 */
export type BodyAs<Answers, Status, Body, Type, Headers, Given, Statuses = Status, All = Answers> =
  [Answers, Given] extends [Given, Answers] ? BodyOfType<Body, Type>
    : Answers extends Answer<infer Declared, infer Expected, infer Sent>
      ? Status extends Declared
        ? [Statuses] extends [Declared] ? "~oneOf" extends keyof Sent ? BodyAsOneOf<All, Status, Body, Type, Headers>
          : SentAs<Type, Headers> extends Sent ? Exclude<ExpectedBody<Body, Expected>, Response>
          : SentAs<Type, never> extends Sent ? Expected & MissingInit<Status, "body", Sent>
          : Expected & OtherType<Status, Type, Sent>
        : FitEach<
          Body,
          Statuses extends unknown ? [Statuses, BodyAs<All, Statuses, Body, Type, Headers, Given>] : never
        >
      : never
    : Body;

/** The body for one of several media types, for a {@linkcode ReplyAs}. If that may have several, it must fit each. */
type BodyAsOneOf<All, Status, Body, Type, Headers, Chosen = AnswerOfType<All, Status, Type>> =
  [MeansOne<Chosen, Type>] extends [never] ? FitEach<
      Body,
      Type extends unknown ? [
          `${Status & number} as ${Type & string}`,
          BodyAs<AnswerOfType<All, Status, Type>, Status, Body, Type, Headers, never>,
        ]
        : never
    >
    : BodyAs<Chosen, Status, Body, Type, Headers, never>;

/** @internal The third argument that goes with a status, for a {@linkcode ReplyAs}. */
export type InitAs<Answers, Status, Init, Type, Given, Statuses = Status, All = Answers> = [Answers, Given] extends
  [Given, Answers] ? Init
  : Answers extends Answer<infer Declared, infer _, infer Sent>
    ? Status extends Declared
      ? [Statuses] extends [Declared]
        ? "~oneOf" extends keyof Sent ? InitAs<AnswerOfType<All, Status, Type>, Status, Init, Type, never>
        : Omit<InitFor<Sent, Init>, "contentType">
      : FitEach<Init, Statuses extends unknown ? [Statuses, InitAs<All, Statuses, Init, Type, Given>] : never>
    : never
  : Init;

/** @internal The answers of one status that a media type selects; all of them if it selects none. */
export type AnswerOfType<All, Status, Type> = [AnswersOfType<All, Status, Type>] extends [never]
  ? AnswersOfType<All, Status, string>
  : AnswersOfType<All, Status, Type>;

/** The answers of one status with one of these media types, each as if it were the only one. */
type AnswersOfType<All, Status, Type> = All extends Answer<infer Declared, infer Expected, infer Sent>
  ? Status extends Declared ? Sent extends SentAsOneOf<infer Own, infer Headers> ? [Own & Type] extends [never] ? never
      : Answer<Declared, Expected, SentAs<Own, Headers>>
    : never
  : never
  : never;

/**
 * The body for several media types, without a third argument: that of JSON, if JSON is among them. A ready `Response` may be of any
 * that has no schema.
 */
type BodyInOneOf<All, Status, Body> =
  | BodyIn<AnswerOfType<All, Status, "application/json">, Status, Body, never>
  | ReadyBody<AnswersOfType<All, Status, string>>;

/** The media types of answers. */
type TypeOfAnswer<Answers> = Answers extends Answer<number, unknown, SentAs<infer Type, unknown>> ? Type : never;

/** A ready response, if an answer has no schema. */
type ReadyBody<Answers> = Answers extends Answer<number, infer Expected, unknown>
  ? [Expected] extends [undefined] ? Response : never
  : never;

/**
 * The body for the answers that a third argument selects. If that selects several media types, the body
 * must fit each.
 */
type BodyOfChosen<Chosen, Status, Body, Init, Type = TypeIn<Init>> = [MeansOne<Chosen, Type>] extends [never] ? FitEach<
    Body,
    Chosen extends Answer<number, unknown, SentAs<infer Own, unknown>>
      ? [`${Status & number} as ${Own & string}`, BodyBeside<Chosen, Status, Body, Init, never>]
      : never
  >
  : BodyBeside<Chosen, Status, Body, Init, never>;

/** Whether a media type means one of several answers, or none. */
type MeansOne<Chosen, Type> = string extends Type ? true
  : [TypeOfAnswer<Chosen> & Type] extends [never] ? true
  : Chosen extends Answer<number, unknown, SentAs<infer Own, unknown>> ? [Type] extends [Own] ? true : never
  : never;

/**
 * @internal What is given for a status that is one of several, if it fits what is declared for each of them.
 *
 * @typeParam Expected A pair for each status: the status, and what is expected for it.
 */
export type FitEach<Given, Expected> = unknown extends Given ? ForEachStatus<Expected>
  : [MisfitOf<Given, Expected>] extends [never] ? Given
  : `This does not fit what is declared for ${MisfitOf<Given, Expected>}: write one call for each`;

/** The statuses that what is given does not fit. */
type MisfitOf<Given, Expected> = Expected extends readonly [infer Status extends number | string, infer ForStatus]
  ? [Given] extends [ForStatus] ? never : Status
  : never;

/** @internal What all statuses expect. It is the type in whose context a literal is read. */
// `AcceptedByAll`, written out: a reply would take 12 types more.
export type ForEachStatus<Expected> =
  (Expected extends readonly [unknown, infer ForStatus] ? (each: ForStatus) => void : never) extends
    (each: infer All) => void ? All : never;

/**
 * The body for a declared one. Both are compared as a whole first: of a type parameter, as in a generic function that
 * declares routes, TypeScript can compare nothing else.
 */
type ExpectedBody<Body, Expected> = (<T>() => T extends Body ? 1 : 2) extends (<T>() => T extends Expected ? 1 : 2)
  ? Expected
  : unknown extends Expected ? Expected
  : [Expected] extends [undefined] ? Body extends Response | undefined ? Response | undefined : NoBodyToSend
  : ExactBody<Body, Exclude<Expected, undefined>>;

/** For `reply(200, value)` where the declared response has no schema: the message. */
type NoBodyToSend = "This response has no schema, so no body: declare one, or write undefined in place of the body";

/**
 * The message for a third argument that is missing. An intersection with it still lets editors complete the keys of the
 * body.
 */
type MissingInit<Status, Body extends string, Sent> = Sent extends SentAs<infer Type, infer Headers> ? {
    readonly [
      Message in `Write reply(${Named<Status>}, ${Body}, { ${MissingKeys<Type, Headers>} })`
    ]: never;
  }
  : never;

/** What a third argument must have, as code. */
type MissingKeys<Type, Headers> = "application/json" extends Type ? MissingHeaders<Headers>
  : Record<never, never> extends Headers ? `contentType: "${MediaTypeName<Type>}"`
  : `contentType: "${MediaTypeName<Type>}", ${MissingHeaders<Headers>}`;

/** @internal A media type in a message: those of a range as the range that is declared. */
export type MediaTypeName<Type> = Type extends `${infer Top}/${infer Sub}`
  ? `${string extends Top ? "*" : Top}/${string extends Sub ? "*" : Sub}`
  : Named<Type>;

/** @internal The headers that a third argument must have, as code. */
export type MissingHeaders<Headers> = `headers: { "${Named<RequiredHeaders<Headers>>}": ... }`;

/** The names of the required headers. */
type RequiredHeaders<Headers> =
  & keyof { [Name in keyof Headers as Record<never, never> extends Pick<Headers, Name> ? never : Name]: unknown }
  & string;

/** The third argument for a declared media type and declared headers. */
type InitFor<Sent, Init> = Sent extends SentAs<infer Type, infer Headers> ?
    & Pick<ReplyInit, "statusText">
    & ("application/json" extends Type ? { readonly contentType?: Type | undefined } : { readonly contentType: Type })
    & ([keyof Headers] extends [never] ? Pick<ReplyInit, "headers">
      : Record<never, never> extends Headers
        ? { readonly headers?: ExactHeaders<SentHeaders<Init>, Headers> | undefined }
      : { readonly headers: ExactHeaders<SentHeaders<Init>, Headers> })
  : never;

/**
 * @internal The declared headers, with a message as the type of each that is given beyond them. If the declared ones do
 * not fit anyway, or if the names are not known, they are left to the compiler.
 */
export type ExactHeaders<Given, Declared> = [Given] extends [Iterable<unknown>] ? Declared
  : string extends KeysIn<Given> ? Declared
  : [Pick<Given, keyof Given & keyof Declared>] extends [Declared] ?
      & Declared
      & {
        readonly [Name in Exclude<KeysIn<Given>, keyof Declared | symbol>]?:
          | OtherHeader<Name & string, Declared>
          | undefined;
      }
  : Declared;

/** The message for a header that is not declared. */
type OtherHeader<Name extends string, Declared> =
  keyof { [Key in keyof Declared as Lowercase<Key & string> extends Lowercase<Name> ? Key : never]: unknown } extends
    infer Same extends string
    ? [Same] extends [never] ? `The response declares no header "${Name}": declare it, or leave it out`
    : `The response declares the header "${Same}": write its name so`
    : never;

/** The message for a media type that is not the declared one. */
type OtherType<Status, Type, Sent> = Sent extends SentAs<infer Declared, unknown> ? {
    readonly [Message in `${Named<Status>} is declared as ${MediaTypeName<Declared>}, not as ${MediaTypeName<Type>}`]:
      never;
  }
  : never;

/** A body without a context, or the message for one that cannot be sent. */
type BodyOfType<Body, Type> = string extends Type ? Body
  : Lowercase<Type & string> extends JsonType ? Body
  : [Body] extends [string | undefined] ? Body
  : `The body must be a string, since ${Type & string} is not JSON`;

/** @internal The media type of a third argument. If it may be left out, JSON is one of them. */
type TypeIn<Init> = Init extends { readonly contentType?: unknown }
  ? "contentType" extends keyof Init
    ? undefined extends Init["contentType"] ? Exclude<Init["contentType"], undefined> | "application/json"
    : Init["contentType"]
  : "application/json"
  : "application/json";
