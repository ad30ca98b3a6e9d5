import { route } from "@fw/core";
import { fileTypeFromFile } from "file-type";
import { rename, rm } from "node:fs/promises";
import { z } from "zod";
import { receiveUpload } from "../recipes/forms/receive_upload.ts";
import type { Parts, Routes } from "./app.ts";
import { failed, failure, type Guards } from "./guards.ts";
import { picture } from "./store.ts";

/** What is shown as a picture. SVG is missing, as it may hold scripts. */
const TYPES = new Set(["image/png", "image/jpeg", "image/webp", "image/gif", "image/avif"]);
const MAX_BYTES = 5 * 1024 * 1024;

const caption = z.object({ title: z.string().trim().min(1).max(200) });
const page = z.object({ data: z.array(picture), next: z.int().nullable() });
const limit = z.coerce.number().int().min(1).max(100).default(20);
const errors = { "4XX": { schema: failure } };

/** The pictures of the one who is signed in. */
export function createPictureRoutes({ store, directory }: Parts, guards: Guards): Routes {
  const pictures = route.with({
    prefix: "/api/pictures",
    guards: [guards.signedIn],
    docs: { security: [{ session: [] }] },
  });

  return [
    pictures.get("", {
      request: { query: z.object({ limit, before: z.coerce.number().int().optional() }) },
      docs: { responses: { 200: { schema: page }, ...errors } },
      guards: [guards.validInput],
      resolve: ({ input: { query }, locals: { account } }) =>
        Response.json(store.listPictures(account.email, query.limit, query.before)),
    }),

    pictures.post("", {
      docs: {
        requestBody: { contentType: "multipart/form-data", schema: caption.extend({ file: z.file() }), required: true },
        responses: { 201: { schema: picture }, ...errors },
      },
      guards: [guards.ownPages, guards.limited],
      resolve: async ({ request, locals: { account } }) => {
        const id = crypto.randomUUID();
        const path = `${directory}/${id}.part`;
        const upload = { schema: caption, maxBytes: MAX_BYTES, path };
        return await receiveUpload(request, upload, async ({ fields }) => {
          const type = (await fileTypeFromFile(path))?.mime ?? "";
          if (!TYPES.has(type)) return failed(415, "No picture that browsers show");
          await rename(path, `${directory}/${id}`); // first: a picture in the list always has a file
          return Response.json(store.addPicture(account.email, { id, type, ...fields }), { status: 201 });
        });
      },
    }),

    pictures.get("/:id/file", {
      docs: { responses: { 200: { description: "The file" }, ...errors } },
      resolve: async ({ raw, locals: { account } }) => {
        const found = store.findPicture(account.email, raw.params.id);
        if (found === undefined) return failed(404, "Not found");
        const { readable } = await Deno.open(`${directory}/${found.id}`);
        const headers = { "content-type": found.type, "cache-control": "private, max-age=31536000, immutable" };
        return new Response(readable, { headers });
      },
    }),

    pictures.delete("/:id", {
      docs: { responses: { 204: {}, ...errors } },
      guards: [guards.ownPages],
      resolve: async ({ raw, locals: { account } }) => {
        if (!store.deletePicture(account.email, raw.params.id)) return failed(404, "Not found");
        await rm(`${directory}/${raw.params.id}`, { force: true });
        return new Response(null, { status: 204 });
      },
    }),
  ];
}
