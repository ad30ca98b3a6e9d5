/** Rooms that are booked: ids under other names, tokens that the server makes, things below things, times. */

import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "@fw/core";
import { events, replyEvents } from "@fw/core/events";
import { standardSchema } from "@fw/core/standard-schema";
import { z } from "zod";
import type { Has, Seeded } from "../apps/seeded.ts";

export const ROOMS: Readonly<Record<string, Seeded>> = {
  "a booking is read through one's own room": {
    kind: "crosses owners",
    at: ["GET /rooms/:roomId/bookings/:bookingId"],
  },
  "a booking is cancelled through any room": {
    kind: "crosses owners",
    at: ["DELETE /rooms/:roomId/bookings/:bookingId"],
  },
  "an invitation is accepted without a name": { kind: "throws", at: ["POST /invitations/accept"] },
  "an assignee has no tasks": { kind: "throws", at: ["POST /tasks"] },
  "a profile has no picture": { kind: "undeclared", at: ["GET /profiles/:handle"] },
  "a search is a pattern": { kind: "throws", at: ["GET /rooms"] },
  "a booking ends before it begins": { kind: "undeclared", at: ["POST /rooms/:roomId/bookings"] },
  "a room is deleted with its bookings": { kind: "throws", at: ["GET /rooms/:roomId/bookings"] },
  "the next page is lost": { kind: "undeclared", at: ["GET /log"] },
  "an event is a number": { kind: "undeclared", at: ["GET /rooms/:roomId/watch"] },
  "nobody books": { kind: "needs no credentials", at: ["POST /rooms/:roomId/bookings"] },
  "NUL in the name of a room": { kind: "throws", at: ["POST /rooms"] },
  "NUL in a search": { kind: "throws", at: ["GET /rooms"] },
  "a capacity of 500 is refused": { kind: "refuses valid input", at: ["POST /rooms"] },
};

export const ROOMS_ACTORS = { ada: { "x-user": "ada" }, bob: { "x-user": "bob" } };

export const ROOMS_SHARED = ["GET /profiles/:handle", "POST /tasks", "GET /log", "POST /invitations/accept"];

export const ROOMS_LINKS = { "assignee": "POST /people personNumber" };

const failure = { schema: z.object({ code: z.string(), message: z.string() }) };
const room = z.object({ roomId: z.uuid(), name: z.string(), capacity: z.int() });
const booking = z.object({ id: z.string(), from: z.iso.datetime(), until: z.iso.datetime(), minutes: z.int().min(1) });
const person = z.object({ personNumber: z.int(), handle: z.string() });
type Room = z.infer<typeof room> & { readonly owner: string };
type Booking = z.infer<typeof booking> & { readonly owner: string; readonly roomId: string };

