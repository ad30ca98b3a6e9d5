/**
 * Creates books in the database that the environment variables select, and prints them as JSON. Tests run it as a
 * process.
 *
 * Usage: deno run --allow-env=BOOKS_DB,DATABASE_URL … tests/examples/create_books.ts <how many>
 */
import { openStore } from "../../examples/books/open_store.ts";
import type { Book } from "../../examples/books/store.ts";

const [count = ""] = Deno.args;
const store = await openStore();
const created: Book[] = [];
for (let index = 0; index < Number(count); index++) {
  created.push(await store.create({ title: `Volume ${index}`, authorId: String(Deno.pid) }));
}
await store.close();
console.log(JSON.stringify(created));
