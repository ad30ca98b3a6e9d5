/** The books of the seed, as the examples list them. */
import { seed } from "../../examples/books/seed.ts";
import type { Book } from "../../examples/books/store.ts";

/** In the order of each list. */
export const newestFirst: readonly Book[] = seed.books.toSorted((a, b) => a.createdAt < b.createdAt ? 1 : -1);

const authors = new Map(seed.authors.map((author) => [author.id, author]));

/** In the same order, in the shape of version 2. */
export const inV2 = newestFirst.map(({ id, title, authorId, createdAt }) => (
  { id, title, createdAt, author: authors.get(authorId) ?? null }
));
