import { CsvError, parse } from "csv-parse";
import { pipeline } from "node:stream/promises";
import type { z } from "zod";

/** The longest row, in characters. Without a bound, a quote that is never closed keeps the whole file in memory. */
const MAX_ROW = 10_000;

/** What is wrong with a file, and where. */
export class InvalidCsv extends Error {
  override readonly name = "InvalidCsv";
}

/**
 * Reads a CSV file while it arrives, no faster than `add` takes the rows. The first row has the names of the columns.
 *
 * @param bytes The file: UTF-8, with or without a byte order mark.
 * @param schema What a row must be.
 * @param size How many rows `add` gets at once, at most.
 * @param add Takes the rows.
 * @throws An `InvalidCsv` at the first row that does not fit. The rows before it were given to `add`.
 */
export async function readCsv<Schema extends z.ZodType>(
  bytes: AsyncIterable<Uint8Array>,
  schema: Schema,
  size: number,
  add: (rows: readonly z.output<Schema>[]) => Promise<void>,
): Promise<void> {
  const parser = parse({ bom: true, columns: true, info: true, max_record_size: MAX_ROW, skip_empty_lines: true });
  try {
    await pipeline(bytes, parser, async (records: AsyncIterable<Row>) => {
      let rows: z.output<Schema>[] = [];
      for await (const { record, info } of records) {
        const { data, error } = schema.safeParse(record);
        if (error !== undefined) throw new InvalidCsv(`Line ${info.lines}: ${describe(error)}`);
        if (rows.push(data) < size) continue;
        await add(rows);
        rows = [];
      }
      if (rows.length > 0) await add(rows);
    });
  } catch (error) {
    throw error instanceof CsvError ? new InvalidCsv(error.message, { cause: error }) : error;
  }
}

/** A row, as the parser gives it. */
interface Row {
  readonly record: unknown;
  readonly info: { readonly lines: number };
}

function describe({ issues }: z.ZodError): string {
  return issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ");
}
