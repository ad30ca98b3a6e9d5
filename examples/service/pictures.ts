import { reply, route } from "@fw/core";
import { imageDimensionsFromData } from "image-dimensions";
import { open, rename, rm } from "node:fs/promises";
import { createUploads } from "../recipes/forms/receive_upload.ts";
import { createFileSender } from "../static/file_sender.ts";
import { type OpenFile, openFile } from "../static/open_file.ts";
import { recipientOf, type ResponseConnection } from "../static/recipient.ts";
import * as api from "./api.ts";
import type { Dependencies, Routes } from "./app.ts";
import { type Guards, signInFirst } from "./guards.ts";
import type { Picture } from "./store.ts";

/** What is shown as a picture. SVG is missing, as it may hold scripts. */
const TYPES = new Set(["png", "jpeg", "webp", "gif", "avif"]);
const MAX_BYTES = 5 * 1024 * 1024;
/** How much of a picture is read to find its type. What is before its size, such as a thumbnail, is shorter. */
const HEAD_BYTES = 256 * 1024;

/** The pictures of the one who is signed in. */
export function createPictureRoutes({ store, directory }: Dependencies, guards: Guards): Routes {
  const pictures = route.with({ guards: [guards.signedIn] });
  const receiveUpload = createUploads(directory);
  const sender = createFileSender();

  return [
    pictures.on(api.listPictures, {
      guards: [guards.validInput],
      resolve: ({ input: { query }, locals: { account } }) =>
        reply(200, store.listPictures(account.email, query.limit, query.before)),
    }),

    pictures.on(api.addPicture, {
      guards: [guards.ownPages, guards.limited],
      resolve: async ({ request, locals: { account } }, connection: ResponseConnection) => {
        if (!store.hasRoom(account.email)) return full();
        const upload = { schema: api.caption, maxBytes: MAX_BYTES, client: guards.findClient(request, connection) };
        return await receiveUpload(request, upload, async ({ id, path, fields }) => {
          const type = await findType(path);
          if (type === undefined) return reply(415, { error: "No picture that browsers show" });
          const file = `${directory}/${id}`;
          await rename(path, file); // first: a picture in the list always has a file
          let added: Picture | undefined;
          try {
            if (await guards.findAccount(request) === undefined) return signInFirst();
            added = store.addPicture(account.email, { id, type, ...fields });
          } finally {
            if (added === undefined) await rm(file, { force: true });
          }
          return added === undefined ? full() : reply(201, added);
        });
      },
    }),

    pictures.on(api.showFile, {
      resolve: async ({ raw, request, locals: { account } }, connection: ResponseConnection) => {
        const found = store.findPicture(account.email, raw.params.id);
        if (found === undefined) return reply(404, { error: "Not found" });
        const to = { ...recipientOf(request, connection), client: guards.findClient(request, connection) };
        const place = sender.takePlace(to.client);
        if (place === undefined) return busy();
        let file: OpenFile | undefined;
        let isSending = false; // then the sender closes the file, and disposes its place
        try {
          file = await openPicture(`${directory}/${found.id}`);
          if (file === undefined) return reply(404, { error: "Not found" });
          const { size } = await file.stat();
          const headers = {
            "content-type": found.type,
            "content-length": String(size),
            "cache-control": "private, max-age=31536000, immutable",
          };
          if (request.method === "HEAD") return reply(200, new Response(null, { headers }));
          isSending = true;
          const body = sender.sendFile(file, { start: 0, end: size }, place, to);
          if (body === undefined) return busy();
          return reply(200, new Response(body, { headers }));
        } finally {
          if (!isSending) {
            await file?.close();
            place[Symbol.dispose]();
          }
        }
      },
    }),

    pictures.on(api.deletePicture, {
      guards: [guards.ownPages],
      resolve: async ({ raw, locals: { account } }) => {
        if (!store.deletePicture(account.email, raw.params.id)) return reply(404, { error: "Not found" });
        await rm(`${directory}/${raw.params.id}`, { force: true });
        return reply(204);
      },
    }),
  ];
}

/** Returns the media type that the first bytes of a file have, if it is a picture that browsers show. */
async function findType(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(HEAD_BYTES), 0, HEAD_BYTES, 0);
    const type = imageDimensionsFromData(buffer.subarray(0, bytesRead))?.type ?? "";
    return TYPES.has(type) ? `image/${type}` : undefined;
  } finally {
    await file.close();
  }
}

/** Returns `undefined` if the file has just been deleted. */
async function openPicture(path: string): Promise<OpenFile | undefined> {
  try {
    return await openFile(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function full() {
  return reply(409, { error: "You keep as many pictures as you may: delete one first" });
}

function busy() {
  return reply(503, { error: "Too many pictures are being sent" }, { headers: { "retry-after": "5" } });
}
