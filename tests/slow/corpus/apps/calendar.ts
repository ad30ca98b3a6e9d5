/** A calendar: forms and files, cookies and headers, a tree of rooms, a wildcard, dates. 20 faults. */

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { events, replyEvents } from "@fw/core/events";
import { form } from "@fw/core/body";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import type { Has, Seeded } from "./seeded.ts";

export const CALENDAR: Readonly<Record<string, Seeded>> = {
  // Text
  "a title in a header": { kind: "throws", at: ["GET /meetings/:id"] },
  "a file name has a percent sign": { kind: "throws", at: ["GET /files/*"] },
  // Bounds
  "the last of no guests": { kind: "throws", at: ["POST /meetings"] },
  "an empty file has no first byte": { kind: "throws", at: ["POST /meetings/:id/files"] },
  // Numbers
  "minutes beyond an hour wrap": { kind: "undeclared", at: ["POST /meetings"] },
  "a share of no budget": { kind: "undeclared", at: ["POST /budgets"] },
  // Dates
  "a leap day a year later": { kind: "undeclared", at: ["POST /birthdays"] },
  "an offset is cut off": { kind: "undeclared", at: ["POST /meetings"] },
  // Statuses
  "the same room twice": { kind: "undeclared", at: ["POST /rooms"] },
  "a precondition is not declared": { kind: "undeclared", at: ["PUT /meetings/:id"] },
  // Bodies and headers
  "null for a missing place": { kind: "undeclared", at: ["GET /meetings/:id"] },
  "an event that nobody declares": { kind: "undeclared", at: ["GET /meetings/:id/watch"] },
  // Invalid input
  "a wrong cookie is the default": { kind: "accepts invalid input", at: ["GET /greeting"] },
  "a form is not validated": { kind: "accepts invalid input", at: ["POST /feedback"] },
  // Valid input
  "upper case grows beyond the bound": { kind: "refuses valid input", at: ["POST /rooms"] },
  "the year 10000 is near": { kind: "refuses valid input", at: ["POST /birthdays"] },
  // DELETE
  "a room is in the list for ever": { kind: "is there after DELETE", at: ["GET /rooms"] },
  "a meeting is found by its code": { kind: "is there after DELETE", at: ["GET /meetings/:id"] },
  // Credentials
  "the report forgets its guard": { kind: "needs no credentials", at: ["GET /reports/:year"] },
  "an upload forgets its guard": { kind: "needs no credentials", at: ["POST /meetings/:id/files"] },
};

export const CALENDAR_ACTORS = { ada: { cookie: "session=ada" } };

const failure = { schema: z.object({ code: z.string() }) };
const meeting = z.object({
  id: z.string(),
  title: z.string(),
  startsAt: z.iso.datetime(),
  minute: z.int().min(0).max(59),
  place: z.string().optional(),
  host: z.string(),
});
type Meeting = z.infer<typeof meeting>;
const room = z.object({ slug: z.string(), name: z.string().max(24) });
const session = { security: [{ session: [] }] };

