/**
 * Programs that call the app of `shelf.ts` by a generated client, each with the same outcomes. They are compiled with the
 * client, so their types are tested, too.
 */

/** What each program prints, as JSON. */
export const PRINTED: Readonly<Record<string, unknown>> = {
  list: [200, ["new", "used & old"], "</books>; rel=next"],
  invalid: [400, { title: "Invalid input", status: 400 }],
  added: [201, "7", "Emma", "/books/7"],
  taken: 409,
  shown: "1",
  missing: [404, "No such book"],
  head: 200,
  changed: [200, "Persuasion"],
  unchanged: [200, null],
  emptied: 204,
  deleted: 204,
  exported: "id,title\n1,Emma\n",
  cover: ["image/png", 7],
  uploaded: { name: "emma.png", size: 7, alt: "A cover" },
  replaced: 7,
  signedIn: 204,
  refused: [401, "Wrong password"],
  shelf: "new",
  file: "a/b ü",
  tags: [3, "three"],
};

/** What a program prints if its client reads streams. */
export const STREAMED: Readonly<Record<string, unknown>> = { stock: [{ left: 2 }, { left: 1 }], rows: ["1", "2"] };

const SENT = `
const book = { title: "Emma", tags: ["new" as const], added: "2026-01-01T00:00:00Z", series: null };
const key = { "idempotency-key": "3b1f5c1e-6d0b-4c59-8f4d-1d4a3c1b2a90" };
const picture = new File([Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0xfe)], "emma.png", { type: "image/png" });
const linesOf = (text: unknown) => String(text).trim().split("\\n").map((line) => JSON.parse(line).id);
`;

/** Calls the functions that `@hey-api/openapi-ts` generates. */
export const HEY_API = `
import * as api from "./hey";
${SENT}
async function main() {
  const list = await api.listBooks({ query: { limit: 5, tag: ["new", "used & old"] } });
  const invalid = await api.listBooks({ query: { limit: 0 } });
  const added = await api.addBook({ body: book, headers: key, auth: "token" });
  const taken = await api.addBook({ body: { ...book, title: "taken" }, headers: key });
  const missing = await api.showBook({ path: { id: "none" } });
  const changed = await api.changeBook({ path: { id: "1" }, body: { kind: "title", title: "Persuasion" } });
  const unchanged = await api.changeBook({ path: { id: "1" }, body: { kind: "pages", pages: 3 } });
  const emptied = await api.changeBook({ path: { id: "1" }, body: { kind: "pages", pages: 0 } });
  const cover = await api.showCover({ path: { id: "1" } });
  const blob: Blob | File | undefined = cover.data;
  const uploaded = await api.addCover({ path: { id: "1" }, body: { file: picture, alt: "A cover" } });
  const replaced = await api.putCover({ path: { id: "1" }, body: picture });
  const refused = await api.signIn({ body: { name: "ada", password: "x" } });
  const stock: unknown[] = [];
  const watched = await api.watchStock({ sseMaxRetryAttempts: 1 });
  for await (const item of watched.stream) stock.push(item);
  const rows: unknown = (await api.listRows({ parseAs: "text" })).data;
  console.log(JSON.stringify({
    list: [list.response?.status, list.data?.data.map(({ title }) => title), list.response?.headers.get("link")],
    invalid: [invalid.response?.status, invalid.error],
    added: [added.response?.status, added.data?.id, added.data?.title, added.response?.headers.get("location")],
    taken: taken.response?.status,
    shown: (await api.showBook({ path: { id: "1" } })).data?.id,
    missing: [missing.response?.status, missing.error?.title],
    head: (await api.showBookHead({ path: { id: "1" } })).response?.status,
    changed: [changed.response?.status, changed.data?.title],
    unchanged: [unchanged.response?.status, unchanged.data],
    emptied: emptied.response?.status,
    deleted: (await api.deleteBook({ path: { id: "1" } })).response?.status,
    exported: (await api.exportBooks()).data,
    cover: [blob?.type, blob?.size],
    uploaded: uploaded.data,
    replaced: replaced.data?.size,
    signedIn: (await api.signIn({ body: { name: "ada", password: "a+b c" } })).response?.status,
    refused: [refused.response?.status, refused.error?.title],
    shelf: (await api.showShelf()).data?.shelves[0]?.name,
    file: (await api.showFile({ path: { rest: "a/b ü" } })).data,
    tags: (await api.countTags()).data?.new,
    stock,
    rows: linesOf(rows),
  }));
}
void main();
`;

