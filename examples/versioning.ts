// npx -y deno@2.9.6 serve --host 127.0.0.1 --import-map=tests/import_map.json examples/versioning.ts
//
// Serves two versions of a list at one url. A client selects a version by a media type in `Accept`, or by a number in
// `API-Version`.
//
// A client that selects no version gets version 1, because it may be older than version 2.
//
// curl -i -H 'accept: application/vnd.books.v2+json' 'http://localhost:8000/books?limit=2'
// curl -i -H 'api-version: 2' 'http://localhost:8000/books?limit=2'

import { allow, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { accepts } from "@std/http/negotiation"; // npm: npx jsr add @std/http
import { z } from "zod";
import { answerError } from "./books/answer_error.ts";
import { type Deadline, startDeadline } from "./books/deadline.ts";
import { openStore } from "./books/open_store.ts";
import { pageQuery, readPage } from "./books/page.ts";
import { book, bookV2, invalidInput, pagination, unavailable } from "./books/responses.ts";
import { toV2 } from "./books/shapes.ts";
import type { Book } from "./books/store.ts";

const store = await openStore();

/** The supported versions, the oldest first. */
const VERSIONS = [
  { name: "v1", mediaType: "application/vnd.books.v1+json", show: (books: readonly Book[]) => books },
  {
    name: "v2",
    mediaType: "application/vnd.books.v2+json",
    show: (books: readonly Book[], deadline: Deadline) => toV2(books, store, deadline),
  },
];

const unsupported = z.object({ error: z.string(), supported: z.array(z.string()) });

const app = setup({
  validator: standardSchema,

  handlers: [
    route.get("/books", {
      request: { query: pageQuery },
      responses: {
        200: {
          description: "A page, in the version that was selected",
          // As a `string`, so that TypeScript accepts the media types of the versions, too.
          contentType: "application/json" as string,
          schema: z.object({ data: z.union([z.array(book), z.array(bookV2)]), pagination }),
        },
        400: { description: "Invalid input, or no such version", schema: z.union([invalidInput, unsupported]) },
        406: { description: "No media type that `Accept` admits", schema: unsupported },
        503: unavailable,
      },
      guards: [negotiateVersion, denyInvalid(({ issues }) => reply(400, { error: "Invalid input", issues }))],
      resolve: async ({ input, locals: { version, contentType } }) => {
        const deadline = startDeadline();
        const { books, pagination } = await readPage(store, input.query, {}, deadline);
        const init = { contentType, headers: { "x-api-version": version.name } };
        return reply(200, { data: await version.show(books, deadline), pagination }, init);
      },
    }),
  ],

  onResponse: ({ context, response }) => {
    if (response.status === 404 && context.route === undefined) {
      return Response.json({ error: "Not found" }, { status: 404 });
    }
    // On errors too: a cache must not send this response to a client with other values of these headers.
    const sent = new Response(response.body, response); // the headers of some responses are immutable
    sent.headers.append("vary", "Accept, API-Version");
    return sent;
  },

  onError: ({ error }) => {
    console.error(error);
    return answerError(error);
  },
});

export default app satisfies Deno.ServeDefaultExport;

/** Finds a version that `API-Version` names and `Accept` allows, and the media type of the response. */
function negotiateVersion({ request }: Context) {
  const named = request.headers.get("api-version");
  const versions = VERSIONS.filter(({ name }) => named === null || name === named || name === `v${named}`);
  const [oldest] = versions;
  if (oldest === undefined) {
    return deny(reply(400, { error: "No such API-Version", supported: ["1", "2"] }));
  }
  // `accepts` prefers the first of equally acceptable types: plain JSON in the oldest version.
  const supported = ["application/json", ...versions.map(({ mediaType }) => mediaType)];
  const contentType = accepts({ headers: new Headers({ accept: mediaRanges(request) }) }, ...supported);
  if (contentType === undefined) {
    return deny(reply(406, { error: "Accept admits none of these", supported }));
  }
  return allow({ version: versions.find(({ mediaType }) => mediaType === contentType) ?? oldest, contentType });
}

/** Reads the media ranges of `Accept`. Removes parameters other than `q`: they have no meaning for JSON. */
function mediaRanges({ headers }: Request): string {
  const ranges = bounded(headers.get("accept") ?? "").split(",").flatMap((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const quality = parameters.filter((parameter) => /^q=/i.test(parameter));
    return type === "" ? [] : [type, ...quality].join(";");
  });
  return ranges.join();
}

/**
 * Ignores what is beyond 1,000 characters, because the time to parse a header grows with its length. Browsers send 200.
 */
function bounded(header: string): string {
  return header.length > 1_000 ? header.slice(0, 1_000).replace(/,[^,]*$/, "") : header;
}
