/** Albums: uploads part by part, a stream of changes, webhooks of payments, shares, transfers, a trash. */

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { file, parts } from "@fw/core/body";
import { events, replyEvents } from "@fw/core/events";
import { standardSchema } from "@fw/core/standard-schema";
import { oneOf, signed, standardWebhooks } from "@fw/core/webhooks";
import { z } from "zod";
import type { Has, Seeded } from "../apps/seeded.ts";

export const ALBUMS: Readonly<Record<string, Seeded>> = {
  "a file without an extension": { kind: "throws", at: ["POST /albums/:albumId/photos"] },
  "a caption comes twice": { kind: "throws", at: ["POST /albums/:albumId/photos"] },
  "anybody adds photos": { kind: "crosses owners", at: ["POST /albums/:albumId/photos"] },
  "the changes after one that is unknown": { kind: "throws", at: ["GET /albums/:albumId/changes"] },
  "a payment of an album that is gone": { kind: "throws", at: ["POST /payments"] },
  "a transfer to oneself": { kind: "throws", at: ["POST /transfers"] },
  "days that end before they begin": { kind: "throws", at: ["GET /days"] },
  "the same tag twice": { kind: "throws", at: ["POST /albums"] },
  "half a character is an initial": { kind: "throws", at: ["POST /albums"] },
  "a change of nothing": { kind: "throws", at: ["PATCH /albums/:albumId"] },
  "anybody restores an album": { kind: "crosses owners", at: ["POST /albums/:albumId/restore"] },
};

const SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";

/** Signs as the sender of payments does. */
async function sign(request: Request): Promise<HeadersInit> {
  const [id, time] = ["msg_1", String(Math.floor(Date.now() / 1000))];
  const secret = Uint8Array.from(atob(SECRET.slice(6)), (character) => character.charCodeAt(0));
  const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  const text = new TextEncoder().encode(`${id}.${time}.${await request.text()}`);
  const signature = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", key, text))));
  return { "webhook-id": id, "webhook-timestamp": time, "webhook-signature": `v1,${signature}` };
}

export const ALBUMS_ACTORS = {
  ada: { authorization: "ada" },
  ben: { authorization: "ben" },
  bank: () => sign,
};

export const ALBUMS_SHARED = ["GET /shared/:shareId", "POST /payments", "POST /transfers", "GET /days"];

const failure = { schema: z.object({ error: z.string() }) };
const album = z.object({ id: z.string(), title: z.string(), tags: z.array(z.string()), paid: z.int() });
type Album = z.infer<typeof album>;
const change = z.object({ id: z.string(), title: z.string() });

