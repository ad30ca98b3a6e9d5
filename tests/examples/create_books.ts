/**
 * Creates books in a file, as a process of its own, and prints them as JSON.
 *
 * Usage: deno run --allow-read --allow-write tests/examples/create_books.ts <file> <how many>
 */
import { openSqliteStore } from "../../examples/books/sqlite_store.ts";
import type { Book } from "../../examples/books/store.ts";

const [file = "", count = ""] = Deno.args;
const store = openSqliteStore(file, { authors: [], books: [] });
const created: Book[] = [];
for (let index = 0; index < Number(count); index++) {
  created.push(await store.create({ title: `Volume ${index}`, authorId: String(Deno.pid) }));
}
await store.close();
console.log(JSON.stringify(created));
