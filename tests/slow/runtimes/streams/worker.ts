import { createApp } from "./app.ts";

const app = createApp();

/** The types of Workers that this file uses. */
interface ExecutionContext {
  waitUntil(work: Promise<unknown>): void;
}

export default {
  fetch(request: Request, _bindings: unknown, context: ExecutionContext): Response | Promise<Response> {
    // Otherwise, no timer fires once the client has gone, and a generator that waits for one never ends.
    context.waitUntil(
      new Promise((resolve) => request.signal.addEventListener("abort", () => setTimeout(resolve, 5000))),
    );
    return app.fetch(request);
  },
};
