/**
 * Calls an example by a typed client, on any runtime, and prints what it said.
 *
 * Usage: <runtime> client_program.mjs books|pictures <origin>
 */
import process from "node:process";
import { callBooks } from "../../examples/call_books.ts";
import { callPictures } from "../../examples/call_pictures.ts";

const [name, baseUrl = ""] = process.argv.slice(2);
console.log(JSON.stringify(await (name === "books" ? callBooks : callPictures)({ baseUrl })));
