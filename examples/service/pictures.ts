import { beforeBody, reply, route } from "@fw/core";
import { replyLines } from "@fw/core/events";
import { imageDimensionsFromData } from "image-dimensions";
import { rm, stat, writeFile } from "node:fs/promises";
import * as api from "./api.ts";
import type { Dependencies } from "./app.ts";
import { type Connection, whenSent } from "./connection.ts";
import { busy, type Guards } from "./guards.ts";
import { streamFile } from "./stream_file.ts";

/** What is shown as a picture. SVG is missing, as it may hold scripts. */
const TYPES = new Set(["png", "jpeg", "webp", "gif", "avif"]);

export function createPictureRoutes({ store, directory }: Dependencies, guards: Guards) {
  const { sessions, ownPage, limited, upload, validInput, repeatable } = guards;
  const reading = route.with({ guards: [sessions.reading] });
  const writing = route.with({ guards: [ownPage, beforeBody(sessions.writing)] });

  return [
    reading.on(api.listPictures, {
      guards: [validInput],
      resolve: async ({ input: { query }, locals: { session } }) =>
        reply(200, await store.listPictures(session.user, query.limit, query.before)),
    }),

    reading.on(api.exportPictures, {
      resolve: ({ locals: { session } }) =>
        replyLines(200, async function* (_signal, batch) {
          let before: number | undefined;
          do {
            const page = await store.listPictures(session.user, 100, before);
            yield batch(page.data);
            before = page.next ?? undefined;
          } while (before !== undefined);
        }, { onError: (error) => console.error("The export failed:", error) }),
    }),

    writing.on(api.addPicture, {
      // Once more after the body, which takes a while: the session may have ended.
      guards: [limited, upload, validInput, sessions.writing],
      resolve: repeatable(async ({ input: { body: { title, file } }, locals: { session } }, key) => {
        const bytes = new Uint8Array(await file.arrayBuffer());
        const type = imageDimensionsFromData(bytes)?.type ?? "";
        if (!TYPES.has(type)) return reply(415, { error: "No picture that browsers show" });
        const id = crypto.randomUUID();
        const path = `${directory}/${id}`;
        const picture = { id, title, type: `image/${type}` };
        let isKept = false;
        try {
          await writeFile(path, bytes, { mode: 0o600, flush: true }); // first: a picture in the list always has a file
          const added = key === undefined
            ? await store.addPicture(session.user, picture).then((added) => added && reply(201, added))
            : await store.addPictureOnce(session.user, picture, key);
          isKept = added !== undefined;
          return added ?? reply(409, { error: "You keep 100 pictures: delete one first" });
        } catch (error) {
          // The picture may be there all the same: the answer of the database may be lost.
          isKept = await store.hasPicture(id).catch(() => true);
          throw error;
        } finally {
          if (!isKept) await rm(path, { force: true });
        }
      }),
    }),

    reading.on(api.showFile, {
      resolve: async (c, connection: Connection) => {
        const { raw, request, locals: { session } } = c;
        const path = `${directory}/${raw.params.id}`;
        const found = await store.findPicture(session.user, raw.params.id);
        const size = found && await stat(path).then(({ size }) => size, () => undefined);
        if (found === undefined || size === undefined) return reply(404, { error: "Not found" });
        const headers = {
          "content-type": found.type,
          "content-length": String(size),
          "cache-control": "private, max-age=31536000, immutable",
        };
        if (request.method === "HEAD") return reply(200, new Response(null, { headers }));
        const place = guards.takeDownload(c, connection);
        if (place === undefined) return busy();
        whenSent(connection, () => place[Symbol.dispose]());
        return reply(200, new Response(streamFile(path, size, () => place[Symbol.dispose]()), { headers }));
      },
    }),

    writing.on(api.deletePicture, {
      resolve: async ({ raw, locals: { session } }) => {
        if (!await store.deletePicture(session.user, raw.params.id)) return reply(404, { error: "Not found" });
        await rm(`${directory}/${raw.params.id}`, { force: true });
        return reply(204);
      },
    }),
  ];
}
