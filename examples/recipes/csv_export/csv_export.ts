/** A cell. Dates and objects: convert them to text first. */
export type Cell = string | number | boolean | null;

/** How long a client may read nothing, in milliseconds. */
const MAX_STALL = 60_000;

/**
 * Makes the body of a response from pages of rows: CSV (RFC 4180), in UTF-8 with a byte order mark, which Excel needs.
 *
 * A page is only read when the client has taken the one before. When the client disconnects, or reads nothing for a
 * minute, or a page cannot be read, `pages` is ended: its `finally` blocks run. An error ends the connection, so that
 * the client does not take the part for the whole.
 *
 * @param onEnd Called once, when the stream has ended for any reason.
 */
export function streamCsv(
  header: readonly string[],
  pages: AsyncIterable<readonly (readonly Cell[])[]>,
  onEnd: () => void = () => {},
): ReadableStream<Uint8Array> {
  const iterator = pages[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let text = `\uFEFF${toLine(header)}`;
  let isOpen = true;
  let stall: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(stall);
    if (!isOpen) return;
    isOpen = false;
    onEnd();
    // Not awaited: a generator that waits for a page ends after it.
    iterator.return?.().catch((error: unknown) => console.error("The rows could not be ended:", error));
  };

  return new ReadableStream({
    async pull(controller) {
      clearTimeout(stall);
      let isLast = false;
      try {
        do {
          const { done, value } = await iterator.next();
          if (done) isLast = true;
          else text += value.map(toLine).join("");
        } while (text === "" && !isLast);
      } catch (error) {
        end();
        throw error;
      }
      if (!isOpen) return;
      if (text !== "") controller.enqueue(encoder.encode(text));
      text = "";
      if (isLast) {
        end();
        return controller.close();
      }
      stall = setTimeout(() => {
        end();
        controller.error(new Error("The client has not read for a minute"));
      }, MAX_STALL);
    },
    cancel: end,
  }, { highWaterMark: 0 });
}

/** A line of CSV. Every text is in quotation marks. */
export function toLine(cells: readonly Cell[]): string {
  return `${cells.map(toField).join(",")}\r\n`;
}

function toField(cell: Cell): string {
  // Only text comes from users. A negative number is no formula.
  if (typeof cell !== "string") return cell === null ? "" : String(cell);
  return `"${disarm(cell).replaceAll('"', '""')}"`;
}

/**
 * Puts an apostrophe before what a spreadsheet would run as a formula, such as `=HYPERLINK(…)`, which can send the
 * other cells to a stranger. It shows the text without the apostrophe, or with it. Programs that read the file see it.
 */
function disarm(text: string): string {
  return text.replace(PART, (part) => FORMULA.test(part) ? `'${part}` : part);
}

/**
 * In some languages, spreadsheets split the text at `;` or tabs, and then take the quotation marks for text. So each part
 * can be a formula.
 */
const PART = /[^;\t\r\n]+/g;

/** The signs have two widths. White space, NUL and quotation marks may come before them. */
const FORMULA = /^[\s\0"']*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/;
