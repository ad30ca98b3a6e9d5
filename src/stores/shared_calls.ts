/**
 * Lets those who ask at once share a call. A call that has begun may be too old for who asks later: whoever asks
 * meanwhile shares the next one.
 *
 * @param call The call.
 * @returns The same function, whose result is that of a call which began after it was asked for.
 */
export function sharedCall<Result>(call: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<unknown> | undefined;
  let next: Promise<Result> | undefined;

  const begin = (): Promise<Result> => {
    next = undefined;
    const result = call();
    const ended = () => running = undefined;
    running = result.then(ended, ended);
    return result;
  };
  return () => running === undefined ? begin() : next ??= running.then(begin);
}

/**
 * Lets a function have this many calls at once. Others wait for their turn. If a call fails, those that wait fail with
 * it: the engine is away, and each of them would wait for it in turn.
 *
 * @param call The function.
 * @param most How many calls it may have at once.
 * @returns The same function.
 */
export function callsInTurn<Argument, Result>(
  call: (argument: Argument) => Promise<Result>,
  most: number,
): (argument: Argument) => Promise<Result> {
  let running = 0;
  let waiting: { readonly begin: () => void; readonly fail: (error: unknown) => void }[] = [];

  return async (argument) => {
    if (running >= most) await new Promise<void>((begin, fail) => waiting.push({ begin, fail }));
    else running++;
    try {
      const result = await call(argument);
      const next = waiting.shift();
      // The place goes to the next one, or nobody has it.
      if (next) next.begin();
      else running--;
      return result;
    } catch (error) {
      running--;
      const failing = waiting;
      waiting = [];
      failing.forEach(({ fail }) => fail(error));
      throw error;
    }
  };
}
