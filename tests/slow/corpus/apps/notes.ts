/** Notes: texts, tags, pages, comments in trees, exports as streams. 20 faults. */

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { lines, replyLines } from "@fw/core/events";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import type { Has, Seeded } from "./seeded.ts";

export const NOTES: Readonly<Record<string, Seeded>> = {
  // Text
  "a slug of a lone surrogate": { kind: "throws", at: ["POST /notes"] },
  "a name from the prototype": { kind: "throws", at: ["GET /labels/:name"] },
  // Bounds
  "the page after the last": { kind: "throws", at: ["GET /notes"] },
  "the mean length of no words": { kind: "undeclared", at: ["GET /notes/:id/words"] },
  // Numbers
  "a version beyond 2^53": { kind: "undeclared", at: ["POST /counters"] },
  "a ratio of nothing": { kind: "undeclared", at: ["GET /distance"] },
  // Dates
  "a reminder in the year zero": { kind: "throws", at: ["POST /notes/:id/reminders"] },
  "a day is written with two digits": { kind: "undeclared", at: ["GET /calendar"] },
  // Statuses
  "a locked note": { kind: "undeclared", at: ["PUT /notes/:id"] },
  "an empty search is 204": { kind: "undeclared", at: ["POST /notes/search"] },
  // Bodies and headers
  "no location of a new note": { kind: "undeclared", at: ["POST /notes"] },
  "a line of the export is text": { kind: "undeclared", at: ["GET /notes/export"] },
  // Invalid input
  "the raw title is kept": { kind: "accepts invalid input", at: ["PUT /notes/:id"] },
  "only the query is looked at": { kind: "accepts invalid input", at: ["POST /notes/search"] },
  // Valid input
  "rank 0 is no rank": { kind: "refuses valid input", at: ["POST /notes"] },
  "no tags at all are refused": { kind: "refuses valid input", at: ["PUT /notes/:id"] },
  // DELETE
  "a cache is not emptied": { kind: "is there after DELETE", at: ["GET /notes/:id"] },
  "a reminder stays": { kind: "is there after DELETE", at: ["GET /notes/:id/reminders/:reminderId"] },
  // Credentials
  "the trash is open": { kind: "needs no credentials", at: ["GET /trash"] },
  "an empty token is a token": { kind: "needs no credentials", at: ["PUT /settings"] },
};

export const NOTES_ACTORS = { ada: { "x-api-key": "key-of-ada" } };

const failure = { schema: z.object({ error: z.string(), issues: z.array(z.string()) }) };
const body = z.object({
  title: z.string().trim().min(1).max(60),
  tags: z.array(z.string().min(1).max(12)).max(4),
  rank: z.number().min(0).max(9),
});
const note = z.object({ id: z.uuid(), title: z.string(), tags: z.array(z.string()), rank: z.number() });
type Note = z.infer<typeof note>;
const reminder = z.object({ id: z.int(), at: z.iso.datetime() });
interface Comment {
  readonly text: string;
  readonly replies: readonly Comment[];
}
const comment: z.ZodType<Comment, Comment> = z.object({
  text: z.string().max(30),
  get replies() {
    return z.array(comment);
  },
});

