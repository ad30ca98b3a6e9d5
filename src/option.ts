import { misshapen } from "./shape.ts";

/**
 * Rejects an option of the wrong shape. All messages have the same wording.
 *
 * @param holds Whether the option has the right shape.
 * @param name The option as messages name it: `Option guards of route GET "/"`.
 * @param expected What the option must be.
 * @param received The value of the option.
 * @throws If `holds` is false.
 */
export function requireThat(holds: boolean, name: string, expected: string, received: unknown): asserts holds {
  if (!holds) throw misshapen(`${name} must be ${expected}`, received);
}

/**
 * Rejects options with an unknown key: a misspelt `guards` must not serve an unguarded route. Also rejects an explicit
 * `undefined` for a required key, as an import cycle produces: a missing schema or guard must not be ignored.
 *
 * @param options The options.
 * @param owner The owner of the options, as messages name it: `route GET "/"`.
 * @param known The allowed keys.
 * @param required The allowed keys whose value must not be `undefined`.
 * @throws If there is such a key. The message names it, and for an unknown key the most similar known key.
 */
export function requireKnownKeys(
  options: object,
  owner: string,
  known: readonly string[],
  required: readonly string[] = [],
): void {
  for (const [key, value] of Object.entries(options)) {
    const name = `Option "${key}" of ${owner}`;
    if (!known.includes(key)) {
      // Suggest the name that shares most of its letters with the key.
      const likeness = (name: string) =>
        2 * Array.from(name).filter((letter) => key.includes(letter)).length - name.length;
      const [nearest] = known.toSorted((a, b) => likeness(b) - likeness(a));
      throw new TypeError(`${name} is unknown: did you mean ${nearest}?`);
    }
    if (value === undefined && required.includes(key)) {
      throw new TypeError(
        `${name} is undefined`,
      );
    }
  }
}
