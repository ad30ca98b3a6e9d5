import process from "node:process";

/** How long requests in flight may take once the process is asked to end, in milliseconds. Docker kills after ten seconds. */
const GRACE = 8000;

/**
 * Ends the process within eight seconds of SIGTERM, also as process 1 of a container, which ignores signals without a handler.
 * `deno serve` stops listening by itself. Other servers must be stopped, or the process takes the full eight seconds.
 *
 * @returns Aborted on SIGTERM. Streams without an end should end then.
 */
export function stopOnSigterm(): AbortSignal {
  const stopping = new AbortController();
  process.once("SIGTERM", () => {
    stopping.abort();
    // The process ends earlier if nothing is left to do. A client that sends half a request must not prevent its end.
    setTimeout(() => process.exit(0), GRACE).unref();
  });
  return stopping.signal;
}
