import type { Author, Book } from "./store.ts";

/** A row as a database returns it. */
export type Row = Readonly<Record<string, unknown>>;

/**
 * Converts a row of the table `books`.
 *
 * @param row The row, with `created_at` in milliseconds since 1970, UTC.
 * @returns The book.
 */
export function toBook({ id, title, author_id, created_at }: Row): Book {
  return {
    id: String(id),
    title: String(title),
    authorId: String(author_id),
    createdAt: new Date(Number(created_at)).toISOString(),
  };
}

/**
 * Converts a row of the table `authors`.
 *
 * @param row The row.
 * @returns The author.
 */
export function toAuthor({ id, name }: Row): Author {
  return { id: String(id), name: String(name) };
}
