// npx -y deno@2.9.6 run --allow-net=localhost:8000 examples/recipes/client.ts
//
// A client whose paths, inputs, answers and errors have the types of the API, generated from its OpenAPI document.
//
// It calls client/app.ts: serve that first. client/generate.ts generates the types; a test generates them again and compares, so
// that they are never out of date. In a repository of its own, generate them from the url that serves the document:
// `npx openapi-typescript https://api.example.com/openapi.json --output books.d.ts`
//
// Nothing here is Deno's: it also runs in browsers, on Bun and on Node.js.

import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./client/books.d.ts";

/** Creates a client. A call without an answer ends after five seconds. */
export function createBooksClient(baseUrl: string): Client<paths> {
  return createClient<paths>({
    baseUrl,
    fetch: (request) => fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(5000)]) }),
  });
}

/**
 * Adds a book, unless it is there.
 *
 * @param client The client.
 * @param title The title.
 * @returns The id of the book.
 * @throws A `TypeError` if the title is not accepted; an `Error` for any answer that is not in the document, as a proxy's.
 */
export async function addBook(client: Client<paths>, title: string): Promise<string> {
  const { data, error, response } = await client.POST("/books", { body: { title } });
  if (data !== undefined) return data.id;
  switch (error?.code) { // `?.`: an error of a proxy may have no body
    case "taken":
      return error.id;
    case "invalid":
      throw new TypeError(error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"));
    default:
      error satisfies never; // the document has no other error
      throw unexpected(response);
  }
}

/** The title of a book, or `undefined` if there is none. */
export async function findTitle(client: Client<paths>, id: string): Promise<string | undefined> {
  const { data, error, response } = await client.GET("/books/{id}", { params: { path: { id } } });
  if (data !== undefined) return data.title;
  if (error?.code === "missing") return undefined;
  throw unexpected(response);
}

/** The types hold what the document says. What arrives may be something else. */
function unexpected({ status, url }: Response): Error {
  return new Error(`${url} has answered ${status}`);
}

if (import.meta.main) {
  const client = createBooksClient("http://localhost:8000");
  const id = await addBook(client, "The Trial");
  console.log(id, await findTitle(client, id));
}
