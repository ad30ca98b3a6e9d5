/** Calls the app of the books example without a server, and prints what it said. Tests run it without permissions. */
import { holdToEndpoints } from "@fw/core/testing";
import app from "../../examples/books.ts";
import * as api from "../../examples/books/api.ts";
import { callBooks } from "./call_books.ts";

console.log(JSON.stringify(await callBooks({ fetch: holdToEndpoints(api, app).fetch })));
