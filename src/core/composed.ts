/** The hooks of `compose` belong together: none of them may be replaced. */

/** The hooks that a result of `compose` stands for. */
interface ComposedHooks {
  readonly onRequest?: unknown;
  readonly onResponse?: unknown;
}

/**
 * @internal Checks that the hooks of `compose` are all there. A result of `compose` has a symbol of its own for them,
 * so that a spread of another one does not hide it.
 */
export function requireComposed(options: ComposedHooks): void {
  const symbols = Object.getOwnPropertySymbols(options).filter(({ description }) => description === "compose");
  if (symbols.length > 1) {
    throw new TypeError("Options of setup have two results of compose, and one replaces the other: call compose once");
  }
  for (const symbol of symbols) {
    const made: ComposedHooks = options[symbol as never];
    if (made.onRequest !== options.onRequest) {
      throw new TypeError("Option onRequest replaces that of compose: pass it to compose, as { onRequest }");
    }
    if (made.onResponse !== options.onResponse) {
      throw new TypeError(
        "Option onResponse replaces that of compose: pass it to compose, as { replace }, { headers } or { observe }",
      );
    }
  }
}

/** @internal What `compose` adds to its hooks in types. */
export interface Composed {
  /** Type-only, absent at run time: beside it, `setup` takes these hooks only. */
  readonly "~composed"?: true;
  /** A hook of `compose`. */
  readonly onRequest: MadeByCompose<"pass yours to compose, as { onRequest }">;
  /** A hook of `compose`. */
  readonly onResponse: MadeByCompose<"pass yours to compose, as { replace }, { headers } or { observe }">;
}

/**
 * A hook of `compose`. Types only.
 *
 * @typeParam Advice What to write instead of another hook. TypeScript prints it.
 */
export interface MadeByCompose<Advice extends string> {
  /** Type-only, absent at run time. */
  readonly "~made by compose": Advice;
}
