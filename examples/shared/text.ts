import { z } from "zod";

/** Text that any database keeps as it is: no NUL, no half of a surrogate pair. */
export const text: z.ZodString = z.string().refine(
  (value) => value.isWellFormed() && !value.includes("\0"),
  "Invalid characters",
);

/**
 * Bounds the length of text, in characters as JSON Schema counts them: those outside the basic plane, which JavaScript
 * counts twice, count once. What the schema trims is not counted.
 */
export function characters(schema: z.ZodString, min: number, max: number): z.ZodString {
  const fits = (value: string) => {
    const { length } = [...value];
    return length >= min && length <= max;
  };
  return schema.refine(fits, `Must have ${min} to ${max} characters`)
    .meta({ minLength: min, maxLength: max, pattern: "^[^\\0]*$" });
}

/** Text of one character or more, as `characters`, without the white space around it. */
export function trimmed(max: number): z.ZodString {
  return characters(text.trim(), 1, max).meta({
    description: "White space around it is removed",
    pattern: "^[^\\0]*[^\\s\\0][^\\0]*$",
  });
}
