/** The methods whose cost is not the length of their text. */
const COSTS: Readonly<Record<string, (text: string, args: readonly unknown[], result: unknown) => number>> = {
  at: () => 1,
  charAt: () => 1,
  charCodeAt: () => 1,
  codePointAt: () => 1,
  endsWith: (_text, [searched]) => String(searched).length,
  startsWith: (_text, [searched]) => String(searched).length,
  indexOf: (text, [, from], result) => (result === -1 ? text.length : Number(result)) - Number(from ?? 0),
  lastIndexOf: (text, [, from], result) => Math.min(text.length, Number(from ?? Infinity)) - Number(result),
  slice: (_text, _args, result) => String(result).length,
  substring: (_text, _args, result) => String(result).length,
};

/**
 * Counts the characters that a function reads with the methods of strings and regular expressions, `URL.parse` and
 * `decodeURIComponent`, and writes with `JSON.stringify`. This cost is the same on every machine.
 *
 * @param work The function to count. It must be synchronous.
 * @returns The number of characters.
 */
export function countWork(work: () => unknown): number {
  let count = 0;
  const restore: (() => void)[] = [];
  /** Counts the calls of a function of `owner`. */
  const watch = (
    owner: object,
    name: string,
    costOf: (self: unknown, args: unknown[], result: unknown, lastIndex: number) => number,
  ) => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, name);
    const { value: original } = descriptor ?? {};
    if (descriptor === undefined || typeof original !== "function") return;
    Object.defineProperty(owner, name, {
      ...descriptor,
      value(...args: unknown[]) {
        const { lastIndex = 0 }: { readonly lastIndex?: number } = Object(this);
        const result = Reflect.apply(original, this, args);
        count += costOf(this, args, result, lastIndex) + 1;
        return result;
      },
    });
    restore.push(() => Object.defineProperty(owner, name, descriptor));
  };
  // Computing the costs calls no watched function.
  for (const name of Object.getOwnPropertyNames(String.prototype)) {
    if (["constructor", "toString", "valueOf"].includes(name)) continue;
    const costOf = Object.hasOwn(COSTS, name) ? COSTS[name] : undefined;
    watch(String.prototype, name, (self, args, result) => {
      const text = self as string;
      return costOf ? costOf(text, args, result) : text.length;
    });
  }
  watch(RegExp.prototype, "exec", (self, [text], result, lastIndex) => {
    // `replace` calls it for each match, which goes on where the last one ended.
    const { global, lastIndex: end } = self as RegExp;
    return (global && result ? end : (text as string).length) - (global ? lastIndex : 0);
  });
  watch(globalThis, "decodeURIComponent", (_self, [text]) => (text as string).length);
  watch(URL, "parse", (_self, [text]) => (text as string).length);
  watch(JSON, "stringify", (_self, _args, result) => (result as string).length);
  try {
    work();
    return count;
  } finally {
    for (const undo of restore.reverse()) undo();
  }
}

/**
 * Asserts that work grows no faster than what it is done on: on twice as much it may take little more than twice as long.
 *
 * @param workOn The work on something of this length, done when it returns.
 * @param length The smaller of the two lengths.
 */
export function assertLinear(workOn: (length: number) => unknown, length: number): void {
  const [once, twice] = [countWork(() => workOn(length)), countWork(() => workOn(2 * length))];
  // If less than the whole was read, something has read it unseen.
  if (once < length) throw new Error(`Only ${once} characters of ${length} were counted`);
  if (twice > 2.2 * once) throw new Error(`${once} characters were read, and ${twice} for twice the length`);
}
