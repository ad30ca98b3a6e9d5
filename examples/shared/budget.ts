/**
 * Creates a counter for a limited resource.
 *
 * @param max The maximum amount in use at once.
 * @returns Takes an amount and returns a `Disposable` that gives it back. Dispose it once. Returns `undefined` if too
 * little is left.
 */
export function createBudget(max: number): (amount: number) => Disposable | undefined {
  let used = 0;
  return (amount) => {
    if (used + amount > max) return undefined;
    used += amount;
    return {
      [Symbol.dispose]: () => {
        used -= amount;
      },
    };
  };
}
