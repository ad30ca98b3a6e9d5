import type { HookContext } from "../core/guards/context.ts";
import { NAME, requireRules } from "../core/values/option_rules.ts";

/**
 * Tells the client how long the request took until its response began, in milliseconds, in the header `Server-Timing`.
 * The tools of browsers show it. Anyone can read it, so leave it out where durations give a secret away.
 *
 * @param options The name of the duration.
 * @returns A concern, for `compose`. It adds the local `startedAt`, in milliseconds of `performance.now()`.
 * @throws A `TypeError` if an option is unknown, or the name is not a token.
 *
 * @example A duration that the tools of browsers show
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { compose, serverTiming } from "@fw/core/hooks";
 * import { assertMatch } from "@std/assert";
 *
 * const app = setup({
 *   handlers: [route.get("/", { resolve: () => new Response("It works") })],
 *   ...compose(serverTiming({ name: "app" })),
 * });
 *
 * const response = await app.fetch(new Request("http://localhost/"));
 * assertMatch(response.headers.get("server-timing") ?? "", /^app;dur=\d+(\.\d)?$/);
 * ```
 */
export function serverTiming(options: ServerTimingOptions): ServerTimingConcern {
  requireRules(options, "serverTiming", { name: NAME });
  const { name } = options;
  return {
    onRequest: start,
    headers: (headers, { locals }) => {
      const duration = durationSince(locals);
      if (duration !== null) headers.append("server-timing", `${name};dur=${duration}`);
    },
  };
}

/** The options of {@linkcode serverTiming}. */
export interface ServerTimingOptions {
  /** The name of the duration, such as `app`. */
  readonly name: string;
}

/** What {@linkcode serverTiming} returns. */
export interface ServerTimingConcern {
  /** Adds the start to the locals. */
  onRequest(): { readonly startedAt: number };
  /** Sets the header. */
  headers(headers: Headers, context: HookContext<{ startedAt: number }>): void;
}

/** The time at which a request starts, as a local. */
export function start(): { readonly startedAt: number } {
  return { startedAt: performance.now() };
}

/** The milliseconds since the start, to a tenth; `null` if `onRequest` failed before the start was set. */
export function durationSince({ startedAt }: { readonly startedAt?: number }): number | null {
  return startedAt === undefined ? null : Math.round(10 * (performance.now() - startedAt)) / 10;
}
