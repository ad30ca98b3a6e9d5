import type { z } from "zod";
import type { Deadline } from "./deadline.ts";
import type { bookV2 } from "./responses.ts";
import type { Book, BookStore } from "./store.ts";

/** Converts books to the shape of version 2, with one call for all authors. Version 1 sends them as they are stored. */
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
