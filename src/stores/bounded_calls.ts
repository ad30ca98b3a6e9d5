/**
 * Gives every call a bound: an engine that does not answer must not hold a request for ever.
 *
 * All calls share one timer. On Deno, a timer for each takes a tenth of the time of a call of Redis.
 *
 * @param engine The engine, as messages name it.
 * @returns A function that makes a call. It rejects if there is no answer for 2 to 2.5 seconds, and at once if 1,000
 * calls wait.
 */
export function boundedCalls(engine: string): <Result>(call: () => Promise<Result>) => Promise<Result> {
  /**
   * What rejects each call, and at which tick. A driver may queue a call for longer than anybody waits for it. The call
   * counts until the driver settles it.
   */
  const calls = new Map<(error: Error) => void, number>();
  let ticks = 0;
  let timer: Timer | number | undefined;

  const tick = () => {
    timer = undefined;
    ticks++;
    for (const [reject, last] of calls) {
      if (ticks < last) timer ??= setTimeout(tick, 500);
      else reject(new Error(`${engine} did not answer within 2 seconds`));
    }
  };

  return (call) =>
    new Promise((resolve, reject) => {
      if (calls.size >= 1000) throw new Error(`More than 1000 calls wait for ${engine}`);
      if (timer === undefined) timer = setTimeout(tick, 500);
      else if (typeof timer === "object") timer.ref();
      calls.set(reject, ticks + 5);
      const ending = <Value>(settle: (value: Value) => void) => (value: Value) => {
        calls.delete(reject);
        // Without calls, the timer must not keep the process alive.
        if (calls.size === 0) timer = typeof timer === "object" ? timer.unref() : void clearTimeout(timer);
        settle(value);
      };
      call().then(ending(resolve), ending(reject));
    });
}

/** A timer of Node.js, Bun and Deno 2.8, which keeps a process alive or not. Elsewhere, timers are numbers. */
interface Timer {
  ref(): unknown;
  unref(): Timer;
}
