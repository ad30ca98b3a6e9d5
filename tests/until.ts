/**
 * Waits for something that has to come to pass. The time-out only ends a test that would hang.
 *
 * @param condition Whether it has come to pass; asked again and again.
 * @param describe What to say if it does not.
 * @throws If it does not come to pass within a minute.
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  describe: () => string = () => "It did not come to pass",
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
