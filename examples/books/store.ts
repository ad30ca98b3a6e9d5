/** A book, as the API shows it. */
export interface Book {
  /** Never given to another book. */
  readonly id: string;
  /** The title. */
  readonly title: string;
  /** The id of the author, who need not be known. */
  readonly authorId: string;
  /** When the book was created: ISO 8601 in UTC, to the millisecond. Pages are cut along it. */
  readonly createdAt: string;
}

/** An author. */
export interface Author {
  /** What `authorId` of a book refers to. */
  readonly id: string;
  /** The name. */
  readonly name: string;
}

/** What a new database begins with. */
export interface Seed {
  /** The authors. */
  readonly authors: readonly Author[];
  /** The books, in any order; no two with the same id or `createdAt`. */
  readonly books: readonly Book[];
  /** The ids of the books at the top: those that everybody asks for. */
  readonly top: readonly string[];
}

/**
 * Where books are kept.
 *
 * `createdAt` is the cursor of the list, so it is the database that decides it: unique, and strictly greater than that of
 * every book ever created, deleted ones too, whichever process created them. A new book can therefore never appear behind a
 * cursor that a client already holds.
 */
export interface BookStore {
  /**
   * Lists books, newest first.
   *
   * @param page From where, and how many.
   * @returns The books; fewer than `limit` only if there are no more.
   */
  list(page: Page): Promise<readonly Book[]>;
  /**
   * Lists books by their place in the whole list, newest first.
   *
   * @param window From which place, and how many.
   * @returns The books, and how many there are in all, both as of one moment.
   */
  listWindow(window: Window): Promise<{ readonly books: readonly Book[]; readonly total: number }>;
  /**
   * Looks a book up.
   *
   * @param id Any text at all, as clients send it.
   * @returns The book, or `undefined` if there is none.
   */
  get(id: string): Promise<Book | undefined>;
  /**
   * Looks authors up, all at once.
   *
   * @param ids The ids, in any order, some perhaps twice or of nobody.
   * @returns Those authors there are, by id.
   */
  getAuthors(ids: readonly string[]): Promise<ReadonlyMap<string, Author>>;
  /**
   * Keeps a new book. It is there for every reader once the promise is fulfilled.
   *
   * @param book Well-formed text without NUL.
   * @param key What tells this creation from all others, so that it can be repeated. It is remembered for a day or longer.
   * @returns The book with its id and `createdAt`. If the key was used before, the book as it was created then, even if it
   * is deleted by now.
   */
  create(book: NewBook, key?: string): Promise<Book>;
  /**
   * Deletes a book.
   *
   * @param id Any text at all, as clients send it.
   * @returns Whether it was there.
   */
  delete(id: string): Promise<boolean>;
  /** Asks the database for an answer, whatever it is. */
  ping(): Promise<void>;
  /** Ends the connection to the database. Nothing else may be called afterwards. */
  close(): Promise<void>;
}

/** How long the key of a creation is remembered, in milliseconds: a day. */
export const KEY_LIFETIME = 24 * 60 * 60 * 1000;

/** Which books to list. */
export interface Page {
  /** Only books created strictly before; from the newest if `undefined`. */
  readonly before?: Date | undefined;
  /** How many books at most, from 1. */
  readonly limit: number;
  /** Only the books at the top, which are those that the seed names. */
  readonly top?: boolean | undefined;
}

/** Which places of the list. */
export interface Window {
  /** How many of the newest books to pass over, from 0 to `Number.MAX_SAFE_INTEGER`. */
  readonly offset: number;
  /** How many books at most, from 1. */
  readonly limit: number;
}

/** What a book is created from. */
export type NewBook = Pick<Book, "title" | "authorId">;
