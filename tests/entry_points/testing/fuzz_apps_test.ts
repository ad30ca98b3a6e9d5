/** What `fuzz` makes of apps of other kinds: other validators, bodies, paths and errors. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import * as v from "valibot";
import { z } from "zod";
import { allow, type App, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { lines, replyLines } from "../../../src/events/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, type FuzzableApp, type FuzzOptions } from "../../../src/testing/mod.ts";

type Handlers = NonNullable<Parameters<typeof setup>[0]["handlers"]>;

const serve = (...handlers: Handlers): App => setup({ validator: standardSchema, handlers });
const invalid = denyInvalid(() => reply(400));
const look = async (create: () => FuzzableApp, options: Partial<FuzzOptions> = {}) =>
  (await fuzz(create, { fc, runs: 8, ...options })).map(({ fault }) => fault);

describe("fuzz()", () => {
  it("reports what is no error, and errors without a place", async () => {
    const throws = (error: unknown) => () =>
      serve(route.get("/", {
        resolve: () => {
          throw error;
        },
      }));
    const homeless = Object.assign(new Error("lost\nfor ever"), { stack: undefined });
    assertEquals(await look(throws("just text")), ["GET /: throws what is no error: just text"]);
    assertEquals(await look(throws(Object.create(null))), ["GET /: throws what is no error: an object"]);
    assertEquals(await look(throws(homeless)), ["GET /: throws Error: lost"]);
  });

  it("reports what a stream throws", async () => {
    const create = () =>
      serve(route.get("/", {
        responses: { 200: lines(z.int()) },
        resolve: () =>
          replyLines(200, function* () {
            yield 1;
            throw new RangeError("no more");
          }, { onError: () => {} }),
      }));
    assertEquals((await look(create, { runs: 1 })).map((fault) => fault.replace(/ at .*/, "")), [
      "GET /: throws RangeError: no more",
    ]);
  });

  it("gives up where an app does not respond", async () => {
    const { setInterval } = globalThis;
    const now = performance.now.bind(performance);
    globalThis.setInterval = ((run: () => void) => setInterval(run, 5)) as typeof globalThis.setInterval;
    performance.now = () => now() * 1000;
    try {
      const faults = await look(() => serve(route.get("/", { resolve: () => new Promise<Response>(() => {}) })), {
        runs: 1,
      });
      assertEquals(faults.map((fault) => fault.replace(/ at .*/, "")), [
        "GET /: throws Error: No response within 10 s",
      ]);
    } finally {
      globalThis.setInterval = setInterval;
      performance.now = now;
    }
  });

  it("judges nothing by schemas that only the app can run", async () => {
    const isText = (value: unknown) => typeof value === "string" && value.length < 4;
    const validator = {
      validate: (schema: unknown, value: unknown) =>
        (schema as typeof isText)(value)
          ? { ok: true as const, value }
          : { ok: false as const, issues: [{ part: "body" as const, path: [], message: "wrong" }] },
    };
    const create = () =>
      setup({
        validator,
        handlers: [
          route.post("/", {
            request: { body: isText },
            responses: { 201: {}, 400: {} },
            resolve: ({ input }) => reply(input.ok ? 400 : 201),
          }),
        ],
      });
    assertEquals(await look(create, { toJsonSchema: () => ({ type: "string", maxLength: 5 }) }), []);
  });

  it("judges nothing by schemas that throw", async () => {
    const broken = z.unknown().refine(() => {
      throw new Error("no database");
    });
    const lax = { validate: (_: unknown, value: unknown) => ({ ok: true as const, value }) };
    const create = () =>
      setup({
        validator: lax,
        handlers: [
          route.post("/", {
            request: { body: broken },
            responses: { 201: {}, 400: {} },
            guards: [invalid],
            resolve: () => reply(201),
          }),
        ],
      });
    assertEquals(await look(create), []);
  });

  it("sends bodies of a reader of the app, and those that handlers read themselves", async () => {
    const words = {
      contentTypes: ["text/plain"],
      async read(request: Request) {
        const text = await request.text();
        return text.includes("1") ? { issue: { message: "NUL", code: "nul" } } : { value: text.split(" ") };
      },
    };
    const seen = new Set<string | null>();
    const create = () =>
      serve(
        route.post("/words", {
          request: { body: z.array(z.string().max(20)).max(4), bodyReader: words },
          responses: { 201: {}, 400: {} },
          guards: [invalid],
          resolve: () => reply(201),
        }),
        route.post("/raw", {
          docs: { requestBody: { contentType: "application/octet-stream" } },
          responses: { 201: {} },
          resolve: ({ request }) => {
            seen.add(request.headers.get("content-type"));
            return reply(201);
          },
        }),
        route.post("/xml", {
          docs: { requestBody: { contentType: "application/xml", schema: z.enum(["<a/>", "<b/>"]) } },
          responses: { 201: {}, 400: {} },
          resolve: async ({ request }) => reply(/^<[ab]\/>$/.test(await request.text()) ? 201 : 400),
        }),
      );
    assertEquals(await look(create), []);
    assertEquals([...seen], ["application/octet-stream"]);
  });

  it("does not call a body valid that is larger than the bound", async () => {
    const create = () =>
      serve(route.post("/", {
        request: { body: z.object({ text: z.string().max(4000), first: z.string().max(9) }), maxBodyBytes: 100 },
        responses: { 201: {}, 400: {} },
        guards: [invalid],
        resolve: () => reply(201),
      }));
    assertEquals(await look(create, { runs: 30 }), []);
  });

  it("finds valid values where few are", async () => {
    const digits = z.string().refine((text) => /^\d{1,3}$/.test(text)).transform(Number);
    const seen = new Set<number>();
    const create = () =>
      serve(route.get("/", {
        request: { query: z.object({ page: digits, size: digits, code: z.string().startsWith("1") }) },
        responses: { 200: {}, 400: {} },
        guards: [invalid],
        resolve: ({ input }) => {
          seen.add(input.query.page);
          return reply(200);
        },
      }));
    assertEquals(await look(create), []);
    assert(seen.size > 2, `${seen.size}`);
  });

  it("makes what paths of many levels need, by POST and by PUT", async () => {
    const known = new Set<string>();
    const id = z.object({ id: z.string() });
    const deepest = new Set<string>();
    const add = (path: string) => {
      known.add(path);
      return reply(201, { id: String(known.size) });
    };
    const create = () =>
      serve(
        route.post("/as", { responses: { 201: { schema: id } }, resolve: () => add("a") }),
        route.post("/as/:a/bs", { responses: { 201: { schema: id } }, resolve: () => add("b") }),
        route.post("/as/:a/bs/:b/cs", { responses: { 201: { schema: id } }, resolve: () => add("c") }),
        route.post("/as/:a/bs/:b/cs/:c/ds", { responses: { 201: { schema: id } }, resolve: () => add("d") }),
        route.post("/as/:a/bs/:b/cs/:c/ds/:d/es", { responses: { 201: { schema: id } }, resolve: () => add("e") }),
        route.get("/as/:a/bs/:b/cs/:c/ds/:d/es/:e", {
          responses: { 204: {} },
          resolve: ({ raw }) => {
            if (/^\d+$/.test(raw.params.e) && /^\d+$/.test(raw.params.a)) deepest.add(raw.params.e);
            return reply(204);
          },
        }),
        route.put("/settings/:key", {
          responses: { 200: { schema: z.object({ key: z.string() }) } },
          resolve: ({ raw }) => reply(200, { key: raw.params.key }),
        }),
        route.get("/settings/:key/history", { responses: { 204: {} }, resolve: () => reply(204) }),
        route.get("/:any/*", { responses: { 204: {} }, resolve: () => reply(204) }),
      );
    assertEquals(await look(create, { runs: 20 }), []);
    assert(deepest.size > 0);
  });

  it("keeps few values of large responses", async () => {
    const create = () =>
      serve(
        route.get("/all", {
          responses: { 200: { schema: z.record(z.string(), z.array(z.object({ id: z.string(), n: z.int() }))) } },
          resolve: () => {
            const all = Array.from({ length: 29 }, (_, n) => ({ id: crypto.randomUUID(), n }));
            return reply(200, { 1: all, 2: all, "b": all });
          },
        }),
        route.get("/all/:id", { responses: { 204: {} }, resolve: () => reply(204) }),
      );
    assertEquals(await look(create), []);
  });

  describe("with actors", () => {
    const actors = { ada: { "x-user": "ada" }, bob: { "x-user": "bob" } };
    const signedIn = beforeBody((c: Context) => {
      const user = c.request.headers.get("x-user");
      return user === null ? deny(reply(401)) : allow({ user });
    });

    it("asks whether anybody may read what the documentation says nothing about", async () => {
      const create = (isOpen: boolean, newId: (count: number) => string) => () => {
        const all = new Map<string, { readonly id: string; readonly text: string }>();
        const own = route.with({ guards: [signedIn], responses: { 401: {} } });
        const show = (id: string) => {
          const found = all.get(id);
          return found === undefined ? reply(404) : reply(200, found);
        };
        const note = { schema: z.object({ id: z.string(), text: z.string() }) };
        const responses = { 200: note, 404: {}, 401: {} };
        const reads = isOpen
          ? route.get("/notes/:id", { responses, resolve: ({ raw }) => show(raw.params.id) })
          : own.get("/notes/:id", { responses, resolve: ({ raw }) => show(raw.params.id) });
        return serve(
          own.post("/notes", {
            guards: [invalid],
            request: { headers: z.object({ "x-user": z.string() }), body: z.object({ text: z.string().max(9) }) },
            responses: { 201: note, 400: {} },
            resolve: ({ input: { body } }) => {
              const made = { id: newId(all.size + 1), text: body.text };
              all.set(made.id, made);
              return reply(201, made);
            },
          }),
          reads,
          route.get("/notes", {
            responses: { 200: { schema: z.array(z.object({ id: z.string() })) } },
            resolve: () => reply(200, [...all.values()].map(({ id }) => ({ id }))),
          }),
        );
      };
      for (
        const newId of [
          (count: number) => `n${count}9`,
          (count: number) => `${count}z`,
          (count: number) => `long-id-${count}!`,
        ]
      ) {
        assertEquals(await look(create(true, newId), { actors, runs: 12 }), []);
        const [fault = "", ...others] = await look(create(false, newId), { actors, runs: 12 });
        assertMatch(fault, /^GET \/notes\/:id: (?:ada reads what bob|bob reads what ada) has made by POST \/notes$/);
        assertEquals(others, []);
      }
    });

    it("finds ids of others in lists, and in bodies", async () => {
      const create = () => {
        const all: { readonly id: string; readonly text: string; readonly owner: string }[] = [];
        const own = route.with({
          guards: [signedIn],
          docs: { security: [{ user: [] }] },
          responses: { 401: {}, 404: {} },
        });
        const item = z.object({ id: z.string(), text: z.string() });
        return serve(
          own.post("/items", {
            guards: [invalid],
            request: { body: z.object({ text: z.string().max(9) }) },
            responses: { 201: { schema: item }, 400: {} },
            resolve: ({ input: { body }, locals: { user } }) => {
              const made = { id: `item-number-${all.length}`, text: body.text };
              all.push({ ...made, owner: user });
              return reply(201, made);
            },
          }),
          own.post("/orders", {
            guards: [invalid],
            request: { body: z.object({ lines: z.array(z.object({ itemId: z.string().max(40) })).min(1).max(3) }) },
            responses: { 201: { schema: z.object({ total: z.int() }) }, 400: {} },
            resolve: ({ input: { body: { lines } } }) =>
              lines.every(({ itemId }) => all.some(({ id }) => id === itemId))
                ? reply(201, { total: lines.length })
                : reply(404),
          }),
          own.get("/items", {
            responses: { 200: { schema: z.array(z.object({ id: z.string() })) } },
            resolve: () => reply(200, all.map(({ id }) => ({ id }))),
          }),
        );
      };
      const faults = await look(create, { actors, runs: 20 });
      assertEquals(faults.map((fault) => fault.replace(/: .*/, "")).toSorted(), ["GET /items", "POST /orders"]);
    });

    it("sees what a DELETE has done that says the same for any id", async () => {
      const create = (isCareful: boolean) => () => {
        const all = new Map<string, string>();
        const own = route.with({
          guards: [signedIn],
          docs: { security: [{ user: [] }] },
          responses: { 401: {}, 404: {} },
        });
        const item = z.object({ id: z.string() });
        return serve(
          own.post("/items", {
            responses: { 201: { schema: item } },
            resolve: ({ locals: { user } }) => {
              const id = `item-${all.size}`;
              all.set(id, user);
              return reply(201, { id });
            },
          }),
          own.get("/items/:id", {
            responses: { 200: { schema: item } },
            resolve: ({ raw, locals: { user } }) =>
              all.get(raw.params.id) === user ? reply(200, { id: raw.params.id }) : reply(404),
          }),
          own.delete("/items/:id", {
            responses: { 204: {} },
            resolve: ({ raw, locals: { user } }) => {
              if (!isCareful || all.get(raw.params.id) === user) all.set(raw.params.id, "");
              return reply(204);
            },
          }),
        );
      };
      assertEquals(await look(create(true), { actors, runs: 20 }), []);
      const [fault = ""] = await look(create(false), { actors, runs: 20 });
      assertMatch(fault, /^DELETE \/items\/:id: \w+ changes what \w+ has made by POST \/items$/);
    });
  });

  it("takes for a rule of the business what is refused since the same was done before", async () => {
    const create = () => {
      let count = 0;
      return serve(route.post("/claims", {
        request: { body: z.object({ text: z.string().max(9) }) },
        responses: { 201: {}, 400: { schema: z.object({ error: z.string() }) } },
        guards: [denyInvalid(() => reply(400, { error: "wrong" }))],
        resolve: () => ++count > 1 ? reply(400, { error: "one claim a day" }) : reply(201),
      }));
    };
    assertEquals(await look(create), []);
  });

  it("takes for a rule of the business what is not refused behind other values, and no other refusal", async () => {
    const create = (opens: (isOpen: boolean) => boolean) => () => {
      let isOpen = true;
      return serve(
        route.put("/shop", {
          request: { body: z.object({ isOpen: z.boolean() }) },
          responses: { 204: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input: { body } }) => {
            isOpen = opens(body.isOpen);
            return reply(204);
          },
        }),
        route.post("/orders", {
          request: { body: z.object({ text: z.string().max(9) }) },
          responses: { 201: {}, 400: { schema: z.object({ error: z.string() }) } },
          guards: [denyInvalid(() => reply(400, { error: "wrong" }))],
          resolve: () => isOpen ? reply(201) : reply(400, { error: "come back tomorrow" }),
        }),
      );
    };
    assertEquals(await look(create((isOpen) => isOpen)), []);
    assertEquals(await look(create(() => false)), [
      "POST /orders: refuses valid input with 400, as if it were invalid",
    ]);
  });

  it("finds no fault where any text is a valid parameter", async () => {
    const create = () =>
      serve(route.get("/texts/:text", {
        request: { params: z.object({ text: z.string() }) },
        responses: { 204: {}, 400: {} },
        guards: [invalid],
        resolve: () => reply(204),
      }));
    assertEquals(await look(create, { runs: 30 }), []);
  });

  it("finds nothing in an app without endpoints", async () => {
    const faults = await fuzz(() => serve(), { fc, runs: 2 });
    assertEquals(faults, []);
    assertEquals(faults.reached, {});
  });

  it("reads nothing from the schema of a response that has no JSON Schema, and checks the response", async () => {
    const create = (text: string) => () =>
      serve(
        route.get("/", {
          responses: { 200: { schema: v.object({ text: v.string() }) } },
          resolve: () => reply(200, { text }),
        }),
      );
    assertEquals(await look(create("a")), []);
    assertEquals(await look(create(1 as never)), [
      "GET /: response 200 must fit its schema: text: Invalid type: Expected string but received 1",
    ]);
  });

  it("takes no cancelled thing, and no settings with defaults, for one that is still there", async () => {
    const create = () => {
      const orders = new Map<string, { readonly id: string; readonly status: string }>();
      const order = { schema: z.object({ id: z.string(), status: z.string() }) };
      return serve(
        route.post("/orders", {
          responses: { 201: order },
          resolve: () => {
            const made = { id: `o${orders.size}`, status: "open" };
            orders.set(made.id, made);
            return reply(201, made);
          },
        }),
        route.get("/orders", {
          responses: { 200: { schema: z.array(order.schema) } },
          resolve: () => reply(200, [...orders.values()]),
        }),
        route.get("/orders/:id", {
          responses: { 200: order, 404: {} },
          resolve: ({ raw }) => {
            const found = orders.get(raw.params.id);
            return found === undefined ? reply(404) : reply(200, found);
          },
        }),
        route.delete("/orders/:id", {
          responses: { 204: {}, 404: {} },
          resolve: ({ raw: { params: { id } } }) => {
            if (!orders.has(id)) return reply(404);
            orders.set(id, { id, status: "cancelled" });
            return reply(204);
          },
        }),
        route.get("/settings/:name", {
          responses: { 200: { schema: z.literal("default") } },
          resolve: () => reply(200, "default"),
        }),
        route.delete("/settings/:name", { responses: { 204: {} }, resolve: () => reply(204) }),
      );
    };
    assertEquals(await look(create, { runs: 20 }), []);
  });
});
