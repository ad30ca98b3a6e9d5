/** What a response says of something else: its location, its version, and how many items there are. */
import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import {
  allow,
  type AnyRoute,
  beforeBody,
  type Context,
  deny,
  denyInvalid,
  reply,
  route,
  setup,
} from "../../../mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { type Fault, fuzz, type FuzzOptions } from "../../../src/testing/mod.ts";

const open = route.with({ responses: { 400: {} }, guards: [denyInvalid(() => reply(400))] });
const thing = z.object({ id: z.int() });

async function faultsOf(
  create: () => readonly AnyRoute[],
  options: Partial<FuzzOptions> = {},
): Promise<readonly Fault[]> {
  return await fuzz(() => setup({ validator: standardSchema, handlers: create() }), { fc, runs: 20, ...options });
}

/** The kinds of the faults, with their endpoints. */
async function kindsOf(create: () => readonly AnyRoute[], options?: Partial<FuzzOptions>): Promise<readonly string[]> {
  return (await faultsOf(create, options)).map(({ kind, endpoint }) => `${kind}: ${endpoint}`);
}

describe("the location of a response", () => {
  const located = { 201: { schema: thing, headers: { location: { required: true } } } } as const;
  const things = (locate: (id: number) => string, method: "GET" | "PUT" = "GET") => () => {
    let last = 0;
    return [
      open.post("/v1/things", {
        responses: located,
        resolve: () => reply(201, { id: ++last }, { headers: { location: locate(last) } }),
      }),
      route.on(method, "/v1/things/:id", {
        responses: { 200: { schema: thing }, 404: {} },
        resolve: ({ raw }) => {
          const id = Number(raw.params.id);
          return id > 0 && id <= last ? reply(200, { id }) : reply(404);
        },
      }),
    ];
  };

  it("leads to a GET endpoint of the app, and to what was made", async () => {
    assertEquals(await kindsOf(things((id) => `/v1/things/${id}`)), []);
    assertEquals(await kindsOf(things((id) => `http://localhost:8000/v1/things/${id}`)), []);
    assertEquals(await kindsOf(things((id) => `things/${id}`)), []);
    const [{ kind, fault, rule } = {}, ...others] = await faultsOf(things((id) => `/v1/things/${id + 1000}`));
    assertEquals([kind, others.length], ["leads nowhere", 0]);
    assertMatch(String(rule), / finds the resource\. The resource is at \/v1\/things\/1\.$/);
    assertMatch(String(fault), /^POST \/v1\/things: responds with location: \/v1\/things\/1001, which is a 404$/);
  });

  it("must not lack the beginning of the path", async () => {
    assertEquals(await kindsOf(things((id) => `/things/${id}`)), ["leads nowhere: POST /v1/things"]);
  });

  it("may be a path of another server, one that nobody reads, or one that its maker may not read", async () => {
    assertEquals(await kindsOf(things((id) => `/public/of/things/${id}`)), []);
    assertEquals(await kindsOf(things((id) => `/v1/things/${id + 1000}`, "PUT")), []);
    const bills = () => {
      let last = 0;
      const user = beforeBody(({ request }: Context) => {
        const name = request.headers.get("authorization");
        return name === null ? deny(reply(401)) : allow({ user: name });
      });
      const members = route.with({ responses: { 401: {} }, guards: [user] });
      return [
        members.post("/bills", {
          responses: { ...located, 403: {} },
          resolve: ({ locals }) =>
            locals.user === "ada"
              ? reply(201, { id: ++last }, { headers: { location: `/bills/${last}` } })
              : reply(403),
        }),
        members.get("/bills/:id", {
          responses: { 200: { schema: thing }, 404: {} },
          resolve: ({ locals, raw }) =>
            locals.user === "bob" && Number(raw.params.id) <= last ? reply(200, { id: last }) : reply(404),
        }),
      ];
    };
    const actors = { ada: { authorization: "ada" }, bob: { authorization: "bob" } };
    assertEquals(await kindsOf(bills, { actors, shared: ["ada"] }), []);
  });
});

