import type { Author, Book } from "./store.ts";

/** A row as a database returns it. */
export type Row = Readonly<Record<string, unknown>>;

/** Converts a row of the table `books`, with `created_at` in milliseconds since 1970, UTC. */
export function toBook({ id, title, author_id, created_at }: Row): Book {
  return {
    id: String(id),
    title: String(title),
    authorId: String(author_id),
    createdAt: new Date(Number(created_at)).toISOString(),
  };
}

export function toAuthor({ id, name }: Row): Author {
  return { id: String(id), name: String(name) };
}
