/** Parts of messages of the compiler. Types only. */

/**
 * @internal A part of a message, in words if it may be any text or any number. A message with such a part is a pattern,
 * and a property with a pattern as its name may be absent: everything would fit.
 */
export type Named<Part> = `${Part & (string | number)}` extends infer Text extends string
  ? Record<never, never> extends { readonly [Key in Text]: unknown } ? Part extends number ? "any number" : "any string"
  : Text
  : never;
