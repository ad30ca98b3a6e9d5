/**
 * Makes a counter of something that there must not be too much of.
 *
 * @param max The most that may be in use at once.
 * @returns Takes an amount, and returns what gives it back: dispose of it once. Returns `undefined` if too little is left.
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
