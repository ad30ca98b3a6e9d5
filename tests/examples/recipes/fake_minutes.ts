/** The timers of a minute that have begun since `fakeMinutes`. */
export interface FakeMinutes extends Disposable {
  /** How many have begun. */
  readonly begun: number;
  /** Lets the minute of the last one pass, unless it is cleared. */
  pass(): void;
}

/**
 * Replaces the timers of a minute until the result is disposed of: none fires unless the test says so. Others stay as they are.
 *
 * @returns The timers.
 */
export function fakeMinutes(): FakeMinutes {
  const { setTimeout, clearTimeout } = globalThis;
  let begun = 0;
  let last = () => {};
  const fake = (run: () => void, milliseconds: number) => {
    if (milliseconds !== 60_000) return setTimeout(run, milliseconds);
    begun++;
    last = run;
    return -begun;
  };
  const clear = (timer?: number) => {
    if (timer === -begun) last = () => {};
    else clearTimeout(timer);
  };
  Object.assign(globalThis, { setTimeout: fake, clearTimeout: clear });
  return {
    get begun() {
      return begun;
    },
    pass: () => last(),
    [Symbol.dispose]: () => void Object.assign(globalThis, { setTimeout, clearTimeout }),
  };
}
