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

export const author = z.object({ id: z.string(), name: z.string() }).meta({ id: "Author" });

export const bookV2 = book.omit({ authorId: true }).extend({
  author: author.nullable().describe("Null if the author is unknown"),
}).meta({ id: "BookV2" });

/** A book in version 2, with the field that `author.name` replaces. */
export const bookInTransition = bookV2.extend({
  author_name: z.string().nullable().meta({ deprecated: true, description: "Replaced by `author.name`" }),
}).meta({ id: "BookInTransition" });

export const pagination = z.object({
  limit: z.int().meta({ examples: [20] }),
  nextCursor: z.iso.datetime().nullable().meta({
    description: "The `cursor` of the next page, or null on the last page",
    examples: ["2023-11-23T11:43:53.373Z"],
  }),
  hasMore: z.boolean(),
}).meta({ id: "Pagination" });

export const failure = z.object({ error: z.string() }).meta({ id: "Error" });

export const invalidInput = z.object({
  error: z.string(),
  issues: z.array(z.object({
    part: z.enum(["params", "query", "headers", "cookies", "body"]),
    path: z.array(z.string()),
    message: z.string(),
    code: z.string().optional(),
  })),
}).meta({ id: "InvalidInput" });

export const invalid = { description: "Invalid input", schema: invalidInput } satisfies RouteResponse;
export const notFound = { description: "No such book", schema: failure } satisfies RouteResponse;
export const unavailable = {
  description: "The database is unreachable or overloaded: try again",
  schema: failure,
} satisfies RouteResponse;

export function page<Item extends z.ZodType>(item: Item) {
  return { description: "A page, newest first", schema: z.object({ data: z.array(item), pagination }) };
}
