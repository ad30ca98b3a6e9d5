/** Whether the examples of declared responses fit their schemas. Types only. */

import type { InferOutput } from "../input/input.ts";
import type { BodyOf } from "./answers.ts";
import type { ExactBody, Leaf } from "./body.ts";
import type { JsonType } from "./media_type.ts";
import type { StreamBody } from "./responses.ts";

/**
 * @internal
 * Checks the examples of declared responses: each must be a body that `reply` would take. Otherwise it has a property
 * whose name is the message of the compiler. A type of its own would make an intersection with the example, `never`.
 *
 * @typeParam Responses The responses, some of which have examples.
 */
export type CheckExamples<Responses> = {
  readonly [Key in keyof Responses]: Responses[Key] extends readonly (infer Entry)[] ? NoFault<FaultOf<Entry>>
    : Responses[Key] extends { readonly examples: infer Examples } ? {
        readonly examples: {
          readonly [Name in keyof Examples]: CheckExample<Examples[Name], ExampleOf<Responses[Key]>>;
        };
      }
    : unknown;
};

/**
 * `unknown` if there are no messages. The types of the examples would make the other keys of a response unknown there.
 */
type NoFault<Message extends PropertyKey> = [Message] extends [never] ? unknown
  : { readonly [Key in Message]: never };

/** The messages for the examples of a response that stands in a list. */
type FaultOf<Entry> = Entry extends { readonly examples: infer Examples } ? {
    [Name in keyof Examples]: keyof CheckExample<Examples[Name], ExampleOf<Entry>>;
  }[keyof Examples]
  : never;

/** `unknown` if an example fits; else a property whose name is the message of the compiler. */
type CheckExample<Example, Body> = [Body] extends [NoExamples<infer Message>] ? { readonly [Key in Message]: never }
  : [Example] extends [ExactBody<Example, Body>] ? unknown
  : { readonly [Key in `The example must fit the schema${OrNone<PlaceIn<Example, Body>>}`]: never };

/** A place, or none: without it, there would be no message. */
type OrNone<Place extends string> = [Place] extends [never] ? "" : Place;

/** Where an example does not fit: the properties that are wrong, unknown or missing. Of a union, none may be known. */
type PlaceIn<Example, Body> = Example extends Leaf | readonly unknown[] ? ""
  : [Body] extends [Leaf | readonly unknown[]] ? ""
  :
    | {
      readonly [Key in keyof Example & string]: Key extends keyof Body
        ? [Example[Key]] extends [ExactBody<Example[Key], Body[Key]>] ? never : `: ${Key}`
        : `, which has no key ${Key}`;
    }[keyof Example & string]
    | {
      readonly [Key in Exclude<keyof Body & string, keyof Example>]-?: undefined extends Body[Key] ? never
        : `: ${Key} is missing`;
    }[Exclude<keyof Body & string, keyof Example>];

/** What an example of a declared response must be: a body, or {@linkcode NoExamples}. */
type ExampleOf<Entry> = Entry extends { readonly schema: infer Schema extends object }
  ? BodyOf<Entry, Exclude<InferOutput<Schema>, undefined>> extends infer Body
    ? Body extends StreamBody ? NoExamples<"A stream has no examples: leave them out"> : Body
  : never
  // A schema of which TypeScript knows nothing.
  : Entry extends { readonly schema: unknown } ? unknown
  : Entry extends { readonly contentType: infer Type extends string } ? Lowercase<Type> extends JsonType ? unknown
    : string
  : NoExamples<"A response without a schema has no body: leave the examples out, or add the schema">;

/**
 * Stands for the body of a response that has no examples.
 *
 * @typeParam Message The message of the compiler.
 */
interface NoExamples<Message extends string> {
  /** The message. */
  readonly "~noExamples": Message;
}
