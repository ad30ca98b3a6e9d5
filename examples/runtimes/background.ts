/** Runs work after the response. Returns false if too much is running: the work has not begun, so respond with 503. */
export type AfterResponse = (work: (signal: AbortSignal) => Promise<unknown>) => boolean;

/**
 * Creates a function that runs work after the response, for a process that outlives its requests: on Deno, Bun and
 * Node.js. On Workers, `waitUntil` does that.
 *
 * The work gets five seconds, since `stopOnSigterm` ends the process eight seconds after SIGTERM. Until then, timers
 * and connections of the work keep the process alive. Work that takes longer, or must not be lost, belongs into a
 * table: write it there before the response, and do it from there.
 *
 * `max` is how much work may run at once, `maxTime` how long each may take until its signal is aborted, in
 * milliseconds. Work that does not end then keeps its place.
 */
export function createBackground(
  { max, maxTime } = { max: 100, maxTime: 5000 },
  log: (error: unknown) => unknown = console.error,
): AfterResponse {
  let running = 0;

  return (work) => {
    if (running >= max) return false;
    running++;
    run(work).finally(() => running--);
    return true;
  };

  /** Does not reject: an error that is not handled may end the process. */
  async function run(work: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
    try {
      await work(AbortSignal.timeout(maxTime));
    } catch (error) {
      try {
        await log(error);
      } catch {
        // A log that fails must not end the process either.
      }
    }
  }
}
