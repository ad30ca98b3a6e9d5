/** Whether `fuzz` sees that a property of a request has no effect. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { type AnyRoute, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { type Fault, fuzz } from "../../../src/testing/mod.ts";

const open = route.with({ responses: { 400: {} }, guards: [denyInvalid(() => reply(400))] });

async function faultsOf(create: () => readonly AnyRoute[]): Promise<readonly Fault[]> {
  return await fuzz(() => setup({ validator: standardSchema, handlers: create() }), { fc, runs: 20 });
}

/** What the faults are. */
async function kindsOf(create: () => readonly AnyRoute[]): Promise<readonly string[]> {
  return (await faultsOf(create)).map(({ fault }) => fault.replace(/:[^:]*$/, ""));
}

describe("a property that a request sends", () => {
  const task = z.object({
    id: z.int(),
    text: z.string(),
    due: z.iso.datetime().nullable(),
    tags: z.array(z.string()),
    version: z.int(),
  });
  type Task = z.infer<typeof task>;
  const text = z.string().max(9);
  const tags = z.array(text).max(3);

  /** Tasks, whose handlers may forget something. */
  const tasks = (forgets: "due" | "tags" | "the change of tags" | "nothing") => () => {
    const all: Task[] = [];
    return [
      open.post("/tasks", {
        request: { body: z.object({ text, due: z.iso.datetime().nullable(), tags, version: z.int().optional() }) },
        responses: { 201: { schema: task } },
        resolve: ({ input: { body: { text, due, tags } } }) => {
          const made = {
            id: all.length + 1,
            text: text.trim(),
            due: due === null || forgets === "due" ? null : new Date(due).toISOString(),
            tags: forgets === "tags" ? [] : tags,
            version: all.length,
          };
          all.push(made);
          return reply(201, made);
        },
      }),
      open.put("/tasks/:taskId", {
        request: { body: z.object({ id: z.int(), text, tags }) },
        responses: { 200: { schema: task }, 404: {} },
        resolve: ({ raw, input: { body: { text, tags } } }) => {
          const found = all[Number(raw.params.taskId) - 1];
          if (found === undefined) return reply(404);
          found.text = text;
          if (forgets !== "the change of tags") found.tags = tags;
          found.version++;
          return reply(200, { ...found });
        },
      }),
    ];
  };

  it("has an effect, written in another way, or not at all by chance", async () => {
    assertEquals(await kindsOf(tasks("nothing")), []);
  });

  it("is ignored by a POST whose responses all have the same, and by a PUT that never changes it", async () => {
    assertEquals(await kindsOf(tasks("tags")), ["POST /tasks: ignores tags"]);
    assertEquals(await kindsOf(tasks("the change of tags")), ["PUT /tasks/:taskId: ignores tags"]);
    const [{ kind, fault, response } = {}] = await faultsOf(tasks("due"));
    assertEquals([kind, response?.status], ["ignores a property", 201]);
    assertMatch(String(fault), /^POST \/tasks: ignores due: \d+ requests sent other values, such as "/);
  });

  it("may be that of a resource without an id", async () => {
    const settings = z.object({ color: text, size: z.int() });
    const create = (keeps: boolean) => () => {
      let current = { color: "red", size: 1 };
      return [
        open.get("/settings", { responses: { 200: { schema: settings } }, resolve: () => reply(200, current) }),
        open.patch("/settings", {
          request: { body: settings.partial() },
          responses: { 200: { schema: settings } },
          resolve: ({ input: { body: { color = current.color, size = current.size } } }) => {
            current = { color: keeps ? color : current.color, size };
            return reply(200, current);
          },
        }),
      ];
    };
    assertEquals(await kindsOf(create(true)), []);
    assertEquals(await kindsOf(create(false)), ["PATCH /settings: ignores color"]);
  });

  it("may wait under another name, or say what another one is converted from", async () => {
    const address = z.string().max(40);
    const user = z.object({ name: text, email: address, pendingEmail: address.nullable() });
    const users = (keeps: boolean) => () => {
      let current: z.infer<typeof user> = { name: "", email: "ada@example.com", pendingEmail: null };
      return [
        open.get("/me", { responses: { 200: { schema: user } }, resolve: () => reply(200, current) }),
        open.patch("/me", {
          request: { body: z.object({ name: text, email: z.email().max(40) }) },
          responses: { 200: { schema: user } },
          resolve: ({ input: { body: { name, email } } }) => {
            current = { ...current, name, pendingEmail: keeps ? email : null };
            return reply(200, current);
          },
        }),
      ];
    };
    assertEquals(await kindsOf(users(true)), []);
    assertEquals(await kindsOf(users(false)), ["PATCH /me: ignores email"]);
    const price = z.object({ amount: z.number().min(0), currency: z.enum(["EUR", "USD", "GBP"]) });
    const prices = () => [
      open.post("/prices", {
        request: { body: price },
        responses: { 201: { schema: price } },
        resolve: ({ input: { body: { amount, currency } } }) =>
          reply(201, { amount: currency === "EUR" ? amount : amount / 2, currency: "EUR" }),
      }),
    ];
    assertEquals(await kindsOf(prices), []);
  });

  it("is not looked for where a response has something else under its name, a list, or nothing", async () => {
    const create = () => [
      open.post("/counts", {
        request: { body: z.object({ tags }) },
        responses: { 200: { schema: z.object({ tags: z.int() }) } },
        resolve: () => reply(200, { tags: 0 }),
      }),
      open.post("/lists", {
        request: { body: z.object({ tags }) },
        responses: { 200: { schema: z.array(text) } },
        resolve: () => reply(200, []),
      }),
      open.post("/nothing", {
        request: { body: z.object({ tags }) },
        responses: { 204: {} },
        resolve: () => reply(204),
      }),
      open.put("/unknown/:id", {
        request: { body: z.object({ tags }) },
        responses: { 200: { schema: z.object({ tags }) } },
        resolve: () => reply(200, { tags: [] }),
      }),
    ];
    assertEquals(await kindsOf(create), []);
  });
});
