import { reply } from "@fw/core";
import { accepts } from "@std/http/negotiation";
import type { html } from "hono/html";

/** A page: the same data, for programs and for people. */
export interface Page {
  /** The body of the JSON. */
  readonly json: unknown;
  /** Builds the HTML, if the client prefers it, by a tag that escapes values. */
  readonly toHtml: () => ReturnType<typeof html>;
}

/**
 * Responds with JSON or HTML, whichever the client prefers: browsers HTML, `curl` and `fetch` JSON. A client that accepts
 * neither gets 406.
 *
 * Declare the response without a schema, as it has two: `responses: { 200: {}, 406: … }`.
 */
export async function replyNegotiated(request: Request, { json, toHtml }: Page) {
  // Without it, a cache could send the HTML to a program.
  const headers = { vary: "accept" };
  switch (preferred(request)) {
    case "application/json":
      return reply(200, Response.json(json, { headers }));
    case "text/html":
      return reply(200, new Response(await toHtml(), { headers: { ...headers, ...HTML_HEADERS } }));
    default:
      return reply(406, { error: "Accept application/json or text/html" }, { headers });
  }
}

/** The media type that the client prefers. Ignores what is beyond 1,000 characters: browsers send 200. */
function preferred({ headers }: Request): string | undefined {
  const accept = headers.get("accept") ?? "";
  if (accept.length <= 1_000) return accepts({ headers }, "application/json", "text/html");
  // The time to parse a header grows with its length.
  const start = new Headers({ accept: accept.slice(0, 1_000).replace(/,[^,]*$/, "") });
  return accepts({ headers: start }, "application/json", "text/html");
}

/** The policy is a second line of defence: no script and no form is allowed on the page. */
const HTML_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
};
