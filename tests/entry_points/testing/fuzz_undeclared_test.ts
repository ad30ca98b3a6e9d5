/** Properties that a request sets though only the response declares them. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { allow, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, type FuzzableApp, type FuzzOptions } from "../../../src/testing/mod.ts";

const invalid = denyInvalid(() => reply(400));
const open = route.with({ responses: { 400: {} }, guards: [invalid] });

async function faultsOf(create: () => FuzzableApp, options: Partial<FuzzOptions> = {}): Promise<readonly string[]> {
  return (await fuzz(create, { fc, runs: 20, ...options })).map(({ kind, fault }) => `${kind}: ${fault}`);
}

/** A schema of a library that leaves properties that it does not know where they are. */
const keeping = <Schema extends z.ZodType>(schema: Schema) => ({
  "~standard": {
    ...schema["~standard"],
    validate: (value: unknown) => {
      const result = schema.safeParse(value);
      return result.success ? { value: value as z.output<Schema> } : { issues: result.error.issues };
    },
  },
});

describe("fuzz()", () => {
  const profile = z.object({
    name: z.string(),
    isPaid: z.boolean(),
    level: z.int(),
    plan: z.enum(["free", "pro"]),
    since: z.iso.datetime(),
    note: z.string(),
    color: z.string().meta({ format: "color" }),
    tags: z.array(z.string()),
    only: z.enum(["one"]),
  });
  type Profile = z.infer<typeof profile>;
  const first: Profile = {
    ...{ name: "a", isPaid: false, level: 1, plan: "free", since: "2026-01-01T00:00:00Z", note: "", color: "" },
    ...{ tags: [], only: "one" },
  };

  /** A profile that takes these properties from any body. */
  const profiles =
    (taken: readonly (keyof Profile)[], change: (profile: Profile) => Partial<Profile> = () => ({})) => () => {
      let current = first;
      return setup({
        validator: standardSchema,
        handlers: [
          open.patch("/profile", {
            request: { body: keeping(z.object({ name: z.string().max(20).optional() })) },
            responses: { 200: { schema: profile } },
            resolve: ({ input: { body } }) => {
              const all: Partial<Profile> = Object(body);
              const own = Object.fromEntries(taken.filter((name) => name in all).map((name) => [name, all[name]]));
              current = { ...current, name: body.name ?? current.name, ...own, ...change(current) };
              return reply(200, current);
            },
          }),
        ],
      });
    };

  it("finds each property that is taken from a body which does not declare it", async () => {
    for (
      const [name, values] of [["isPaid", "true or false"], ["plan", '"free" or "pro"'], ["level", "7 or 8"]] as const
    ) {
      assertEquals(await faultsOf(profiles([name])), [
        `sets an undeclared property: PATCH /profile: sets ${name} to ${values}, which its request does not declare`,
      ]);
    }
    // The first of several.
    assertEquals((await faultsOf(profiles(["since", "note"]))).map((fault) => fault.slice(0, 58)), [
      "sets an undeclared property: PATCH /profile: sets since to",
    ]);
  });

  it("finds nothing where such properties are ignored, change by themselves, or have one value", async () => {
    assertEquals(await faultsOf(profiles([])), []);
    assertEquals(await faultsOf(profiles(["color", "only"])), []);
    assertEquals(await faultsOf(profiles([], ({ isPaid, level }) => ({ isPaid: !isPaid, level: level % 9 + 1 }))), []);
  });

  it("finds nothing where the body is one of several, or declares no property", async () => {
    const create = () =>
      setup({
        validator: standardSchema,
        handlers: [
          open.put("/choice", {
            request: { body: z.union([z.looseObject({ name: z.string() }), z.looseObject({ title: z.string() })]) },
            responses: { 200: { schema: z.looseObject({ isPaid: z.boolean() }) } },
            resolve: ({ input: { body } }) => reply(200, { isPaid: false, ...Object(body) }),
          }),
          open.put("/document", {
            request: { body: z.record(z.string(), z.boolean()) },
            responses: { 200: { schema: z.looseObject({ isPaid: z.boolean() }) } },
            resolve: ({ input: { body } }) => reply(200, { isPaid: false, ...body }),
          }),
          open.put("/strict", {
            request: { body: z.strictObject({ name: z.string() }) },
            responses: { 200: { schema: z.looseObject({ isPaid: z.boolean() }) } },
            resolve: ({ input: { body } }) => reply(200, { isPaid: false, ...body }),
          }),
        ],
      });
    assertEquals(await faultsOf(create), []);
  });

  it("reads a response that is a chain of things of its own kind", async () => {
    const link = z.object({
      get next() {
        return link.optional();
      },
    });
    const create = () =>
      setup({
        validator: standardSchema,
        handlers: [
          open.post("/links", {
            request: { body: z.object({ name: z.string().max(9) }) },
            responses: { 201: { schema: link } },
            resolve: () => reply(201, { next: {} }),
          }),
        ],
      });
    assertEquals(await faultsOf(create), []);
  });

  it("finds that whoever signs up may say what they are, also where names are taken", async () => {
    const user = z.object({ id: z.int(), name: z.string(), teamId: z.string(), isAdmin: z.boolean() });
    const create = () => {
      const users: z.infer<typeof user>[] = [];
      return setup({
        validator: standardSchema,
        handlers: [
          open.post("/users", {
            request: { body: keeping(z.object({ name: z.string().min(1).max(20), teamId: z.string().max(9) })) },
            responses: { 201: { schema: z.object({ user }) }, 409: {} },
            resolve: ({ input: { body } }) => {
              if (users.some(({ name }) => name === body.name)) return reply(409);
              const { isAdmin = false }: { isAdmin?: boolean } = Object(body);
              const made = { id: users.length + 1, name: body.name, teamId: body.teamId, isAdmin };
              users.push(made);
              return reply(201, { user: made });
            },
          }),
        ],
      });
    };
    assertEquals(await faultsOf(create), [
      "sets an undeclared property: POST /users: sets isAdmin to true or false, which its request does not declare",
    ]);
  });

  it("finds it under a schema of any properties only if the user may do more then", async () => {
    const me = z.object({ name: z.string(), role: z.enum(["guest", "staff"]), theme: z.enum(["dark", "light"]) });
    const actors = { ada: { authorization: "ada" }, bob: { authorization: "bob" } };
    const create = (givesRights: boolean) => () => {
      const users = new Map<string, z.infer<typeof me>>();
      const user = beforeBody(({ request }: Context) => {
        const name = request.headers.get("authorization");
        return name === null ? deny(reply(401)) : allow({ name });
      });
      const find = (name: string) => users.get(name) ?? { name, role: "guest", theme: "dark" } as const;
      const members = route.with({ responses: { 400: {}, 401: {} }, guards: [user, invalid] });
      return setup({
        validator: standardSchema,
        handlers: [
          members.patch("/me", {
            request: { body: z.looseObject({ phone: z.string().max(9).optional() }) },
            responses: { 200: { schema: me } },
            resolve: ({ input: { body }, locals }) => {
              const { role, theme } = Object(body);
              const old = find(locals.name);
              const made = { name: old.name, role: role ?? old.role, theme: theme ?? old.theme };
              users.set(locals.name, made);
              return reply(200, made);
            },
          }),
          members.get("/report", {
            responses: { 200: { schema: z.string() }, 403: {} },
            resolve: ({ locals }) => givesRights && find(locals.name).role === "staff" ? reply(200, "") : reply(403),
          }),
          members.get("/news", { responses: { 204: {} }, resolve: () => reply(204) }),
        ],
      });
    };
    const skip = { "GET /report lets nobody in": "for staff only" };
    assertEquals(await faultsOf(create(false), { actors, skip }), []);
    const [fault, ...others] = await faultsOf(create(true), { actors, skip });
    assertEquals(others, []);
    assertMatch(String(fault), /^sets an undeclared property: PATCH \/me: sets role to "guest" or "staff", which its/);
  });
});
