/**
 * Waits until a condition holds. The time-out only ends a test that would hang.
 *
 * @param condition The condition, checked every 20 ms.
 * @param describe The message if it does not hold in time.
 * @throws If the condition does not hold within a minute.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => string = () => "The condition did not hold within a minute",
): Promise<void> {
  for (let turn = 0; !await condition(); turn++) {
    if (turn === 3000) throw new Error(describe());
    await pause(20);
  }
}

/** Waits for some milliseconds. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
