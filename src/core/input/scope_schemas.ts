/** The schemas of a scope, joined with those of a route in it. Types only. */

import type { InferInput, InferOutput, InvalidInputUntil } from "./input.ts";
import type { OptionalKeys, Simplify } from "../values/types.ts";
import type { InputPart } from "./request_schemas.ts";

/**
 * Two schemas for one part of a request, as one. Types only.
 *
 * @typeParam From What both accept.
 * @typeParam To Their outputs, merged.
 */
export interface JoinedSchema<out From, out To> {
  /** The types of both, as a Standard Schema has them. */
  readonly "~standard": {
    /** The types. */
    readonly types?: {
      /** What both accept. */
      readonly input: From;
      /** Their outputs, merged. */
      readonly output: To;
    };
  };
}

/** @internal The schemas of a scope and of a route in it, part by part. `never` stands for no schemas. */
export type JoinRequests<Outer, Own> = [Outer] extends [never] ? Own
  : [Own] extends [never] ? Outer
  : [Own] extends [infer Each] ? {
      readonly [Part in keyof Outer | keyof Each]: Part extends keyof Each
        ? Part extends keyof Outer ? JoinPart<Outer[Part], Each[Part]> : Each[Part]
        : Part extends keyof Outer ? Outer[Part]
        : never;
    }
  : never;

/** Two schemas of one part. */
type JoinPart<Outer, Own> = JoinedSchema<
  InferInput<Outer> & InferInput<Own>,
  MergeOutputs<InferOutput<Outer>, InferOutput<Own>>
>;

/** The output of a route over that of its scope. */
type MergeOutputs<Outer, Own> = unknown extends Own ? unknown
  : unknown extends Outer ? Own
  : Own extends unknown ? Outer extends unknown ? Simplify<Merged<Outer, Own>> : never
  : never;

type Merged<Outer, Own> =
  & { [Key in keyof Outer as Key extends keyof Own ? never : Key]: Outer[Key] }
  & { [Key in keyof Own as Key extends OptionalKeys<Own> & keyof Outer ? never : Key]: Own[Key] }
  // Where the route may have no value, that of the scope stays.
  & { [Key in keyof Outer as Key extends OptionalKeys<Own> ? Key : never]: Outer[Key] | Own[Key & keyof Own] };

/** @internal The input for guards of a scope. What routes have beside the schemas of the scope is not known. */
export type InputWith<Schemas> =
  | InvalidInputUntil
  | (
    & {
      /** Every part that has a schema is valid. */
      readonly ok: true;
    }
    & { readonly [Part in keyof Schemas & InputPart]: InferOutput<Schemas[Part]> }
    & { readonly [Part in Exclude<InputPart, keyof Schemas>]?: unknown }
  );

/**
 * @internal `unknown`, or the message for a schema that cannot be joined with that of the scope.
 *
 * @typeParam Part The part, for which the scope has a schema.
 * @typeParam Outer The schemas of the scope.
 * @typeParam Promised The schemas whose outputs the guards of the scope read; `never` if there are none.
 * @typeParam Own The schema of the route.
 */
export type CheckJoined<Part extends string, Outer, Promised, Own> = Part extends keyof Outer
  ? unknown extends Own ? unknown
  : CheckPart<
    Part,
    Outer[Part],
    // Without a JSON Schema, it is not known which keys a schema declares, so it is not known whose value counts.
    Own extends { readonly "~standard": { readonly jsonSchema: unknown } }
      ? [Promised] extends [never] ? never : Promised[Part & keyof Promised]
      : Outer[Part],
    Own
  >
  : unknown;

/** `unknown`, or the message for a schema. */
type CheckPart<Part extends string, Outer, Promised, Own> = [InferInput<Outer> & InferInput<Own>] extends [never]
  ? `No value of the ${Part} fits both this schema and that of the scope`
  : [ImpossibleKeys<InferInput<Outer> & InferInput<Own>>] extends [infer Key extends string]
    ? [Key] extends [never] ? CheckOutputs<Part, InferOutput<Promised>, InferOutput<Own>, Promised>
    : Key extends KeysOfBoth<InferInput<Outer> & InferInput<Own>>
      ? `"${Key}" of the ${Part} is a list in this schema and a text in that of the scope, or the other way round: let both accept the same`
    : `No "${Key}" of the ${Part} fits both this schema and that of the scope`
  : never;

/** The keys of which no value is possible, and that must be there. No text is a list. */
type ImpossibleKeys<Value> = Value extends object
  ? { [Key in keyof Value]-?: [Value[Key]] extends [string & readonly unknown[]] ? Key : never }[keyof Value] & string
  : never;

/** Of these keys, those whose value would be both a text and a list. */
type KeysOfBoth<Value> = { [Key in keyof Value]-?: [Value[Key]] extends [never] ? never : Key }[keyof Value];

/** `unknown`, or the message for an output that cannot be merged, or that is not what the guards of the scope read. */
type CheckOutputs<Part extends string, Promised, Own, Schema> = unknown extends Own ? unknown
  : Own extends readonly unknown[] ? NoObject<Part>
  : Own extends object ? [Schema] extends [never] ? unknown
    : [ChangedKeys<Promised, Own>] extends [never] ? unknown
    : `"${
      & ChangedKeys<Promised, Own>
      & string}" of the ${Part} has another type in the scope of this route, whose guards may read it: give both the same type`
  : NoObject<Part>;

type NoObject<Part extends string> =
  `The output for the ${Part} is merged with that of the scope: let this schema return an object`;

/** The common keys whose type is not that of the scope. */
type ChangedKeys<Outer, Own> = {
  [Key in keyof Outer & keyof Own]-?: [Own[Key]] extends [Outer[Key]] ? never : Key;
}[keyof Outer & keyof Own];
