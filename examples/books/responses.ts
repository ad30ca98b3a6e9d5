import type { RouteResponse } from "@fw/core";
import { z } from "zod";

/** The bodies of the responses of the API. The compiler checks them, and the OpenAPI document describes them. */

/** A book. Its id is never reused, and its author may be unknown. */
export const book = z.object({
  id: z.string(),
  title: z.string(),
  authorId: z.string(),
  createdAt: z.iso.datetime().meta({
    description: "Unique, and the cursor of lists",
    examples: ["2023-11-23T11:43:53.373Z"],
  }),
}).meta({ id: "Book" });

/** An author. */
export const author = z.object({ id: z.string(), name: z.string() }).meta({ id: "Author" });

/** A book in version 2. */
export const bookV2 = book.omit({ authorId: true }).extend({
  author: author.nullable().describe("Null if the author is unknown"),
}).meta({ id: "BookV2" });

/** A book in version 2, with the field that `author.name` replaces. */
export const bookInTransition = bookV2.extend({
  author_name: z.string().nullable().meta({ deprecated: true, description: "Replaced by `author.name`" }),
}).meta({ id: "BookInTransition" });

/** Where a page is in its list. */
export const pagination = z.object({
  limit: z.int().meta({ examples: [20] }),
  nextCursor: z.iso.datetime().nullable().meta({
    description: "The `cursor` of the next page, or null on the last page",
    examples: ["2023-11-23T11:43:53.373Z"],
  }),
  hasMore: z.boolean(),
}).meta({ id: "Pagination" });

/** An error. */
export const failure = z.object({ error: z.string() }).meta({ id: "Error" });

/** What is wrong with the input. */
export const invalidInput = z.object({
  error: z.string(),
  issues: z.array(z.object({
    part: z.enum(["params", "query", "headers", "cookies", "body"]),
    path: z.array(z.string()),
    message: z.string(),
    code: z.string().optional(),
  })),
}).meta({ id: "InvalidInput" });

/** The response to a query that is invalid. */
export const invalid = { description: "Invalid input", schema: invalidInput } satisfies RouteResponse;
/** The response to an id that no book has. */
export const notFound = { description: "No such book", schema: failure } satisfies RouteResponse;
/** The response while the database is unreachable or overloaded. */
export const unavailable = {
  description: "The database is unreachable or overloaded: try again",
  schema: failure,
} satisfies RouteResponse;

/** The response with a page of a list. */
export function page<Item extends z.ZodType>(item: Item) {
  return { description: "A page, newest first", schema: z.object({ data: z.array(item), pagination }) };
}
