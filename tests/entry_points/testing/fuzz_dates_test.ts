/** Dates that an app stores as other ones, and those that it changes for a reason. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { denyInvalid, reply, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { type Fault, fuzz } from "../../../src/testing/mod.ts";

const open = route.with({ responses: { 400: {} }, guards: [denyInvalid(() => reply(400))] });

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const iso = (time: number) => {
  const date = new Date(time);
  return date.getUTCFullYear() > 9999 || date.getUTCFullYear() < 0 ? "9999-12-31T00:00:00Z" : date.toISOString();
};

/** What an app stores of a time, given the times that it has. */
type Store = (time: number, others: readonly number[]) => number;

interface Changes {
  readonly store?: Store;
  readonly show?: (time: number) => number;
  readonly wraps?: boolean;
}

/** Visits with a start, which can be moved. */
async function visits({ store = (time) => time, show = (time) => time, wraps = false }: Changes) {
  const sent = z.object({ start: z.iso.datetime({ offset: true }) });
  const visit = z.object({ id: z.int(), start: z.string() });
  const answer = wraps ? z.object({ visit }) : visit;
  return await fuzz(() => {
    const all = new Map<number, number>();
    const wrap = (id: number, start: string) => (wraps ? { visit: { id, start } } : { id, start }) as never;
    return setup({
      validator: standardSchema,
      handlers: [
        open.post("/visits", {
          request: { body: sent },
          responses: { 201: { schema: answer } },
          resolve: ({ input: { body } }) => {
            const time = store(Date.parse(body.start), [...all.values()]);
            all.set(all.size + 1, time);
            return reply(201, wrap(all.size, iso(time)), { headers: { location: `/visits/${all.size}` } });
          },
        }),
        open.get("/visits/:id", {
          responses: { 200: { schema: answer }, 404: {} },
          resolve: ({ raw }) => {
            const time = all.get(Number(raw.params.id));
            return time === undefined ? reply(404) : reply(200, wrap(Number(raw.params.id), iso(show(time))));
          },
        }),
        open.put("/visits/:id/start", {
          request: { body: sent },
          responses: { 204: {}, 404: {} },
          resolve: ({ raw, input: { body } }) => {
            const id = Number(raw.params.id);
            if (!all.has(id)) return reply(404);
            all.set(id, store(Date.parse(body.start), []));
            return reply(204);
          },
        }),
      ],
    });
  }, { fc, runs: 20 });
}

const kindsOf = (faults: readonly Fault[]) => faults.map(({ kind, endpoint }) => `${kind}: ${endpoint}`);

describe("fuzz()", () => {
  it("finds a date that the response has an hour off", async () => {
    for (const wraps of [false, true]) {
      const faults = await visits({ store: (time) => time - HOUR, wraps });
      assertEquals(kindsOf(faults), ["moves a date: POST /visits"]);
      assertMatch(
        String(faults[0]?.fault),
        /^POST \/visits: responds with start \d{4}-\S+Z, but the request sent \d{4}-\S+$/,
      );
    }
  });

  it("finds a date that only a later GET has an hour off", async () => {
    assertEquals(kindsOf(await visits({ show: (time) => time + HOUR })), ["moves a date: POST /visits"]);
  });

  it("takes a date for the same in another time zone, and one that is rounded or bounded for no fault", async () => {
    assertEquals(kindsOf(await visits({})), []);
    assertEquals(kindsOf(await visits({ store: (time) => Math.floor(time / HOUR) * HOUR })), []);
    assertEquals(kindsOf(await visits({ store: (time) => Math.max(time, Date.UTC(2026, 0, 1)) })), []);
  });

  it("takes it for no fault if a date makes way for another one", async () => {
    const next: Store = (time, others) => others.includes(time) ? next(time + HOUR, others) : time;
    assertEquals(kindsOf(await visits({ store: next })), []);
  });

  /** Leaves with a last day, without an endpoint that reads one. */
  const leaves = (moved: number, refuses: boolean) => () => {
    const day = z.iso.date();
    const keys = new Map<string, { readonly id: number; readonly until: string; readonly at: string }>();
    let last = 0;
    return setup({
      validator: standardSchema,
      handlers: [
        open.post("/leaves", {
          request: {
            headers: z.object({ "idempotency-key": z.string().min(1).max(9) }),
            body: z.object({ until: day, from: z.string().max(5), at: z.iso.datetime() }),
          },
          responses: { 201: { schema: z.object({ id: z.int(), until: day, at: day }) }, 409: {} },
          resolve: ({ input: { headers: { "idempotency-key": key }, body } }) => {
            const until = iso(Date.parse(body.until) + moved).slice(0, 10);
            if (refuses && last > 0) return reply(409);
            const made = keys.get(key) ?? { id: ++last, until, at: until };
            keys.set(key, made);
            return reply(201, made);
          },
        }),
        open.post("/texts", {
          request: { body: z.string().max(9) },
          responses: { 201: { schema: z.object({ until: day }) } },
          resolve: () => reply(201, { until: "2026-01-01" }),
        }),
        open.post("/lists", {
          request: { body: z.array(z.iso.date()).max(2) },
          responses: { 201: { schema: z.object({ 0: day }) } },
          resolve: () => reply(201, { 0: "2026-01-01" }),
        }),
      ],
    });
  };

  it("finds a day that is the one before, also where a retry gets the first response, and compares no day with an instant", async () => {
    assertEquals(kindsOf(await fuzz(leaves(-DAY, false), { fc, runs: 20 })), ["moves a date: POST /leaves"]);
    assertEquals(kindsOf(await fuzz(leaves(0, false), { fc, runs: 20 })), []);
  });

  it("says nothing of a date where it cannot send another one", async () => {
    assertEquals(kindsOf(await fuzz(leaves(-DAY, true), { fc, runs: 20 })), []);
  });
});
