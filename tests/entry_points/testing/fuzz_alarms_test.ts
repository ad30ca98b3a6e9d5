/** What is no fault, and was once reported as one. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { allow, beforeBody, type Context, deny, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { withHead } from "../../../src/hooks/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, type FuzzableApp, type FuzzOptions } from "../../../src/testing/mod.ts";
import { signed } from "../../../src/webhooks/mod.ts";

const invalid = denyInvalid(() => reply(400, { error: "invalid" }));
const failure = { schema: z.object({ error: z.string() }) };
const actors = { ada: { authorization: "ada" }, bob: { authorization: "bob" } };

/** Who sends a request. */
const user = beforeBody(({ request }: Context) => {
  const name = request.headers.get("authorization");
  return name === null ? deny(reply(401)) : allow({ user: name });
});

async function faultsOf(create: () => FuzzableApp, options: Partial<FuzzOptions> = {}): Promise<readonly string[]> {
  return (await fuzz(create, { fc, runs: 30, ...options })).map(({ fault }) => fault);
}

describe("fuzz() raises no alarm", () => {
  /** Posts that all may read, with comments that their authors may delete. */
  const createForum = (mayDelete: (author: string, user: string) => boolean) => () => {
    const posts = new Map<string, { readonly author: string; readonly comments: Map<string, string> }>();
    let last = 0;
    const id = () => `${++last}`;
    const thing = z.object({ id: z.string() });
    return setup({
      validator: standardSchema,
      handlers: [
        route.post("/posts", {
          responses: { 201: { schema: thing }, 401: {} },
          guards: [user],
          resolve: (c) => {
            const made = id();
            posts.set(made, { author: c.locals.user, comments: new Map() });
            return reply(201, { id: made });
          },
        }),
        route.post("/posts/:post/comments", {
          responses: { 201: { schema: thing }, 401: {}, 404: {} },
          guards: [user],
          resolve: (c) => {
            const made = id();
            const comments = posts.get(c.raw.params.post)?.comments;
            return comments?.set(made, c.locals.user) ? reply(201, { id: made }) : reply(404);
          },
        }),
        route.delete("/posts/:post/comments/:comment", {
          responses: { 204: {}, 401: {}, 404: {} },
          guards: [user],
          resolve: (c) => {
            const { post, comment } = c.raw.params;
            const author = posts.get(post)?.comments.get(comment);
            if (author === undefined || !mayDelete(author, c.locals.user)) return reply(404);
            posts.get(post)?.comments.delete(comment);
            return reply(204);
          },
        }),
      ],
    });
  };
  const shared = ["POST /posts/:post/comments"];

  it("for one's own comment on another's post, which its author deletes", async () => {
    assertEquals(await faultsOf(createForum((author, user) => author === user), { actors, shared }), []);
    const anybody = await fuzz(createForum(() => true), { fc, runs: 30, actors, shared });
    assertEquals(anybody.map(({ kind, fault }) => [kind, fault.slice(0, 38)]), [
      ["crosses owners", "DELETE /posts/:post/comments/:comment:"],
    ]);
  });

  it("for the HEAD of a GET that is shared, which withHead has added", async () => {
    const create = () => {
      const notes = new Map<string, string>();
      return setup({
        validator: standardSchema,
        handlers: withHead([
          route.post("/notes", {
            responses: { 201: { schema: z.object({ id: z.string() }) }, 401: {} },
            guards: [user],
            resolve: (c) => {
              const id = crypto.randomUUID();
              notes.set(id, c.locals.user);
              return reply(201, { id });
            },
          }),
          route.get("/notes/:id", {
            responses: { 200: { schema: z.string() }, 401: {}, 404: {} },
            guards: [user],
            resolve: (c) => {
              const author = notes.get(c.raw.params.id);
              return author === undefined ? reply(404) : reply(200, author);
            },
          }),
        ]),
      });
    };
    assertEquals(await faultsOf(create, { actors, shared: ["GET /notes/:id"] }), []);
    const kinds = (await fuzz(create, { fc, runs: 30, actors })).map(({ kind }) => kind);
    assertEquals(kinds.includes("crosses owners"), true);
  });

  /** Numbered things of several kinds, as a database makes them: the first of each kind is number 1, in version 1. */
  const createClinic = (mayRead: (owner: string, user: string) => boolean) => () => {
    const doctors: { readonly id: number; readonly name: string; readonly version: number }[] = [];
    const visits: {
      readonly id: number;
      readonly doctorId: number;
      readonly reason: string;
      readonly owner: string;
    }[] = [];
    const favorites = new Set<string>();
    const doctor = z.object({ id: z.int(), name: z.string(), version: z.int() });
    const visit = z.object({ id: z.int(), doctorId: z.int(), name: z.string(), reason: z.string(), version: z.int() });
    const id = z.coerce.number().int().min(1).max(50);
    const open = { responses: { 400: failure }, guards: [invalid], docs: { security: [] } };
    const anyone = route.with(open);
    const members = route.with({ responses: { 400: failure, 401: {} }, guards: [user, invalid] });
    const find = (number: number) => doctors.find((one) => one.id === number);
    const shown = ({ id, doctorId, reason }: { id: number; doctorId: number; reason: string }) => ({
      ...{ id, doctorId, reason, version: 1 },
      name: String(find(doctorId)?.name),
    });
    return setup({
      validator: standardSchema,
      handlers: [
        anyone.get("/doctors", {
          responses: { 200: { schema: z.array(doctor) } },
          resolve: () => reply(200, doctors),
        }),
        members.post("/doctors", {
          request: { body: z.object({ name: z.string().max(20) }) },
          responses: { 201: { schema: doctor } },
          resolve: (c) => {
            const made = { id: doctors.length + 1, name: c.input.body.name, version: 1 };
            doctors.push(made);
            return reply(201, made);
          },
        }),
        members.put("/favorites/:doctorId", {
          request: { params: z.object({ doctorId: id }) },
          responses: { 204: {}, 404: {} },
          resolve: ({ input, locals }) => {
            if (find(input.params.doctorId) === undefined) return reply(404);
            favorites.add(`${locals.user} ${input.params.doctorId}`);
            return reply(204);
          },
        }),
        members.get("/favorites", {
          responses: { 200: { schema: z.array(doctor) } },
          resolve: ({ locals }) => reply(200, doctors.filter((one) => favorites.has(`${locals.user} ${one.id}`))),
        }),
        members.post("/visits", {
          request: { body: z.object({ doctorId: id, reason: z.string() }) },
          responses: { 201: { schema: visit }, 404: {} },
          resolve: ({ input: { body }, locals }) => {
            if (find(body.doctorId) === undefined) return reply(404);
            const made = { id: visits.length + 1, ...body, owner: locals.user };
            visits.push(made);
            return reply(201, shown(made));
          },
        }),
        members.get("/visits/:visitId", {
          request: { params: z.object({ visitId: id }) },
          responses: { 200: { schema: visit }, 404: {} },
          resolve: ({ input, locals }) => {
            const found = visits.find((one) => one.id === input.params.visitId);
            return found === undefined || !mayRead(found.owner, locals.user) ? reply(404) : reply(200, shown(found));
          },
        }),
      ],
    });
  };

  it("for things that everybody may read, and for others that have the same number", async () => {
    for (const seed of [1, 2, 3]) {
      assertEquals(await faultsOf(createClinic((owner, user) => owner === user), { actors, seed }), []);
    }
    const open = await fuzz(createClinic(() => true), { fc, runs: 30, actors });
    assertEquals(open.map(({ kind, endpoint }) => [kind, endpoint]), [["crosses owners", "GET /visits/:visitId"]]);
  });

  it("for what staff reads and changes of others, and for what others read of theirs", async () => {
    const create = (mayRead: (owner: string, user: string) => boolean) => () => {
      const bills: { readonly id: number; readonly text: string; readonly owner: string }[] = [];
      const bill = z.object({ id: z.int(), text: z.string() });
      const members = route.with({ responses: { 400: failure, 401: {} }, guards: [user, invalid] });
      const isStaff = ({ locals }: Context<{ user: string }>) => locals.user === "carol" ? allow() : deny(reply(403));
      const text = z.string().min(5);
      return setup({
        validator: standardSchema,
        handlers: [
          members.post("/bills", {
            request: { body: z.object({ text }) },
            responses: { 201: { schema: bill } },
            resolve: ({ input, locals }) => {
              const made = { id: bills.length + 1, text: input.body.text };
              bills.push({ ...made, owner: locals.user === "carol" ? "ada" : locals.user });
              return reply(201, made);
            },
          }),
          members.get("/bills/:id", {
            responses: { 200: { schema: bill }, 404: {} },
            resolve: ({ raw, locals }) => {
              const found = bills.find(({ id }) => String(id) === raw.params.id);
              if (found === undefined || !mayRead(found.owner, locals.user)) return reply(404);
              return reply(200, { id: found.id, text: found.text });
            },
          }),
          members.get("/bills", {
            responses: { 200: { schema: z.array(bill) }, 403: {} },
            guards: [isStaff],
            resolve: () => reply(200, bills.map(({ id, text }) => ({ id, text }))),
          }),
        ],
      });
    };
    const all = { actors: { ...actors, carol: { authorization: "carol" } }, shared: ["carol"] };
    assertEquals(await faultsOf(create((owner, user) => owner === user || user === "carol"), all), []);
    const open = await fuzz(create(() => true), { fc, runs: 30, ...all });
    assertEquals(open.map(({ kind, endpoint }) => [kind, endpoint]), [["crosses owners", "GET /bills/:id"]]);
    assertEquals(/: (?:ada|bob) reads what (?:ada|bob) has made/.test(String(open[0]?.fault)), true);
  });

  it("for a thing that a response names deep within: the user need not have made it", async () => {
    const create = (isDeep: boolean) => () => {
      let notes = 0;
      const folder = z.object({ folder: z.object({ id: z.int() }) });
      const members = route.with({ responses: { 400: failure, 401: {} }, guards: [user, invalid] });
      return setup({
        validator: standardSchema,
        handlers: [
          members.post("/notes", {
            responses: { 201: { schema: z.union([z.object({ place: z.object({ shelf: folder }) }), folder]) } },
            resolve: () => {
              const inFolder = { folder: { id: 100 + ++notes } };
              return reply(201, isDeep ? { place: { shelf: inFolder } } : inFolder);
            },
          }),
          members.get("/folders/:id", {
            responses: { 200: { schema: z.object({ name: z.string() }) }, 404: {} },
            resolve: ({ raw }) => {
              const id = Number(raw.params.id);
              return id > 100 && id <= 100 + notes ? reply(200, { name: "inbox" }) : reply(404);
            },
          }),
        ],
      });
    };
    assertEquals(await faultsOf(create(true), { actors }), []);
    assertEquals((await fuzz(create(false), { fc, runs: 30, actors })).map(({ kind }) => kind), ["crosses owners"]);
  });

  it("for a code that two users have chosen, each for a thing of their own", async () => {
    const create = (isOwn: boolean) => () => {
      const items: { readonly id: number; readonly sku: string; readonly owner: string }[] = [];
      const counts: number[] = [];
      const item = z.object({ id: z.int(), sku: z.string() });
      const members = route.with({ responses: { 400: failure, 401: {} }, guards: [user, invalid] });
      const shown = ({ id, sku }: { readonly id: number; readonly sku: string }) => ({ id, sku });
      return setup({
        validator: standardSchema,
        handlers: [
          members.post("/items", {
            request: { body: z.object({ sku: z.string().regex(/^[A-C]{1,3}$/) }) },
            responses: { 201: { schema: item }, 409: {} },
            resolve: ({ input: { body: { sku } }, locals }) => {
              if (items.some((one) => one.owner === locals.user && one.sku === sku)) return reply(409);
              items.push({ id: items.length + 1, sku, owner: locals.user });
              return reply(201, { id: items.length, sku });
            },
          }),
          members.get("/codes/:sku", {
            responses: { 200: { schema: item }, 404: {} },
            resolve: ({ raw, locals }) => {
              const found = items.find(({ sku, owner }) => sku === raw.params.sku && (!isOwn || owner === locals.user));
              return found === undefined ? reply(404) : reply(200, shown(found));
            },
          }),
          members.get("/items/:id", {
            responses: { 200: { schema: item }, 404: {} },
            resolve: ({ raw, locals }) => {
              const found = items.find(({ id, owner }) =>
                String(id) === raw.params.id && (!isOwn || owner === locals.user)
              );
              return found === undefined ? reply(404) : reply(200, shown(found));
            },
          }),
          members.post("/items/:id/counts", {
            responses: { 200: { schema: z.object({ sku: z.string(), count: z.int() }) }, 404: {} },
            resolve: ({ raw, locals }) => {
              const found = items.find(({ id, owner }) => String(id) === raw.params.id && owner === locals.user);
              if (found === undefined) return reply(404);
              return reply(200, { sku: found.sku, count: counts.push(found.id) });
            },
          }),
        ],
      });
    };
    for (const seed of [1, 2]) assertEquals(await faultsOf(create(true), { actors, seed }), []);
    const kinds = (await fuzz(create(false), { fc, runs: 30, actors })).map(({ kind }) => kind);
    assertEquals([...new Set(kinds)], ["crosses owners"]);
  });

  it("for a code that two users have sent, where each response shows more than the one before", async () => {
    const cart = z.object({ id: z.string(), lines: z.array(z.object({ sku: z.string() })) });
    const create = () => {
      const carts = new Map<string, { readonly owner: string; readonly lines: { readonly sku: string }[] }>();
      const signedIn = route.with({ responses: { 400: failure, 401: {}, 404: {} }, guards: [user, invalid] });
      return setup({
        validator: standardSchema,
        handlers: [
          signedIn.post("/carts", {
            responses: { 201: { schema: cart } },
            resolve: ({ locals }) => {
              const id = `${carts.size + 1}`;
              carts.set(id, { owner: locals.user, lines: [] });
              return reply(201, { id, lines: [] });
            },
          }),
          signedIn.post("/carts/:id/lines", {
            request: { body: z.object({ sku: z.string().min(1).max(9) }) },
            responses: { 201: { schema: cart } },
            resolve: ({ locals, raw: { params: { id } }, input: { body: { sku } } }) => {
              const found = carts.get(id);
              if (found?.owner !== locals.user) return reply(404);
              found.lines.push({ sku });
              return reply(201, { id, lines: [...found.lines] });
            },
          }),
        ],
      });
    };
    for (const seed of [1, 2, 3, 4]) assertEquals(await faultsOf(create, { actors, seed }), []);
  });

  it("for credentials that an endpoint declares: nobody has none, and none are invented", async () => {
    const sent = new Set<string | null>();
    const create = () =>
      setup({
        validator: standardSchema,
        handlers: [
          route.get("/me", {
            request: { headers: z.object({ authorization: z.string().optional() }) },
            responses: { 204: {}, 401: {} },
            docs: { security: [{ token: [] }] },
            guards: [user],
            resolve: ({ request }) => {
              sent.add(request.headers.get("authorization"));
              return reply(204);
            },
          }),
        ],
      });
    assertEquals(await faultsOf(create, { actors }), []);
    assertEquals([...sent].toSorted(), ["ada", "bob"]);
  });

  it("for a thing that says behind its DELETE that it is archived", async () => {
    const create = (says: boolean) => () => {
      const things: { readonly id: number; archived: boolean }[] = [];
      const thing = z.object({ id: z.int(), archived: z.boolean() });
      const find = (id: string) => things.find((one) => String(one.id) === id);
      return setup({
        validator: standardSchema,
        handlers: [
          route.post("/things", {
            responses: { 201: { schema: thing, headers: { location: { required: true } } } },
            resolve: () => {
              const made = { id: things.length + 1, archived: false };
              things.push(made);
              return reply(201, { ...made }, { headers: { location: `/things/${made.id}` } });
            },
          }),
          route.get("/things/:thingId", {
            responses: { 200: { schema: thing }, 404: {} },
            resolve: ({ raw }) => {
              const found = find(raw.params.thingId);
              return found === undefined ? reply(404) : reply(200, { id: found.id, archived: found.archived });
            },
          }),
          route.delete("/things/:thingId", {
            responses: { 204: {}, 404: {} },
            resolve: ({ raw }) => {
              const found = find(raw.params.thingId);
              if (found === undefined) return reply(404);
              found.archived = says;
              return reply(204);
            },
          }),
        ],
      });
    };
    assertEquals(await faultsOf(create(true)), []);
    assertEquals(await faultsOf(create(false)), ["GET /things/:thingId: is still there after its DELETE"]);
  });

  it("for a thing that its owner has shared with the other user, by name or by a token", async () => {
    const create = (mayRead: (owner: string, user: string, guests: Set<string>) => boolean) => () => {
      const notes = new Map<string, { readonly owner: string; readonly guests: Set<string> }>();
      const tokens = new Map<string, string>();
      const note = z.object({ id: z.string(), owner: z.string() });
      const members = route.with({ responses: { 400: failure, 401: {}, 404: {} }, guards: [user, invalid] });
      const own = (id: string, name: string) => notes.get(id)?.owner === name ? notes.get(id) : undefined;
      return setup({
        validator: standardSchema,
        handlers: [
          members.post("/notes", {
            responses: { 201: { schema: note } },
            resolve: ({ locals }) => {
              const id = `note-${notes.size}`;
              notes.set(id, { owner: locals.user, guests: new Set() });
              return reply(201, { id, owner: locals.user });
            },
          }),
          members.get("/notes/:noteId", {
            responses: { 200: { schema: note } },
            resolve: ({ raw: { params: { noteId } }, locals }) => {
              const found = notes.get(noteId);
              if (found === undefined || !mayRead(found.owner, locals.user, found.guests)) return reply(404);
              return reply(200, { id: noteId, owner: found.owner });
            },
          }),
          members.put("/notes/:noteId/guests/:name", {
            request: { params: z.object({ noteId: z.string(), name: z.enum(["ada", "bob"]) }) },
            responses: { 204: {} },
            resolve: ({ input: { params: { noteId, name } }, locals }) =>
              own(noteId, locals.user)?.guests.add(name) ? reply(204) : reply(404),
          }),
          members.post("/notes/:noteId/invites", {
            responses: { 201: { schema: z.object({ token: z.string() }) } },
            resolve: ({ raw: { params: { noteId } }, locals }) => {
              if (own(noteId, locals.user) === undefined) return reply(404);
              const token = `token-${tokens.size}`;
              tokens.set(token, noteId);
              return reply(201, { token });
            },
          }),
          members.post("/visits", {
            request: { body: z.object({ token: z.string().min(3).max(99) }) },
            responses: { 204: {} },
            resolve: ({ input: { body: { token } }, locals }) =>
              notes.get(tokens.get(token) ?? "")?.guests.add(locals.user) ? reply(204) : reply(404),
          }),
        ],
      });
    };
    const isGuest = (owner: string, name: string, guests: Set<string>) => owner === name || guests.has(name);
    for (const seed of [1, 2, 3]) assertEquals(await faultsOf(create(isGuest), { actors, seed }), []);
    const open = await fuzz(create(() => true), { fc, runs: 30, actors });
    assertEquals(open.map(({ kind, endpoint }) => [kind, endpoint]), [["crosses owners", "GET /notes/:noteId"]]);
  });

  it("for a response of any media type that is declared as */*", async () => {
    const create = () =>
      setup({
        validator: standardSchema,
        handlers: [
          route.get("/file", {
            responses: { 200: { contentType: "*/*" } },
            resolve: () => reply(200, new Response("GIF89a", { headers: { "content-type": "image/gif" } })),
          }),
        ],
      });
    assertEquals(await faultsOf(create), []);
  });

  it("for a 422 that says that a name is taken, but for one that says the same of any name", async () => {
    const createUsers = (isTaken: (name: string, names: Set<string>) => boolean, error: string) => () => {
      const names = new Set<string>();
      return setup({
        validator: standardSchema,
        handlers: [
          route.post("/users", {
            request: { body: z.object({ name: z.enum(["ada", "bob", "eve"]) }) },
            responses: { 201: {}, 422: failure },
            guards: [denyInvalid(() => reply(422, { error: "invalid" }))],
            resolve: ({ input }) => {
              if (isTaken(input.body.name, names)) return reply(422, { error });
              names.add(input.body.name);
              return reply(201);
            },
          }),
        ],
      });
    };
    assertEquals(await faultsOf(createUsers((name, names) => names.has(name), "taken")), []);
    // In the words for any invalid input, or in others.
    for (const words of ["invalid", "not welcome"]) {
      assertEquals(await faultsOf(createUsers((name) => name === "eve", words)), [
        "POST /users: refuses valid input with 422, as if it were invalid",
      ]);
    }
  });

  it("for a 422 that depends on what was made before, but for one that does not", async () => {
    const create = (least: number) => () => {
      const sizes: number[] = [];
      return setup({
        validator: standardSchema,
        handlers: [
          route.post("/boxes", {
            request: { body: z.object({ size: z.int().min(1).max(9) }) },
            responses: { 201: { schema: z.object({ id: z.int() }) }, 400: failure },
            guards: [invalid],
            resolve: ({ input }) => reply(201, { id: sizes.push(input.body.size) }),
          }),
          route.post("/boxes/:id/fill", {
            request: { body: z.object({ text: z.string().max(9) }) },
            responses: { 204: {}, 404: {}, 422: failure },
            guards: [denyInvalid(() => reply(422, { error: "invalid" }))],
            resolve: ({ raw }) => {
              const size = sizes[Number(raw.params.id) - 1];
              if (size === undefined) return reply(404);
              return size < least ? reply(422, { error: "too small" }) : reply(204);
            },
          }),
        ],
      });
    };
    assertEquals(await faultsOf(create(5)), []);
    const kinds = (await fuzz(create(10), { fc, runs: 30 })).map(({ kind }) => kind);
    assertEquals(kinds, ["refuses valid input"]);
  });

  it("for a webhook that an actor signs, nor for one that nobody has signed", async () => {
    const secret = "a secret of the shop and ours";
    const key = new TextEncoder().encode(secret);
    const mac = async (body: ArrayBuffer) => {
      const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
      return btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign("HMAC", imported, body))));
    };
    let accepted = 0;
    const create = (respond: 200 | 500) => () =>
      setup({
        validator: standardSchema,
        handlers: [
          route.post("/webhooks", {
            request: { body: z.object({ id: z.int() }), bodyReader: signed(SCHEME) },
            responses: { 200: {}, 400: failure, 500: {} },
            guards: [invalid],
            resolve: () => {
              accepted++;
              return reply(respond);
            },
          }),
        ],
      });
    const SCHEME = {
      verify: async (headers: Headers, body: Uint8Array<ArrayBuffer>) => {
        const signature = headers.get("x-signature");
        if (signature === null) return "unsigned" as const;
        return signature === await mac(body.slice().buffer) ? "valid" as const : "invalid_signature" as const;
      },
    };
    const shop = () => async (request: Request) => ({ "x-signature": await mac(await request.arrayBuffer()) });
    assertEquals(await faultsOf(create(200), { actors: { shop } }), []);
    assertEquals(accepted > 20, true);
    const failing = await faultsOf(create(500), { actors: { shop } });
    assertEquals(failing, ["POST /webhooks: responds with 500"]);
    // An actor without a signature is let in by nobody, which is said.
    const strangers = await fuzz(create(200), { fc, runs: 30, actors: { eve: {} } });
    assertEquals(strangers.map(({ kind }) => kind), ["never got past 4xx"]);
  });
});
