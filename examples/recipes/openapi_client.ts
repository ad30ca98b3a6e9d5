// npx -y deno@2.9.6 run --allow-net=localhost:8000 examples/recipes/openapi_client.ts
//
// A client whose types are generated from an OpenAPI document, for a client that cannot import the endpoints as client.ts does.
// Generators for other languages read the same document.
//
// It calls client/app.ts: serve that first. This generates the types, from the url that serves the document. A test generates
// them again and compares, so that they are never out of date.
//
// npx openapi-typescript http://localhost:8000/openapi.json --output examples/recipes/openapi_client/books.d.ts

import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./openapi_client/books.d.ts";

/** Creates a client. A call without a response ends after five seconds. */
export function createBooksClient(baseUrl: string): Client<paths> {
  return createClient<paths>({
    baseUrl,
    fetch: (request) => fetch(request, { signal: AbortSignal.any([request.signal, AbortSignal.timeout(5000)]) }),
  });
}

/** The title of a book, or `undefined` if there is none. Throws for a response that is not in the document, as a proxy's. */
export async function findTitle(client: Client<paths>, id: string): Promise<string | undefined> {
  const { data, error, response } = await client.GET("/books/{id}", { params: { path: { id } } });
  if (data !== undefined) return data.title;
  if (error?.code === "missing") return undefined; // `?.`: an error of a proxy may have no body
  throw new Error(`${response.url} responded with ${response.status}`);
}

if (import.meta.main) {
  console.log(await findTitle(createBooksClient("http://localhost:8000"), "emma"));
}