export function createRooms(has: Has): App {
  const rooms = new Map<string, Room>();
  const bookings = new Map<string, Booking>();
  const people = new Map<number, z.infer<typeof person>>();
  const tokens = new Set<string>();
  const log: string[] = [];
  let last = 0;

  const missing = () => reply(404, { code: "missing", message: "There is no such thing" });
  const valid = denyInvalid(({ issues }) => reply(422, { code: "invalid", message: issues[0]?.message ?? "" }));
  const signedIn = (fault = "") =>
    beforeBody((c: Context) => {
      const user = c.request.headers.get("x-user");
      if (user === "ada" || user === "bob") return allow({ user });
      return has(fault) ? allow({ user: "ada" }) : deny(reply(401, { code: "who", message: "Sign in" }));
    });
  const own = route.with({
    docs: { security: [{ user: [] }] },
    responses: { 401: failure, 404: failure, 422: failure },
  });
  const text = (value: string, fault: string) => {
    if (has(fault) && value.includes("\0")) throw new Error("invalid byte sequence");
    return value;
  };
  const showRoom = ({ owner: _, ...shown }: Room) => shown;
  const showBooking = ({ owner: _, roomId: __, ...shown }: Booking) => shown;
  const ownRoom = (roomId: string, user: string) => {
    const found = rooms.get(roomId);
    return found?.owner === user ? found : undefined;
  };

  return setup({
    validator: standardSchema,
    handlers: [
      own.post("/rooms", {
        guards: [signedIn(), valid],
        request: { body: z.object({ name: z.string().min(1).max(30), capacity: z.int().min(1).max(500) }) },
        responses: { 201: { schema: room } },
        resolve: ({ input: { body }, locals: { user } }) => {
          if (has("a capacity of 500 is refused") && body.capacity > 499) {
            return reply(422, { code: "size", message: "So large a hall needs a form" });
          }
          text(body.name, "NUL in the name of a room");
          const made = { ...body, roomId: crypto.randomUUID(), owner: user };
          rooms.set(made.roomId, made);
          log.push(`${user} opened ${made.name}`);
          return reply(201, showRoom(made));
        },
      }),
      own.get("/rooms", {
        guards: [signedIn(), valid],
        request: { query: z.object({ search: z.string().max(30).optional() }) },
        responses: { 200: { schema: z.object({ rooms: z.array(room) }) } },
        resolve: ({ input: { query: { search = "" } }, locals: { user } }) => {
          text(search, "NUL in a search");
          const matches = has("a search is a pattern")
            ? (name: string) => new RegExp(search).test(name)
            : (name: string) => name.includes(search);
          matches("");
          const all = [...rooms.values()].filter(({ owner, name }) => owner === user && matches(name));
          return reply(200, { rooms: all.map(showRoom) });
        },
      }),
      own.delete("/rooms/:roomId", {
        guards: [signedIn()],
        responses: { 204: {} },
        resolve: ({ raw: { params: { roomId } }, locals: { user } }) => {
          if (ownRoom(roomId, user) === undefined) return missing();
          rooms.delete(roomId);
          return reply(204);
        },
      }),
      own.post("/rooms/:roomId/bookings", {
        guards: [signedIn("nobody books"), valid],
        request: { body: z.object({ from: z.iso.datetime(), minutes: z.int().min(1).max(480) }) },
        responses: { 201: { schema: booking }, 409: failure },
        resolve: ({ raw: { params: { roomId } }, input: { body: { from, minutes } }, locals: { user } }) => {
          if (ownRoom(roomId, user) === undefined) return missing();
          const begins = Date.parse(from);
          if (begins < Date.UTC(1970, 0, 1) || begins > Date.UTC(9000, 0, 1)) {
            return reply(409, { code: "time", message: "Nobody will be there" });
          }
          const isWrong = has("a booking ends before it begins") && minutes === 480;
          const made = {
            id: `b-${++last}-${roomId.slice(0, 8)}`,
            from: new Date(begins).toISOString(),
            until: new Date(begins + minutes * 60_000).toISOString(),
            minutes: isWrong ? minutes - 480 : minutes,
            owner: user,
            roomId,
          };
          bookings.set(made.id, made);
          return reply(201, showBooking(made));
        },
      }),
      own.get("/rooms/:roomId/bookings", {
        guards: [signedIn()],
        responses: { 200: { schema: z.object({ data: z.array(booking) }) } },
        resolve: ({ raw: { params: { roomId } }, locals: { user } }) => {
          const data = [...bookings.values()].filter((one) => one.roomId === roomId && one.owner === user);
          if (data.length > 0 && !rooms.has(roomId) && has("a room is deleted with its bookings")) {
            throw new TypeError("no room");
          }
          return ownRoom(roomId, user) === undefined ? missing() : reply(200, { data: data.map(showBooking) });
        },
      }),
      own.get("/rooms/:roomId/bookings/:bookingId", {
        guards: [signedIn()],
        responses: { 200: { schema: booking } },
        resolve: ({ raw: { params: { roomId, bookingId } }, locals: { user } }) => {
          const found = bookings.get(bookingId);
          if (found === undefined || ownRoom(roomId, user) === undefined) return missing();
          const isOwn = found.roomId === roomId || has("a booking is read through one's own room");
          return isOwn ? reply(200, showBooking(found)) : missing();
        },
      }),
      own.delete("/rooms/:roomId/bookings/:bookingId", {
        guards: [signedIn()],
        responses: { 204: {} },
        resolve: ({ raw: { params: { roomId, bookingId } }, locals: { user } }) => {
          const found = bookings.get(bookingId);
          if (found === undefined) return missing();
          const isOwn = found.owner === user && found.roomId === roomId;
          if (!isOwn && !has("a booking is cancelled through any room")) return missing();
          bookings.delete(bookingId);
          return reply(204);
        },
      }),
      own.get("/rooms/:roomId/watch", {
        guards: [signedIn()],
        responses: { 200: events({ opened: z.object({ name: z.string() }) }) },
        resolve: ({ raw: { params: { roomId } }, locals: { user } }) => {
          const found = ownRoom(roomId, user);
          if (found === undefined) return missing();
          return replyEvents(200, async function* (signal, event) {
            yield event("opened", has("an event is a number") ? 7 as never : { name: found.name });
            await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
          });
        },
      }),
      own.post("/invitations", {
        guards: [signedIn()],
        responses: { 201: { schema: z.object({ inviteToken: z.string() }) } },
        resolve: () => {
          const inviteToken = crypto.randomUUID().replaceAll("-", "");
          tokens.add(inviteToken);
          return reply(201, { inviteToken });
        },
      }),
      own.post("/invitations/accept", {
        guards: [signedIn(), valid],
        request: { body: z.object({ inviteToken: z.string().min(1).max(80), nick: z.string().max(20) }) },
        responses: { 200: { schema: z.object({ nick: z.string() }) }, 400: failure },
        resolve: ({ input: { body: { inviteToken, nick } } }) => {
          if (!tokens.has(inviteToken)) return reply(400, { code: "token", message: "There is no such invitation" });
          if (nick === "" && has("an invitation is accepted without a name")) throw new RangeError("no nick");
          return reply(200, { nick });
        },
      }),
      own.post("/people", {
        guards: [signedIn(), valid],
        request: { body: z.object({ handle: z.string().regex(/^[a-z]{1,12}$/) }) },
        responses: { 201: { schema: person }, 409: failure },
        resolve: ({ input: { body: { handle } } }) => {
          if ([...people.values()].some((one) => one.handle === handle)) {
            return reply(409, { code: "taken", message: "Choose another" });
          }
          const made = { personNumber: 1000 + ++last, handle };
          people.set(made.personNumber, made);
          return reply(201, made);
        },
      }),
      own.get("/profiles/:handle", {
        guards: [signedIn()],
        responses: { 200: { schema: z.object({ handle: z.string(), picture: z.string() }) } },
        resolve: ({ raw: { params: { handle } } }) => {
          const found = [...people.values()].find((one) => one.handle === handle);
          if (found === undefined) return missing();
          return reply(200, { handle, picture: has("a profile has no picture") ? null as never : "" });
        },
      }),
      own.post("/tasks", {
        guards: [signedIn(), valid],
        request: { body: z.object({ assignee: z.int(), text: z.string().max(20) }) },
        responses: { 201: { schema: z.object({ text: z.string() }) } },
        resolve: ({ input: { body: { assignee, text } } }) => {
          if (!people.has(assignee)) return missing();
          if (has("an assignee has no tasks")) throw new TypeError("no tasks");
          return reply(201, { text });
        },
      }),
      own.get("/log", {
        guards: [signedIn(), valid],
        request: {
          query: z.object({
            pageSize: z.coerce.number().int().min(1).max(100).default(50),
            after: z.string().optional(),
          }),
        },
        responses: {
          200: { schema: z.object({ entries: z.array(z.string()), next: z.string().nullable() }) },
          400: failure,
        },
        resolve: ({ input: { query: { pageSize, after } } }) => {
          const start = after === undefined ? 0 : Number(/^p(\d+)$/.exec(after)?.[1] ?? NaN);
          if (Number.isNaN(start)) return reply(400, { code: "page", message: "There is no such page" });
          const entries = log.slice(start, start + pageSize);
          const next = start + pageSize < log.length ? `p${start + pageSize}` : null;
          if (start > 0 && has("the next page is lost")) return Response.json({ entries }) as never;
          return reply(200, { entries, next });
        },
      }),
    ],
  });
}
