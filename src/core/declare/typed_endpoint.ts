/** What clients see of a route, and what a route that implements it must do. Types only. */

import type { InferInput, InferOutput, Input, TypePredicate } from "../input/input.ts";
import type { JoinRequests } from "../input/scope_schemas.ts";
import type { InputPart, RequestSchemas } from "../input/request_schemas.ts";
import type { DeclaredAnswers, HandlerResult } from "../responses/answers.ts";
import type { CheckDenials } from "../responses/check_responses.ts";
import type { KeysOf } from "../values/types.ts";
import type { AnyAnswer, MustReturn } from "../responses/reply_type.ts";
import type { MergeResponses, RouteResponses } from "../responses/responses.ts";
import type { RouteDocs } from "./docs.ts";

/**
 * The part of a route that clients see, as plain data without a handler. `endpoint.get` and its siblings make it. Every
 * route is one, too.
 *
 * @typeParam Method The method, or the methods.
 * @typeParam Path The path pattern.
 */
export interface Endpoint<out Method = string | readonly string[], out Path = string> {
  /** The method, several methods, or `"ALL"` for every method. */
  readonly method: Method;
  /** The path pattern, including the prefix of the scope. */
  readonly path: Path;
  /** The schemas, and the bound of the body. */
  readonly request?: RequestSchemas;
  /** The responses by status, merged over those of the scope. */
  readonly responses?: RouteResponses;
  /** The responses of the scope, which are among `responses`. */
  readonly scopeResponses?: RouteResponses;
  /** The documentation, merged over that of the scope. */
  readonly docs?: RouteDocs;
}

/**
 * An endpoint whose input and responses TypeScript knows.
 *
 * @typeParam Method The method, or the methods.
 * @typeParam Path The path pattern.
 * @typeParam Inputs What the server receives, by part. A part whose schema changes its type is a {@linkcode Converted}.
 * If there is a `bodyReader`, it has a key, too.
 * @typeParam Answers The declared responses; `never` if no responses are declared.
 */
export interface TypedEndpoint<out Method, out Path, out Inputs, out Answers = never> extends Endpoint<Method, Path> {
  /** Type-only, absent at run time: what clients send and receive. */
  readonly "~types"?: EndpointTypes<Inputs, Answers>;
}

/**
 * The types that clients of an endpoint send and receive. Types only.
 *
 * @typeParam Inputs What requests have, by part.
 * @typeParam Answers The declared responses; `never` if there are none.
 */
export interface EndpointTypes<out Inputs, out Answers> {
  /** What requests have, by part. */
  readonly inputs: Inputs;
  /** The declared responses. */
  readonly answers: Answers;
}

/**
 * A part of a request that its schema converts. Types only.
 *
 * @typeParam From What clients send.
 * @typeParam To What the server gets.
 */
export interface Converted<out From, out To> {
  /** What clients send. */
  readonly "~from": From;
  /** What the server gets. */
  readonly "~to": To;
}

/** @internal The endpoint that is declared with these schemas and responses. */
export type TypedEndpointOf<Method, Path extends string, Schemas, Defaults, Responses> =
  // Inferred anew, so that editors show the answers themselves, not the name of the type that computes them.
  DeclaredAnswers<MergeResponses<Defaults, Responses>> extends infer Answers ? TypedEndpoint<
      Method,
      Path,
      {
        readonly [Part in keyof Schemas & (InputPart | "bodyReader")]: Part extends InputPart ? PartTypes<Schemas[Part]>
          : Schemas[Part];
      },
      Answers
    >
    : never;

/**
 * @internal The endpoint type that a route with `responses` also has. A route without them has no further types, so
 * that editors show a short type.
 */
export type EndpointOfRoute<
  Method,
  Path extends string,
  Schemas,
  InScope extends { readonly prefix: string; readonly responses: object; readonly request: object },
  Responses,
