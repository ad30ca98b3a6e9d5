/** When a request gives up waiting for the database: a time in milliseconds, as `performance.now()` returns it. */
export type Deadline = number;

/** Starts the deadline of a request: 7 seconds from now. All calls of the request share it. */
export function startDeadline(): Deadline {
  return performance.now() + 7_000;
}

/**
 * Returns how long work may still wait before it starts, in milliseconds; below zero if it must not start. Work has 2
 * seconds. Otherwise, overload would start work that cannot end in time, and close the connections that it uses.
 */
export function timeToStart(deadline: Deadline): number {
  return deadline - 2_000 - performance.now();
}
