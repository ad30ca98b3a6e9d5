/** Whether declared responses have only known keys, fit their examples, and include denials of guards. Types only. */

import type { KeysOf } from "../values/types.ts";
import type { DeclaredAnswers } from "./answers.ts";
import type { CheckExamples } from "./check_examples.ts";
import type { Answer, AnyAnswer, HeaderNames, SentAs } from "./reply_type.ts";
import type { Named } from "../values/named.ts";
import type { HiddenIn, OtherKeysIn, SentBody } from "./body.ts";
import type { AnswerOfType, MediaTypeName, MissingHeaders } from "./reply_arguments.ts";
import type { MergeResponses, RouteResponse, RouteResponses } from "./responses.ts";

/**
 * @internal
 * Checks declared responses. They must have only known keys, examples that fit, and what guards deny with by a `reply`.
 * If so, it is `unknown`. Otherwise it has a property whose name or type is the message of the compiler.
 *
 * @typeParam Denied The answers that guards deny with.
 * @typeParam Defaults The responses of the scope.
 * @typeParam Responses The responses of the route.
 */
export type CheckResponses<Denied, Defaults, Responses> = [keyof Responses] extends [keyof RouteResponses | `${number}`]
  // As text, since any number is a member of an enum.
  ? `${number}` extends `${keyof Responses & number}` ? CheckStatuses<Responses>
  : [KeysOf<Responses[keyof Responses]>] extends [ResponseKey] ?
      & ("examples" extends KeysOf<Responses[keyof Responses]> ? CheckExamples<Responses> : unknown)
      & ("~stream" extends KeysOf<Responses[keyof Responses]> ? CheckSockets<Responses> : unknown)
      // Not `unknown`: editors then complete the statuses and the keys of a response.
      & CommonStatuses
      & ([Denied] extends [never] ? { readonly [Key in keyof Responses]: WrittenResponse }
        : DeclaredAnswers<MergeResponses<Defaults, Responses>> extends infer Answers ? CheckDenials<Denied, Answers>
        : never)
    // Inferred anew, so that TypeScript does not infer the responses from the messages.
  : [Responses] extends [infer Own] ? CheckSeveral<Denied, Defaults, Own>
  : never
  : {
    readonly [Key in UnknownStatuses<Responses>]?:
      'Not a status: write a number such as 200, a range such as "4XX", or default';
  };

/** The keys of a response. */
type ResponseKey = Exclude<keyof RouteResponse, "~standard">;

/** Statuses that are any number, as those of `{ [HTTP.OK]: … }` without `as const`: nothing could be checked. */
type CheckStatuses<Responses> = "default" extends keyof Responses ? unknown : {
  readonly [status: number]:
    "This status is any number to the compiler: write as const after the object that it comes from";
};

/** What editors complete in a response. */
type WrittenResponse = Omit<RouteResponse, "~standard" | "~stream">;

/** The statuses that editors complete. Any other may be declared as well. */
type CommonStatuses = {
  /** OK. */
  readonly 200?: unknown;
  /** Created. */
  readonly 201?: unknown;
  /** Accepted. */
  readonly 202?: unknown;
  /** No Content. */
  readonly 204?: unknown;
  /** See Other. */
  readonly 303?: unknown;
  /** Not Modified. */
  readonly 304?: unknown;
  /** Bad Request. */
  readonly 400?: unknown;
  /** Unauthorized: the client has not signed in. */
  readonly 401?: unknown;
  /** Forbidden. */
  readonly 403?: unknown;
  /** Not Found. */
  readonly 404?: unknown;
  /** Conflict. */
  readonly 409?: unknown;
  /** Content Too Large. */
  readonly 413?: unknown;
  /** Unprocessable Content. */
  readonly 422?: unknown;
  /** Too Many Requests. */
  readonly 429?: unknown;
  /** Service Unavailable. */
  readonly 503?: unknown;
  /** Any status that is not listed. */
  readonly default?: unknown;
};

