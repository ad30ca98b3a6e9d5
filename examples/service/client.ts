import { type Client, createClient } from "@fw/core/client";
import * as api from "./api.ts";

export type PicturesClient = Client<typeof api>;

export function createPicturesClient(
  baseUrl: string,
  fetch?: (request: Request) => Promise<Response>,
): PicturesClient {
  return createClient(api, { baseUrl, ...fetch && { fetch } });
}

/** Adds a picture, and returns its id. */
export async function addPicture(client: PicturesClient, title: string, file: Blob): Promise<string> {
  const form = new FormData();
  form.set("title", title);
  form.set("file", file);
  const { status, body } = await client.addPicture({ body: form });
  if (status !== 201) throw new Error(body.error);
  return body.id;
}

/** The titles of all pictures, page by page. */
export async function* listTitles(client: PicturesClient): AsyncGenerator<string> {
  for (let before = Number.MAX_SAFE_INTEGER;;) {
    const { status, body } = await client.listPictures({ query: { before } });
    if (status !== 200) throw new Error(body.error);
    for (const { title } of body.data) yield title;
    if (body.next === null) return;
    before = body.next;
  }
}
