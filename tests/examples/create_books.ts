/**
 * Creates books in the database that the environment variables select, and prints them as JSON. Tests run it as a
 * process.
 *
 * Usage: deno run --allow-env=BOOKS_DB,DATABASE_URL … tests/examples/create_books.ts <how many>
 */
import { openStore } from "../../examples/books/open_store.ts";
import type { Book } from "../../examples/books/store.ts";
import { Overloaded } from "../../examples/shared/queue.ts";

const [count = ""] = Deno.args;
const store = await insist(() => openStore());
const created: Book[] = [];
for (let index = 0; index < Number(count); index++) {
  created.push(await insist(() => store.create({ title: `Volume ${index}`, authorId: String(Deno.pid) })));
}
await store.close();
console.log(JSON.stringify(created));

/** Tries again, as a client does after a 503: SQLite lets other processes go first, for seconds if the disk is slow. */
async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1;; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Overloaded) || attempt === 20) throw error;
    }
  }
}