/** As {@linkcode CheckResponses}, of responses some of which are lists, or have unknown keys. */
type CheckSeveral<Denied, Defaults, Responses> = `${number}` extends `${keyof Responses & number}` ? unknown
  : [KeysOf<EntryOf<Responses[keyof Responses]>>] extends [ResponseKey] ?
      & CheckLists<Responses>
      & CheckExamples<Responses>
      & CheckSockets<Responses>
      & ([Denied] extends [never] ? { readonly [Key in keyof Responses]: RouteResponses[number] }
        : CheckDenials<Denied, DeclaredAnswers<MergeResponses<Defaults, Responses>>>)
  : UnknownKeys<Responses>;

/** The messages for the unknown keys of responses. */
type UnknownKeys<Responses> = {
  readonly [Key in keyof Responses]?: Responses[Key] extends readonly unknown[] ? UnknownKeys<Responses[Key]>
    : Responses[Key] extends { readonly "~standard": unknown } ? "This is a bare schema: write { schema: … } around it"
    : {
      readonly [Unknown in Exclude<keyof Responses[Key], keyof RouteResponse>]?:
        "Unknown key: a response has schema, description, contentType, headers and examples";
    };
};

/** The messages for sockets that no handshake opens. */
type CheckSockets<Responses> = {
  readonly [Key in keyof Responses]: [Extract<EntryOf<Responses[Key]>, SocketEntry>] extends [never] ? unknown
    : [Key, Responses[Key]] extends [101, SocketEntry] ? unknown
    : "A socket has the status 101, without a list: write 101: socket({ client, server })";
};

/** A response that is a socket. */
interface SocketEntry {
  /** How it is declared. */
  readonly "~stream": { readonly isSocket: true };
}

/** A response, or one of a list. */
type EntryOf<Declared> = Declared extends readonly (infer Entry)[] ? Entry : Declared;

/** The messages for lists of responses that are empty, or whose responses cannot be told apart. */
type CheckLists<Responses> = {
  readonly [Key in keyof Responses]: Responses[Key] extends readonly unknown[] ? CheckList<Responses[Key]> : unknown;
};

/**
 * `unknown`, or the message for a list.
 *
 * @typeParam Types The media types of the list so far.
 */
type CheckList<List, Types = never> = List extends readonly [infer First, ...infer Rest]
  ? MediaTypeIn<First> extends infer Type
    ? string extends Type ? "The media type is any string: write as const after the response that has it"
    : Type extends Types ? `Two responses of a list have the media type ${Type & string}: give each another contentType`
    : Rest extends readonly [] ? unknown
    : CheckList<Rest, Types | Type>
  : never
  : List extends readonly [] ? "An empty list: write a response, or {}"
  : "A list whose length is not known: write as const after it";

/** The media type of a response, as it is compared with others. */
type MediaTypeIn<Entry> = Entry extends { readonly contentType: infer Type extends string }
  ? string extends Type ? string : WithoutParameters<Lowercase<Type>>
  : "application/json";

/** A media type without its parameters. */
type WithoutParameters<Type extends string> = Type extends `${infer Before};${string}` ? WithoutParameters<Before>
  : Type extends `${infer Before} ${string}` ? Before
  : Type;

/** The keys that are no statuses. */
type UnknownStatuses<Responses> = Exclude<keyof Responses, keyof RouteResponses | `${number}`>;

/**
 * @internal `unknown` if the declared answers include those that guards deny with; else a property whose name is the
 * message of the compiler.
 */
export type CheckDenials<Denied, Answers> = [Denied] extends [Answers] ? unknown
  : { readonly [Message in DenialMessage<Exclude<Denied, Answers>, Answers>]: unknown };

/** The messages for denials that do not fit the declared answers. */
type DenialMessage<Denied, Answers> = Denied extends Answer<infer Status, infer Body, infer Sent>
  ? StatusMessage<Status, Body, Sent, Answers>
  : "A guard denies with a reply that is not declared";

