import { assert, assertEquals, assertMatch } from "@std/assert";
import { after, afterEach, before, beforeEach, describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { seed } from "../../examples/books/seed.ts";
import type { Book } from "../../examples/books/store.ts";
import { granted } from "../support/granted.ts";
import { assertInvalid, assertTooLarge } from "./assert_invalid.ts";
import { newestFirst } from "./seeded.ts";
import { serve, type Served, type ServeOptions } from "./serve.ts";

const EXAMPLE = "examples/books.ts";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const MAX_BODY_BYTES = 64 * 1024;

let served: Served;

/** Declares tests that share a server. */
function suite(name: string, test: () => void): void {
  (granted("net", "read", "run") ? describe : describe.skip)(name, () => {
    before(async () => {
      served = await serve(EXAMPLE);
    });
    after(() => served.stop());
    test();
  });
}

suite("GET /books", () => {
  it("GET /books returns an envelope of books, newest first, 20 by default", async () => {
    const response = await request("/books");
    assertEquals(response.status, 200);
    assertMatch(response.headers.get("content-type") ?? "", /^application\/json/);
    assertEquals(await response.json(), {
      data: newestFirst.slice(0, 20),
      pagination: { limit: 20, nextCursor: newestFirst[19]?.createdAt, hasMore: true },
    });
  });

  it("GET /books lists all books by following nextCursor, with any limit", async () => {
    for (const limit of [1, 19, 95, 100]) {
      const pages = await walk(limit);
      assertEquals(pages.flatMap(({ data }) => data), newestFirst);
    }
  });

  it("GET /books has more after a last page that is full, and the next page is empty", async () => {
    const { createdAt: beforeLastFive } = newestFirst.at(-6) ?? fail();
    const last = newestFirst.at(-1) ?? fail();
    const pageOf = async (limit: number, cursor: string) => {
      const { data, pagination } = await list(`?limit=${limit}&cursor=${cursor}`);
      return [data, pagination.nextCursor, pagination.hasMore];
    };
    assertEquals(await pageOf(5, beforeLastFive), [newestFirst.slice(-5), last.createdAt, true]);
    assertEquals(await pageOf(5, last.createdAt), [[], null, false]);
    assertEquals(await pageOf(6, beforeLastFive), [newestFirst.slice(-5), null, false]);
  });

  it("GET /books caps the limit at 100, and reports the capped limit", async () => {
    for (const limit of ["100", "101", "9007199254740991"]) {
      const { data, pagination } = await list(`?limit=${limit}`);
      assertEquals([data.length, pagination.limit, pagination.hasMore], [100, 100, true]);
    }
  });

  it("GET /books lists only books created strictly before the cursor, which may have a time zone offset", async () => {
    const { createdAt } = newestFirst[10] ?? fail();
    const moved = new Date(Date.parse(createdAt) + 2 * 60 * 60 * 1000).toISOString().replace("Z", "%2B02:00");
    for (const cursor of [createdAt, moved]) {
      assertEquals((await list(`?cursor=${cursor}`)).data, newestFirst.slice(11, 31));
    }
    assertEquals((await list("?cursor=2999-01-01T00:00:00.000Z")).data[0], newestFirst[0]);
    assertEquals(await list("?cursor=1999-01-01T00:00:00.000Z"), {
      data: [],
      pagination: { limit: 20, nextCursor: null, hasMore: false },
    });
  });

  it("GET /books reads all digits of a cursor that is finer than a millisecond", async () => {
    const { createdAt } = newestFirst[10] ?? fail();
    const finer = (digits: string) => list(`?limit=1&cursor=${createdAt.replace("Z", `${digits}Z`)}`);
    assertEquals((await finer("000")).data[0], newestFirst[11]);
    for (const digits of ["1", "001", "000001", "9", "9999999999", `${"0".repeat(100)}1`]) {
      assertEquals((await finer(digits)).data[0], newestFirst[10]);
    }
    const inSeconds = createdAt.replace(/\.\d{3}Z$/, "Z");
    assertEquals((await list(`?limit=1&cursor=${inSeconds}`)).data[0], newestFirst[11]);
  });

  it("GET /books responds with 400 and an issue to a limit below 1, and to a cursor that is not a timestamp", async () => {
    for (const limit of ["", "0", "1.5"]) await assertInvalid(await request(`/books?limit=${limit}`), "query.limit");
    for (const cursor of ["", "abc", "1700000000000", "2023-01-01", "2023-02-30T00:00:00Z", "2023-01-01T00:00:00"]) {
      await assertInvalid(await request(`/books?cursor=${cursor}`), "query.cursor");
    }
  });

  it("GET /books accepts the first and the last year that a cursor can have", async () => {
    assertEquals((await list("?cursor=0000-01-01T00:00:00%2B23:59")).data, []);
    assertEquals((await list("?cursor=9999-12-31T23:59:59.999999-23:59")).data[0], newestFirst[0]);
  });
});

suite("POST /books", () => {
  it("POST /books responds with 201 and the book and its location", async () => {
    const response = await post({ title: "  The Trial\n", authorId: "franz-kafka", id: "mine", createdAt: "never" });
    assertEquals(response.status, 201);
    const book: Book = await response.json();
    assertEquals(book, { ...book, title: "The Trial", authorId: "franz-kafka" });
    assertMatch(book.id, UUID);
    assertMatch(book.createdAt, TIMESTAMP);
    const location = response.headers.get("location") ?? "";
    assertEquals(location, `/books/${book.id}`);
    const found = await request(location);
    assertEquals([found.status, await found.json()], [200, book]);
    assertEquals((await list("?limit=1")).data, [book]);
  });

  it("POST /books accepts a title of up to 500 characters and an authorId of up to 100, after trimming", async () => {
    const [title, authorId] = ["x".repeat(500), "x".repeat(100)];
    const book = await read(await post({ title: ` ${title} `, authorId: ` ${authorId} ` }));
    assertEquals([book.title, book.authorId], [title, authorId]);
    await assertInvalid(await post({ title: `${title}x`, authorId: `${authorId}x` }), "body.title", "body.authorId");
  });

  it("POST /books responds with 400 to a body with a field that is missing, empty or of another type", async () => {
    await assertInvalid(await post({}), "body.title", "body.authorId");
    await assertInvalid(await post({ title: "Emma", authorId: "" }), "body.authorId");
    // Some databases cannot store NUL.
    await assertInvalid(await post({ title: "x\0", authorId: "x\0" }), "body.title", "body.authorId");
    for (const title of ["   ", 1, null]) await assertInvalid(await post({ title, authorId: "x" }), "body.title");
  });

  it("POST /books accepts a body of exactly 64 KiB, and responds with 413 to one byte more", async () => {
    const body = JSON.stringify({ title: "Emma", authorId: "x" }).padEnd(MAX_BODY_BYTES);
    assertEquals((await read(await post(body))).title, "Emma");
    await assertTooLarge(await post(`${body} `));
    await assertTooLarge(await post(body.repeat(20)));
  });
});

suite("Idempotency-Key", () => {
  const postWith = (key: string, body: object) =>
    request("/books", { method: "POST", body: JSON.stringify(body), headers: { "idempotency-key": key } });

  it("Idempotency-Key lets a client repeat a creation: the response is the first book, and there is no second one", async () => {
    const body = { title: "The Trial", authorId: "franz-kafka" };
    const answers = [];
    for (const sent of [body, body, { ...body, title: " The Trial " }]) {
      const response = await postWith("8e03978e-40d5-43dd-bc93-6894a57f9324", sent);
      answers.push([response.status, response.headers.get("location"), await response.json()]);
    }
    assertEquals(answers[0]?.[0], 201);
    assertEquals(answers, [answers[0], answers[0], answers[0]]);
    const { data } = await list("?limit=2");
    assertEquals([data[0]?.title, data[1]], ["The Trial", newestFirst[0]]);
  });

  it("Idempotency-Key responds with 422 if it was used for another book, and creates nothing", async () => {
    await read(await postWith("used", { title: "The Trial", authorId: "franz-kafka" }));
    for (const body of [{ title: "The Trial", authorId: "x" }, { title: "The Castle", authorId: "franz-kafka" }]) {
      const before = (await list("?limit=1")).data;
      const response = await postWith("used", body);
      assertEquals([response.status, typeof (await response.json()).error], [422, "string"]);
      assertEquals((await list("?limit=1")).data, before);
    }
  });

  it("Idempotency-Key can still be used after a request that created nothing", async () => {
    await assertInvalid(await postWith("invalid", { title: "", authorId: "x" }), "body.title");
    assertEquals((await read(await postWith("invalid", { title: "Emma", authorId: "x" }))).title, "Emma");
  });

  it("Idempotency-Key has 1 to 255 visible ASCII characters: anything else is a 400", async () => {
    for (const key of ["", "a b", "\u00e9", "x".repeat(256), "a, b"]) {
      const response = await postWith(key, { title: "Emma", authorId: "x" });
      assertEquals([response.status, typeof (await response.json()).error], [400, "string"]);
    }
    for (const key of ["x".repeat(255), '"quoted"', "!~"]) {
      assertEquals((await read(await postWith(key, { title: "Emma", authorId: "x" }))).title, "Emma");
    }
  });
});

suite("GET /books/:id", () => {
  it("GET /books/:id returns the book", async () => {
    const response = await request("/books/pride-and-prejudice");
    assertEquals(response.status, 200);
    assertEquals(await response.json(), seed.books.find(({ id }) => id === "pride-and-prejudice"));
  });

  it("GET /books/:id responds with 404 to an unknown id, whatever its characters", async () => {
    for (const id of ["nope", "Emma", "emma%20", "%00", "%ED%A0%80", "%E0%A4%A", "__proto__", "x".repeat(5_000)]) {
      await assertNotFound(await request(`/books/${id}`));
    }
  });
});

suite("DELETE /books/:id", () => {
  it("DELETE /books/:id responds with 204 without a body, and 404 afterwards", async () => {
    const response = await request("/books/emma", { method: "DELETE" });
    assertEquals([response.status, await response.text()], [204, ""]);
    await assertNotFound(await request("/books/emma", { method: "DELETE" }));
    await assertNotFound(await request("/books/emma"));
    assertEquals((await walk(100)).flatMap(({ data }) => data), newestFirst.filter(({ id }) => id !== "emma"));
  });
});

suite("GET /ready", () => {
  it("GET /ready responds with 200 if the database responds, and must not be cached", async () => {
    const response = await request("/ready");
    assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
    assertEquals(await response.json(), { ready: true });
  });
});

suite("a request that matches no route", () => {
  it("a request that matches no route receives 404 with a JSON body", async () => {
    for (const path of ["/", "/books/a/b", "/BOOKS"]) await assertNotFound(await request(path));
    await assertNotFound(await request("/books", { method: "PUT" }));
  });
});

suite("reading all pages while others write", () => {
  it("reading all pages while others write returns no book twice, and every book that exists the whole time", async () => {
    const seen: Book[] = [];
    const deleted = new Set<string>();
    let cursor = "";
    for (let turn = 0;; turn++) {
      const { data, pagination } = await list(`?limit=7${cursor}`);
      seen.push(...data);
      if (pagination.nextCursor === null) break;
      cursor = `&cursor=${pagination.nextCursor}`;
      // Delete one book behind the cursor, one ahead of it, and the one at the cursor.
      const victims = [newestFirst[turn], newestFirst.at(-turn - 1), data.at(-1)].filter((book) => book !== undefined);
      for (const { id } of victims) {
        const response = await request(`/books/${id}`, { method: "DELETE" });
        await response.body?.cancel();
        deleted.add(id);
      }
      await Promise.all([1, 2, 3].map((volume) => post({ title: `Volume ${volume}`, authorId: "x" }).then(read)));
    }
    const ids = seen.map(({ id }) => id);
    assert(deleted.size > 30);
    assertEquals(new Set(ids).size, ids.length);
    const lasting = newestFirst.filter(({ id }) => !deleted.has(id));
    assertEquals(seen.filter(({ id }) => !deleted.has(id)), lasting);
  });
});

(granted("net", "read", "run", "write") ? describe : describe.skip)("BOOKS_DB", () => {
  let directory = "";
  let file = "";
  beforeEach(async () => {
    directory = await Deno.makeTempDir();
    file = `${directory}/books.db`;
  });
  afterEach(() => Deno.remove(directory, { recursive: true }));

  it("BOOKS_DB names the file that stores the books between runs", async () => {
    const { id } = await whileServing(optionsFor(file), () => post({ title: "Emma", authorId: "x" }).then(read));
    const pages = await whileServing(optionsFor(file), () => walk(100));
    const [newest, ...others] = pages.flatMap(({ data }) => data);
    assertEquals(newest?.id, id);
    assertEquals(others, newestFirst);
  });

  it("BOOKS_DB contains every book that received 201, even if the process is killed during writes", async () => {
    await startWith(optionsFor(file));
    const acknowledged: Book[] = [];
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      for (let volume = 0;; volume++) {
        const response = await post({ title: `Volume ${volume}`, authorId: `writer ${writer}` });
        if (response.status === 201) acknowledged.push(await read(response));
      }
    });
    const refused = Promise.allSettled(writers);
    while (acknowledged.length < 200) await new Promise((resolve) => setTimeout(resolve, 10));
    await served.stop("SIGKILL");
    await refused;

    const kept = await whileServing(optionsFor(file), () => walk(100));
    const ids = new Set(kept.flatMap(({ data }) => data).map(({ id }) => id));
    assertEquals(acknowledged.filter(({ id }) => !ids.has(id)), []);
    // Each writer may have one request that was sent and not answered.
    assert(ids.size <= seed.books.length + acknowledged.length + writers.length);
  });

  const newBook = { method: "POST", body: JSON.stringify({ title: "Emma", authorId: "x" }) };

  /** Requests that use the database. */
  const requests: readonly (readonly [string, RequestInit?])[] = [
    ...["/books", "/v2/books", "/v2/books/top", "/books/emma", "/ready"].map((path) => [path] as const),
    ["/books/emma", { method: "DELETE" }],
    ["/books", newBook],
  ];

  it("BOOKS_DB names a file whose loss is noticed: no request is acknowledged after it was deleted or replaced", async () => {
    for (const replaced of [false, true]) {
      await whileServing(optionsFor(file), async () => {
        await Deno.copyFile(file, `${file}-copy`);
        assertEquals((await request("/books", newBook)).status, 201);
        if (replaced) await Deno.rename(`${file}-copy`, file);
        else await Deno.remove(file);
        for (const target of replaced ? requests : requests.toReversed()) {
          const response = await request(...target);
          assertEquals([response.status, response.headers.get("retry-after")], [503, "1"]);
        }
      });
    }
  });

  it("BOOKS_DB names a file whose pages are read to be ready: it is not if they are corrupt", async () => {
    await whileServing(optionsFor(file), async () => assertEquals((await request("/ready")).status, 200));
    // The first page has the names of the tables.
    const bytes = await Deno.readFile(file);
    await Deno.writeFile(file, bytes.fill(255, 4096));
    await using _served = await startWith(optionsFor(file));
    assertEquals((await request("/books")).status, 500);
    assertEquals((await request("/ready")).status, 503);
  });

  it("BOOKS_DB is not read without the permission, so that Deno does not prompt", async () => {
    const { data } = await whileServing({ env: { BOOKS_DB: file } }, () => list(""));
    assertEquals(data.length, 20);
    assertEquals([...Deno.readDirSync(directory)], []);
  });

  it("BOOKS_DB may be locked by another process: a write gets a 503 that says when to try again, and a read goes on", async () => {
    await using _served = await startWith(optionsFor(file));
    const db = new DatabaseSync(file);
    db.exec("BEGIN IMMEDIATE");
    const refused = await request("/books/emma", { method: "DELETE" });
    assertEquals([refused.status, refused.headers.get("retry-after")], [503, "1"]);
    assertEquals(await refused.json(), { error: "Service unavailable" });
    assertEquals((await read(await request("/books/emma"))).id, "emma");
    db.close();
    assertEquals((await request("/books/emma", { method: "DELETE" })).status, 204);
  });

  it("BOOKS_DB is closed when the server is asked to stop: no other file is left beside it", async () => {
    await whileServing(optionsFor(file), () => post({ title: "Emma", authorId: "x" }).then(read));
    assertEquals(Array.from(Deno.readDirSync(directory), ({ name }) => name), ["books.db"]);
  });

  it("BOOKS_DB responds with 500 without details if a table is missing", async () => {
    await using _served = await startWith(optionsFor(file));
    const db = new DatabaseSync(file);
    db.exec("DROP TABLE books");
    db.close();
    for (const response of [await request("/books"), await post({ title: "Emma", authorId: "x" })]) {
      assertEquals([response.status, await response.json()], [500, { error: "Internal server error" }]);
      assertMatch(response.headers.get("x-request-id") ?? "", UUID);
    }
  });
});

