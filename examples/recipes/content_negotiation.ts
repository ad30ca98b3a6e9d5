// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/recipes/content_negotiation.ts
//
// Responds with HTML or JSON at one url, by the `Accept` header of the request.
//
// Open http://localhost:8000/books in a browser, and:
//
// curl -i http://localhost:8000/books

import { type App, reply, route, setup } from "@fw/core";
import { html } from "hono/html";
import { z } from "zod";
import { replyNegotiated } from "./content_negotiation/content_negotiation.ts";

/** Creates the app. */
export function createApp(books: readonly { readonly title: string; readonly year: number }[]): App {
  return setup({
    handlers: [
      route.on(["GET", "HEAD"], "/books", {
        responses: {
          200: { description: "The books, as JSON or HTML" },
          406: { description: "Neither is accepted", schema: z.object({ error: z.string() }) },
        },
        resolve: ({ request }) =>
          replyNegotiated(request, {
            json: { data: books },
            // Values must be in an element, or in an attribute in quotation marks: elsewhere, escaping is not enough.
            toHtml: () =>
              html`
                <!doctype html>
                <html lang="en">
                  <title>Books</title>
                  <ul>${books.map(({ title, year }) => html`<li>${title} (${year})</li>`)}</ul>
                </html>
              `,
          }),
      }),
    ],
    onError: ({ error, context }) => {
      console.error(`${context.request.method} ${context.route?.path} failed:`, error);
      return reply(500, { error: "Internal server error" });
    },
  });
}

export default createApp([{ title: "Emma", year: 1815 }, { title: "Crime & Punishment", year: 1866 }]);
