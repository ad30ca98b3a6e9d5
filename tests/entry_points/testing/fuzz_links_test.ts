/** Which values of responses `fuzz` sends in later requests. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { type App, beforeBody, denyInvalid, reply, route, setup } from "../../../mod.ts";
import { bytes, json, optional, text } from "../../../src/body/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, type FuzzableApp, type FuzzOptions } from "../../../src/testing/mod.ts";

type Handlers = NonNullable<Parameters<typeof setup>[0]["handlers"]>;

const serve = (...handlers: Handlers): App => setup({ validator: standardSchema, handlers });
const invalid = denyInvalid(() => reply(400));
const look = (create: () => FuzzableApp, options: Partial<FuzzOptions> = {}) =>
  fuzz(create, { fc, runs: 12, ...options });
/** The share of requests to an endpoint that had one of these statuses. */
const shareOf = (reached: { readonly [status: number]: number } | undefined, ...statuses: number[]) => {
  const counts = Object.entries(reached ?? {}).map(([status, count]) => [Number(status), count] as const);
  const sum = (chosen: typeof counts) => chosen.reduce((all, [, count]) => all + count, 0);
  return sum(counts.filter(([status]) => statuses.includes(status))) / sum(counts);
};

describe("values that lead on", () => {
  it("are cursors of the same list, under any of the usual names, before any is invented", async () => {
    for (
      const [name, give] of [
        ["cursor", (next: string | null) => ({ pagination: { nextCursor: next } })],
        ["after", (next: string | null) => ({ pageInfo: { end_cursor: next } })],
        ["pageToken", (next: string | null) => ({ nextPageToken: next })],
        ["cursor", (next: string | null) => ({ links: { next: next && `/items?limit=1&cursor=${next}` } })],
      ] as const
    ) {
      const pages = new Set<string>();
      const create = () => {
        let count = 0;
        return serve(
          route.post("/items", { responses: { 201: {} }, resolve: () => (count++, reply(201)) }),
          route.get("/items", {
            request: {
              query: z.object({ limit: z.coerce.number().int().min(1).max(9), [name]: z.string().optional() }),
            },
            responses: { 200: { schema: z.looseObject({ [Object.keys(give(null))[0] ?? ""]: z.unknown() }) }, 400: {} },
            guards: [invalid],
            resolve: ({ input: { query } }) => {
              const cursor = query[name];
              const start = typeof cursor === "string" ? Number(/^secret-(\d+)$/.exec(cursor)?.[1] ?? NaN) : 0;
              if (Number.isNaN(start)) return reply(400);
              if (start > 0) pages.add(String(cursor));
              const end = start + Number(query.limit);
              return reply(200, give(end < count ? `secret-${end}` : null));
            },
          }),
        );
      };
      const { reached } = await look(create);
      assert(pages.size > 0, `${name} of ${JSON.stringify(give("x"))}`);
      // Invalid input has its share, as everywhere. What is left are few invented cursors.
      const share = shareOf(reached?.["GET /items"], 200);
      assert(share > 0.35, `${name}: ${share}`); // a quarter, if cursors are invented
    }
  });

  it("are cursors of a link header", async () => {
    const pages = new Set<string>();
    const create = () =>
      serve(route.get("/items", {
        request: { query: z.object({ cursor: z.string().optional() }) },
        responses: { 204: {}, 400: {} },
        guards: [invalid],
        resolve: ({ input: { query: { cursor = "" } } }) => {
          if (/^secret-\d$/.test(cursor)) pages.add(cursor);
          const links = ["</items?cursor=secret-7>; rel=next", "<https://example.com/items?cursor=secret-8>"];
          return reply(204, undefined, { headers: { link: links.join(", ") } });
        },
      }));
    await look(create);
    // That of another origin leads nowhere.
    assertEquals([...pages], ["secret-7"]);
  });

  it("are ids at the end of a location that is no path of the app", async () => {
    const locations = [
      (id: string) => `https://cdn.example.com/files/${id}/?size=1`,
      (id: string) => `http://[/${id}`,
      () => "/", // says nothing, but the body does
    ];
    for (const locate of locations) {
      const create = () => {
        const photos = new Set<string>();
        return serve(
          route.post("/photos", {
            responses: { 201: { schema: z.object({ id: z.string().optional() }) } },
            resolve: () => {
              const id = crypto.randomUUID();
              photos.add(id);
              const location = locate(id);
              return reply(201, location === "/" ? { id } : {}, { headers: { location } });
            },
          }),
          route.get("/photos/:id", {
            responses: { 204: {}, 404: {} },
            resolve: ({ raw }) => reply(photos.has(raw.params.id) ? 204 : 404),
          }),
        );
      };
      const { reached } = await look(create);
      assert(shareOf(reached?.["GET /photos/:id"], 204) > 0.4, `${locate("id")}: ${JSON.stringify(reached)}`);
    }
  });

  it("are none of a path that cannot be decoded", async () => {
    const seen = new Set<string>();
    const create = () =>
      serve(
        route.post("/100%/codes", {
          responses: { 201: {} },
          resolve: () => reply(201, undefined, { headers: { location: "/100%/codes/%zz" } }),
        }),
        route.get("/100%/codes/:code", {
          responses: { 204: {} },
          resolve: ({ raw }) => (seen.add(raw.params.code), reply(204)),
        }),
      );
    assertEquals(await look(create), []);
    assert(seen.size > 0 && !seen.has("%zz"), `${[...seen]}`);
  });

  it("are parameters of a path that has nothing else", async () => {
    const create = () => {
      const links = new Set<string>();
      return serve(
        route.post("/", {
          responses: { 201: {} },
          resolve: () => {
            const code = crypto.randomUUID();
            links.add(code);
            return reply(201, undefined, { headers: { location: `/${code}` } });
          },
        }),
        route.get("/:code", {
          request: { query: z.object({ parentId: z.string().optional() }) },
          responses: { 204: {}, 400: {}, 404: {} },
          guards: [invalid],
          resolve: ({ raw }) => reply(links.has(raw.params.code) ? 204 : 404),
        }),
      );
    };
    const { reached } = await look(create);
    assert(shareOf(reached?.["GET /:code"], 204) > 0.4, JSON.stringify(reached));
  });

  it("are versions: the ETag of a thing in If-Match, declared as a header or by 412 and 428", async () => {
    for (const headers of [{ headers: z.object({ "if-match": z.string().optional() }) }, {}]) {
      const create = () => {
        const versions = new Map<string, number>();
        const tag = (id: string) => ({ headers: { etag: `"${id}-${versions.get(id)}"` } });
        return serve(
          route.post("/notes", {
            responses: { 201: { schema: z.object({ id: z.string() }) } },
            resolve: () => {
              const id = crypto.randomUUID();
              versions.set(id, 1);
              return reply(201, { id }, tag(id));
            },
          }),
          route.get("/notes/:id", {
            responses: { 204: {}, 404: {} },
            resolve: ({ raw: { params: { id } } }) => versions.has(id) ? reply(204, undefined, tag(id)) : reply(404),
          }),
          route.put("/notes/:id", {
            request: headers,
            responses: { 204: {}, 404: {}, 412: {}, 428: {} },
            resolve: ({ raw: { params: { id } }, request }) => {
              const version = versions.get(id);
              if (version === undefined) return reply(404);
              const known = request.headers.get("if-match");
              if (known === null) return reply(428);
              if (known !== tag(id).headers.etag) return reply(412);
              versions.set(id, version + 1);
              return reply(204, undefined, tag(id));
            },
          }),
        );
      };
      const { reached } = await look(create);
      const { 204: done = 0, 404: _, ...refused } = reached?.["PUT /notes/:id"] ?? {};
      assert(done > Object.values(refused).reduce((sum, count) => sum + count, 0), JSON.stringify(reached));
      assert((refused[412] ?? 0) > 0, "old versions are tried, too");
    }
  });

  it("are versions of the thing that a location names, or else the id", async () => {
    for (const locate of [(id: string) => `/notes/${id}`, () => "http://["]) {
      const create = () => {
        const notes = new Set<string>();
        return serve(
          route.post("/books/:book/notes", {
            responses: { 201: { schema: z.object({ id: z.string() }) } },
            resolve: ({ raw }) => {
              const id = `${raw.params.book.length}-${crypto.randomUUID()}`;
              notes.add(id);
              return reply(201, { id }, { headers: { location: locate(id), etag: `"${id}"` } });
            },
          }),
          route.put(locate("").startsWith("/") ? "/notes/:id" : "/books/:book/notes/:id", {
            responses: { 204: {}, 404: {}, 412: {} },
            resolve: ({ raw: { params: { id } }, request }) => {
              if (!notes.has(id)) return reply(404);
              return reply(request.headers.get("if-match") === `"${id}"` ? 204 : 412);
            },
          }),
        );
      };
      const { reached } = await look(create);
      const [done = 0] = Object.entries(reached ?? {}).filter(([name]) => name.startsWith("PUT"))
        .map(([, counts]) => counts[204]);
      assert(done > 5, JSON.stringify(reached)); // no other endpoint gives the version
    }
  });

  it("are versions for which a response has not changed, and dates of the last change", async () => {
    const seen = new Set<string>();
    const etag = '"1"';
    const date = "Wed, 21 Oct 2015 07:28:00 GMT";
    const dated = (name: string) => ({ headers: z.object({ [name]: z.string().optional() }) });
    const create = () => {
      const find = (id: string) =>
        reply(id === "7" ? 204 : 404, undefined, { headers: { etag, "last-modified": date } });
      const note = (name: string, request: Request, expected: string) => {
        const value = request.headers.get(name);
        if (value === expected) seen.add(name);
        return value === expected;
      };
      return serve(
        route.post("/notes", {
          responses: { 201: { schema: z.object({ id: z.string() }) } },
          resolve: () => reply(201, { id: "7" }),
        }),
        route.get("/notes/:id", {
          request: dated("if-modified-since"),
          responses: { 204: {}, 304: {}, 404: {} },
          resolve: ({ raw, request }) => {
            const isSame = note("if-none-match", request, etag) || note("if-modified-since", request, date);
            return isSame ? reply(304, undefined, { headers: { etag } }) : find(raw.params.id);
          },
        }),
        route.put("/notes/:id", {
          request: dated("If-Unmodified-Since"),
          responses: { 204: {}, 404: {} },
          resolve: ({ raw, request }) => (note("if-unmodified-since", request, date), find(raw.params.id)),
        }),
      );
    };
    const { reached } = await look(create);
    assertEquals([...seen].toSorted(), ["if-modified-since", "if-none-match", "if-unmodified-since"]);
    assert((reached?.["GET /notes/:id"]?.[304] ?? 0) > 0, JSON.stringify(reached));
  });

  it("are parameters of the path in location, whatever the id is called", async () => {
    const create = () => {
      const jobs = new Set<string>();
      return serve(
        route.post("/imports", {
          responses: { 202: {} },
          resolve: () => {
            const job = `${jobs.size} ${crypto.randomUUID()}`;
            jobs.add(job);
            return reply(202, undefined, { headers: { location: `/jobs/${encodeURIComponent(job)}/state` } });
          },
        }),
        route.get("/jobs/:job/state", {
          responses: { 204: {}, 404: {} },
          resolve: ({ raw }) => reply(jobs.has(raw.params.job) ? 204 : 404),
        }),
      );
    };
    const { reached } = await look(create);
    assert(shareOf(reached?.["GET /jobs/:job/state"], 204) > 0.4, JSON.stringify(reached));
  });

  it("are ids under other names: userId of id, id of userId, a number, a kind, a parent", async () => {
    const uses = new Map<string, number>();
    const use = (name: string) => void uses.set(name, (uses.get(name) ?? 0) + 1);
    const create = () => {
      const users = new Set<string>();
      const orders = new Set<number>();
      const comments = new Set<string>();
      return serve(
        route.post("/users", {
          responses: { 201: { schema: z.object({ userId: z.string() }) } },
          resolve: () => {
            const userId = crypto.randomUUID();
            users.add(userId);
            return reply(201, { userId });
          },
        }),
        route.get("/users/:id", {
          responses: { 204: {}, 404: {} },
          resolve: (
            { raw: { params: { id } } },
          ) => (users.has(id) && use("id of userId"), reply(users.has(id) ? 204 : 404)),
        }),
        route.post("/orders", {
          request: { body: z.object({ user: z.string() }) },
          responses: { 201: { schema: z.object({ number: z.int() }) }, 400: {} },
          guards: [invalid],
          resolve: ({ input: { body } }) => {
            if (users.has(body.user)) use("a kind");
            const number = 70_000 + orders.size;
            orders.add(number);
            return reply(201, { number });
          },
        }),
        route.post("/refunds", {
          request: { body: z.object({ orderNumber: z.int() }) },
          responses: { 201: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input: { body } }) => {
            if (orders.has(body.orderNumber)) use("a number");
            return reply(201);
          },
        }),
        route.post("/comments", {
          request: { body: z.object({ parentId: z.string().optional() }) },
          responses: { 201: { schema: z.object({ id: z.string() }) }, 400: {} },
          guards: [invalid],
          resolve: ({ input: { body } }) => {
            if (comments.has(body.parentId ?? "")) use("a parent");
            const id = crypto.randomUUID();
            comments.add(id);
            return reply(201, { id });
          },
        }),
      );
    };
    await look(create);
    assertEquals([...uses.keys()].toSorted(), ["a kind", "a number", "a parent", "id of userId"]);
  });

  it("are ids of things whose plural has no s: personId of people, childId of children", async () => {
    const create = () => {
      const ids = new Set<string>();
      const make = () => {
        const id = crypto.randomUUID();
        ids.add(id);
        return reply(201, { id });
      };
      const made = { responses: { 201: { schema: z.object({ id: z.string() }) }, 400: {}, 404: {} } };
      return serve(
        route.post("/people", { ...made, resolve: make }),
        route.post("/people/:person/children", { ...made, resolve: make }),
        route.post("/letters", {
          request: { body: z.object({ person: z.string(), childId: z.string() }) },
          responses: { 201: {}, 400: {}, 404: {} },
          guards: [invalid],
          resolve: ({ input: { body } }) => reply(ids.has(body.person) && ids.has(body.childId) ? 201 : 404),
        }),
      );
    };
    const { reached } = await look(create);
    assert(shareOf(reached?.["POST /letters"], 201) > 0.3);
  });

  it("are tokens that another endpoint gives, which is called before", async () => {
    const create = () => {
      const tokens = new Set<string>();
      return serve(
        route.post("/sign-in", {
          responses: { 200: { schema: z.object({ refreshToken: z.string() }) } },
          resolve: () => {
            const refreshToken = crypto.randomUUID();
            tokens.add(refreshToken);
            return reply(200, { refreshToken });
          },
        }),
        route.post("/refresh", {
          request: { body: z.object({ refresh_token: z.string() }) },
          responses: { 204: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input: { body } }) => reply(tokens.has(body.refresh_token) ? 204 : 400),
        }),
      );
    };
    const { reached } = await look(create);
    assert(shareOf(reached?.["POST /refresh"], 204) > 0.4, JSON.stringify(reached));
  });

  it("are those that links name, also for one endpoint only", async () => {
    const create = () => {
      const keys = new Set<string>();
      return serve(
        route.post("/things", {
          responses: { 201: { schema: z.object({ mark: z.string() }) } },
          resolve: () => {
            const mark = crypto.randomUUID();
            keys.add(mark);
            return reply(201, { mark });
          },
        }),
        ...["/a", "/b"].map((path) =>
          route.get(path, {
            request: { query: z.object({ subject: z.string() }) },
            responses: { 204: {}, 400: {}, 404: {} },
            guards: [invalid],
            resolve: ({ input: { query } }) => reply(keys.has(query.subject) ? 204 : 404),
          })
        ),
      );
    };
    const found = async (links: FuzzOptions["links"]) => {
      const { reached } = await look(create, { links });
      return ["/a", "/b"].map((path) => (reached?.[`GET ${path}`]?.[204] ?? 0) > 0);
    };
    assertEquals(await found({}), [false, false]);
    assertEquals(await found({ subject: "POST /things mark" }), [true, true]);
    assertEquals(await found({ "GET /b subject": "POST /things mark" }), [false, true]);
    await assertRejects(() => found({ subject: "mark" }), TypeError, "Option links must be an object of endpoints");
    await assertRejects(() => found({ subject: "GET /things mark" }), TypeError, 'received "GET /things"');
  });

  it("belong together: the things of a path are of each other", async () => {
    const create = () => {
      const below = new Map<string, string>();
      const id = z.object({ id: z.string() });
      return serve(
        route.post("/shelves", {
          responses: { 201: { schema: id } },
          resolve: () => reply(201, { id: crypto.randomUUID() }),
        }),
        route.post("/shelves/:id/books", {
          responses: { 201: { schema: id } },
          resolve: ({ raw }) => {
            const book = crypto.randomUUID();
            below.set(book, raw.params.id);
            return reply(201, { id: book });
          },
        }),
        route.get("/shelves/:id/books/:bookId", {
          responses: { 204: {}, 404: {} },
          resolve: ({ raw: { params } }) => reply(below.get(params.bookId) === params.id ? 204 : 404),
        }),
      );
    };
    const { reached } = await look(create);
    assert(shareOf(reached?.["GET /shelves/:id/books/:bookId"], 204) > 0.5, JSON.stringify(reached));
  });

  it("are chosen one by one for a path whose last thing was made elsewhere", async () => {
    const create = () => {
      const id = z.object({ id: z.string() });
      const all = new Set<string>();
      const make = () => {
        const id = crypto.randomUUID();
        all.add(id);
        return reply(201, { id });
      };
      return serve(
        route.post("/shelves", { responses: { 201: { schema: id } }, resolve: make }),
        route.post("/books", { responses: { 201: { schema: id } }, resolve: make }),
        route.get("/shelves/:id/books/:bookId", {
          responses: { 204: {}, 404: {} },
          resolve: ({ raw: { params } }) => reply(all.has(params.id) && all.has(params.bookId) ? 204 : 404),
        }),
      );
    };
    const { reached } = await look(create);
    assert(shareOf(reached?.["GET /shelves/:id/books/:bookId"], 204) > 0.5, JSON.stringify(reached));
  });

  it("are those that links name for a parameter of a path", async () => {
    const create = () => {
      const marks = new Set<string>();
      return serve(
        route.post("/things", {
          responses: { 201: { schema: z.object({ mark: z.string() }) } },
          resolve: () => {
            const mark = crypto.randomUUID();
            marks.add(mark);
            return reply(201, { mark });
          },
        }),
        route.get("/labels/:text", {
          responses: { 204: {}, 404: {} },
          resolve: ({ raw }) => reply(marks.has(raw.params.text) ? 204 : 404),
        }),
      );
    };
    const shareWith = async (links: FuzzOptions["links"]) =>
      shareOf((await look(create, { links })).reached?.["GET /labels/:text"], 204);
    assertEquals(await shareWith({}), 0);
    assert(await shareWith({ text: "POST /things mark" }) > 0.5);
  });
});

