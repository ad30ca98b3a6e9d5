// npx -y deno@2.9.6 run --allow-net=localhost:8000 examples/recipes/client.ts
//
// A client whose inputs and responses have the types of the API. Nothing is generated: the server and the client import
// the same endpoints, client/api.ts. It calls client/app.ts: serve that first.
//
// For a client in another repository, publish the file of endpoints as a package. For one in another language, see
// openapi_client.ts. Nothing here is Deno's: it also runs in browsers, on Bun and on Node.js.

import { type Client, createClient } from "@fw/core/client";
import * as api from "./client/api.ts";

export type BooksClient = Client<typeof api>;

/** Creates a client. A call without a response ends after five seconds. */
export function createBooksClient(baseUrl: string): BooksClient {
  return createClient(api, {
    baseUrl,
    fetch: (request) => fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(5000)]) }),
  });
}

/**
 * Adds a book, unless it is there, and returns its id. Throws a `TypeError` if the title is not accepted, and an
 * `UnexpectedResponse` for any response that is not declared, as a proxy's.
 */
export async function addBook(client: BooksClient, title: string): Promise<string> {
  const { status, body } = await client.addBook({ body: { title } });
  switch (status) {
    case 201:
    case 409: // the book is there
      return body.id;
    case 400:
      throw new TypeError(body.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"));
  }
}

/** The title of a book, or `undefined` if there is none. */
export async function findTitle(client: BooksClient, id: string): Promise<string | undefined> {
  const { status, body } = await client.showBook({ params: { id } });
  return status === 200 ? body.title : undefined;
}

if (import.meta.main) {
  const client = createBooksClient("http://localhost:8000");
  const id = await addBook(client, "The Trial");
  console.log(id, await findTitle(client, id));
}
