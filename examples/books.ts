// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/books.ts
//
// With Deno installed: deno serve --host 127.0.0.1 examples/books.ts
//
// The list API: cursor pagination, two versions, deprecation, validation, on a real database.
//
// By default, the books are stored in memory. The first printed line says so. To store them in a file:
// BOOKS_DB=books.db \
//   deno serve --host 127.0.0.1 --allow-env=DATABASE_URL,BOOKS_DB --allow-read=books.db --allow-write=books.db examples/books.ts
//
// To store them in PostgreSQL, shared by any number of instances:
// DATABASE_URL=postgres://user:password@localhost:5432/books \
//   deno serve --host 127.0.0.1 --allow-env=DATABASE_URL,BOOKS_DB --allow-net=localhost:5432 examples/books.ts

import { type InvalidInput, route, setup } from "@fw/core";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import { answerError, unavailable } from "./books/answer_error.ts";
import { checkReady } from "./books/check_ready.ts";
import { startDeadline } from "./books/deadline.ts";
import { readIdempotencyKey } from "./books/idempotency_key.ts";
import { openStore } from "./books/open_store.ts";
import { type PageQuery, pageQuery, readPage } from "./books/page.ts";
import { CREATED, DELETED, LISTED, LISTED_V2, READY, SHOWN, SHOWN_V2 } from "./books/responses.ts";
import { toV2 } from "./books/shapes.ts";
import { stopOnSigterm } from "./shared/stop_on_sigterm.ts";
import { trimmed } from "./shared/text.ts";

const store = await openStore();

const stopping = stopOnSigterm();

const newBook = z.object({
  title: trimmed(500),
  authorId: trimmed(100),
});

const books = route.with({ docs: { tags: ["books"] } });
const v1 = route.with({ prefix: "/v1", docs: { tags: ["version 1"], deprecated: true } });
const v2 = route.with({ prefix: "/v2", docs: { tags: ["version 2"] } });

/** A deprecation: when it began, when the resource stops working, and the url of the migration guide. */
interface Deprecation {
  readonly since: Date;
  readonly sunset: Date;
  readonly docs: string;
}

const V1: Deprecation = {
  since: new Date("2026-07-01"),
  sunset: new Date("2028-01-01"),
  docs: "https://example.com/docs/from-v1-to-v2",
};

const POPULAR: Deprecation = {
  since: new Date("2026-10-01"),
  sunset: new Date("2027-10-01"),
  docs: "https://example.com/docs/from-popular-to-top",
};

