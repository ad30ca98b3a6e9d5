import type { Author, Book, BookStore } from "./store.ts";

/** A book as version 2 of the API shows it: with its author instead of the author's id. */
export interface BookV2 extends Omit<Book, "authorId"> {
  /** The author; `null` if nobody is known by the id. */
  readonly author: Author | null;
}

/**
 * Shows books as version 2 does. Version 1 shows them as they are kept.
 *
 * @param books The books as they are kept.
 * @param store Where their authors are: asked once for all of them.
 * @returns The books in the same order.
 */
export async function toV2(books: readonly Book[], store: BookStore): Promise<readonly BookV2[]> {
  const authors = await store.getAuthors(books.map(({ authorId }) => authorId));
  return books.map(({ id, title, createdAt, authorId }) => (
    { id, title, createdAt, author: authors.get(authorId) ?? null }
  ));
}