function optionsFor(file: string): ServeOptions {
  const permissions = ["--allow-env=BOOKS_DB", `--allow-read=${file}`, `--allow-write=${file}`];
  return { permissions, env: { BOOKS_DB: file } };
}

async function whileServing<Result>(options: ServeOptions, use: () => Promise<Result>): Promise<Result> {
  await using _served = await startWith(options);
  return await use();
}

async function startWith(options: ServeOptions): Promise<Served> {
  served = await serve(EXAMPLE, options);
  return served;
}

/** A page, as the list returns it. */
interface Page {
  readonly data: readonly Book[];
  readonly pagination: { readonly limit: number; readonly nextCursor: string | null; readonly hasMore: boolean };
}

function request(path: string, options?: RequestInit): Promise<Response> {
  return fetch(served.origin + path, options);
}

function post(body: string | object): Promise<Response> {
  const sent = typeof body === "string" || body instanceof ReadableStream ? body : JSON.stringify(body);
  return request("/books", { method: "POST", body: sent });
}

async function read(response: Response): Promise<Book> {
  return await response.json();
}

async function list(query: string): Promise<Page> {
  const response = await request(`/books${query}`);
  assertEquals(response.status, 200);
  return await response.json();
}

/** Reads all pages. */
async function walk(limit: number): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let cursor = "9999-12-31T23:59:59.999Z";
  for (;;) {
    const page = await list(`?limit=${limit}&cursor=${cursor}`);
    pages.push(page);
    const { nextCursor } = page.pagination;
    if (nextCursor === null) return pages;
    assert(nextCursor < cursor, "The walk does not get on");
    cursor = nextCursor;
  }
}

async function assertNotFound(response: Response): Promise<void> {
  assertEquals([response.status, await response.json()], [404, { error: "Not found" }]);
}

function fail(): never {
  throw new Error("The seed is too small");
}
