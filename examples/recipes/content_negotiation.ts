// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/recipes/content_negotiation.ts
//
// Responds with HTML or JSON at one url, by the `Accept` header of the request: browsers prefer HTML, `curl` and `fetch`
// take JSON. A client that accepts neither gets 406.
//
// Open http://localhost:8000/books in a browser, and:
//
// curl -i http://localhost:8000/books

import { type App, reply, route, setup } from "@fw/core";
import { accepts } from "@std/http/negotiation"; // npm: npx jsr add @std/http
import { html } from "hono/html";
import { z } from "zod";

const HTML = "text/html; charset=utf-8";

const book = z.object({ title: z.string(), year: z.int() });

export function createApp(books: readonly z.infer<typeof book>[]): App {
  // Values must be in an element, or in an attribute in quotation marks: elsewhere, escaping is not enough.
  const page = () =>
    html`
      <!doctype html>
      <html lang="en">
        <title>Books</title>
        <ul>${books.map(({ title, year }) => html`<li>${title} (${year})</li>`)}</ul>
      </html>
    `;

  return setup({
    handlers: [
      route.on(["GET", "HEAD"], "/books", {
        responses: {
          200: [
            { description: "The books", schema: z.object({ data: z.array(book) }) },
            { description: "A page of the books", schema: z.string(), contentType: HTML },
          ],
          406: { description: "Neither is accepted", schema: z.object({ error: z.string() }) },
        },
        resolve: async ({ request }) => {
          // Without it, a cache could send the HTML to a program.
          const headers = { vary: "accept" };
          switch (preferred(request)) {
            case "application/json":
              return reply(200, { data: books }, { headers });
            case "text/html":
              return reply(200, `${await page()}`, { contentType: HTML, headers: { ...headers, ...HTML_HEADERS } });
            default:
              return reply(406, { error: "Accept application/json or text/html" }, { headers });
          }
        },
      }),
    ],
  });
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
  "content-security-policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'; form-action 'none'",
  "x-content-type-options": "nosniff",
};

export default createApp([{ title: "Emma", year: 1815 }, { title: "Crime & Punishment", year: 1866 }]);
