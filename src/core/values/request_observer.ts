/** Lets whoever sends a request see what becomes of it in an app: its route, and the errors that reach `onError`. */

/** A symbol of all copies of the framework: the app may have another one than its test. */
const OBSERVER: unique symbol = /* @__PURE__ */ Symbol.for("@fw/core observer");

/** What is to be seen of a request. */
export interface RequestObserver {
  /** Receives the route, once it is matched. If an app passes the request on to another one, that of each. */
  readonly onRoute?: (route: { readonly method: string; readonly path: string }) => void;
  /** Receives each error that reaches `onError`, which responds with something else. */
  readonly onError?: (error: unknown) => void;
}

interface Observed {
  [OBSERVER]?: RequestObserver;
}

/**
 * Observes one request. Others that observe it still do.
 *
 * @param request The request, which is about to be sent.
 * @param observer Its functions must not throw.
 */
export function observeRequest(request: Request & Observed, observer: RequestObserver): void {
  const earlier = request[OBSERVER];
  request[OBSERVER] = earlier === undefined ? observer : {
    onRoute(route) {
      earlier.onRoute?.(route);
      observer.onRoute?.(route);
    },
    onError(error) {
      earlier.onError?.(error);
      observer.onError?.(error);
    },
  };
}

/**
 * Shows the route to whoever observes the request.
 *
 * @param request The request.
 * @param route The route that has matched.
 */
export function showRoute(
  request: Request & Observed,
  route: { readonly method: string; readonly path: string },
): void {
  request[OBSERVER]?.onRoute?.(route);
}

/**
 * Shows an error to whoever observes the request.
 *
 * @param request The request.
 * @param error What was thrown.
 */
export function showError(request: Request & Observed, error: unknown): void {
  request[OBSERVER]?.onError?.(error);
}
