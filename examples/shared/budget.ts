/**
 * Creates a counter for a limited resource.
 *
 * @param max The most that may be in use at once.
 * @returns Takes an amount, and returns a `Disposable` that gives it back, once; `undefined` if less than that is left.
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
