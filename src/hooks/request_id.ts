import type { HookContext } from "../core/guards/context.ts";
import { NAME, optional, requireRules } from "../core/values/option_rules.ts";

/**
 * Gives every request an id: a new UUID, as the local `requestId` and in a header of the response. An id that the
 * client sends is ignored: it could be that of another request.
 *
 * @param options The name of the header.
 * @returns A concern, for `compose`.
 * @throws A `TypeError` if an option is unknown, or the name is not that of a header.
 *
 * @example An id that a handler reads, and the client receives
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { compose, requestId } from "@fw/core/hooks";
 * import { assertEquals } from "@std/assert";
 *
 * const identified = route.with<{ requestId: string }>();
 * const app = setup({
 *   handlers: [identified.get("/", { resolve: (c) => new Response(c.locals.requestId) })],
 *   ...compose(requestId()),
 * });
 *
 * const response = await app.fetch(new Request("http://localhost/"));
 * assertEquals(response.headers.get("x-request-id"), await response.text());
 * ```
 */
export function requestId(options: RequestIdOptions = {}): RequestIdConcern {
  requireRules(options, "requestId", { header: optional(NAME) });
  const { header = "x-request-id" } = options;
  return {
    onRequest: () => ({ requestId: crypto.randomUUID() }),
    headers: (headers, { locals }) => {
      if (locals.requestId) headers.set(header, locals.requestId);
    },
  };
}

/** The options of {@linkcode requestId}. */
export interface RequestIdOptions {
  /** The header of the response that has the id; `x-request-id` by default. */
  readonly header?: string | undefined;
}

/** What {@linkcode requestId} returns. */
export interface RequestIdConcern {
  /** Adds the id to the locals. */
  onRequest(): { readonly requestId: string };
  /** Sets the header. */
  headers(headers: Headers, context: HookContext<{ requestId: string }>): void;
}