> = [Responses] extends [never] ? unknown
  // `RouteResponses` itself, as in `ReturnType<typeof route.get>`, which must be a plain route.
  : `${number}` extends `${keyof Responses & number}` ? unknown
  : TypedEndpointOf<
    Method,
    `${InScope["prefix"]}${Path}`,
    JoinRequests<InScope["request"], Schemas>,
    InScope["responses"],
    Responses
  >;

/** The type that a schema accepts. If its output has another type, a {@linkcode Converted} of both. */
type PartTypes<Schema> = InputAndOutput<InferInput<Schema>, InferOutput<Schema>>;

/** The type itself if input and output have the same type, otherwise a {@linkcode Converted} of both. */
type InputAndOutput<From, To> = [From, To] extends [To, From] ? unknown extends From ? Converted<From, To> : From
  : Converted<From, To>;

/** @internal The path of an endpoint. */
export type PathAt<E> = E extends { readonly path: infer Path extends string } ? Path : string;

/** @internal The input of an endpoint after validation. */
export type InputAt<E> = E extends { readonly "~types"?: EndpointTypes<infer Inputs, unknown> }
  // A type predicate stands for the schema, which is not part of the type of an endpoint.
  ? Input<
    {
      readonly [Part in keyof Inputs]: TypePredicate<
        Inputs[Part] extends { readonly "~to": infer Output } ? Output : Inputs[Part]
      >;
    }
  >
  : never;

/** @internal What the handler of an endpoint must return. */
export type ResultAt<E> = [AnswersAt<E>] extends [never] ? HandlerResult<never>
  : MustReturn<"reply(status, body)", CommonAnswers<E>>;

/**
 * The responses that an endpoint declares. Of a union of endpoints: those that each of them declares, or that declare
 * none.
 */
type CommonAnswers<E, Answers extends AnyAnswer = AnswersAt<E> & AnyAnswer> = Answers extends unknown
  ? [LacksAnswer<E, Answers>] extends [never] ? Answers : never
  : never;

/** Of a union of endpoints, those that declare other responses than this one. */
type LacksAnswer<E, Declared> = E extends unknown ? [AnswersAt<E>] extends [never] ? never
  : [Declared] extends [AnswersAt<E>] ? never
  : E
  : never;

/** @internal The responses that an endpoint declares; `never` if it declares none. */
export type AnswersAt<E> = E extends { readonly "~types"?: EndpointTypes<unknown, infer Answers> } ? Answers : never;

/**
 * @internal The endpoint, if it fits its scope and its guards. Otherwise the message of the compiler. TypeScript prints
 * the name of this type if the type of the endpoint is a type parameter, of which nothing is known.
 *
 * @typeParam InScope The scope.
 * @typeParam Denied The answers that guards deny with.
 * @typeParam Missing The names of the locals that the endpoint demands and that are not there.
 * @typeParam E The endpoint.
 */
export type KnownEndpoint<InScope extends { prefix: string; request: object }, Denied, Missing, E> = "resolve" extends
  KeysOf<E> ? "This is a route, whose guards and handler would be dropped: implement its endpoint"
  : [InScope["prefix"], InScope["request"]] extends ["", never]
    ? [Missing] extends [never] ? [Denied] extends [never] ? E
      : [AnswersAt<E>] extends [never] ? E
      : unknown extends CheckDenials<Denied, CommonAnswers<E>> ? E
      : keyof CheckDenials<Denied, CommonAnswers<E>>
    : DemandMessage<Missing & string>
  : InScope["prefix"] extends ""
    ? "An endpoint has its whole request: implement it in a scope without request, and declare it by endpoint.with({ request })"
  : "An endpoint has its whole path: implement it in a scope without a prefix";

/** The message for a local that an endpoint demands. */
type DemandMessage<Name extends string> =
  `The endpoint demands the local "${Name}": list a guard that adds it. If onRequest returns it, use route.with<{ ${Name}: … }>()`;
