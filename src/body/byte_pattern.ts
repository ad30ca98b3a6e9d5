/** A text to find in bytes. */
export interface BytePattern {
  /** How many bytes it has. */
  readonly length: number;
  /**
   * Finds it.
   *
   * @param bytes The bytes.
   * @param from Where to begin.
   * @returns Where it stands first; -1 if it does not.
   */
  findIn(bytes: Uint8Array, from: number): number;
  /**
   * Counts how many of its bytes stand at a position, until one differs or the bytes end.
   *
   * @param bytes The bytes.
   * @param position The position.
   * @returns The number; `length` if all of it stands there.
   */
  beginsAt(bytes: Uint8Array, position: number): number;
}

/**
 * Prepares a search. It looks at one byte of each `length` bytes where nothing is like the pattern (Horspool's
 * algorithm). Bytes that were decoded to text could be searched by `indexOf`, but decoding takes ten times as long on
 * Node.js.
 *
 * A candidate is compared from its first byte on. If the first byte of the pattern is rare in the rest of the pattern, as
 * the carriage return of a delimiter is, the search takes at most a few steps for each byte that a client sends.
 *
 * @param text The pattern: at most 255 ASCII characters.
 * @returns The search.
 */
export function createPattern(text: string): BytePattern {
  const pattern = new TextEncoder().encode(text);
  const { length } = pattern;
  const last = length - 1;
  const steps = new Uint8Array(256).fill(length);
  for (let index = 0; index < last; index++) steps[pattern[index] as number] = last - index;

  function beginsAt(bytes: Uint8Array, position: number): number {
    let count = 0;
    while (count < length && bytes[position + count] === pattern[count]) count++;
    return count;
  }

  return {
    length,
    beginsAt,
    findIn(bytes, from) {
      const end = bytes.length - length;
      for (let position = from; position <= end;) {
        const byte = bytes[position + last] as number;
        if (byte === pattern[last] && beginsAt(bytes, position) === length) return position;
        position += steps[byte] as number;
      }
      return -1;
    },
  };
}
