import { z } from "zod";
import { wholeNumber } from "../shared/whole_number.ts";
import type { Deadline } from "./deadline.ts";
import type { pagination } from "./responses.ts";
import type { Book, BookStore, Page } from "./store.ts";

/** The maximum number of items on a page. A greater limit is reduced to it. */
export const MAX_LIMIT = 100;

export const limitQuery = wholeNumber(1).prefault(20).describe(`Above ${MAX_LIMIT}, ${MAX_LIMIT} is used`);

/** The query of a list: the number of books per page, and where the page starts. */
export const pageQuery = z.object({
  limit: limitQuery,
  cursor: z.iso.datetime({ offset: true }).describe("`nextCursor` of the previous page").transform(ceilToMillisecond)
    .optional(),
});

export type PageQuery = z.output<typeof pageQuery>;

/**
 * Reads one page of books, newest first. The cursor is the `createdAt` of the last book on the previous page. So no
 * book is repeated or skipped when others are created or deleted between two requests.
 */
export async function readPage(
  store: BookStore,
  query: PageQuery,
  filter: Pick<Page, "top" | "authorIds"> = {},
  deadline?: Deadline,
): Promise<{ readonly books: readonly Book[]; readonly pagination: z.output<typeof pagination> }> {
  const limit = Math.min(query.limit, MAX_LIMIT);
  const books = await store.list({ before: query.cursor, limit, ...filter }, deadline);
  // Only a full page has a book at this index.
  const nextCursor = books[limit - 1]?.createdAt ?? null;
  return { books, pagination: { limit, nextCursor, hasMore: nextCursor !== null } };
}

/**
 * Rounds a timestamp up to the next whole millisecond. `createdAt` has whole milliseconds, and so has `Date`. Rounding
 * down would skip a book: a cursor ending in `.0005` must include the book created at `.000`.
 */
function ceilToMillisecond(timestamp: string): Date {
  const [finer = ""] = FINER_THAN_MILLISECOND.exec(timestamp) ?? [];
  const floor = Date.parse(timestamp.replace(FINER_THAN_MILLISECOND, ""));
  return new Date(/[1-9]/.test(finer) ? floor + 1 : floor);
}

const FINER_THAN_MILLISECOND = /(?<=\.\d{3})\d+/;
