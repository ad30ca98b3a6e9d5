import process from "node:process";
import { setTimeout } from "node:timers";

/** How long requests in flight may take after SIGTERM, in milliseconds. Docker kills the process after ten seconds. */
const GRACE = 8000;

/**
 * Ends the process within eight seconds after SIGTERM. This also works for process 1 of a container, which ignores
 * signals that have no handler. `deno serve` stops listening by itself. Stop other servers yourself, or the process
 * takes the full eight seconds. Returns a signal that is aborted on SIGTERM: end endless streams then.
 */
export function stopOnSigterm(): AbortSignal {
  const stopping = new AbortController();
  process.once("SIGTERM", () => {
    stopping.abort();
    // The process ends earlier if no work is left. A client that never completes its request must not keep it alive.
    setTimeout(() => process.exit(0), GRACE).unref();
  });
  return stopping.signal;
}
