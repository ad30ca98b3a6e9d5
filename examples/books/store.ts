import type { z } from "zod";
import type { Deadline } from "./deadline.ts";
import type { author, book } from "./responses.ts";

/** A book, as version 1 of the API sends it. */
export type Book = z.output<typeof book>;

export type Author = z.output<typeof author>;

/** The content of a new database. */
export interface Seed {
  readonly authors: readonly Author[];
  /** The books, in any order. Each `id` and each `createdAt` is unique. */
  readonly books: readonly Book[];
  readonly top: readonly string[];
}

/**
 * A store of books. Ids and keys are any strings. Calls without a deadline have one of their own.
 *
 * The database assigns `createdAt`, because it is the cursor of the list. It is strictly greater than that of every
 * book that was ever created by any process, including deleted books. So a new book never appears behind a cursor of a
 * client.
 */
export interface BookStore {
  /** Lists books, newest first. Fewer than the limit only if there are no more. */
  list(page: Page, deadline?: Deadline): Promise<readonly Book[]>;
  /** Lists books by offset, newest first. The books and their total number are consistent with each other. */
  listWindow(window: Window): Promise<{ readonly books: readonly Book[]; readonly total: number }>;
  get(id: string, deadline?: Deadline): Promise<Book | undefined>;
  /** Finds the known authors among these ids. */
  getAuthors(ids: readonly string[], deadline?: Deadline): Promise<ReadonlyMap<string, Author>>;
  /**
   * Creates a book, whose strings must be well-formed and contain no NUL. It is visible to every reader when the
   * promise is fulfilled.
   *
   * With a key, a client can repeat the creation. The store remembers it for a day or longer, and returns the book that
   * was created with it, even if that has been deleted since.
   */
  create(book: NewBook, key?: string): Promise<Book>;
  /** Deletes a book. Returns whether it existed. */
  delete(id: string): Promise<boolean>;
  ping(): Promise<void>;
  /** Closes the connection to the database. Call nothing else afterwards. */
  close(): Promise<void>;
}

/** How long the key of a creation is remembered, in milliseconds: one day. */
export const KEY_LIFETIME = 24 * 60 * 60 * 1000;

export interface Page {
  /** Only books created strictly before this time. If `undefined`, the list starts with the newest. */
  readonly before?: Date | undefined;
  /** At least 1. */
  readonly limit: number;
  /** Only the top books, which the seed names. */
  readonly top?: boolean | undefined;
  /** Only books by these authors. Not together with `top`. */
  readonly authorIds?: readonly string[] | undefined;
}

/** Which part of the list to return. */
export interface Window {
  /** How many of the newest books to skip, from 0 to `Number.MAX_SAFE_INTEGER`. */
  readonly offset: number;
  /** At least 1. */
  readonly limit: number;
}

export type NewBook = Pick<Book, "title" | "authorId">;
