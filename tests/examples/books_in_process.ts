/** Calls the app of the books example without a server, and prints what it said. Tests run it without permissions. */
import app from "../../examples/books.ts";
import { callBooks } from "./call_books.ts";

console.log(JSON.stringify(await callBooks({ fetch: app.fetch })));
