/** The rules of what an endpoint declares: versions, keys of retries, partial changes, filters and pages. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { type AnyRoute, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { preconditions } from "../../../src/files/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { type Fault, fuzz } from "../../../src/testing/mod.ts";

const invalid = denyInvalid(() => reply(400));
const open = route.with({ responses: { 400: {} }, guards: [invalid] });

async function faultsOf(create: () => readonly AnyRoute[]): Promise<readonly Fault[]> {
  return await fuzz(() => setup({ validator: standardSchema, handlers: create() }), { fc, runs: 20 });
}

/** What the only fault is, if there is one. */
async function only(create: () => readonly AnyRoute[]): Promise<readonly string[]> {
  return (await faultsOf(create)).map(({ kind, endpoint }) => `${kind}: ${endpoint}`);
}

describe("fuzz()", () => {
  const note = z.object({ id: z.int(), text: z.string(), tag: z.string().nullable(), version: z.int() });
  type Note = z.infer<typeof note>;

  /** Notes with versions. A change may ask for the version, and may forget what it is not told. */
  const notes = (asks: boolean, keeps: boolean, shows = true) => () => {
    const all: Note[] = [];
    const find = (id: string | undefined) => all.find((one) => String(one.id) === id);
    const etagOf = ({ version }: Note) => `"${version}"`;
    const change = z.object({ text: z.string().max(20).optional(), tag: z.string().max(20).nullable().optional() });
    return [
      open.post("/notes", {
        responses: { 201: { schema: note } },
        resolve: () => {
          const made = { id: all.length + 1, text: "a", tag: null, version: 1 };
          all.push(made);
          return reply(201, made);
        },
      }),
      open.get("/notes/:noteId", {
        responses: { 200: { schema: note }, 404: {} },
        resolve: ({ raw }) => {
          const found = find(raw.params.noteId);
          return found === undefined ? reply(404) : reply(200, found, { headers: { etag: etagOf(found) } });
        },
      }),
      open.patch("/notes/:noteId", {
        request: { body: change },
        responses: { 200: { schema: shows ? note : z.object({ version: z.int() }) as never }, 404: {}, 412: {} },
        resolve: ({ raw, request, input: { body } }) => {
          const found = find(raw.params.noteId);
          if (found === undefined) return reply(404);
          if (asks && preconditions(request, { etag: etagOf(found) }) !== undefined) return reply(412);
          const { text = found.text, tag = keeps ? found.tag : null } = body;
          const changed = { id: found.id, text, tag, version: found.version + 1 };
          all.splice(all.indexOf(found), 1, changed);
          const headers = { etag: etagOf(changed) };
          return reply(200, (shows ? changed : { version: changed.version }) as never, { headers });
        },
      }),
    ];
  };

  it("finds a change of a version that never was, where 412 is declared", async () => {
    assertEquals(await only(notes(true, true)), []);
    assertEquals(await only(notes(false, true)), ["ignores If-Match: PATCH /notes/:noteId"]);
  });

  it("finds a PATCH that resets what it is not told, in its response or when the thing is read", async () => {
    assertEquals(await only(notes(true, true, false)), []);
    for (const shows of [true, false]) {
      const [{ fault, requests } = { fault: "", requests: [] }, ...others] = await faultsOf(notes(true, false, shows));
      assertMatch(
        fault,
        /^PATCH \/notes\/:noteId: changes tag from ".*" to null, though the body is \{\}$/,
      );
      assertMatch(String(requests.at(-1)), /body: JSON\.stringify\(\{\}\)/);
      assertEquals(others, []);
    }
  });

  it("finds nothing in a PATCH of what cannot be read, or of what has no optional properties", async () => {
    assertEquals(
      await only(() => [
        open.patch("/settings", {
          request: { body: z.object({ size: z.int().optional() }) },
          responses: { 204: {} },
          resolve: () => reply(204),
        }),
        open.patch("/state", {
          request: { body: z.object({ color: z.string().optional() }) },
          responses: { 200: { schema: z.object({ time: z.int() }) } },
          resolve: () => reply(200, { time: 1 }),
        }),
        open.get("/state", {
          responses: { 200: { schema: z.object({ time: z.int() }) } },
          resolve: () => reply(200, { time: 1 }),
        }),
        open.patch("/absent", {
          request: { body: z.object({ color: z.string().optional() }) },
          responses: { 204: {} },
          resolve: () => reply(204),
        }),
        open.get("/absent", { responses: { 200: {}, 404: {} }, resolve: () => reply(404) }),
      ]),
      [],
    );
  });

  it("finds nothing in a PATCH whose body may have the version, which the server counts up", async () => {
    const counter = z.object({ name: z.string(), version: z.int(), updatedAt: z.int() });
    assertEquals(
      await only(() => {
        let current = { name: "a", version: 1, updatedAt: 1 };
        return [
          open.get("/counter", { responses: { 200: { schema: counter } }, resolve: () => reply(200, current) }),
          open.patch("/counter", {
            request: { body: counter.partial() },
            responses: { 200: { schema: counter } },
            resolve: ({ input: { body } }) => {
              const { version, updatedAt } = current;
              current = { name: body.name ?? current.name, version: version + 1, updatedAt: updatedAt + 1 };
              return reply(200, current);
            },
          }),
        ];
      }),
      [],
    );
  });

  it("asks no version of who declares no 412", async () => {
    const headers = z.object({ "if-match": z.string().max(9).optional() });
    assertEquals(
      await only(() => [
        open.put("/state", { request: { headers }, responses: { 204: {} }, resolve: () => reply(204) }),
        open.get("/state", {
          responses: { 204: { headers: { etag: {} } } },
          resolve: () => reply(204, undefined, { headers: { etag: '"1"' } }),
        }),
      ]),
      [],
    );
  });

  it("finds a retry that runs again under the same Idempotency-Key", async () => {
    const payments = (isKept: boolean) => () => {
      const kept = new Map<string, number>();
      let last = 0;
      const headers = z.object({ "idempotency-key": z.string().min(1).max(9) });
      return [
        open.post("/payments", {
          request: { headers },
          responses: { 201: { schema: z.object({ id: z.int() }) } },
          resolve: ({ input }) => {
            const key = input.headers["idempotency-key"];
            const id = (isKept ? kept.get(key) : undefined) ?? ++last;
            kept.set(key, id);
            return reply(201, { id });
          },
        }),
        open.post("/refunds", { request: { headers }, responses: { 204: {} }, resolve: () => reply(204) }),
        open.post("/gifts", {
          request: { headers },
          responses: { 201: { schema: z.object({ id: z.int() }) }, 409: {} },
          resolve: ({ input }) => {
            const key = input.headers["idempotency-key"];
            if (kept.has(`gift ${key}`)) return reply(409);
            kept.set(`gift ${key}`, 1);
            return reply(201, { id: ++last });
          },
        }),
      ];
    };
    assertEquals(await only(payments(true)), []);
    const [{ fault } = { fault: "" }, ...others] = await faultsOf(payments(false));
    assertMatch(
      fault,
      /^POST \/payments: responds with id 1, and with id 2 when the same request with the same idempotency-key is sent/,
    );
    assertEquals(others, []);
  });

  const item = z.object({ id: z.int(), status: z.enum(["open", "paid", "void"]), level: z.enum(["debug", "warn"]) });
  type Item = z.infer<typeof item>;
  const add = (all: Item[]) =>
    open.post("/items", {
      request: { body: z.object({ status: item.shape.status }) },
      responses: { 201: { schema: item } },
      resolve: ({ input }) => {
        const made: Item = {
          id: all.length + 1,
          status: input.body.status,
          level: all.length % 3 === 1 ? "debug" : "warn",
        };
        all.push(made);
        return reply(201, made);
      },
    });

  it("finds a filter that is ignored, and none that lets more pass than the value", async () => {
    const lists = (isFiltered: boolean) => () => {
      const all: Item[] = [];
      const query = z.object({
        status: item.shape.status.optional(),
        level: item.shape.level.optional(),
        color: z.enum(["red"]).optional(),
      });
      return [
        add(all),
        open.get("/items", {
          request: { query },
          responses: { 200: { schema: z.object({ items: z.array(item) }) } },
          resolve: ({ input: { query: { status, level } } }) => {
            const found = all.filter((one) => !isFiltered || status === undefined || one.status === status);
            // Warnings are also found by the level below.
            return reply(200, {
              items: found.filter((one) => !isFiltered || level !== "warn" || one.level === "warn"),
            });
          },
        }),
      ];
    };
    assertEquals(await only(lists(true)), []);
    const faults = await faultsOf(lists(false));
    assertEquals(
      faults.map(({ kind, fault }) => `${kind}: ${fault.replaceAll(/open|paid|void|debug|warn/g, "…")}`).toSorted(),
      [
        "ignores a filter: GET /items: lists an item with level … for ?level=…",
        "ignores a filter: GET /items: lists an item with status … for ?status=…",
      ],
    );
  });

  it("finds a filter that is ignored for one value, and none that means more than the value", async () => {
    const size = z.enum(["small", "medium", "large"]);
    const box = z.object({ id: z.int(), size, status: z.enum(["new", "old"]) });
    const lists = (filters: (asked: string, own: string) => boolean, isOnlySize = false) => () => {
      const all: z.infer<typeof box>[] = [];
      return [
        open.post("/boxes", {
          request: { body: box.omit({ id: true }) },
          responses: { 201: { schema: box } },
          resolve: ({ input: { body: { size, status } } }) => {
            const made = { id: all.length + 1, size, status };
            all.push(made);
            return reply(201, made);
          },
        }),
        open.get("/boxes", {
          request: { query: z.object({ size: size.optional(), status: z.enum(["all", "new", "old"]).optional() }) },
          responses: { 200: { schema: z.array(box) } },
          resolve: ({ input: { query: { size, status } } }) =>
            reply(
              200,
              all.filter((one) =>
                (size === undefined || filters(size, one.size)) &&
                (status === undefined || isOnlySize || status === "all" || filters(status, one.status))
              ),
            ),
        }),
      ];
    };
    const levels = ["small", "medium", "large"];
    assertEquals(await only(lists((asked, own) => asked === own)), []);
    assertEquals(await only(lists((asked, own) => levels.indexOf(own) <= levels.indexOf(asked), true)), [
      "ignores a filter: GET /boxes",
    ]);
    assertEquals(
      (await faultsOf(lists((asked, own) => asked === own || asked === "medium"))).map(({ fault }) =>
        fault.replace(/small|large/, "…")
      ),
      ["GET /boxes: lists an item with size … for ?size=medium"],
    );
    assertEquals(await only(lists((asked, own) => asked === own || asked === "old")), ["ignores a filter: GET /boxes"]);
  });

  it("finds a cursor that skips an item, also where the next page is empty", async () => {
    const lists = (skipped: number) => () => {
      const all: Item[] = [];
      const query = z.object({ cursor: z.string().max(9).optional(), limit: z.coerce.number().int().min(1).max(9) });
      return [
        add(all),
        open.get("/items", {
          request: { query },
          responses: { 200: { schema: z.object({ items: z.array(item), nextCursor: z.string().optional() }) } },
          resolve: ({ input: { query: { cursor, limit } } }) => {
            const from = /^\d+$/.test(cursor ?? "") ? Number(cursor) : 0;
            const items = all.slice(from, from + limit);
            const isMore = all.length > from + limit;
            return reply(200, { items, ...isMore && { nextCursor: String(from + limit + skipped) } });
          },
        }),
      ];
    };
    assertEquals(await only(lists(0)), []);
    const [{ kind, fault } = { kind: "", fault: "" }, ...others] = await faultsOf(lists(1));
    assertEquals([kind, others], ["skips an item", []]);
    assertMatch(
      fault,
      /^GET \/items: with limit=1, the page at cursor=2 begins with (?:nothing|\{"id":3,.*\})\. With limit=2, the next item is \{"id":2,.*\}$/,
    );
  });

  it("takes no list for one that skips an item if it is another one each time", async () => {
    let count = 0;
    const limit = z.coerce.number().int().min(1).max(9);
    assertEquals(
      await only(() => [
        open.get("/news", {
          request: { query: z.object({ after: z.string().max(9).optional(), limit }) },
          responses: {
            200: { schema: z.object({ items: z.array(z.object({ id: z.int() })), endCursor: z.string() }) },
          },
          resolve: ({ input: { query } }) =>
            reply(200, { items: Array.from({ length: query.limit }, () => ({ id: ++count })), endCursor: "a" }),
        }),
        open.get("/feed", {
          request: { query: z.object({ after: z.string().max(9).optional(), limit }) },
          responses: { 200: { schema: z.object({ startCursor: z.string(), prevCursor: z.string() }) } },
          resolve: () => reply(200, { startCursor: "a", prevCursor: "b" }),
        }),
      ]),
      [],
    );
  });
});
