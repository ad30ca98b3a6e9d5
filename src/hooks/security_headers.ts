import { optionalRule, type OptionRule, requireRules } from "../core/values/option_rules.ts";

/**
 * Sets headers that restrict what browsers do with a response, on every response. If a response already has one of
 * them, it keeps its own value, such as the `content-security-policy` of one page.
 *
 * There are no defaults, since the right policy depends on the app. A header that is `undefined` is not set.
 *
 * @param options The headers by name, in lower case.
 * @returns A concern, for `compose`.
 * @throws A `TypeError` if a name is unknown, or a value is not that of a header.
 *
 * @example Headers of an API that serves no pages
 * ```ts
 * import { route, setup } from "@fw/core";
 * import { compose, securityHeaders } from "@fw/core/hooks";
 * import { assertEquals } from "@std/assert";
 *
 * const app = setup({
 *   handlers: [route.get("/", { resolve: () => Response.json({}) })],
 *   ...compose(securityHeaders({
 *     "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
 *     "strict-transport-security": "max-age=31536000",
 *     "x-content-type-options": "nosniff",
 *   })),
 * });
 *
 * const response = await app.fetch(new Request("http://localhost/"));
 * assertEquals(response.headers.get("x-content-type-options"), "nosniff");
 * ```
 */
export function securityHeaders(options: SecurityHeaders): SecurityHeadersConcern {
  requireRules(options, "securityHeaders", Object.fromEntries(NAMES.map((name) => [name, VALUE])));
  const given = Object.entries<string | undefined>(options);
  return {
    headers: (headers) => {
      for (const [name, value] of given) if (value !== undefined && !headers.has(name)) headers.set(name, value);
    },
  };
}

/** The headers that {@linkcode securityHeaders} knows, each with its value. */
export type SecurityHeaders = { readonly [Name in SecurityHeaderName]?: string | undefined };

/** The name of a header that restricts what browsers do with a response. */
export type SecurityHeaderName =
  | "content-security-policy"
  | "content-security-policy-report-only"
  | "cross-origin-embedder-policy"
  | "cross-origin-opener-policy"
  | "cross-origin-resource-policy"
  | "origin-agent-cluster"
  | "permissions-policy"
  | "referrer-policy"
  | "reporting-endpoints"
  | "strict-transport-security"
  | "x-content-type-options"
  | "x-dns-prefetch-control"
  | "x-download-options"
  | "x-frame-options"
  | "x-permitted-cross-domain-policies"
  | "x-xss-protection";

/** What {@linkcode securityHeaders} returns. */
export interface SecurityHeadersConcern {
  /** Sets the headers that the response does not have. */
  headers(headers: Headers): void;
}

const VALUE: OptionRule = /* @__PURE__ */ optionalRule([
  "one line of ASCII characters",
  (value) => typeof value === "string" && /^[ -~]+$/.test(value),
]);

const NAMES: readonly SecurityHeaderName[] = [
  "content-security-policy",
  "content-security-policy-report-only",
  "cross-origin-embedder-policy",
  "cross-origin-opener-policy",
  "cross-origin-resource-policy",
  "origin-agent-cluster",
  "permissions-policy",
  "referrer-policy",
  "reporting-endpoints",
  "strict-transport-security",
  "x-content-type-options",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
];
