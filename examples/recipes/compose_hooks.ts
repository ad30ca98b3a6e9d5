// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/compose_hooks.ts
//
// Several concerns in the hooks: each is a plain function that takes what it needs, and the hook calls them in order.
//
// It uses web standards only: Bun and Node.js run it, too.
//
// curl -i http://localhost:8000/hello
// curl -i http://localhost:8000/nowhere

import { type App, type HookContext, route, setup } from "@fw/core";

/** @param log Writes a line of the log. */
export function createApp(log: (line: string) => void): App {
  return setup({
    handlers: [
      route.with<RequestId>().get("/hello", { resolve: ({ locals }) => new Response(`Hello, ${locals.requestId}`) }),
      route.get("/broken", {
        resolve: () => {
          throw new Error("The disk is full");
        },
      }),
    ],

    // Each returns an object. The object that `onRequest` returns, and so the type of the locals, is all of them together.
    onRequest: () => ({ ...createId(), ...startTimer() }),

    // The error becomes a response, which passes `onResponse` as any other.
    onError: ({ error, context }) => {
      log(`${context.locals.requestId} ${error}`);
      return new Response("Internal server error", { status: 500 });
    },

    // First what replaces the response, then what sets headers, on one copy. The log is last: it shows what is sent.
    onResponse: ({ context, response, locals }) => {
      const replaced = describeMissingRoute(context) ?? response;
      const sent = new Response(replaced.body, replaced); // the headers of some responses are immutable
      setSecurityHeaders(sent.headers);
      setRequestId(sent.headers, locals);
      setServerTiming(sent.headers, locals);
      log(describeExchange(context, sent));
      return sent;
    },
  });
}

export default createApp(console.log);

interface RequestId {
  readonly requestId: string;
}

function createId(): RequestId {
  return { requestId: crypto.randomUUID() };
}

/** The locals of a hook are partial: a request may have failed before they were set. */
function setRequestId(headers: Headers, { requestId }: Partial<RequestId>): void {
  if (requestId !== undefined) headers.set("x-request-id", requestId);
}

interface StartTime {
  readonly startedAt: number;
}

function startTimer(): StartTime {
  return { startedAt: performance.now() };
}

function setServerTiming(headers: Headers, { startedAt }: Partial<StartTime>): void {
  if (startedAt !== undefined) headers.append("server-timing", `app;dur=${(performance.now() - startedAt).toFixed(1)}`);
}

function describeMissingRoute({ route }: HookContext): Response | undefined {
  return route === undefined ? Response.json({ error: "Not found" }, { status: 404 }) : undefined;
}

function setSecurityHeaders(headers: Headers): void {
  headers.set("x-content-type-options", "nosniff");
  headers.set("referrer-policy", "no-referrer");
}

function describeExchange({ request, route, locals }: HookContext<RequestId>, { status }: Response): string {
  return `${locals.requestId} ${request.method} ${route?.path ?? "no route"} ${status}`;
}
