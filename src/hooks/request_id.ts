import type { HookContext } from "../core/guards/context.ts";
import type { OnRequestArgs } from "../core/setup_options.ts";
import { requireThat } from "../core/values/assert.ts";
import { FUNCTION, NAME, optionalRule, requireRules } from "../core/values/option_rules.ts";

/**
 * Gives every request an id: a new UUID, as the local `requestId` and in a header of the response. An id that the
 * client sends is ignored: it could be the id of another request. Behind a gateway that sets one, `from` takes it.
 *
 * @param options The names of headers, and where ids come from.
 * @returns A concern, for `compose`.
 * @throws A `TypeError` if an option is unknown or of the wrong type, or a name is not that of a header. In a request,
 * if `create` returns no id.
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
 *
 * @example The id of a gateway, or else one of our own
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { compose, requestId } from "@fw/core/hooks";
 * import { assertEquals } from "@std/assert";
 *
 * let count = 0;
 * const app = setup({
 *   handlers: [route.get("/", { resolve: () => new Response() })],
 *   ...compose(requestId({ from: "cf-ray", create: () => `own-${++count}` })),
 * });
 *
 * const idOf = async (headers: HeadersInit) =>
 *   (await app.fetch(new Request("http://localhost/", { headers }))).headers.get("x-request-id");
 * assertEquals(await idOf({ "cf-ray": "230b030023ae2822-SJC" }), "230b030023ae2822-SJC");
 * assertEquals(await idOf({}), "own-1");
 * ```
 */
export function requestId(options: RequestIdOptions = {}): RequestIdConcern {
  requireRules(options, "requestId", {
    header: optionalRule(NAME),
    from: optionalRule([`${NAME[0]}, or a function`, (from) => typeof from === "function" || NAME[1](from)]),
    create: optionalRule(FUNCTION),
  });
  const { header = "x-request-id", from, create = () => crypto.randomUUID() } = options;

  function idOf(request: Request): string {
    const given = typeof from === "function" ? from(request) : from === undefined ? null : request.headers.get(from);
    if (isId(given)) return given;
    const created: unknown = create();
    requireThat(
      isId(created),
      "The result of create of requestId",
      "1 to 200 ASCII characters without spaces",
      created,
    );
    return created;
  }

  return {
    onRequest: ({ request }) => ({ requestId: idOf(request) }),
    headers: (headers, { locals }) => {
      if (locals.requestId) headers.set(header, locals.requestId);
    },
  };
}

/** Whether this is an id: one word, since it is sent in a header and stands in logs. */
function isId(value: unknown): value is string {
  return typeof value === "string" && /^[!-~]{1,200}$/.test(value);
}

/** The options of {@linkcode requestId}. */
export interface RequestIdOptions {
  /** The header of the response that has the id; `x-request-id` by default. */
  readonly header?: string | undefined;
  /**
   * The source of the id: the name of a header that a gateway in front of the app sets, or a function of the request.
   * Use it only if the gateway replaces the header of clients. Otherwise, clients choose their ids. A value that is not
   * 1 to 200 ASCII characters without spaces is ignored.
   */
  readonly from?: string | ((request: Request) => string | null | undefined) | undefined;
  /** Makes an id, of 1 to 200 ASCII characters without spaces. The default makes a UUID. */
  readonly create?: (() => string) | undefined;
}

/** What {@linkcode requestId} returns. */
export interface RequestIdConcern {
  /** Adds the id to the locals. */
  onRequest(args: OnRequestArgs): { readonly requestId: string };
  /** Sets the header. */
  headers(headers: Headers, context: HookContext<{ requestId: string }>): void;
}