export function createAlbums(has: Has): App {
  const albums = new Map<string, Album & { readonly owner: string; readonly titles: string[] }>();
  const trash: typeof albums = new Map();
  const shares = new Map<string, Album>();
  let last = 0;
  const missing = () => reply(404, { error: "missing" });
  const valid = denyInvalid(() => reply(400, { error: "invalid" }));
  const responses = { 400: failure, 401: failure, 404: failure };
  const open = route.with({ responses: { 400: failure, 404: failure }, guards: [valid] });
  const own = route.with({
    docs: { security: [{ key: [] }] },
    responses,
    guards: [
      beforeBody(({ request }: Context) => {
        const owner = request.headers.get("authorization") ?? "";
        return ["ada", "ben"].includes(owner) ? allow({ owner }) : deny(reply(401, { error: "sign in" }));
      }),
      valid,
    ],
  });
  const params = z.object({ albumId: z.string() });
  const find = (id: string, owner: string) => {
    const found = albums.get(id);
    return found?.owner === owner ? found : undefined;
  };
  const shown = ({ id, title, tags, paid }: Album) => ({ id, title, tags, paid });
  const text = z.string().min(1).max(40);

  return setup({
    validator: standardSchema,
    handlers: [
      own.post("/albums", {
        request: { body: z.object({ title: text, tags: z.array(z.string().max(10)).max(4) }) },
        responses: { 201: { schema: album } },
        resolve: ({ input: { body }, locals: { owner } }) => {
          const { title } = body;
          if (has("the same tag twice") && new Set(body.tags).size < body.tags.length) throw new Error("UNIQUE");
          if (has("half a character is an initial")) encodeURIComponent(title.charAt(0));
          const made = { id: `a${++last}`, title, tags: body.tags, paid: 0, owner, titles: [title] };
          albums.set(made.id, made);
          return reply(201, shown(made));
        },
      }),
      own.get("/albums/table", {
        responses: { 200: { schema: z.string(), contentType: "text/csv" } },
        resolve: ({ locals: { owner } }) => {
          const titles = [...albums.values()].filter((each) => each.owner === owner).map(({ title }) => title);
          return reply(200, titles.map((title) => `"${title.replaceAll('"', '""')}"`).join("\r\n"), {
            contentType: "text/csv",
          });
        },
      }),
      own.get("/albums/:albumId", {
        request: { params },
        responses: { 200: { schema: album } },
        resolve: ({ input, locals: { owner } }) => {
          const found = find(input.params.albumId, owner);
          return found === undefined ? missing() : reply(200, shown(found));
        },
      }),
      own.patch("/albums/:albumId", {
        request: { params, body: z.object({ title: text.optional(), tags: z.array(z.string()).max(4).optional() }) },
        responses: { 200: { schema: album } },
        resolve: ({ input: { params, body }, locals: { owner } }) => {
          const found = find(params.albumId, owner);
          if (found === undefined) return missing();
          if (has("a change of nothing")) (Object.keys(body)[0] as string).toUpperCase();
          const { title = found.title, tags = found.tags } = body;
          if (title !== found.title) found.titles.push(title);
          Object.assign(found, { title, tags });
          return reply(200, shown(found));
        },
      }),
      own.delete("/albums/:albumId", {
        request: { params },
        responses: { 204: {} },
        resolve: ({ input, locals: { owner } }) => {
          const found = find(input.params.albumId, owner);
          if (found === undefined) return missing();
          albums.delete(found.id);
          trash.set(found.id, found);
          return reply(204);
        },
      }),
      own.post("/albums/:albumId/restore", {
        request: { params },
        responses: { 200: { schema: album } },
        resolve: ({ input, locals: { owner } }) => {
          const found = trash.get(input.params.albumId);
          if (found === undefined) return missing();
          if (found.owner !== owner && !has("anybody restores an album")) return missing();
          trash.delete(found.id);
          albums.set(found.id, found);
          return reply(200, shown(found));
        },
      }),
      own.post("/albums/:albumId/photos", {
        request: {
          params,
          body: parts({
            caption: z.string().max(50),
            photo: file({ contentTypes: ["image/*"], maxBytes: 2000 }),
          }),
        },
        responses: { 201: { schema: z.object({ name: z.string(), caption: z.string() }) } },
        resolve: async ({ input: { params, body }, locals: { owner } }) => {
          const isKnown = has("anybody adds photos") ? albums.has(params.albumId) : find(params.albumId, owner);
          if (!isKnown) return missing();
          const captions: string[] = [];
          let name = "";
          for await (const part of body) {
            if (part.issues) return reply(400, { error: "invalid" });
            if (part.name === "caption") captions.push(part.value);
            else name = part.fileName;
          }
          if (has("a file without an extension")) (name.split(".")[1] as string).toLowerCase();
          if (has("a caption comes twice") && captions.length > 1) throw new Error("Twice");
          return reply(201, { name, caption: captions.at(-1) ?? "" });
        },
      }),
      own.get("/albums/:albumId/changes", {
        request: { params, headers: z.object({ "last-event-id": z.string().regex(/^\d{1,6}$/).optional() }) },
        responses: { 200: events({ title: change }) },
        resolve: ({ input: { params, headers }, locals: { owner } }) => {
          const found = find(params.albumId, owner);
          if (found === undefined) return missing();
          const from = Number(headers["last-event-id"] ?? 0);
          const left = found.titles.slice(from);
          if (has("the changes after one that is unknown") && from > 0) (found.titles[from - 1] as string).trim();
          return replyEvents(200, async function* (_signal, event) {
            for (const title of left) yield event("title", { id: found.id, title });
          });
        },
      }),
      own.post("/albums/:albumId/shares", {
        request: { params },
        responses: { 201: { schema: z.object({ shareId: z.string() }) } },
        resolve: ({ input, locals: { owner } }) => {
          const found = find(input.params.albumId, owner);
          if (found === undefined) return missing();
          const shareId = `s${++last}`;
          shares.set(shareId, found);
          return reply(201, { shareId });
        },
      }),
      own.delete("/albums/:albumId/shares/:shareId", {
        request: { params: params.extend({ shareId: z.string() }) },
        responses: { 204: {} },
        resolve: ({ input: { params: { albumId, shareId } }, locals: { owner } }) => {
          const shared = shares.get(shareId);
          if (find(albumId, owner) === undefined || shared?.id !== albumId) return missing();
          shares.delete(shareId);
          return reply(204);
        },
      }),
      open.get("/shared/:shareId", {
        request: { params: z.object({ shareId: z.string() }) },
        responses: { 200: { schema: z.object({ title: z.string() }) } },
        resolve: ({ input: { params: { shareId } } }) => {
          const shared = shares.get(shareId);
          return shared === undefined ? missing() : reply(200, { title: shared.title });
        },
      }),
      open.post("/payments", {
        request: {
          body: oneOf({ "album.paid": z.object({ albumId: z.string(), cents: z.int().min(0).max(1000) }) }),
          bodyReader: signed(standardWebhooks({ secrets: [SECRET] })),
        },
        responses: { 204: {} },
        resolve: ({ input: { body: { data } } }) => {
          const found = albums.get(data.albumId);
          if (found === undefined) {
            if (has("a payment of an album that is gone") && trash.has(data.albumId)) throw new Error("Gone");
            return reply(204);
          }
          albums.set(found.id, { ...found, paid: found.paid + data.cents });
          return reply(204);
        },
      }),
      open.post("/transfers", {
        request: {
          body: z.object({ from: z.enum(["a", "b", "c"]), to: z.enum(["a", "b", "c"]), cents: z.int().min(1) }),
        },
        responses: { 204: {} },
        resolve: ({ input: { body } }) => {
          if (has("a transfer to oneself") && body.from === body.to) throw new Error("Locked twice");
          return reply(204);
        },
      }),
      open.get("/days", {
        request: { query: z.object({ from: z.iso.date(), to: z.iso.date() }) },
        responses: { 200: { schema: z.object({ count: z.int().min(0) }) } },
        resolve: ({ input: { query } }) => {
          const days = Math.floor((Date.parse(query.to) - Date.parse(query.from)) / 86_400_000);
          if (has("days that end before they begin")) new Array(Math.min(days, 9)).fill(0);
          return reply(200, { count: Math.max(days, 0) });
        },
      }),
    ],
  });
}
