import type { Book, Recording, Walk } from "./record.ts";

/**
 * Checks a record against the promises of the books API. An operation that was not acknowledged may have happened or not.
 *
 * @param record What clients did and saw.
 * @returns The broken promises, in words; empty if there are none.
 */
export function check(record: Recording): readonly string[] {
  return [...checkFinal(record), ...checkCreations(record), ...checkOrder(record), ...checkWalks(record)];
}

/** The final list is strictly descending and contains no book twice and no book that no client created. */
function* checkFinal({ authorId, creations, final }: Recording): Generator<string> {
  yield* checkDescending(final, "The final list");
  const titles = new Set(creations.map(({ title }) => title));
  const seen = new Set<string>();
  for (const { title } of final.filter((book) => book.authorId === authorId)) {
    if (!titles.has(title)) yield `Nobody created ${title}`;
    if (seen.has(title)) yield `Doubled: ${title}`;
    seen.add(title);
  }
}

/** Acknowledged operations last: created books are there, deleted books are gone. */
function* checkCreations({ creations, deletions, final }: Recording): Generator<string> {
  const left = new Map(final.map((book) => [book.id, book]));
  const deletionOf = new Map(deletions.map((deletion) => [deletion.id, deletion]));
  for (const { title, book } of creations) {
    if (book === undefined) continue;
    if (book.title !== title) yield `${title} was created as ${book.title}`;
    const found = left.get(book.id);
    if (found === undefined && !deletionOf.has(book.id)) yield `Lost: ${title}`;
    if (found !== undefined && JSON.stringify(found) !== JSON.stringify(book)) yield `Changed: ${title}`;
  }
  for (const { id, to } of deletions) if (to !== undefined && left.has(id)) yield `Deleted and still there: ${id}`;
}

/** A book that was created after the acknowledgement of another one has a later time. */
function* checkOrder({ creations }: Recording): Generator<string> {
  const acknowledged = creations.flatMap(({ from, to, book }) => to === undefined || !book ? [] : [{ from, to, book }]);
  const ends = acknowledged.toSorted((a, b) => a.to - b.to);
  let index = 0;
  let latest = "";
  for (const { from, book } of acknowledged.toSorted((a, b) => a.from - b.from)) {
    for (; (ends[index]?.to ?? Infinity) < from; index++) latest = max(latest, ends[index]?.book.createdAt ?? "");
    if (book.createdAt <= latest) yield `Out of order: ${book.title} has ${book.createdAt}, after ${latest}`;
  }
}

/** Walks see no book twice and skip none, whatever is created or deleted meanwhile. */
function* checkWalks({ creations, deletions, walks, final }: Recording): Generator<string> {
  const known = new Map<string, { readonly book: Book; readonly to: number }>();
  for (const book of final) known.set(book.id, { book, to: Infinity });
  for (const { book, to = Infinity } of creations) if (book) known.set(book.id, { book, to });
  const deletionOf = new Map(deletions.map((deletion) => [deletion.id, deletion]));

  for (const walk of walks) {
    if (walk.pages.length === 0) continue;
    yield* checkPages(walk);
    const listed = walk.pages.flatMap(({ data }) => data);
    const ids = new Set(listed.map(({ id }) => id));
    const first = listed[0]?.createdAt ?? "";
    // An aborted walk says nothing about the books after its last one.
    const last = walk.pages.at(-1)?.pagination.nextCursor ?? "";
    for (const { book, to } of known.values()) {
      const expected = (book.createdAt <= first || to < walk.from) && book.createdAt >= last;
      const deletedFrom = deletionOf.get(book.id)?.from ?? Infinity;
      if (expected && !ids.has(book.id) && deletedFrom > (walk.to ?? 0)) yield `Skipped by a walk: ${book.title}`;
    }
    for (const { id, title } of listed) {
      if ((deletionOf.get(id)?.to ?? Infinity) < walk.from) yield `Deleted and listed: ${title}`;
    }
  }
}

function* checkPages({ pages }: Walk): Generator<string> {
  yield* checkDescending(pages.flatMap(({ data }) => data), "A walk");
  let expected: string | null | undefined = undefined;
  for (const { cursor, data, pagination: { limit, nextCursor, hasMore } } of pages) {
    if (cursor !== expected) yield `A walk went on at ${cursor}, not at ${expected}`;
    if (cursor !== undefined && (data[0]?.createdAt ?? "") >= cursor) yield `A page begins before its cursor ${cursor}`;
    const full = data.length === limit ? data.at(-1)?.createdAt : null;
    if (nextCursor !== full || hasMore !== (nextCursor !== null)) {
      yield `A page of ${data.length} has nextCursor ${nextCursor}`;
    }
    expected = nextCursor;
  }
}

function* checkDescending(books: readonly Book[], name: string): Generator<string> {
  if (new Set(books.map(({ id }) => id)).size < books.length) yield `${name} has a book twice`;
  if (books.some(({ createdAt }, index) => index > 0 && createdAt >= (books[index - 1]?.createdAt ?? ""))) {
    yield `${name} is not strictly descending`;
  }
}

function max(a: string, b: string): string {
  return a > b ? a : b;
}
