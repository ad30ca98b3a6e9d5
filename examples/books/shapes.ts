import type { z } from "zod";
import type { Deadline } from "./deadline.ts";
import type { bookV2 } from "./responses.ts";
import type { Book, BookStore } from "./store.ts";

/**
 * Converts books to the shape of version 2. Version 1 sends them as they are stored.
 *
 * @param books The stored books.
 * @param store The store of the authors. All of them are read in one call.
 * @param deadline When to give up, as `BookStore` documents it.
 * @returns The books in the same order.
 */
export async function toV2(
  books: readonly Book[],
  store: BookStore,
  deadline?: Deadline,
): Promise<readonly z.output<typeof bookV2>[]> {
  const authors = await store.getAuthors(books.map(({ authorId }) => authorId), deadline);
  return books.map(({ id, title, createdAt, authorId }) => (
    { id, title, createdAt, author: authors.get(authorId) ?? null }
  ));
}