/** Calls the functions that orval generates. */
export const ORVAL = `
import * as api from "./orval";
${SENT}
async function main() {
  const list = await api.listBooks({ limit: 5, tag: ["new", "used & old"] });
  const invalid = await api.listBooks({ limit: 0 });
  const added = await api.addBook(book, { headers: key });
  const taken = await api.addBook({ ...book, title: "taken" }, { headers: key });
  const shown = await api.showBook("1");
  const missing = await api.showBook("none");
  const changed = await api.changeBook("1", { kind: "title", title: "Persuasion" });
  const unchanged = await api.changeBook("1", { kind: "pages", pages: 3 });
  const cover = await api.showCover("1");
  const uploaded = await api.addCover("1", { file: picture, alt: "A cover" });
  const refused = await api.signIn({ name: "ada", password: "x" });
  console.log(JSON.stringify({
    list: [list.status, list.status === 200 && list.data.data.map(({ title }) => title), list.headers.get("link")],
    invalid: [invalid.status, invalid.data],
    added: added.status === 201 && [added.status, added.data.id, added.data.title, added.headers.get("location")],
    taken: taken.status,
    shown: shown.status === 200 && shown.data.id,
    missing: missing.status === 404 && [missing.status, missing.data.title],
    head: (await api.showBookHead("1")).status,
    changed: changed.status === 200 && [changed.status, changed.data?.title],
    unchanged: [unchanged.status, unchanged.data],
    emptied: (await api.changeBook("1", { kind: "pages", pages: 0 })).status,
    deleted: (await api.deleteBook("1")).status,
    exported: (await api.exportBooks()).data,
    cover: cover.status === 200 && [cover.data.type, cover.data.size],
    uploaded: uploaded.data,
    replaced: (await api.putCover("1", picture)).data.size,
    signedIn: (await api.signIn({ name: "ada", password: "a+b c" })).status,
    refused: refused.status === 401 && [refused.status, refused.data.title],
    shelf: (await api.showShelf()).data.shelves[0]?.name,
    file: (await api.showFile("a/b ü")).data,
    tags: (await api.countTags()).data.new,
  }));
}
void main();
`;

/** Calls openapi-fetch with the types that openapi-typescript generates. */
export const OPENAPI_FETCH = `
import createClient from "openapi-fetch";
import type { paths } from "./types";
${SENT}
const form = (body: object) => Object.entries(body).reduce((form, [name, value]) => (form.set(name, value), form), new FormData());
async function main() {
  const client = createClient<paths>({ baseUrl: "BASE_URL" });
  const one = { path: { id: "1" } };
  const list = await client.GET("/books", { params: { query: { limit: 5, tag: ["new", "used & old"] } } });
  const invalid = await client.GET("/books", { params: { query: { limit: 0 } } });
  const added = await client.POST("/books", { params: { header: key }, body: book });
  const taken = await client.POST("/books", { params: { header: key }, body: { ...book, title: "taken" } });
  const missing = await client.GET("/books/{id}", { params: { path: { id: "none" } } });
  const change = (body: paths["/books/{id}"]["patch"]["requestBody"]["content"]["application/json"]) =>
    client.PATCH("/books/{id}", { params: one, body });
  const changed = await change({ kind: "title", title: "Persuasion" });
  const unchanged = await change({ kind: "pages", pages: 3 });
  const cover = await client.GET("/books/{id}/cover", { params: one, parseAs: "blob" });
  const blob: Blob | undefined = cover.data;
  const uploaded = await client.POST("/books/{id}/cover", {
    params: one,
    body: { file: picture, alt: "A cover" },
    bodySerializer: form,
  });
  const replaced = await client.PUT("/books/{id}/cover", {
    params: one,
    body: picture,
    bodySerializer: (body) => body,
    headers: { "content-type": "image/png" },
  });
  const signIn = (password: string) =>
    client.POST("/sign-in", {
      body: { name: "ada", password },
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  const refused = await signIn("x");
  const rows = await client.GET("/rows", { parseAs: "text" });
  console.log(JSON.stringify({
    list: [list.response.status, list.data?.data.map(({ title }) => title), list.response.headers.get("link")],
    invalid: [invalid.response.status, invalid.error],
    added: [added.response.status, added.data?.id, added.data?.title, added.response.headers.get("location")],
    taken: taken.response.status,
    shown: (await client.GET("/books/{id}", { params: one })).data?.id,
    missing: [missing.response.status, missing.error?.title],
    head: (await client.HEAD("/books/{id}", { params: one })).response.status,
    changed: [changed.response.status, changed.data?.title],
    unchanged: [unchanged.response.status, unchanged.data],
    emptied: (await change({ kind: "pages", pages: 0 })).response.status,
    deleted: (await client.DELETE("/books/{id}", { params: one })).response.status,
    exported: (await client.GET("/export", { parseAs: "text" })).data,
    cover: [blob?.type, blob?.size],
    uploaded: uploaded.data,
    replaced: replaced.data?.size,
    signedIn: (await signIn("a+b c")).response.status,
    refused: [refused.response.status, refused.error?.title],
    shelf: (await client.GET("/shelf")).data?.shelves[0]?.name,
    file: (await client.GET("/files/{rest}", { params: { path: { rest: "a/b ü" } }, parseAs: "text" })).data,
    tags: (await client.GET("/tags")).data?.new,
    rows: linesOf(rows.data),
  }));
}
void main();
`;
