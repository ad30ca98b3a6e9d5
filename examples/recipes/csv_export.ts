// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/csv_export.ts
//
// Streams rows as CSV, as fast as the client reads, and without formulas that a spreadsheet would run.
//
// curl -i http://localhost:8000/notes.csv

import { type App, reply, route, setup } from "@fw/core";
import { z } from "zod";
import { type Cell, streamCsv } from "./csv_export/csv_export.ts";

interface Note {
  readonly id: number;
  readonly author: string;
  readonly text: string;
}

const MAX_EXPORTS = 20;

/** Reads the notes after an id, in the order of their ids, up to a number of them. */
type ReadNotes = (after: number, limit: number) => Promise<readonly Note[]>;

export function createApp(readNotes: ReadNotes): App {
  let running = 0;
  return setup({
    handlers: [
      // Put a guard before it: an export has all rows.
      route.get("/notes.csv", {
        responses: {
          200: { description: "The notes", contentType: "text/csv" },
          503: { description: "Too many exports", schema: z.object({ error: z.string() }) },
        },
        resolve: () => {
          if (running >= MAX_EXPORTS) {
            return reply(503, { error: "Too many exports" }, { headers: { "retry-after": "10" } });
          }
          running++;
          const body = streamCsv(["id", "author", "text"], readPages(readNotes), () => running--);
          return reply(200, new Response(body, { headers: HEADERS }));
        },
      }),
    ],
  });
}

const HEADERS = {
  "content-type": "text/csv; charset=utf-8; header=present",
  // A name of ours: one from a user could add parameters to the header.
  "content-disposition": 'attachment; filename="notes.csv"',
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** Yields all rows, page by page: no connection to the database is held while a client reads slowly. */
async function* readPages(readNotes: ReadNotes): AsyncGenerator<readonly (readonly Cell[])[]> {
  for (let after = 0;;) {
    const notes = await readNotes(after, 500);
    const last = notes.at(-1);
    if (last === undefined) return;
    yield notes.map(({ id, author, text }) => [id, author, text]);
    after = last.id;
  }
}

const NOTES: readonly Note[] = [
  { id: 1, author: "Ada", text: "Buy milk" },
  { id: 2, author: "Eve", text: '=HYPERLINK("https://evil.example","Click")' },
];

export default createApp((after, limit) => Promise.resolve(NOTES.filter(({ id }) => id > after).slice(0, limit)));
