import { type Client, createClient } from "@fw/core/client";
import * as api from "./api.ts";

export type PicturesClient = Client<typeof api>;

export function createPicturesClient(
  baseUrl: string,
  fetch?: (request: Request) => Promise<Response>,
): PicturesClient {
  return createClient(api, { baseUrl, ...fetch && { fetch } });
}

/** Adds a picture, and returns its id. Repeat it with the same key if it fails: the picture is added once. */
export async function addPicture(
  client: PicturesClient,
  title: string,
  file: Blob,
  key: string = crypto.randomUUID(),
): Promise<string> {
  const { status, body } = await client.addPicture({
    headers: { "idempotency-key": key },
    body: { title, file: new File([file], title) },
  });
  if (status !== 201) throw new Error(body.error);
  return body.id;
}

/** The titles of all pictures, as they arrive. */
export async function* listTitles(client: PicturesClient): AsyncGenerator<string> {
  const { status, body } = await client.exportPictures();
  if (status !== 200) throw new Error(body.error);
  for await (const { title } of body) yield title;
}
