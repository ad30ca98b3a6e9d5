/** The parts of a request that a client sends as text: path parameters, query, headers and cookies. Types only. */

/** A value that is sent as text. */
export type TextValue = string | number | boolean;

/** @internal The path parameters: what the schema accepts, or any text without a schema. */
export type ParamsPart<Names extends string, Inputs> = [Names] extends [never] ? unknown
  : Inputs extends { readonly params: infer Params } ? {
      readonly params: {
        readonly [Name in Names]: Name extends keyof FromOf<Params> ? ParamFor<FromOf<Params>[Name]> : TextValue;
      };
    }
  : { readonly params: { readonly [Name in Names]: TextValue } };

/** The values that a call takes for a path parameter: one string, which is never absent. */
type ParamFor<Value> = unknown extends Value ? TextValue : Exclude<TextFor<Value>, undefined>;

/**
 * @internal A part that is sent as text, optional if it may be empty. The mapped types are written here, since editors
 * then show the keys.
 */
export type StringPart<Part extends string, Inputs> = Inputs extends { readonly [Name in Part]: infer Input }
  ? FromOf<Input> extends infer From
    ? Record<never, never> extends From
      ? { readonly [Name in Part]?: { readonly [Key in keyof From]: TextAt<From, Key> } }
    : { readonly [Name in Part]: { readonly [Key in keyof From]: TextAt<From, Key> } }
  : never
  : unknown;

/** The values that a call takes for a key of a part: the client converts them to text. */
type TextAt<From, Key extends keyof From> = unknown extends From[Key]
  ? TextFor<unknown> | UndefinedIfOptional<From, Key>
  : TextFor<From[Key]>;

/**
 * @internal `undefined` for an optional key, also with `exactOptionalPropertyTypes`. `TextFor` needs this only where the
 * type is `unknown`, since `unknown` does not tell whether the key is optional.
 */
export type UndefinedIfOptional<From, Key extends keyof From> = Record<never, never> extends Pick<From, Key> ? undefined
  : never;

/** @internal The values that a call takes where a schema accepts `Value`: the client converts them to text. */
export type TextFor<Value> = unknown extends Value ? TextValue | readonly TextValue[]
  // An optional key takes `undefined` with `exactOptionalPropertyTypes`, too. The client does not send it.
  : Value extends undefined ? undefined
  : Value extends string ? string extends Value ? TextValue : Value
  : Value extends readonly (infer Item)[] ? readonly TextFor<Item>[]
  : Value;

/** @internal What a client sends for a schema. */
export type FromOf<Input> = Input extends { readonly "~from": infer From } ? From : Input;
