import type { HookContext } from "../core/guards/context.ts";
import { FUNCTION, requireRules } from "../core/values/option_rules.ts";
import { durationSince, start } from "./server_timing.ts";
import { METHODS } from "../core/routing/method.ts";

/**
 * Logs every response: of a handler, of a guard, of the router (404), or of `onError`. An entry names the route by its
 * pattern, never by the path that a client has sent.
 *
 * @param options The function that writes an entry.
 * @returns A concern, for `compose`. It adds the local `startedAt`, in milliseconds of `performance.now()`.
 * @throws A `TypeError` if an option is unknown, or `log` is not a function.
 *
 * @example One line of JSON for each request
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { accessLog, compose, requestId } from "@fw/core/hooks";
 * import { assertEquals } from "@std/assert";
 *
 * const lines: string[] = [];
 * const app = setup({
 *   handlers: [route.get("/books/:id", { resolve: () => new Response() })],
 *   ...compose(
 *     requestId(),
 *     accessLog({ log: ({ durationMs: _, requestId: __, ...entry }) => lines.push(JSON.stringify(entry)) }),
 *   ),
 * });
 *
 * await app.fetch(new Request("http://localhost/books/emma"));
 * await app.fetch(new Request("http://localhost/secret"));
 * assertEquals(lines, [
 *   '{"method":"GET","route":"/books/:id","status":200}',
 *   '{"method":"GET","route":null,"status":404}',
 * ]);
 * ```
 */
export function accessLog(options: AccessLogOptions): AccessLogConcern {
  requireRules(options, "accessLog", { log: FUNCTION });
  const { log } = options;
  return {
    onRequest: start,
    observe: ({ status }, { request: { method }, route, locals }) =>
      // Not the context: `log: console.log` would write cookies and passwords.
      log({
        ...(locals.requestId && { requestId: locals.requestId }),
        method: METHODS.includes(method) ? method : "other",
        route: route?.path ?? null,
        status,
        durationMs: durationSince(locals),
      }),
  };
}

/** The options of {@linkcode accessLog}. */
export interface AccessLogOptions {
  /**
   * Writes an entry, such as by `console.log(JSON.stringify(entry))`.
   *
   * @param entry The entry. It is the only argument. For more, such as the user, write a concern of your own.
   * @returns Anything. A promise is awaited before the response is sent. If it rejects, `onError` makes the response.
   */
  readonly log: (entry: AccessLogEntry) => unknown;
}

/** What {@linkcode accessLog} knows about a request and its response. It contains no text that the client chose. */
export interface AccessLogEntry {
  /** The id of the request, if `requestId` is among the concerns. */
  readonly requestId?: string;
  /** The method of the request; `other` if it is not one of HTTP's own, since clients can invent methods. */
  readonly method: string;
  /** The pattern of the route, such as `/books/:id`; `null` if no route matches. */
  readonly route: string | null;
  /** The status of the response that is sent. */
  readonly status: number;
  /**
   * The milliseconds until the response began, to a tenth. The server may need longer to send the body. `null` if
   * `onRequest` failed before the time was taken.
   */
  readonly durationMs: number | null;
}

/** What {@linkcode accessLog} returns. */
export interface AccessLogConcern {
  /** Adds the start to the locals. */
  onRequest(): { readonly startedAt: number };
  /** Logs the response. */
  observe(response: Response, context: HookContext<{ requestId: string; startedAt: number }>): unknown;
}
