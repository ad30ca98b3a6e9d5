/** What happens when a signal is aborted: one listener for all streams of the signal. */
interface Waiting {
  readonly runs: Set<() => void>;
  readonly listener: () => void;
}

/**
 * The signals that streams wait for. This is state of the module, but it has no other key than what the application
 * holds, and no entry outlives its streams.
 */
const waitingFor = /* @__PURE__ */ new WeakMap<AbortSignal, Waiting>();

/**
 * Calls a function when a signal is aborted. Many streams share the signal that says that the server stops: a listener
 * of each would make Node.js 20 warn of the eleventh, and `AbortSignal.any` of Node.js 20 and 22 keeps 6.5 KB for each
 * stream as long as the signal lives.
 *
 * @param signal The signal. It is not aborted yet.
 * @param run The function. It must not throw.
 * @returns Forgets the function. The last one takes the listener away.
 */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const waiting = waitingFor.get(signal) ?? listen(signal);
  waiting.runs.add(run);
  return () => {
    if (!waiting.runs.delete(run) || waiting.runs.size > 0) return;
    signal.removeEventListener("abort", waiting.listener);
    waitingFor.delete(signal);
  };
}

function listen(signal: AbortSignal): Waiting {
  const runs = new Set<() => void>();
  const waiting = {
    runs,
    listener: () => {
      for (const run of runs) run();
    },
  };
  signal.addEventListener("abort", waiting.listener);
  waitingFor.set(signal, waiting);
  return waiting;
}