describe("what the first requests of each endpoint have", () => {
  it("is hostile text in each of its texts, and the ends of what is valid, within 12 runs", async () => {
    const seen = new Set<string>();
    const note = (name: string, value: unknown) => {
      if (typeof value === "string" && value.includes("\0")) seen.add(`NUL in ${name}`);
      if (typeof value === "string" && value.includes("  ")) seen.add(`two spaces in ${name}`);
      if (typeof value === "string" && value.includes("100%")) seen.add(`% in ${name}`);
      if (typeof value === "string" && value.includes("a'b\"")) seen.add(`quotes in ${name}`);
      if (value === 7 || value === 5000) seen.add(`${value} in ${name}`);
    };
    const create = () =>
      serve(...Array.from({ length: 12 }, (_, index) =>
        route.post(`/things${index}/:name`, {
          request: {
            query: z.object({ q: z.string().min(3).max(20).optional() }),
            body: z.object({
              title: z.string().max(4),
              deep: z.object({ texts: z.array(z.string()).min(1) }),
              count: z.int().min(7).max(5000),
            }),
          },
          responses: { 204: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input: { query, body }, raw }) => {
            note(`${index} name`, raw.params.name);
            note(`${index} q`, query.q);
            note(`${index} title`, body.title);
            note(`${index} texts`, body.deep.texts[0]);
            note(`${index} count`, body.count);
            return reply(204);
          },
        })));
    await look(create);
    const texts = ["name", "q", "title", "texts"].flatMap((
      name,
    ) => [`NUL in ${name}`, `two spaces in ${name}`, `% in ${name}`])
      .concat("quotes in q", "quotes in texts"); // a title has no place for them
    const all = Array.from({ length: 12 }, (_, index) => index).flatMap((index) =>
      [...texts, "7 in count", "5000 in count"].map((text) => text.replace(" in ", ` in ${index} `))
    );
    // The name of a path takes turns with the other texts.
    assertEquals(all.filter((text) => !seen.has(text) && !text.endsWith("name")), []);
    assert(all.filter((text) => text.endsWith("name") && seen.has(text)).length > 10);
  });
});

