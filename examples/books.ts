// npx -y deno@2.9.6 serve examples/books.ts
//
// With Deno installed: deno serve examples/books.ts
//
// The books are kept in memory. To keep them in a file:
// BOOKS_DB=books.db deno serve --allow-env=BOOKS_DB --allow-read=books.db --allow-write=books.db examples/books.ts

import { z } from "zod";
import { type InvalidInput, route, setup } from "../mod.ts";
import { openStore } from "./books/open_store.ts";
import { zodValidator } from "./zod_validator.ts";

const store = openStore();

const MAX_LIMIT = 100;

/** Text that any database keeps as it is: no NUL, no half of a surrogate pair. */
const text = z.string().refine((value) => value.isWellFormed() && !value.includes("\0"), "Invalid characters");

const page = z.object({
  limit: z.coerce.number().int().min(1).default(20),
  cursor: z.iso.datetime({ offset: true }).transform(ceilToMillisecond).optional(),
});

const newBook = z.object({
  title: text.trim().min(1).max(500),
  authorId: text.trim().min(1),
});

const app = setup({
  validator: zodValidator,
  maxBodyBytes: 64 * 1024,

  handlers: [
    // The schemas decide the types: `input.query` is what `page` yields, once `input.ok` has been checked.
    route.get("/books", {
      request: { query: page },
      resolve: async ({ input }) => {
        if (!input.ok) return invalid(input);
        const limit = Math.min(input.query.limit, MAX_LIMIT);
        const books = await store.list({ before: input.query.cursor, limit });
        // Only a full page has a book at this index.
        const nextCursor = books[limit - 1]?.createdAt ?? null;
        return Response.json({ data: books, pagination: { limit, nextCursor, hasMore: nextCursor !== null } });
      },
    }),

    // Without a schema there is the raw input. Its names are those of the pattern: `raw.params.ID` does not compile.
    route.get("/books/:id", {
      resolve: async ({ raw }) => {
        const book = await store.get(raw.params.id);
        return book === undefined ? notFound() : Response.json(book);
      },
    }),

    // The schema for the body is what makes the framework read it, as JSON.
    route.post("/books", {
      request: { body: newBook },
      resolve: async ({ input }) => {
        if (!input.ok) return invalid(input);
        const book = await store.create(input.body);
        return Response.json(book, { status: 201, headers: { location: `/books/${book.id}` } });
      },
    }),

    route.delete("/books/:id", {
      resolve: async ({ raw }) => {
        const deleted = await store.delete(raw.params.id);
        return deleted ? new Response(null, { status: 204 }) : notFound();
      },
    }),
  ],

  // Runs first. What it returns are the locals of the request.
  onRequest: () => ({ requestId: crypto.randomUUID() }),

  // Runs last, for every response. Locals may be missing here: onRequest itself could have failed.
  onResponse: ({ context, response, locals }) => {
    // The framework's own answer where no route matches has no body; here every error has one.
    const sent = response.status === 404 && context.route === undefined ? notFound() : response;
    if (locals.requestId !== undefined) sent.headers.set("x-request-id", locals.requestId);
    return sent;
  },

  // Whatever is thrown ends here. The log has it all, the client only the id to ask with.
  onError: ({ error, context }) => {
    console.error(`Request ${context.locals.requestId} failed:`, error);
    return Response.json({ error: "Internal server error" }, { status: 500 });
  },
});

export default app satisfies Deno.ServeDefaultExport;

/** Input that does not fit its schemas is data, not an answer: this is the answer that this API gives. */
function invalid({ issues }: InvalidInput): Response {
  return issues.some(({ code }) => code === "body_too_large")
    ? Response.json({ error: "Body too large", issues }, { status: 413 })
    : Response.json({ error: "Invalid input", issues }, { status: 400 });
}

function notFound(): Response {
  return Response.json({ error: "Not found" }, { status: 404 });
}

/**
 * The first whole millisecond that is not before the timestamp. Books are created at whole milliseconds and `Date` knows
 * nothing finer: cut off instead, `.0005` would miss the book created at `.000`.
 */
function ceilToMillisecond(timestamp: string): Date {
  const [finer = ""] = FINER_THAN_MILLISECOND.exec(timestamp) ?? [];
  const floor = Date.parse(timestamp.replace(FINER_THAN_MILLISECOND, ""));
  return new Date(/[1-9]/.test(finer) ? floor + 1 : floor);
}

const FINER_THAN_MILLISECOND = /(?<=\.\d{3})\d+/;
