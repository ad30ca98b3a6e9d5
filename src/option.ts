import { misshapen } from "./shape.ts";

/**
 * Rejects an option of the wrong shape. All of them are rejected in the same words.
 *
 * @param holds Whether it has the right shape.
 * @param name The option as messages name it: `Option guards of route GET "/"`.
 * @param expected What it must be.
 * @param received What was given.
 * @throws If it does not hold.
 */
export function requireThat(holds: boolean, name: string, expected: string, received: unknown): asserts holds {
  if (!holds) throw misshapen(`${name} must be ${expected}`, received);
}

/**
 * Rejects options with a key that nothing reads, since a misspelt `guards` must not serve an unguarded route, and options with
 * the value `undefined`, which an import cycle leaves, since a missing schema or guard must not pass for none.
 *
 * @param options The options.
 * @param owner What they belong to, as messages name it: `route GET "/"`.
 * @param known The keys that they may have.
 * @param required Those of them that must not be `undefined`.
 * @throws If there is such a key. The message names it, and the known key nearest to it.
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
      // The name that shares most of its letters with the key.
      const likeness = (name: string) =>
        2 * Array.from(name).filter((letter) => key.includes(letter)).length - name.length;
      const [nearest] = known.toSorted((a, b) => likeness(b) - likeness(a));
      throw new TypeError(`${name} is unknown: did you mean "${nearest}"?`);
    }
    if (value === undefined && required.includes(key)) {
      throw new TypeError(
        `${name} is undefined`,
      );
    }
  }
}
