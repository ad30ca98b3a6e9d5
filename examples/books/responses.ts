import type { RouteResponse } from "@fw/core";
import { z } from "zod";
import type { Pagination } from "./page.ts";
import type { BookV2 } from "./shapes.ts";
import type { Author, Book } from "./store.ts";

/** The responses of the API, for its OpenAPI document. Nothing is validated with these schemas. */

const book = z.object({
  id: z.string(),
  title: z.string(),
  authorId: z.string(),
  createdAt: z.iso.datetime().meta({
    description: "Unique, and the cursor of lists",
    examples: ["2023-11-23T11:43:53.373Z"],
  }),
}).meta({ id: "Book" }) satisfies z.ZodType<Book>;

const author = z.object({ id: z.string(), name: z.string() }).meta({ id: "Author" }) satisfies z.ZodType<Author>;

const bookV2 = book.omit({ authorId: true }).extend({
  author: author.nullable().describe("Null if the author is unknown"),
}).meta({ id: "BookV2" }) satisfies z.ZodType<BookV2>;

const bookInTransition = bookV2.extend({
  author_name: z.string().nullable().meta({ deprecated: true, description: "Replaced by `author.name`" }),
}).meta({ id: "BookInTransition" });

const pagination = z.object({
  limit: z.int().meta({ examples: [20] }),
  nextCursor: z.iso.datetime().nullable().meta({
    description: "The `cursor` of the next page, or null on the last page",
    examples: ["2023-11-23T11:43:53.373Z"],
  }),
  hasMore: z.boolean(),
}).meta({ id: "Pagination" }) satisfies z.ZodType<Pagination>;

const error = z.object({ error: z.string() }).meta({ id: "Error" });

const invalidInput = z.object({
  error: z.string(),
  issues: z.array(z.object({
    part: z.enum(["params", "query", "body"]),
    path: z.array(z.string()),
    message: z.string(),
    code: z.string().optional(),
  })),
}).meta({ id: "InvalidInput" });

const invalid: RouteResponse = { description: "Invalid input", schema: invalidInput };
const tooLarge: RouteResponse = { description: "The body has more than 64 KiB", schema: invalidInput };
const otherKey: RouteResponse = { description: "The Idempotency-Key was used for another book", schema: error };
const notFound: RouteResponse = { description: "No such book", schema: error };

const unavailable: RouteResponse = {
  description: "The database is unreachable or overloaded: try again",
  schema: error,
};

const list = (item: z.ZodType): RouteResponse => (
  { description: "A page, newest first", schema: z.object({ data: z.array(item), pagination }) }
);

/** The responses of a list. */
export const LISTED = { 200: list(book), 400: invalid, 503: unavailable };
/** The responses of a list in version 2. */
export const LISTED_V2 = { 200: list(bookV2), 400: invalid, 503: unavailable };
/** The responses for one book. */
export const SHOWN = { 200: { description: "The book", schema: book }, 404: notFound, 503: unavailable };
/** The responses for one book in version 2. */
export const SHOWN_V2 = { 200: { description: "The book", schema: bookInTransition }, 404: notFound, 503: unavailable };
/** The responses to the creation of a book. */
export const CREATED = {
  201: { description: "The new book", schema: book },
  400: invalid,
  413: tooLarge,
  422: otherKey,
  503: unavailable,
};
/** The responses to the deletion of a book. */
export const DELETED = { 204: { description: "The book is deleted" }, 404: notFound, 503: unavailable };
/** The responses of the readiness check. */
export const READY = {
  200: { description: "The database answers", schema: z.object({ ready: z.literal(true) }) },
  503: unavailable,
};
