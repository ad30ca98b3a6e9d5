import process from "node:process";

/** How long requests in flight may take once the process is asked to end, in milliseconds. Docker kills after ten seconds. */
const GRACE = 8000;

/**
 * Has a SIGTERM end the process within eight seconds, also as process 1 of a container, which ignores signals that it does
 * not handle. The server must stop listening, or the process ends only when the time is up.
 *
 * @returns Aborted when the process is asked to end. Streams without an end should end then.
 */
export function stopOnSigterm(): AbortSignal {
  const stopping = new AbortController();
  process.once("SIGTERM", () => {
    stopping.abort();
    // The process ends by itself as soon as nothing is left to do. A client that sends half a request must not prevent it.
    setTimeout(() => process.exit(0), GRACE).unref();
  });
  return stopping.signal;
}