const app = setup({
  validator: standardSchema,
  maxBodyBytes: 64 * 1024,

  handlers: [
    // The types come from the schemas: if `input.ok` is true, `input.query` has the output type of `pageQuery`.
    books.with({ responses: LISTED }).get("/books", {
      docs: { summary: "Lists books", operationId: "listBooks" },
      request: { query: pageQuery },
      resolve: ({ input }) => input.ok ? list(input.query) : invalid(input),
    }),

    // Without a schema, read the raw input. Its keys are the names in the pattern: `raw.params.ID` does not compile.
    books.with({ responses: SHOWN }).get("/books/:id", {
      docs: { summary: "Shows a book", operationId: "getBook" },
      resolve: async ({ raw }) => {
        const book = await store.get(raw.params.id);
        return book === undefined ? notFound() : Response.json(book);
      },
    }),

    // The framework reads the body, as JSON, because there is a schema for it.
    books.with({ responses: CREATED }).post("/books", {
      docs: {
        summary: "Creates a book",
        description:
          "A client can repeat a request that has an `Idempotency-Key` header: the same key creates no second book.",
        operationId: "createBook",
      },
      request: { body: newBook },
      guards: [readIdempotencyKey],
      resolve: async ({ input, locals }) => {
        if (!input.ok) return invalid(input);
        const book = await store.create(input.body, locals.idempotencyKey);
        if (book.title !== input.body.title || book.authorId !== input.body.authorId) return keyOfAnother();
        return Response.json(book, { status: 201, headers: { location: `/books/${book.id}` } });
      },
    }),

    books.with({ responses: DELETED }).delete("/books/:id", {
      docs: { summary: "Deletes a book", operationId: "deleteBook" },
      resolve: async ({ raw }) => {
        const deleted = await store.delete(raw.params.id);
        return deleted ? new Response(null, { status: 204 }) : notFound();
      },
    }),

    // In version 1, a book has an `authorId`. The whole version is deprecated: see onResponse.
    v1.with({ responses: LISTED }).get("/books", {
      docs: { summary: "Lists books with the ids of their authors" },
      request: { query: pageQuery },
      resolve: ({ input }) => input.ok ? list(input.query) : invalid(input),
    }),

    // In version 2, a book has an `author`.
    v2.with({ responses: LISTED_V2 }).get("/books", {
      docs: { summary: "Lists books with their authors" },
      request: { query: pageQuery },
      resolve: ({ input }) => input.ok ? listV2(input.query) : invalid(input),
    }),

    v2.with({ responses: LISTED_V2 }).get("/books/top", {
      docs: { summary: "Lists the top books" },
      request: { query: pageQuery },
      resolve: ({ input }) => input.ok ? listV2(input.query, { top: true }) : invalid(input),
    }),

    // Only this route is deprecated, so the handler adds the headers.
    v2.with({ responses: LISTED_V2 }).get("/books/popular", {
      docs: { summary: "Lists the same books as /v2/books/top", deprecated: true },
      request: { query: pageQuery },
      resolve: async ({ input }) =>
        deprecate(input.ok ? await listV2(input.query, { top: true }) : invalid(input), POPULAR),
    }),

    // A deprecated field: `author.name` replaces `author_name`. Both are present until the sunset date.
    v2.with({ responses: SHOWN_V2 }).get("/books/:id", {
      docs: { summary: "Shows a book with its author" },
      resolve: async ({ raw }) => {
        const deadline = startDeadline();
        const book = await store.get(raw.params.id, deadline);
        if (book === undefined) return notFound();
        const [shown] = await toV2([book], store, deadline);
        return Response.json({ ...shown, author_name: shown?.author?.name ?? null });
      },
    }),

    // For a load balancer, which sends requests only to instances that answer 200.
    books.with({ responses: READY }).get("/ready", {
      docs: { summary: "Tells whether the database answers", operationId: "checkReady" },
      resolve: async () => {
        await checkReady(store);
        return Response.json({ ready: true }, { headers: { "cache-control": "no-store" } });
      },
    }),
  ],

  // Runs first. Its return value becomes the locals of the request.
  onRequest: () => ({ requestId: crypto.randomUUID() }),

  // Runs last, for every response. The locals are optional here, because onRequest may have failed.
  onResponse: ({ context, response, locals }) => {
    // The 404 of the framework has no body. Replace it.
    const replaced = response.status === 404 && context.route === undefined ? notFound() : response;
    const sent = new Response(replaced.body, replaced); // the headers of some responses are immutable
    if (locals.requestId !== undefined) sent.headers.set("x-request-id", locals.requestId);
    const version = versionOf(context.request);
    if (version !== undefined) sent.headers.set("x-api-version", version);
    return version === "v1" ? deprecate(sent, V1) : sent;
  },

  // Logs the error with the request id. The client receives only the id, in a header, and can report it.
  onError: ({ error, context }) => {
    // After SIGTERM, Deno stops reading bodies that are still arriving.
    if (stopping.aborted && error instanceof Deno.errors.BadResource) return unavailable();
    if (context.stage === "body") return Response.json({ error: "Incomplete body" }, { status: 400 });
    console.error(`Request ${context.locals.requestId} failed:`, error);
    return answerError(error);
  },
});

export default app satisfies Deno.ServeDefaultExport;

async function list(query: PageQuery): Promise<Response> {
  const { books, pagination } = await readPage(store, query);
  return Response.json({ data: books, pagination });
}

async function listV2(query: PageQuery, filter?: { readonly top: boolean }): Promise<Response> {
  // All waits of a request share one deadline.
  const deadline = startDeadline();
  const { books, pagination } = await readPage(store, query, filter, deadline);
  return Response.json({ data: await toV2(books, store, deadline), pagination });
}

/** Returns the version in the path. An invalid `Host` header can make the url invalid: then there is none. */
function versionOf({ url }: Request): string | undefined {
  return /^\/(v[12])(?:\/|$)/.exec(URL.parse(url)?.pathname ?? "")?.[1];
}

/** Adds the headers that announce a deprecation. */
function deprecate(response: Response, { since, sunset, docs }: Deprecation): Response {
  const sent = new Response(response.body, response); // the headers of some responses are immutable
  sent.headers.set("deprecation", since.toUTCString());
  sent.headers.set("sunset", sunset.toUTCString()); // RFC 8594
  sent.headers.append("link", `<${docs}>; rel="deprecation"`);
  return sent;
}

/** The response to invalid input. The framework only reports the issues, and sends no response. */
function invalid({ issues }: InvalidInput): Response {
  return issues.some(({ code }) => code === "body_too_large")
    ? Response.json({ error: "Body too large", issues }, { status: 413 })
    : Response.json({ error: "Invalid input", issues }, { status: 400 });
}

function keyOfAnother(): Response {
  return Response.json({ error: "The Idempotency-Key was used for another book" }, { status: 422 });
}

function notFound(): Response {
  return Response.json({ error: "Not found" }, { status: 404 });
}
