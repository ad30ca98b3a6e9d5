// Several concerns in the hooks: each is a plain function that takes what it needs, and the hook calls them in order.
//
// ../compose_hooks.ts shows the hooks. It also runs on Bun and Node.js.

import { type HookContext, reply } from "@fw/core";

/** What the id of a request adds to the locals. */
export interface RequestId {
  readonly requestId: string;
}

/** Always a new id: a client could send that of another request. */
export function createId(): RequestId {
  return { requestId: crypto.randomUUID() };
}

/** The locals of a hook are partial: a request may have failed before they were set. */
export function setRequestId(headers: Headers, { requestId }: Partial<RequestId>): void {
  if (requestId !== undefined) headers.set("x-request-id", requestId);
}

/** What the timer adds to the locals. */
export interface StartTime {
  readonly startedAt: number;
}

export function startTimer(): StartTime {
  return { startedAt: performance.now() };
}

export function setServerTiming(headers: Headers, { startedAt }: Partial<StartTime>): void {
  if (startedAt !== undefined) headers.append("server-timing", `app;dur=${(performance.now() - startedAt).toFixed(1)}`);
}

/** The response where no route matches. The 404 of the framework has no body. */
export function describeMissingRoute({ route }: HookContext): Response | undefined {
  return route === undefined ? reply(404, { error: "Not found" }) : undefined;
}

export function setSecurityHeaders(headers: Headers): void {
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
}

/** A line of the log. It names the route by its pattern, so it contains no path of a client. */
export function describeExchange({ request, route, locals }: HookContext<RequestId>, { status }: Response): string {
  return `${locals.requestId} ${request.method} ${route?.path ?? "no route"} ${status}`;
}
