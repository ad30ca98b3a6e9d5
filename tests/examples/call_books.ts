/** Calls of the books API by a typed client. Tests run them in process, over HTTP on several runtimes, and in Chromium. */
import * as api from "../../examples/books/api.ts";
import { type ClientOptions, createClient } from "../../src/client/mod.ts";
import { standardSchema } from "../../src/standard_schema/mod.ts";

/**
 * Creates, finds, lists and deletes a book. The client rejects an answer that its endpoint does not declare.
 *
 * @param options Where to send the requests.
 * @returns What it was told: see {@linkcode TOLD_OF_BOOKS}.
 */
export async function callBooks(options: ClientOptions): Promise<readonly string[]> {
  const client = createClient(api, { ...options, validator: standardSchema });
  const said: string[] = [];

  const headers = { "idempotency-key": crypto.randomUUID() };
  const body = { title: " Kokoro ", authorId: "soseki" };
  const made = await client.createBook({ body, headers });
  const again = await client.createBook({ body, headers });
  if (made.status !== 201 || again.status !== 201) throw new Error(`The book is not made: ${made.status}`);
  const { id } = made.body;
  said.push(`made ${made.body.title}${made.body.id === again.body.id ? " once" : ""}`);
  const other = await client.createBook({ body: { ...body, title: "Botchan" }, headers });
  said.push(other.status === 422 ? other.body.error : `${other.status}`);
  const untitled = await client.createBook({ body: { title: "", authorId: "soseki" } });
  if (untitled.status === 400 && "issues" in untitled.body) said.push(`${untitled.body.issues[0]?.path}`);

  const found = await client.getBook({ params: { id } });
  said.push(found.status === 200 ? found.body.authorId : `${found.status}`);
  const page = await client.listBooks({ query: { limit: 2 } });
  if (page.status === 200) said.push(`${page.body.data.length} of a page, the first ${page.body.data[0]?.title}`);
  const cursor = page.status === 200 ? page.body.pagination.nextCursor : null;
  const next = await client.listBooksV1({ query: { limit: 1, cursor: cursor ?? undefined } });
  if (next.status === 200) said.push(`${next.body.data.length} after it, ${next.response.headers.has("deprecation")}`);
  const invalid = await client.listBooksV2({ query: { limit: "none" } });
  said.push(invalid.status === 400 ? invalid.body.error : `${invalid.status}`);
  const top = await client.listTopBooks({ query: { limit: 1 } });
  if (top.status === 200) said.push(`by ${top.body.data[0]?.author?.name}`);
  const popular = await client.listPopularBooks({ query: { limit: 1 } });
  if (popular.status === 200) said.push(`by ${popular.body.data[0]?.author?.name}`);
  const second = await client.getBookV2({ params: { id } });
  if (second.status === 200) said.push(`${second.body.author} ${second.body.author_name}`);

  const deleted = await client.deleteBook({ params: { id } });
  const missing = await client.getBook({ params: { id } });
  const ready = await client.checkReady();
  said.push(`${deleted.status} ${missing.status} ${ready.status}`);
  return said;
}

/** What `callBooks` is told, wherever it runs. */
export const TOLD_OF_BOOKS = [
  "made Kokoro once",
  "The Idempotency-Key was used for another book",
  "title",
  "soseki",
  "2 of a page, the first Kokoro",
  "1 after it, true",
  "Invalid input",
  "by Toni Morrison",
  "by Toni Morrison",
  "null null",
  "204 404 200",
];
