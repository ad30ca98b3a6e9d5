// npx -y deno@2.9.6 serve --import-map=tests/import_map.json examples/versioning.ts
//
// One url, two versions of what it lists: a client names one by media type in `Accept`, or by number in `API-Version`. One
// that names none gets version 1, as it may have been written before there was another.
//
// curl -i -H 'accept: application/vnd.books.v2+json' 'http://localhost:8000/books?limit=2'
// curl -i -H 'api-version: 2' 'http://localhost:8000/books?limit=2'

import { allow, type Context, deny, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { accepts } from "@std/http/negotiation";
import { answerError } from "./books/answer_error.ts";
import { openStore } from "./books/open_store.ts";
import { pageQuery, readPage } from "./books/page.ts";
import { toV2 } from "./books/shapes.ts";
import type { Book } from "./books/store.ts";

const store = await openStore();

/** The versions still supported, the oldest first. */
const VERSIONS = [
  { name: "v1", mediaType: "application/vnd.books.v1+json", show: (books: readonly Book[]) => books },
  { name: "v2", mediaType: "application/vnd.books.v2+json", show: (books: readonly Book[]) => toV2(books, store) },
];

const app = setup({
  validator: standardSchema,

  handlers: [
    route.get("/books", {
      request: { query: pageQuery },
      guards: [negotiateVersion],
      resolve: async ({ input, locals: { version, contentType } }) => {
        if (!input.ok) return Response.json({ error: "Invalid input", issues: input.issues }, { status: 400 });
        const { books, pagination } = await readPage(store, input.query);
        const headers = { "content-type": contentType, "x-api-version": version.name };
        return Response.json({ data: await version.show(books), pagination }, { headers });
      },
    }),
  ],

  onResponse: ({ context, response }) => {
    if (response.status === 404 && context.route === undefined) {
      return Response.json({ error: "Not found" }, { status: 404 });
    }
    // On errors too: a cache must not give what these headers have chosen to a client that sends others.
    response.headers.append("vary", "Accept, API-Version");
    return response;
  },

  onError: ({ error }) => {
    console.error(error);
    return answerError(error);
  },
});

export default app satisfies Deno.ServeDefaultExport;

/** Finds the version to answer with, and the media type: what `API-Version` names, and `Accept` admits. */
function negotiateVersion({ request }: Context) {
  const named = request.headers.get("api-version");
  const versions = VERSIONS.filter(({ name }) => named === null || name === named || name === `v${named}`);
  const [oldest] = versions;
  if (oldest === undefined) {
    return deny(Response.json({ error: "No such API-Version", supported: ["1", "2"] }, { status: 400 }));
  }
  const types = versions.map(({ mediaType }) => mediaType);
  const wanted = mediaRanges(request);
  // Among types that the client likes equally the first is taken: plain JSON, in the oldest version, unless it names one.
  const namesOne = types.some((type) => wanted.some((range) => range.startsWith(type)));
  const supported = namesOne ? [...types, "application/json"] : ["application/json", ...types];
  const contentType = accepts(
    { headers: new Headers(wanted.length === 0 ? {} : { accept: wanted.join() }) },
    ...supported,
  );
  if (contentType === undefined) {
    return deny(Response.json({ error: "Accept admits none of these", supported }, { status: 406 }));
  }
  return allow({ version: versions.find(({ mediaType }) => mediaType === contentType) ?? oldest, contentType });
}

/** What `Accept` lists, in lower case and without parameters but `q`: they make no difference to JSON. */
function mediaRanges({ headers }: Request): readonly string[] {
  return (headers.get("accept") ?? "").toLowerCase().split(",").flatMap((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim());
    const quality = parameters.filter((parameter) => parameter.startsWith("q="));
    return range.trim() === "" ? [] : [type, ...quality].join(";");
  });
}