/** The messages for the statuses of a denial that do not fit. */
type StatusMessage<Status, Body, Sent, Answers> = Status extends number
  ? [Answer<Status, Body, Sent>] extends [Answers] ? never
  : [AnswerWith<Status, Answers>] extends [never]
    ? `${Named<Status>} must be declared, with the body that a guard denies with`
  : MisfitMessage<Status, Body, Sent, AnswerOfType<Answers, Status, Sent["contentType" & keyof Sent]>>
  : never;

/** The message for a denial that does not fit what is declared for its status. */
type MisfitMessage<Status extends number, Body, Sent, Declared> = Declared extends
  Answer<number, infer DeclaredBody, infer DeclaredSent>
  ? [SentBody<Body>] extends [SentBody<DeclaredBody>]
    ? [Sent] extends [DeclaredSent]
      ? `${Named<Status>} is declared without a key of the body that a guard denies with: ${OtherKeys<
        Body,
        DeclaredBody
      >}`
    : [OtherHeaders<Sent, DeclaredSent>] extends [never]
      ? `${Named<Status>} is declared ${DescribeSent<DeclaredSent>}, and a guard denies ${DescribeSent<Sent>}`
    : `${Named<Status>} is declared without a header that a guard denies with: "${Named<
      OtherHeaders<Sent, DeclaredSent>
    >}"`
  : `${Named<Status>} is declared with another body than a guard denies with: ${WhichToChange}`
  : never;

/** Which of both to change, if a route and a guard disagree. */
type WhichToChange = "if other routes have the guard, declare its body here, else change the guard";

/** The declared answers with a status. */
type AnswerWith<Status, Answers> = Answers extends AnyAnswer ? Status extends Answers["status"] ? Answers : never
  : never;

/** The keys of a body that a declared body lacks. */
type OtherKeys<Body, Declared> = [HiddenIn<Body>] extends [never]
  ? OtherKeysIn<Body, Declared> extends infer Key
    ? [Key] extends [never] ? "that of another member of a union" : `"${Named<Key>}"`
  : never
  : "a private member";

/** The headers that are sent and not declared, where some are declared. */
type OtherHeaders<Sent, Declared> = [Sent, Declared] extends
  [SentAs<infer Type, infer Headers>, SentAs<infer DeclaredType, infer DeclaredHeaders>]
  ? [Type, HeaderNames<Headers>] extends [DeclaredType, HeaderNames<DeclaredHeaders>] ? never
  : Exclude<keyof Headers & string, keyof DeclaredHeaders>
  : never;

/** How an answer is sent, in words. */
type DescribeSent<Sent> = Sent extends SentAs<infer Type, infer Headers>
  ? Record<never, never> extends Headers ? `as ${MediaTypeName<Type>}`
  : `as ${MediaTypeName<Type>} with ${MissingHeaders<Headers>}`
  : never;

/** @internal The answers that the guards of a list deny with by a `reply`. */
export type DenialsOf<Guards> = Guards extends readonly (infer Guard)[]
  ? Guard extends (...args: never) => infer Result ? DenialOf<Result> : never
  : never;

/** The answer that a guard denies with; `never` if it does not deny, or denies with any response. */
type DenialOf<Result> = Result extends { readonly deny: infer Denied }
  ? Denied extends { readonly "return reply(status, body)": infer Answers } ? Answers : never
  : Result extends Promise<infer Settled> ? DenialOf<Settled>
  : never;

/**
 * @internal The denials of a scope that its routes must declare. If the scope declares responses, the denials that are
 * not among them are reported there, and not again at each route.
 */
export type ReportedOnce<Denied, Defaults, Responses> = [Responses] extends [never] ? Denied
  : Extract<Denied, DeclaredAnswers<MergeResponses<Defaults, Responses>>>;
