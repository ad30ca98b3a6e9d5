/**
 * What clients see of the books API: the server implements these endpoints, clients call them by `createClient`, and
 * the OpenAPI document describes them. Nothing here is the server's: a client in a browser imports this file.
 */

import { endpoint } from "@fw/core";
import { z } from "zod";
import { trimmed } from "../shared/text.ts";
import { pageQuery } from "./page.ts";
import {
  book,
  bookInTransition,
  bookV2,
  failure,
  invalid,
  invalidInput,
  notFound,
  page,
  unavailable,
} from "./responses.ts";

// What all endpoints of a scope share: here the response while the database is unreachable.
const api = endpoint.with({ responses: { 503: unavailable } });
const books = api.with({ docs: { tags: ["books"] } });
const v1 = api.with({ prefix: "/v1", docs: { tags: ["version 1"], deprecated: { sunset: "2028-01-01" } } });
const v2 = api.with({ prefix: "/v2", docs: { tags: ["version 2"] } });

const newBook = z.object({
  title: trimmed(500),
  authorId: trimmed(100),
});

export const listBooks = books.get("/books", {
  docs: { summary: "Lists books", operationId: "listBooks" },
  request: { query: pageQuery },
  responses: { 200: page(book), 400: invalid },
});

export const getBook = books.get("/books/:id", {
  docs: { summary: "Shows a book", operationId: "getBook" },
  responses: { 200: { description: "The book", schema: book }, 404: notFound },
});

export const createBook = books.post("/books", {
  docs: {
    summary: "Creates a book",
    description:
      "A client can repeat a request that has an `Idempotency-Key` header: the same key creates no second book.",
    operationId: "createBook",
  },
  request: { body: newBook },
  responses: {
    201: { description: "The new book", schema: book },
    400: { description: "Invalid input, or an invalid Idempotency-Key", schema: z.union([invalidInput, failure]) },
    413: { description: "The body has more than 64 KiB", schema: invalidInput },
    422: { description: "The Idempotency-Key was used for another book", schema: failure },
  },
});

export const deleteBook = books.delete("/books/:id", {
  docs: { summary: "Deletes a book", operationId: "deleteBook" },
  responses: { 204: { description: "The book is deleted" }, 404: notFound },
});

export const listBooksV1 = v1.get("/books", {
  docs: { summary: "Lists books with the ids of their authors" },
  request: { query: pageQuery },
  responses: { 200: page(book), 400: invalid },
});

const listV2 = { request: { query: pageQuery }, responses: { 200: page(bookV2), 400: invalid } } as const;

export const listBooksV2 = v2.get("/books", { ...listV2, docs: { summary: "Lists books with their authors" } });

export const listTopBooks = v2.get("/books/top", { ...listV2, docs: { summary: "Lists the top books" } });

export const listPopularBooks = v2.get("/books/popular", {
  ...listV2,
  docs: { summary: "Lists the same books as /v2/books/top", deprecated: { sunset: "2027-10-01" } },
});

/** `author.name` replaces `author_name`. Both are present until the sunset date. */
export const getBookV2 = v2.get("/books/:id", {
  docs: { summary: "Shows a book with its author" },
  responses: { 200: { description: "The book", schema: bookInTransition }, 404: notFound },
});

export const checkReady = books.get("/ready", {
  docs: { summary: "Tells whether the database answers", operationId: "checkReady" },
  responses: { 200: { description: "The database answers", schema: z.object({ ready: z.literal(true) }) } },
});