export function createNotes(has: Has): App {
  const notes = new Map<string, Note>();
  const cache = new Map<string, Note>();
  const reminders = new Map<string, z.infer<typeof reminder>>();
  const trash: Note[] = [];
  let last = 0;
  const fail = (status: 400 | 404) => reply(status, { error: status === 400 ? "Invalid" : "Missing", issues: [] });
  const valid = denyInvalid(({ issues }) =>
    reply(400, { error: "Invalid", issues: issues.map(({ message }) => message) })
  );
  const scope = route.with({ responses: { 400: failure, 404: failure } });
  const open = scope.with({ guards: [valid] });
  const secured = route.with({ docs: { security: [{ key: [] }] }, responses: { 401: { description: "No key" } } });
  const keyed = (fault: string, isOpen: (key: string | null) => boolean) =>
    beforeBody((c: Context) => {
      const key = c.request.headers.get("x-api-key");
      return key === "key-of-ada" || has(fault) && isOpen(key) ? allow() : deny(reply(401));
    });
  const labels: Record<string, { readonly uses: number; readonly aliases: readonly string[] }> = {
    todo: { uses: 1, aliases: ["to do"] },
  };

  return setup({
    validator: standardSchema,
    handlers: [
      open.get("/notes", {
        request: { query: z.object({ page: z.coerce.number().int().min(1).max(1000).optional() }) },
        responses: { 200: { schema: z.object({ data: z.array(note), first: z.string().nullable() }) } },
        resolve: (c) => {
          const { page = 1 } = c.input.query;
          const data = [...notes.values()].slice((page - 1) * 5, page * 5);
          const first = has("the page after the last") && page > 1 ? (data[0] as Note).title : data[0]?.title ?? null;
          return reply(200, { data, first });
        },
      }),
      open.post("/notes", {
        request: { body },
        responses: { 201: { schema: note, headers: { location: { required: true } } } },
        resolve: (c) => {
          const { title, tags, rank } = c.input.body;
          if (has("rank 0 is no rank") && !rank) return fail(400);
          if (has("a slug of a lone surrogate")) encodeURIComponent(title);
          const made = { id: `00000000-0000-4000-8000-${String(++last).padStart(12, "0")}`, title, tags, rank };
          notes.set(made.id, made);
          if (has("no location of a new note") && tags.length === 4) {
            return Response.json(made, { status: 201 }) as never;
          }
          return reply(201, made, { headers: { location: `/notes/${made.id}` } });
        },
      }),
      open.get("/notes/:id", {
        responses: { 200: { schema: note } },
        resolve: (c) => {
          const { id } = c.raw.params;
          const found = notes.get(id) ?? (has("a cache is not emptied") ? cache.get(id) : undefined);
          if (found === undefined) return fail(404);
          cache.set(id, found);
          return reply(200, found);
        },
      }),
      scope.put("/notes/:id", {
        request: { body },
        responses: { 200: { schema: note } },
        resolve: (c) => {
          const found = notes.get(c.raw.params.id);
          if (found === undefined) return fail(404);
          const given: { title?: unknown } = Object(c.raw.body);
          if (!c.input.ok) {
            if (!has("the raw title is kept") || typeof given.title !== "string") return fail(400);
            return reply(200, found);
          }
          const { title, tags, rank } = c.input.body;
          if (has("no tags at all are refused") && tags.length === 0) return fail(400);
          if (has("a locked note") && found.rank === 9) {
            return Response.json({ error: "Locked", issues: [] }, { status: 423 }) as never;
          }
          const next = { id: found.id, title, tags, rank };
          notes.set(found.id, next);
          return reply(200, next);
        },
      }),
      open.delete("/notes/:id", {
        responses: { 204: {} },
        resolve: (c) => {
          const found = notes.get(c.raw.params.id);
          if (found === undefined) return fail(404);
          notes.delete(found.id);
          trash.push(found);
          return reply(204);
        },
      }),
      open.get("/notes/:id/words", {
        responses: { 200: { schema: z.object({ words: z.int(), mean: z.number() }) } },
        resolve: (c) => {
          const found = notes.get(c.raw.params.id);
          if (found === undefined) return fail(404);
          const words = found.title.match(/[\p{L}\d]+/gu) ?? [];
          const letters = words.join("").length;
          const isSafe = words.length > 0 || !has("the mean length of no words");
          return reply(200, { words: words.length, mean: isSafe ? letters / Math.max(1, words.length) : NaN });
        },
      }),
      open.post("/notes/:id/reminders", {
        request: { body: z.object({ at: z.iso.datetime() }) },
        responses: { 201: { schema: reminder } },
        resolve: (c) => {
          if (!notes.has(c.raw.params.id)) return fail(404);
          const { at } = c.input.body;
          if (has("a reminder in the year zero") && at.startsWith("0000")) throw new RangeError("year is out of range");
          const made = { id: ++last, at };
          reminders.set(`${c.raw.params.id}/${made.id}`, made);
          return reply(201, made);
        },
      }),
      open.get("/notes/:id/reminders/:reminderId", {
        responses: { 200: { schema: reminder } },
        resolve: (c) => {
          const found = reminders.get(`${c.raw.params.id}/${c.raw.params.reminderId}`);
          return found === undefined ? fail(404) : reply(200, found);
        },
      }),
      open.delete("/notes/:id/reminders/:reminderId", {
        responses: { 204: {} },
        resolve: (c) => {
          const key = `${c.raw.params.id}/${c.raw.params.reminderId}`;
          if (!reminders.has(key)) return fail(404);
          if (!has("a reminder stays")) reminders.delete(key);
          return reply(204);
        },
      }),
      scope.post("/notes/search", {
        request: { query: z.object({ sort: z.enum(["title", "rank"]) }), body: z.object({ text: z.string().max(40) }) },
        responses: { 200: { schema: z.array(note) } },
        resolve: (c) => {
          if (!c.input.ok) {
            const isLax = has("only the query is looked at") && !c.input.failed.includes("query");
            return isLax ? reply(200, []) : fail(400);
          }
          const { text } = c.input.body;
          const found = [...notes.values()].filter(({ title }) => title.includes(text));
          if (found.length === 0 && text === "" && has("an empty search is 204")) {
            return new Response(null, { status: 204 }) as never;
          }
          return reply(200, found);
        },
      }),
      route.get("/notes/export", {
        responses: { 200: lines(note) },
        resolve: () =>
          replyLines(200, function* () {
            for (const one of notes.values()) {
              const isWrong = has("a line of the export is text") && one.tags.length > 1;
              yield isWrong ? { ...one, tags: one.tags.join() as never } : one;
            }
          }),
      }),
      open.post("/notes/:id/comments", {
        request: { body: comment },
        responses: { 201: { schema: comment } },
        resolve: (c) => notes.has(c.raw.params.id) ? reply(201, c.input.body) : fail(404),
      }),
      open.get("/labels/:name", {
        responses: { 200: { schema: z.object({ uses: z.int(), alias: z.string() }) } },
        resolve: (c) => {
          const { name } = c.raw.params;
          if (!Object.hasOwn(labels, name) && !(has("a name from the prototype") && name in labels)) return fail(404);
          const found = labels[name];
          return found === undefined ? fail(404) : reply(200, { uses: found.uses, alias: found.aliases[0] ?? "" });
        },
      }),
      open.post("/counters", {
        request: { body: z.object({ start: z.int(), step: z.int().min(1).max(100) }) },
        responses: { 201: { schema: z.object({ value: z.int() }) } },
        resolve: (c) => {
          const value = c.input.body.start + c.input.body.step;
          return reply(201, { value: has("a version beyond 2^53") || Number.isSafeInteger(value) ? value : 0 });
        },
      }),
      open.get("/distance", {
        request: { query: z.object({ x: z.coerce.number(), y: z.coerce.number() }) },
        responses: { 200: { schema: z.object({ angle: z.number().min(-180).max(180), ratio: z.number() }) } },
        resolve: (c) => {
          const { x, y } = c.input.query;
          const ratio = x / y;
          const isSafe = Number.isFinite(ratio) || !has("a ratio of nothing");
          return reply(200, {
            angle: Math.atan2(y, x) * 180 / Math.PI,
            ratio: isSafe && !Number.isFinite(ratio) ? 0 : ratio,
          });
        },
      }),
      open.get("/calendar", {
        request: { query: z.object({ day: z.iso.date() }) },
        responses: { 200: { schema: z.object({ next: z.iso.date() }) } },
        resolve: (c) => {
          const [year = 0, month = 1, day = 1] = c.input.query.day.split("-").map(Number);
          if (has("a day is written with two digits")) return reply(200, { next: `${year}-${month}-${day}` });
          const next = new Date(0);
          next.setUTCFullYear(Math.min(year, 9998), month - 1, day + 1);
          return reply(200, { next: next.toISOString().slice(0, 10) });
        },
      }),
      secured.get("/trash", {
        guards: [keyed("the trash is open", () => true)],
        responses: { 200: { schema: z.array(note) } },
        resolve: () => reply(200, trash),
      }),
      secured.put("/settings", {
        guards: [keyed("an empty token is a token", (key) => !key), valid],
        request: { body: z.object({ theme: z.enum(["dark", "light"]) }) },
        responses: { 200: { schema: z.object({ theme: z.string() }) }, 400: failure },
        resolve: (c) => reply(200, { theme: c.input.body.theme }),
      }),
    ],
  });
}