describe("the ends of what is valid", () => {
  it("are no texts of more than 4,000 characters", async () => {
    const lengths = new Set<number>();
    const create = () =>
      serve(route.post("/texts", {
        request: {
          body: z.object({ short: z.string().max(3000), long: z.string().max(9000) }),
          maxBodyBytes: 100_000,
        },
        responses: { 204: {}, 400: {} },
        guards: [invalid],
        resolve: ({ input: { body } }) => {
          for (const { length } of [body.short, body.long]) lengths.add(length);
          return reply(204);
        },
      }));
    await look(create);
    assert(lengths.has(3000));
    assert(Math.max(...lengths) <= 4000);
  });

  it("are those of each property, also of two that exclude each other", async () => {
    const text = z.string().max(7).optional();
    const seen = new Set<string>();
    const create = () =>
      serve(route.post("/texts", {
        request: { body: z.object({ a: text, b: text }).refine(({ a, b }) => (a === undefined) !== (b === undefined)) },
        responses: { 204: {}, 400: {} },
        guards: [invalid],
        resolve: ({ input: { body } }) => {
          for (const [name, text] of Object.entries(body)) if (text === "ß".repeat(7)) seen.add(name);
          return reply(204);
        },
      }));
    await look(create, { runs: 40 });
    assertEquals([...seen].toSorted(), ["a", "b"]);
  });
});

