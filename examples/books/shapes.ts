import type { Deadline } from "./deadline.ts";
import type { Author, Book, BookStore } from "./store.ts";

/** A book in version 2 of the API: with its author instead of the id of the author. */
export interface BookV2 extends Omit<Book, "authorId"> {
  /** The author, or `null` if the author is unknown. */
  readonly author: Author | null;
}

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
): Promise<readonly BookV2[]> {
  const authors = await store.getAuthors(books.map(({ authorId }) => authorId), deadline);
  return books.map(({ id, title, createdAt, authorId }) => (
    { id, title, createdAt, author: authors.get(authorId) ?? null }
  ));
}
