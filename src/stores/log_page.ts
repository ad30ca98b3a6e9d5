import type { LogPage } from "./event_log.ts";

/** A row of a log: its number, its tag, and its JSON. */
export type LogRow = readonly [number: string, tag: string, text?: string | null];

/**
 * Returns a tag for new rows: 12 random hexadecimal digits.
 *
 * An engine may go back: a standby that is promoted may lack the last messages, and so may a backup. Then it gives their
 * numbers to other messages. A reader whose last message is gone is told, since the row of its number has another tag.
 */
export function createTag(): string {
  return crypto.randomUUID().slice(-12);
}

/**
 * Returns the id of a row.
 *
 * @param row The row. One that a version without tags has added has the tag `""`, and the id that it had there.
 * @returns The number, and the tag if there is one: `17-5f0c36b1a9e2`.
 */
export function idOfRow([number, tag]: LogRow): string {
  return tag === "" ? number : `${number}-${tag}`;
}

/**
 * Returns the number of the row with which a page begins: the last one that the reader has, whose tag is compared.
 *
 * @param id The id that the reader has.
 * @returns The number; 0 for the oldest row. Larger than any number if the reader wants no rows, or if the id is none.
 */
export function firstNumber(id: string | null): number {
  if (id === OLDEST || id === EMPTY) return 0;
  return Number(/^([1-9]\d{0,14})(-[\da-f]+)?$/.exec(id ?? "")?.[1] ?? Number.MAX_SAFE_INTEGER);
}

/**
 * Makes the page of a log that numbers its rows.
 *
 * @param id The id that the reader has.
 * @param last The latest row, if there is one.
 * @param rows The rows from the reader's last one on, in their order. They begin at the earliest with the one before
 * the oldest that is kept: it is kept for its tag only.
 * @param keep How many rows are kept.
 * @returns The page.
 */
export function pageOf(id: string | null, last: LogRow | undefined, rows: readonly LogRow[], keep: number): LogPage {
  const lastId = last === undefined ? EMPTY : idOfRow(last);
  const textsOf = (found: readonly LogRow[]) => found.map((row) => [idOfRow(row), row[2] ?? undefined] as const);
  const [first, ...others] = rows;
  if (id === null || id === lastId) return { last: lastId, texts: [] };
  if (id === OLDEST) {
    const isKept = Number(first?.[0]) > Number(last?.[0]) - keep;
    return { last: lastId, texts: textsOf(isKept ? rows : others) };
  }
  // Who came when the log was empty has missed nothing as long as the first row of all is there.
  if (id === EMPTY) return { last: lastId, texts: first?.[0] === "1" ? textsOf(rows) : undefined };
  return { last: lastId, texts: first !== undefined && idOfRow(first) === id ? textsOf(others) : undefined };
}

/** Where a reader begins that wants all that is kept. */
const OLDEST = "0";

/** The id of a log without rows. Not `"0"`, which stands for the oldest row also once others were removed. */
const EMPTY = "00";
