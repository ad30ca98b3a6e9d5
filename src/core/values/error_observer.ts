/** Lets whoever sends a request see the errors that reach `onError`, which responds with something else. */

/** A symbol of all copies of the framework: the app may have another one than its test. */
const OBSERVER: unique symbol = /* @__PURE__ */ Symbol.for("@fw/core onError");

interface Observed {
  [OBSERVER]?: (error: unknown) => void;
}

/**
 * Observes the errors of one request.
 *
 * @param request The request, which is about to be sent.
 * @param observe Receives each error that reaches `onError`.
 */
export function observeErrors(request: Request & Observed, observe: (error: unknown) => void): void {
  request[OBSERVER] = observe;
}

/**
 * Shows an error to whoever observes the request.
 *
 * @param request The request.
 * @param error What was thrown.
 */
export function showError(request: Request & Observed, error: unknown): void {
  request[OBSERVER]?.(error);
}
