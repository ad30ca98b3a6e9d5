/** How far `fuzz` gets: whom it lets send what, and what it does before. */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { allow, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { withHead } from "../../../src/hooks/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { type Faults, fuzz, type FuzzableApp, type FuzzOptions } from "../../../src/testing/mod.ts";
import { signed } from "../../../src/webhooks/mod.ts";

const invalid = denyInvalid(() => reply(400));
const thing = { schema: z.object({ id: z.int() }) };
const patients = { ada: { authorization: "ada" }, bob: { authorization: "bob" }, dan: { authorization: "dan" } };
const actors = { ...patients, carol: { authorization: "carol" } };

/** Who sends a request. */
const user = beforeBody(({ request }: Context) => {
  const name = request.headers.get("authorization");
  return name === null ? deny(reply(401)) : allow({ user: name });
});
const isStaff = ({ locals }: Context<{ user: string }>) => locals.user === "carol" ? allow() : deny(reply(403));
const members = route.with({ responses: { 400: {}, 401: {} }, guards: [user, invalid] });
const staff = route.with({ responses: { 400: {}, 401: {}, 403: {} }, guards: [user, invalid, isStaff] });

async function reachedBy(create: () => FuzzableApp, options: Partial<FuzzOptions> = {}) {
  const faults: Faults = await fuzz(create, { fc, runs: 30, actors, shared: ["carol"], ...options });
  const { reached = {} } = faults;
  return {
    faults: faults.map(({ fault }) => fault),
    /** How often an endpoint has sent this status. */
    count: (endpoint: string, status: number) => reached[endpoint]?.[status] ?? 0,
    total: (endpoint: string) => Object.values(reached[endpoint] ?? {}).reduce((sum, count) => sum + count, 0),
  };
}

describe("fuzz()", () => {
  it("lets staff make what others need, and seldom those who are not let in", async () => {
    const create = () => {
      let doctors = 0;
      let visits = 0;
      return setup({
        validator: standardSchema,
        handlers: [
          staff.post("/doctors", { responses: { 201: thing }, resolve: () => reply(201, { id: ++doctors }) }),
          staff.post("/rooms", { responses: { 201: thing }, resolve: () => reply(201, { id: 1 }) }),
          staff.post("/drugs", { responses: { 201: thing }, resolve: () => reply(201, { id: 1 }) }),
          staff.post("/bills", { responses: { 201: thing }, resolve: () => reply(201, { id: 1 }) }),
          staff.get("/stats", { responses: { 200: thing }, resolve: () => reply(200, { id: 1 }) }),
          members.post("/visits", {
            request: { body: z.object({ doctorId: z.int().min(1) }) },
            responses: { 201: thing, 404: {} },
            resolve: ({ input }) => input.body.doctorId > doctors ? reply(404) : reply(201, { id: ++visits }),
          }),
        ],
      });
    };
    const { faults, count } = await reachedBy(create);
    assertEquals(faults, []);
    assert(count("POST /doctors", 201) > 2 * count("POST /doctors", 403));
    assert(count("GET /stats", 200) > count("GET /stats", 403));
    assert(count("POST /visits", 201) > count("POST /visits", 404));
  });

  it("sends the number of a thing as a number, also if the path of its location has it as text", async () => {
    const create = () => {
      let orders = 0;
      return setup({
        validator: standardSchema,
        handlers: [
          members.get("/orders/:orderId", {
            responses: { 200: thing, 404: {} },
            resolve: ({ raw }) => Number(raw.params.orderId) <= orders ? reply(200, { id: 1 }) : reply(404),
          }),
          members.post("/orders", {
            responses: { 201: { ...thing, headers: { location: {} } } },
            resolve: () => reply(201, { id: ++orders }, { headers: { location: `/orders/${orders}` } }),
          }),
          members.post("/bills", {
            request: { body: z.object({ orderId: z.int().min(1) }) },
            responses: { 201: {}, 404: {} },
            resolve: ({ input }) => input.body.orderId > orders ? reply(404) : reply(201),
          }),
        ],
      });
    };
    const { count } = await reachedBy(create, { shared: ["POST /bills", "GET /orders/:orderId"] });
    assert(count("POST /bills", 201) > 2 * count("POST /bills", 400));
  });

  it("sends the number of a thing, and not its code, where a schema takes a number", async () => {
    const create = () => {
      let products = 0;
      const product = z.object({ id: z.int(), sku: z.string() });
      return setup({
        validator: standardSchema,
        handlers: [
          members.post("/products", {
            responses: { 201: { schema: product } },
            resolve: () => reply(201, { id: ++products, sku: `SKU-${products}` }),
          }),
          members.post("/counts", {
            request: { body: z.object({ productId: z.int().min(1) }) },
            responses: { 201: {}, 404: {} },
            resolve: ({ input }) => input.body.productId > products ? reply(404) : reply(201),
          }),
        ],
      });
    };
    const { count } = await reachedBy(create, { shared: ["POST /counts"] });
    assert(count("POST /counts", 201) > 2 * count("POST /counts", 400));
  });

  it("makes most things with codes of their own, and some with a code that is taken", async () => {
    const create = () => {
      const codes = new Set<string>();
      const product = z.object({ code: z.string().regex(/^[A-Z]{8,12}$/) });
      return setup({
        validator: standardSchema,
        handlers: [
          members.post("/products", {
            request: { body: product },
            responses: { 201: { schema: product }, 409: {} },
            resolve: ({ input: { body: { code } } }) => {
              if (codes.has(code)) return reply(409);
              codes.add(code);
              return reply(201, { code });
            },
          }),
        ],
      });
    };
    const { count } = await reachedBy(create);
    assert(count("POST /products", 201) > 2 * count("POST /products", 409));
    assert(count("POST /products", 409) > 5);
  });

  it("takes two things where a request refers to two of a kind", async () => {
    const create = () => {
      const places: string[] = [];
      const isOwn = (id: number, user: string) => places[id - 1] === user;
      return setup({
        validator: standardSchema,
        handlers: [
          members.post("/places", {
            responses: { 201: { ...thing, headers: { location: {} } } },
            resolve: ({ locals }) => {
              const id = places.push(locals.user);
              return reply(201, { id }, { headers: { location: `/places/${id}` } });
            },
          }),
          members.get("/places/:id", { responses: { 404: {} }, resolve: () => reply(404) }),
          members.post("/moves", {
            request: { body: z.object({ from: z.int().min(1), to: z.int().min(1) }) },
            responses: { 201: {}, 404: {}, 409: {} },
            resolve: ({ input: { body: { from, to } }, locals }) => {
              if (!isOwn(from, locals.user) || !isOwn(to, locals.user)) return reply(404);
              return from === to ? reply(409) : reply(201);
            },
          }),
        ],
      });
    };
    const { count } = await reachedBy(create, { links: { from: "POST /places id", to: "POST /places id" } });
    assert(count("POST /moves", 201) > 2 * count("POST /moves", 409));
  });

  it("does something else first where an endpoint has only said that it must be done", async () => {
    const create = () => {
      const orders: { isSent: boolean; isDeleted: boolean }[] = [];
      const find = (id: string) => orders[Number(id) - 1];
      return setup({
        validator: standardSchema,
        handlers: [
          staff.post("/orders", {
            responses: { 201: thing },
            resolve: () => reply(201, { id: orders.push({ isSent: false, isDeleted: false }) }),
          }),
          staff.post("/orders/:orderId/send", {
            responses: { 204: {}, 404: {} },
            resolve: ({ raw }) => {
              const order = find(raw.params.orderId);
              if (order === undefined) return reply(404);
              order.isSent = true;
              return reply(204);
            },
          }),
          members.post("/orders/:orderId/payments", {
            responses: { 204: {}, 404: {}, 409: {} },
            resolve: ({ raw }) => {
              const order = find(raw.params.orderId);
              return order === undefined || order.isDeleted ? reply(404) : reply(order.isSent ? 204 : 409);
            },
          }),
          staff.delete("/orders/:orderId", {
            responses: { 204: {}, 404: {} },
            resolve: ({ raw }) => {
              const order = find(raw.params.orderId);
              if (order === undefined || order.isDeleted) return reply(404);
              order.isDeleted = true;
              return reply(204);
            },
          }),
          members.post("/orders/:orderId/restore", {
            responses: { 204: {}, 404: {}, 409: {} },
            resolve: ({ raw }) => {
              const order = find(raw.params.orderId);
              if (order?.isDeleted !== true) return reply(order === undefined ? 404 : 409);
              order.isDeleted = false;
              return reply(204);
            },
          }),
        ],
      });
    };
    for (const seed of [1, 2, 3]) {
      const { faults, count } = await reachedBy(create, { seed, runs: 8 });
      assertEquals(faults, []);
      assert(count("POST /orders/:orderId/payments", 204) > 1);
      assert(count("POST /orders/:orderId/restore", 204) > 0);
    }
  });

  it("comes to states to which several changes lead in one order", async () => {
    const create = (fails: boolean) => () => {
      const jobs: string[] = [];
      const change = (name: string, from: string, to: string) =>
        members.post(`/jobs/:jobId/${name}`, {
          responses: { 204: {}, 404: {}, 409: {} },
          resolve: ({ raw }) => {
            const place = Number(raw.params.jobId) - 1;
            if (jobs[place] === undefined) return reply(404);
            if (jobs[place] !== from) return reply(409);
            jobs[place] = to;
            return reply(204);
          },
        });
      return setup({
        validator: standardSchema,
        handlers: [
          members.post("/jobs", { responses: { 201: thing }, resolve: () => reply(201, { id: jobs.push("new") }) }),
          change("start", "new", "running"),
          change("pause", "running", "paused"),
          change("resume", "paused", "running"),
          change("stop", "running", "stopped"),
          members.put("/jobs/:jobId/note", {
            request: { body: z.object({ text: z.string().max(9) }) },
            responses: { 204: {}, 404: {}, 409: {} },
            resolve: ({ raw }) => {
              const state = jobs[Number(raw.params.jobId) - 1];
              if (state === undefined) return reply(404);
              return state === "paused" && fails ? reply(500) as never : reply(state === "stopped" ? 409 : 204);
            },
          }),
        ],
      });
    };
    const shared = ["start", "pause", "resume", "stop"].map((name) => `POST /jobs/:jobId/${name}`);
    const options = { actors: patients, shared: [...shared, "PUT /jobs/:jobId/note"] };
    assertEquals((await reachedBy(create(false), options)).faults, []);
    for (const seed of [1, 2, 3]) {
      const { faults } = await reachedBy(create(true), { ...options, seed });
      assertEquals(faults, ["PUT /jobs/:jobId/note: responds with 500"]);
    }
  });

  it("tries the texts of formats where a schema wants one and does not say so", async () => {
    const email = z.string().trim().toLowerCase().pipe(z.email());
    const day = z.string().refine((text) => /^\d{4}-\d{2}-\d{2}$/.test(text));
    const create = () =>
      setup({
        validator: standardSchema,
        handlers: [
          route.post("/sign-up", {
            request: { body: z.object({ name: z.string(), email, born: day, age: z.int() }) },
            responses: { 204: {}, 400: {} },
            guards: [invalid],
            resolve: () => reply(204),
          }),
          route.get("/days", {
            request: { query: z.object({ day, never: z.string().refine(() => false).optional() }) },
            responses: { 204: {}, 400: {} },
            guards: [invalid],
            resolve: () => reply(204),
          }),
        ],
      });
    const { faults, count } = await reachedBy(create);
    assertEquals(faults, []);
    assert(count("POST /sign-up", 204) > count("POST /sign-up", 400));
    assert(count("GET /days", 204) > 0);
  });

  it("sends HEAD less often than GET where one handler responds to both", async () => {
    const create = () =>
      setup({
        validator: standardSchema,
        handlers: withHead([members.get("/me", { responses: { 204: {} }, resolve: () => reply(204) })]),
      });
    const { total } = await reachedBy(create);
    assert(total("HEAD /me") > 0);
    assert(total("HEAD /me") * 2 < total("GET /me"));
  });

  it("lets the sender of a webhook send most of what must be signed", async () => {
    const create = () =>
      setup({
        validator: standardSchema,
        handlers: [
          route.post("/webhooks", {
            request: { body: z.object({ id: z.int() }), bodyReader: signed(SCHEME) },
            responses: { 204: {}, 400: {} },
            guards: [invalid],
            resolve: () => reply(204),
          }),
        ],
      });
    const SCHEME = {
      verify: (headers: Headers) =>
        Promise.resolve(headers.get("x-signature") === "shop" ? "valid" as const : "unsigned" as const),
    };
    const { count } = await reachedBy(create, { actors: { ...actors, shop: () => () => ({ "x-signature": "shop" }) } });
    assert(count("POST /webhooks", 204) > count("POST /webhooks", 400));
  });
});