describe("the location of what is not shown yet", () => {
  it("is a 404 for everybody until it is published, and no fault", async () => {
    const article = thing.extend({ slug: z.string(), isPublic: z.boolean() });
    const articles = () => {
      const all: z.infer<typeof article>[] = [];
      return [
        open.post("/articles", {
          request: { body: article.pick({ isPublic: true }) },
          responses: { 201: { schema: article, headers: { location: { required: true } } } },
          resolve: ({ input }) => {
            const made = { id: all.length + 1, slug: `article-${all.length + 1}`, ...input.body };
            all.push(made);
            return reply(201, made, { headers: { location: `/articles/${made.slug}` } });
          },
        }),
        open.get("/articles/:id", {
          responses: { 200: { schema: article }, 404: {} },
          resolve: ({ raw }) => {
            const found = all.find(({ slug, isPublic }) => isPublic && slug === raw.params.id);
            return found === undefined ? reply(404) : reply(200, found);
          },
        }),
      ];
    };
    assertEquals(await kindsOf(articles), []);
  });
});

describe("what is made, and named by its location only", () => {
  it("is not there after its DELETE", async () => {
    const things = (isDeleted: boolean) => () => {
      const all = new Set<string>();
      return [
        open.post("/things", {
          responses: { 201: { headers: { location: { required: true } } } },
          resolve: () => {
            const id = crypto.randomUUID();
            all.add(id);
            return reply(201, undefined, { headers: { location: `/things/${id}` } });
          },
        }),
        open.get("/things/:id", {
          responses: { 200: { schema: z.object({ text: z.string() }) }, 404: {} },
          resolve: ({ raw }) => all.has(raw.params.id) ? reply(200, { text: "here" }) : reply(404),
        }),
        open.delete("/things/:id", {
          responses: { 204: {}, 404: {} },
          resolve: ({ raw }) => {
            if (!all.has(raw.params.id)) return reply(404);
            if (isDeleted) all.delete(raw.params.id);
            return reply(204);
          },
        }),
      ];
    };
    assertEquals(await kindsOf(things(true)), []);
    assertEquals(await kindsOf(things(false)), ["is there after DELETE: GET /things/:id"]);
  });
});

describe("the ETag of a response", () => {
  const page = z.object({ text: z.string(), reads: z.int() });
  interface Page {
    text: string;
    version: number;
    reads: number;
  }
  const tagged = { schema: page, headers: { etag: {} } } as const;
  const pages = (
    tagOf: (page: Page, isWrite: boolean) => string | undefined,
    { counts = false, shows = true, reads = true, isSigned = false } = {},
  ) =>
  () => {
    const scope = route.with({
      responses: { 400: {}, 401: {} },
      guards: [
        beforeBody(({ request }) => isSigned && !request.headers.has("x-signature") ? deny(reply(401)) : allow()),
        denyInvalid(() => reply(400)),
      ],
    });
    const current: Page = { text: "", version: 1, reads: 0 };
    const send = (isWrite: boolean) => {
      const etag = tagOf(current, isWrite);
      const { text, reads } = current;
      return reply(200, { text, reads }, { headers: etag === undefined ? {} : { etag } });
    };
    const put = scope.put("/page", {
      request: { body: z.object({ text: z.string().max(9) }) },
      responses: { 200: shows ? tagged : { headers: { etag: {} } } as never },
      resolve: ({ input }) => {
        current.text = input.body.text;
        current.version++;
        return shows ? send(true) : reply(200, undefined, { headers: { etag: `"${current.version}"` } }) as never;
      },
    });
    const get = scope.get("/page", {
      responses: { 200: tagged },
      resolve: () => {
        if (counts) current.reads++;
        return send(false);
      },
    });
    return reads ? [put, get] : [put];
  };

  it("is another one for another body", async () => {
    assertEquals(await kindsOf(pages(({ version }) => `"${version}"`)), []);
    assertEquals(await kindsOf(pages(() => undefined)), []);
    assertEquals(await kindsOf(pages(() => '"1"')), ["has a wrong ETag: GET /page"]);
    // A weak one says less.
    assertEquals(await kindsOf(pages(() => 'W/"1"')), []);
  });

  it("is that of the next GET, in the response to a change", async () => {
    assertEquals(await kindsOf(pages(({ version }, isWrite) => `"${isWrite ? version - 1 : version}"`)), [
      "has a wrong ETag: PUT /page",
    ]);
    assertEquals(await kindsOf(pages(({ version }, isWrite) => isWrite ? `W/"${version}"` : `"${version}"`)), []);
    assertEquals(await kindsOf(pages(({ version }, isWrite) => isWrite ? `"${version}"` : undefined)), []);
  });

  it("says nothing where it or the body is another one each time, where nobody reads it, or each request is signed", async () => {
    let time = 0;
    assertEquals(await kindsOf(pages(() => `"${++time}"`)), []);
    assertEquals(await kindsOf(pages(({ version, reads }) => `"${version}-${reads}"`, { counts: true })), []);
    assertEquals(await kindsOf(pages(({ version }) => `"${version}"`, { shows: false })), []);
    assertEquals(await kindsOf(pages(({ version }, isWrite) => `"${version}${isWrite}"`, { reads: false })), []);
    const wrong = pages(({ version }, isWrite) => `"${version}${isWrite}"`, { isSigned: true });
    const headers = { "x-signature": "ada" };
    assertEquals(await kindsOf(wrong, { actors: { ada: headers } }), ["has a wrong ETag: PUT /page"]);
    assertEquals(await kindsOf(wrong, { actors: { ada: () => () => headers } }), []);
  });
});