export function createCalendar(has: Has): App {
  const meetings = new Map<string, Meeting>();
  const byCode = new Map<string, Meeting>();
  const rooms = new Map<string, z.infer<typeof room>>();
  const gone: z.infer<typeof room>[] = [];
  let last = 0;
  const valid = denyInvalid(() => reply(422, { code: "invalid" }));
  const missing = () => reply(404, { code: "missing" });
  const open = route.with({ responses: { 404: failure, 422: failure }, guards: [valid] });
  const member = (fault: string) =>
    beforeBody((c: Context) =>
      /(?:^|; )session=ada(?:;|$)/.test(c.request.headers.get("cookie") ?? "") || has(fault)
        ? allow()
        : deny(reply(401, { code: "sign in" }))
    );
  const own = route.with({ docs: session, responses: { 401: failure, 404: failure, 422: failure } });

  return setup({
    validator: standardSchema,
    maxBodyBytes: 256 * 1024,
    handlers: [
      open.post("/meetings", {
        request: {
          body: z.object({
            title: z.string().min(1).max(50),
            startsAt: z.iso.datetime({ offset: true }),
            minute: z.int().min(0).max(59),
            minutes: z.int().min(1).max(600),
            guests: z.array(z.email()).max(5),
            place: z.string().max(30).optional(),
          }),
        },
        responses: { 201: { schema: meeting } },
        resolve: (c) => {
          const { title, startsAt, minute, minutes, guests, place } = c.input.body;
          const ends = minute + minutes;
          const host = has("the last of no guests") ? (guests.at(-1) as string).toLowerCase() : guests.at(-1) ?? "";
          const time = Date.parse(startsAt);
          const isSafe = time >= Date.UTC(0, 0, 1) && time < Date.UTC(10_000, 0, 1);
          const made = {
            id: `m${++last}`,
            title,
            startsAt: has("an offset is cut off") ? startsAt : new Date(isSafe ? time : 0).toISOString(),
            minute: has("minutes beyond an hour wrap")
              ? ends - (ends > 60 ? 60 * Math.floor(ends / 60) : 0)
              : ends % 60,
            ...place !== undefined && { place },
            host,
          };
          meetings.set(made.id, made);
          return reply(201, made);
        },
      }),
      open.get("/meetings/:id", {
        request: { params: z.object({ id: z.string() }) },
        responses: { 200: { schema: meeting } },
        resolve: (c) => {
          const { id } = c.input.params;
          const found = meetings.get(id) ?? (has("a meeting is found by its code") ? byCode.get(id) : undefined);
          if (found === undefined) return missing();
          if (has("a title in a header")) return Response.json(found, { headers: { "x-title": found.title } }) as never;
          const body = has("null for a missing place") ? { ...found, place: found.place ?? null } : found;
          return reply(200, body as Meeting);
        },
      }),
      open.put("/meetings/:id", {
        request: {
          headers: z.object({ "if-match": z.string().max(20).optional() }),
          body: z.object({ title: z.string().min(1).max(50) }),
        },
        responses: { 200: { schema: meeting } },
        resolve: (c) => {
          const found = meetings.get(c.raw.params.id);
          if (found === undefined) return missing();
          const tag = c.input.headers["if-match"];
          if (tag !== undefined && has("a precondition is not declared")) {
            return Response.json({ code: "changed" }, { status: 412 }) as never;
          }
          const next = { ...found, title: c.input.body.title };
          meetings.set(found.id, next);
          return reply(200, next);
        },
      }),
      open.delete("/meetings/:id", {
        responses: { 204: {} },
        resolve: (c) => {
          const found = meetings.get(c.raw.params.id);
          if (found === undefined) return missing();
          byCode.set(found.id, found);
          meetings.delete(found.id);
          return reply(204);
        },
      }),
      own.post("/meetings/:id/files", {
        guards: [member("an upload forgets its guard"), valid],
        request: {
          body: z.object({ note: z.string().max(20).optional(), file: z.file().max(2000) }),
          bodyReader: form,
        },
        responses: { 201: { schema: z.object({ name: z.string(), first: z.int() }) } },
        resolve: async (c) => {
          if (!meetings.has(c.raw.params.id)) return missing();
          const { file } = c.input.body;
          const [first] = new Uint8Array(await file.arrayBuffer());
          if (first === undefined && has("an empty file has no first byte")) throw new TypeError("no first byte");
          return reply(201, { name: file.name, first: first ?? 0 });
        },
      }),
      open.get("/meetings/:id/watch", {
        responses: { 200: events({ title: z.object({ title: z.string() }) }) },
        resolve: (c) => {
          const found = meetings.get(c.raw.params.id);
          if (found === undefined) return missing();
          return replyEvents(200, async function* (signal, event) {
            yield event("title", { title: found.title });
            if (has("an event that nobody declares")) yield event("host" as "title", { title: found.host });
            await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          });
        },
      }),
      open.get("/files/*", {
        responses: { 200: { contentType: "text/plain" } },
        resolve: (c) => {
          const rest = c.raw.params["*"];
          const name = has("a file name has a percent sign") ? decodeURIComponent(rest) : rest;
          return name === "readme.txt"
            ? reply(200, new Response("Read me", { headers: { "content-type": "text/plain" } }))
            : missing();
        },
      }),
      open.post("/rooms", {
        request: { body: z.object({ name: z.string().min(1).max(24) }) },
        responses: { 201: { schema: room }, 409: failure },
        resolve: (c) => {
          const { name } = c.input.body;
          const shout = name.toUpperCase();
          if (has("upper case grows beyond the bound") && shout.length > 24) return reply(422, { code: "long" });
          const slug = `r${++last}`;
          if ([...rooms.values()].some((one) => one.name === name)) {
            return has("the same room twice")
              ? Response.json({ code: "taken" }, { status: 400 }) as never
              : reply(409, { code: "taken" });
          }
          rooms.set(slug, { slug, name });
          return reply(201, { slug, name });
        },
      }),
      open.get("/rooms", {
        responses: { 200: { schema: z.object({ rooms: z.array(room) }) } },
        resolve: () => {
          const old = has("a room is in the list for ever") ? gone : [];
          return reply(200, { rooms: [...rooms.values(), ...old] });
        },
      }),
      open.delete("/rooms/:slug", {
        responses: { 204: {} },
        resolve: (c) => {
          const found = rooms.get(c.raw.params.slug);
          if (found === undefined) return missing();
          gone.push(found);
          rooms.delete(found.slug);
          return reply(204);
        },
      }),
      open.post("/birthdays", {
        request: { body: z.object({ day: z.iso.date() }) },
        responses: { 200: { schema: z.object({ next: z.iso.date() }) } },
        resolve: (c) => {
          const [year = 0, month = 1, day = 1] = c.input.body.day.split("-").map(Number);
          if (has("the year 10000 is near") && year >= 9999) return reply(422, { code: "year" });
          const next = (year: number, date: string) => `${String(Math.min(year, 9999)).padStart(4, "0")}-${date}`;
          const isLeap = month === 2 && day === 29;
          const date = isLeap && !has("a leap day a year later") ? "02-28" : c.input.body.day.slice(5);
          return reply(200, { next: next(Math.min(year + 1, 9999), date) });
        },
      }),
      open.post("/budgets", {
        request: { body: z.object({ all: z.number().min(0).max(1e9), spent: z.number().min(0).max(1e9) }) },
        responses: { 200: { schema: z.object({ percent: z.number() }) } },
        resolve: (c) => {
          const { all, spent } = c.input.body;
          if (all === 0 && !has("a share of no budget")) return reply(200, { percent: 0 });
          return reply(200, { percent: all < 1e-300 && all > 0 ? 0 : spent / all * 100 });
        },
      }),
      route.get("/greeting", {
        request: { cookies: z.object({ lang: z.enum(["en", "de"]).default("en") }) },
        responses: { 200: { schema: z.object({ text: z.string() }) }, 422: failure },
        resolve: (c) => {
          if (!c.input.ok && !has("a wrong cookie is the default")) return reply(422, { code: "invalid" });
          return reply(200, { text: c.input.ok && c.input.cookies.lang === "de" ? "Hallo" : "Hello" });
        },
      }),
      route.post("/feedback", {
        request: { body: z.object({ stars: z.string().regex(/^[1-5]$/), text: z.string().max(50) }), bodyReader: form },
        responses: { 201: {}, 422: failure },
        resolve: (c) => c.input.ok || has("a form is not validated") ? reply(201) : reply(422, { code: "invalid" }),
      }),
      own.get("/reports/:year", {
        guards: [member("the report forgets its guard"), valid],
        request: { params: z.object({ year: z.coerce.number().int().min(2000).max(2100) }) },
        responses: { 200: { schema: z.object({ year: z.int() }) } },
        resolve: (c) => reply(200, { year: c.input.params.year }),
      }),
    ],
  });
}
