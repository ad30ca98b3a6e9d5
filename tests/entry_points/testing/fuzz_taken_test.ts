/** Changes that give a thing what another one has, though a new thing could not get it. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { type AnyRoute, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz } from "../../../src/testing/mod.ts";

const open = route.with({ responses: { 400: {}, 404: {}, 409: {} }, guards: [denyInvalid(() => reply(400))] });

interface Booking {
  readonly id: number;
  seat: number;
  state: "held" | "lost";
}

interface Rules {
  /** Whether nobody gets a seat that somebody has. */
  readonly isExclusive?: boolean;
  /** How many bookings there may be. */
  readonly most?: number;
  /** Moves a booking to a seat, which another one may have; `false` if it must not. */
  readonly move: (booking: Booking, seat: number, other: Booking | undefined) => boolean;
  /** Whether a booking can be read. */
  readonly canRead?: boolean;
}

const moves: Rules["move"] = (booking, seat) => {
  booking.seat = seat;
  return true;
};

/** Bookings of seats, which `PATCH` or `POST …/move` moves. */
const bookings =
  ({ isExclusive = true, most = 100, move, canRead = true }: Rules, method: "PATCH" | "POST") =>
  (): readonly AnyRoute[] => {
    const all: Booking[] = [];
    const shown = z.object({ id: z.int(), seat: z.int(), state: z.enum(["held", "lost"]) });
    const body = z.object({ seat: z.int().min(1).max(500) });
    const find = (id: string | undefined) => all.find((one) => String(one.id) === id);
    const holderOf = (seat: number) => all.find((one) => one.seat === seat && one.state === "held");
    return [
      open.post("/bookings", {
        request: { body: body.extend({ name: z.string().max(9) }) },
        responses: { 201: { schema: shown } },
        resolve: ({ input: { body: { seat } } }) => {
          if (isExclusive && holderOf(seat) !== undefined || all.length >= most) return reply(409);
          const made: Booking = { id: all.length + 1, seat, state: "held" };
          all.push(made);
          return reply(201, { ...made });
        },
      }),
      ...canRead
        ? [open.get("/bookings/:id", {
          responses: { 200: { schema: shown } },
          resolve: ({ raw }) => {
            const found = find(raw.params.id);
            return found === undefined ? reply(404) : reply(200, { ...found });
          },
        })]
        : [],
      open.on([method], method === "PATCH" ? "/bookings/:id" : "/bookings/:id/move", {
        request: { body },
        responses: { 204: {} },
        resolve: ({ raw, input: { body: { seat } } }) => {
          const found = find(raw.params.id);
          if (found === undefined) return reply(404);
          const holder = holderOf(seat);
          return move(found, seat, holder === found ? undefined : holder) ? reply(204) : reply(409);
        },
      }),
    ];
  };

async function faultsOf(rules: Rules, method: "PATCH" | "POST" = "PATCH"): Promise<readonly string[]> {
  const create = () => setup({ validator: standardSchema, handlers: bookings(rules, method)() });
  return (await fuzz(create, { fc, runs: 15 })).map(({ kind, fault }) => `${kind}: ${fault.replace(/\d+,/, "…,")}`);
}

const FAULT = "moves to what is taken: PATCH /bookings/:id: accepts seat …, which another resource has. " +
  "POST /bookings with this value gets 409";

describe("fuzz()", () => {
  it("finds a change that gives a thing what another one has, and a POST would not", async () => {
    assertEquals(await faultsOf({ move: moves }), [FAULT]);
    assertEquals(await faultsOf({ move: moves }, "POST"), [
      FAULT.replace("PATCH /bookings/:id", "POST /bookings/:id/move"),
    ]);
  });

  it("finds nothing where the change is refused, or where things may have the same", async () => {
    const checks: Rules["move"] = (booking, seat, other) => other === undefined && moves(booking, seat, other);
    assertEquals(await faultsOf({ move: checks }), []);
    assertEquals(await faultsOf({ move: moves, isExclusive: false }), []);
  });

  it("finds nothing where the other thing gives way, or the change has to wait", async () => {
    const swaps: Rules["move"] = (booking, seat, other) => {
      if (other !== undefined) other.seat = booking.seat;
      return moves(booking, seat, other);
    };
    const bumps: Rules["move"] = (booking, seat, other) => {
      if (other !== undefined) other.state = "lost";
      return moves(booking, seat, other);
    };
    const waits: Rules["move"] = (booking, seat, other) => other !== undefined || moves(booking, seat, other);
    for (const move of [swaps, bumps, waits]) assertEquals(await faultsOf({ move }), []);
  });

  it("finds nothing where the other thing has the value in another room", async () => {
    const body = z.object({ room: z.enum(["a", "b"]), seat: z.int().min(1).max(500) });
    const shown = body.extend({ id: z.int() });
    const rooms = (isChecked: boolean) => () => {
      const all: (z.infer<typeof shown> & { version: number })[] = [];
      const show = ({ id, room, seat, version }: (typeof all)[number]) =>
        reply(200, { id, room, seat }, { headers: { etag: `"${version}"` } });
      const answers = new Map<string, z.infer<typeof shown>>();
      const isTaken = (room: string, seat: number) => all.some((one) => one.room === room && one.seat === seat);
      const handlers = [
        open.post("/bookings", {
          request: { headers: z.object({ "idempotency-key": z.string().max(9).optional() }), body },
          responses: { 201: { schema: shown } },
          resolve: ({ input: { headers: { "idempotency-key": key }, body: { room, seat } } }) => {
            const answer = key === undefined ? undefined : answers.get(key);
            if (answer !== undefined) return reply(201, answer);
            if (isTaken(room, seat)) return reply(409);
            const made = { id: all.length + 1, room, seat };
            all.push({ ...made, version: 1 });
            if (key !== undefined) answers.set(key, made);
            return reply(201, made);
          },
        }),
        open.get("/bookings/:id", {
          responses: { 200: { schema: shown, headers: { etag: {} } } },
          resolve: ({ raw }) => {
            const found = all.find(({ id }) => String(id) === raw.params.id);
            return found === undefined ? reply(404) : show(found);
          },
        }),
        open.patch("/bookings/:id", {
          request: { headers: z.object({ "if-match": z.string() }), body: body.pick({ seat: true }) },
          responses: { 200: { schema: shown, headers: { etag: {} } }, 412: {} },
          resolve: ({ raw, input: { headers, body: { seat } } }) => {
            const found = all.find(({ id }) => String(id) === raw.params.id);
            if (found === undefined) return reply(404);
            if (headers["if-match"] !== `"${found.version}"`) return reply(412);
            if (isChecked && found.seat !== seat && isTaken(found.room, seat)) return reply(409);
            found.version++;
            found.seat = seat;
            return show(found);
          },
        }),
      ];
      return setup({ validator: standardSchema, handlers });
    };
    for (const seed of [1, 2, 3]) {
      assertEquals((await fuzz(rooms(true), { fc, runs: 15, seed })).map(({ fault }) => fault), []);
    }
    assertEquals((await fuzz(rooms(false), { fc, runs: 15 })).map(({ kind }) => kind), ["moves to what is taken"]);
  });

  it("finds nothing where a POST is refused for another reason, or nothing can be read", async () => {
    assertEquals(await faultsOf({ move: moves, isExclusive: false, most: 2 }), []);
    assertEquals(await faultsOf({ move: moves, canRead: false }), []);
  });
});
