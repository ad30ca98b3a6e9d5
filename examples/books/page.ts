import { z } from "zod";
import type { Book, BookStore } from "./store.ts";

/** The most items that a page has, whatever the limit asked for. */
export const MAX_LIMIT = 100;

/** How many items a page may have, as lists read it: a whole number from 1. */
export const limitQuery = z.coerce.number().int().min(1).default(20).describe(
  `Above ${MAX_LIMIT}, ${MAX_LIMIT} is used`,
);

/** The query of a list: how many books, and where to go on. */
export const pageQuery = z.object({
  limit: limitQuery,
  cursor: z.iso.datetime({ offset: true }).describe("The `nextCursor` of the page before").transform(ceilToMillisecond)
    .optional(),
});

/** What the schema yields. */
export type PageQuery = z.output<typeof pageQuery>;

/** What a list says about the page that it is. */
export interface Pagination {
  /** How many books the page has at most. */
  readonly limit: number;
  /** The `cursor` of the next page; `null` if this one is the last. */
  readonly nextCursor: string | null;
  /** Whether there is a `nextCursor`. */
  readonly hasMore: boolean;
}

/**
 * Reads one page of books, newest first. The cursor is the `createdAt` of the last book of the page before, so that no book
 * is seen twice or skipped, whatever is created or deleted meanwhile.
 *
 * @param store Where the books are.
 * @param query What `pageQuery` yields; a limit above 100 is taken for 100.
 * @param filter Whether only books at the top are wanted.
 * @returns The books, and what to say about the page.
 */
export async function readPage(
  store: BookStore,
  query: PageQuery,
  filter: { readonly top?: boolean } = {},
): Promise<{ readonly books: readonly Book[]; readonly pagination: Pagination }> {
  const limit = Math.min(query.limit, MAX_LIMIT);
  const books = await store.list({ before: query.cursor, limit, ...filter });
  // Only a full page has a book at this index.
  const nextCursor = books[limit - 1]?.createdAt ?? null;
  return { books, pagination: { limit, nextCursor, hasMore: nextCursor !== null } };
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
