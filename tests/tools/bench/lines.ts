/**
 * Rows of a database in batches, as JSON lines: `replyLines` beside a stream that is written by hand, in turns.
 *
 * Usage: deno run --allow-read tests/tools/bench/lines.ts, or the bundle of this file on another runtime.
 */
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { type App, route, setup } from "../../../mod.ts";
import { lines, replyLines } from "../../../src/events/mod.ts";

const ROWS = 100_000;
const BATCH = 500;
const ROUNDS = 15;

const db = new DatabaseSync(":memory:");
db.exec("CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL, author TEXT NOT NULL) STRICT");
db.exec(`WITH RECURSIVE n (id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n WHERE id < ${ROWS})
  INSERT INTO books SELECT id, 'Title number ' || id, 'Author number ' || (id % 100) FROM n`);
const select = db.prepare("SELECT * FROM books WHERE id > ? ORDER BY id LIMIT ?");

const readPage = (after: unknown) => Promise.resolve(select.all(Number(after), BATCH));

const typed: App = setup({
  handlers: [route.get("/", {
    responses: { 200: lines(z.unknown()) },
    resolve: () =>
      replyLines(200, async function* (_signal, batch) {
        for (let page = await readPage(0); page.length > 0; page = await readPage(page.at(-1)?.id ?? 0)) {
          yield batch(page);
        }
      }),
  })],
});

const byHand: App = setup({
  handlers: [route.get("/", {
    resolve: () => {
      const encoder = new TextEncoder();
      let after: unknown = 0;
      const body = new ReadableStream({
        async pull(controller) {
          const page = await readPage(after);
          if (page.length === 0) return controller.close();
          after = page.at(-1)?.id ?? 0;
          controller.enqueue(encoder.encode(page.map((row) => `${JSON.stringify(row)}\n`).join("")));
        },
      }, { highWaterMark: 0 });
      return new Response(body, { headers: { "content-type": "application/jsonl" } });
    },
  })],
});

/** Megabytes per second. */
async function measure(app: App): Promise<number> {
  const start = performance.now();
  const response = await app.fetch(new Request("http://localhost/"));
  let bytes = 0;
  for await (const chunk of response.body ?? []) bytes += chunk.length;
  return bytes / 1000 / (performance.now() - start);
}

const ratios: number[] = [];
for (let round = 0; round <= ROUNDS; round++) {
  // The first is another one each time.
  const [first, second] = round % 2 === 0 ? [typed, byHand] : [byHand, typed];
  const [one, other] = [await measure(first), await measure(second)];
  if (round > 0) ratios.push(round % 2 === 0 ? one / other : other / one); // the first round warms up
}
const median = ratios.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0;
console.log(`replyLines has ${median.toFixed(2)} of the throughput of a stream by hand: median of ${ROUNDS} rounds`);