describe("bodies of other readers", () => {
  it("are texts, bytes, none at all, and lines of JSON", async () => {
    const seen = new Set<string>();
    const lines = {
      contentTypes: ["application/jsonl"],
      async read(request: Request) {
        const rows = (await request.text()).split("\n").filter(Boolean);
        try {
          return { value: rows.map((row) => JSON.parse(row)) };
        } catch {
          return { issue: { message: "no JSON", code: "invalid_json" } };
        }
      },
    };
    const create = () =>
      serve(
        route.post("/text", {
          request: { body: z.string().max(50), bodyReader: text },
          responses: { 204: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input }) => (seen.add(`text ${typeof input.body}`), reply(204)),
        }),
        route.post("/bytes", {
          request: { body: z.instanceof(Uint8Array), bodyReader: bytes },
          responses: { 204: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input, request }) => {
            seen.add(`bytes ${input.body.constructor.name} ${request.headers.get("content-type")}`);
            return reply(204);
          },
        }),
        route.post("/optional", {
          request: { body: z.object({ a: z.string() }).optional(), bodyReader: optional(json) },
          responses: { 204: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input }) => (seen.add(`optional ${typeof input.body}`), reply(204)),
        }),
        route.post("/lines", {
          request: { body: z.array(z.object({ n: z.int() })), bodyReader: lines },
          responses: { 204: {}, 400: {} },
          guards: [invalid],
          resolve: ({ input }) => (seen.add(`lines ${input.body.length > 0}`), reply(204)),
        }),
      );
    assertEquals(await look(create, { toJsonSchema: () => ({}) }), []);
    assert(
      ["text string", "lines true", "lines false", "optional object"].every((one) => seen.has(one)),
      `${[...seen]}`,
    );
  });

  it("are signed by an actor that makes its headers for each request", async () => {
    const hash = async (value: string) =>
      Array.from(
        new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`secret ${value}`))),
        (byte) => byte.toString(16).padStart(2, "0"),
      ).join("");
    const signed = beforeBody(async ({ request }) => {
      const isSigned = request.headers.get("x-signature") === await hash(await request.clone().text());
      return isSigned ? { allow: true } : { deny: reply(401) };
    });
    const create = () =>
      serve(route.post("/hooks", {
        request: { body: z.object({ event: z.enum(["paid", "lost"]) }) },
        responses: { 204: {}, 400: {}, 401: {} },
        guards: [signed, invalid],
        resolve: ({ input }) => input.body.event === "lost" ? reply(205 as never) : reply(204),
      }));
    const actors = { shop: () => async (request: Request) => ({ "x-signature": await hash(await request.text()) }) };
    const [fault, ...others] = await look(create, { actors });
    assertEquals(others, []);
    assertEquals(fault?.requests, [
      'await fetch("http://localhost:8000/hooks", { method: "POST", ' +
      'headers: { "content-type": "application/json", "x-signature": "<shop>" }, ' +
      'body: JSON.stringify({"event":"lost"}) }) // <shop>: what the actor shop sends',
    ]);
  });

  it("are often left out, and early, where they are optional references in a body", async () => {
    const made: boolean[] = [];
    const create = () => {
      let last = 0;
      return serve(route.post("/comments", {
        request: {
          body: z.object({ text: z.string().min(1), parentId: z.string().optional(), quoteId: z.string().optional() }),
        },
        responses: { 201: { schema: z.object({ id: z.string() }) }, 400: {}, 404: {} },
        guards: [invalid],
        resolve: ({ input: { body } }) => {
          const isAlone = body.parentId === undefined && body.quoteId === undefined;
          made.push(isAlone);
          return isAlone ? reply(201, { id: `comment-${++last}` }) : reply(404);
        },
      }));
    };
    for (const seed of [1, 2, 3]) {
      made.length = 0;
      await look(create, { seed, runs: 4 });
      const share = made.filter(Boolean).length / made.length;
      assert(share > 0.2 && share < 0.6, `${share} of ${made.length} without references`);
      assert(made.slice(0, 12).includes(true), `seed ${seed}`);
    }
  });
});
