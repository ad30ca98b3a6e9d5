/**
 * Waits for a time. It ends early if a signal is aborted.
 *
 * @param milliseconds The time. More than about 24 days count as 24 days, since a longer timer would fire at once.
 * @param signal The signal. It may be aborted already.
 * @returns A promise that never rejects.
 */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(milliseconds, 2 ** 31 - 1));
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