describe("the number of items that a list says", () => {
  const query = z.object({
    limit: z.coerce.number().int().min(1).max(50).default(50),
    after: z.string().regex(/^\d{1,4}$/).optional(),
    q: z.string().max(3).optional(),
  });
  const list = z.object({ items: z.array(thing), next: z.string().nullable(), total: z.int() });

  /** A list with things, some of which are deleted. */
  const things = (totalOf: (all: readonly number[], made: number) => number) => () => {
    let all: readonly number[] = [];
    let made = 0;
    return [
      open.post("/things", {
        responses: { 201: { schema: thing } },
        resolve: () => {
          all = [...all, ++made];
          return reply(201, { id: made });
        },
      }),
      open.delete("/things/:id", {
        responses: { 204: {}, 404: {} },
        resolve: ({ raw }) => {
          const rest = all.filter((id) => String(id) !== raw.params.id);
          if (rest.length === all.length) return reply(404);
          all = rest;
          return reply(204);
        },
      }),
      open.get("/things", {
        request: { query },
        responses: { 200: { schema: list } },
        resolve: ({ input: { query: { limit, after = "0" } } }) => {
          const found = all.filter((id) => id > Number(after));
          const items = found.slice(0, limit).map((id) => ({ id }));
          const next = found.length > limit ? String(items.at(-1)?.id) : null;
          return reply(200, { items, next, total: totalOf(all, made) });
        },
      }),
    ];
  };

  it("is that of its items, also after a DELETE", async () => {
    assertEquals(await kindsOf(things((all) => all.length)), []);
    const [{ kind, fault, requests } = { requests: [] }, ...others] = await faultsOf(
      things((all, made) => all.includes(3) || made < 3 ? all.length : made),
    );
    assertEquals([kind, others.length], ["counts wrongly", 0]);
    assertMatch(String(fault), /^GET \/things: has total \d+, but a complete list of \d+ items$/);
    assertEquals(requests.some((request) => request.includes("DELETE")), true);
  });

  it("may be a sum, which is mostly another number", async () => {
    assertEquals(await kindsOf(things((all) => all.reduce((sum, id) => sum + id, 0))), []);
  });

  it("may be more than a list of the newest shows", async () => {
    const newest = () => {
      let made = 0;
      return [
        open.post("/things", { responses: { 201: { schema: thing } }, resolve: () => reply(201, { id: ++made }) }),
        open.get("/things", {
          responses: { 200: { schema: z.object({ items: z.array(thing), total: z.int() }) } },
          resolve: () => {
            const items = Array.from({ length: made }, (_, index) => ({ id: index + 1 })).slice(-12);
            return reply(200, { items, total: made });
          },
        }),
      ];
    };
    assertEquals(await kindsOf(newest), []);
  });

  it("is not looked for in a page, or where there are two lists", async () => {
    const other = (names: readonly string[], size: z.ZodObject) => () => {
      let made = 0;
      const lists = z.object({ total: z.int() }).and(z.record(z.string(), z.union([z.int(), z.array(thing)])));
      return [
        open.post("/things", {
          responses: { 201: { schema: thing } },
          resolve: () => reply(201, { id: ++made }),
        }),
        open.get("/things", {
          request: { query: size },
          responses: { 200: { schema: lists } },
          resolve: ({ input }) => {
            const { limit = 2 } = input.query as { readonly limit?: number };
            const items = Array.from({ length: Math.min(made, limit) }, (_, id) => ({ id }));
            return reply(200, { ...Object.fromEntries(names.map((name) => [name, items])), total: made });
          },
        }),
      ];
    };
    const limit = z.coerce.number().int().min(1).max(5).optional();
    assertEquals(await kindsOf(other(["items"], z.object({ limit }))), []);
    assertEquals(await kindsOf(other(["items"], z.object({ page: limit }))), []);
    assertEquals(await kindsOf(other(["items", "others"], z.object({}))), []);
    assertEquals(await kindsOf(other([], z.object({}))), []);
  });
});
