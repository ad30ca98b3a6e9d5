import { misshapen } from "./shape.ts";

/**
 * Refuses an option of the wrong shape, in the words that all of them are refused in.
 *
 * @param holds Whether it has the right one.
 * @param name The option as messages name it: `Option guards of route GET "/"`.
 * @param expected What it has to be.
 * @param received What was given.
 * @throws If it does not hold.
 */
export function requireThat(holds: boolean, name: string, expected: string, received: unknown): asserts holds {
  if (!holds) throw misshapen(`${name} must be ${expected}`, received);
}
