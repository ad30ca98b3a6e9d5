import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import { openPostgresStore } from "../../examples/books/postgres_store.ts";
import { SCHEMA_VERSION, SchemaMismatch } from "../../examples/books/schema.ts";
import { seed } from "../../examples/books/seed.ts";
import { openSqliteStore } from "../../examples/books/sqlite_store.ts";
import { type Author, type Book, type BookStore, KEY_LIFETIME, type Seed } from "../../examples/books/store.ts";
import { createSchema, DATABASE_URL } from "./postgres_schema.ts";
import { granted } from "../support/granted.ts";
import { ROOT } from "./serve.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const EMPTY: Seed = { authors: [], books: [], top: [] };
const AUSTEN: Author = { id: "jane-austen", name: "Jane Austen" };
const HERBERT: Author = { id: "frank-herbert", name: "Frank Herbert" };
const THREE: Seed = {
  authors: [AUSTEN, HERBERT],
  books: [
    { id: "emma", title: "Emma", authorId: "jane-austen", createdAt: "2023-02-01T00:00:00.000Z" },
    { id: "beloved", title: "Beloved", authorId: "toni-morrison", createdAt: "2023-03-01T00:00:00.001Z" },
    { id: "dune", title: "Dune", authorId: "frank-herbert", createdAt: "2023-01-01T00:00:00.000Z" },
  ],
  top: ["dune", "beloved"],
};
const FUTURE: Seed = {
  authors: [],
  books: [{ id: "1", title: "Later", authorId: "x", createdAt: "2999-01-01T00:00:00.000Z" }],
  top: [],
};
/** Ids that no book has. */
const HOSTILE_IDS = ["", "Emma", "emma ", "emm%", "emma\0", "\ud800", "__proto__", "' OR 1=1 --", "{}"];

/** A kind of database. All kinds must pass the same tests. */
interface Kind<Created extends Database = Database> {
  readonly name: string;
  readonly permitted: boolean;
  create(): Promise<Created>;
}

/** A new database. */
interface Database {
  open(seed: Seed): Promise<BookStore>;
  remove(): Promise<void>;
}

/** A database that several stores and processes can share. */
interface SharedDatabase extends Database {
  /** The environment variables with which `openStore` opens it. */
  readonly env: Readonly<Record<string, string>>;
  readonly permissions: readonly string[];
  /** Statements that turn a database of the current version into one of version 1, without the column `top`. */
  readonly toVersion1: string;
  /** Statements that set its version to one that does not exist yet. */
  readonly toVersion999: string;
  /** Runs statements on it, in sequence. */
  exec(statements: string): Promise<void>;
}

const SHARED_KINDS: readonly Kind<SharedDatabase>[] = [
  { name: "SQLite in a file", permitted: granted("read", "write"), create: createFile },
  { name: "PostgreSQL", permitted: DATABASE_URL !== undefined, create: createPostgres },
];

const KINDS: readonly Kind[] = [
  { name: "SQLite in memory", permitted: true, create: createMemory },
  ...SHARED_KINDS,
];

for (const { name, permitted, create } of KINDS) {
  (permitted ? describe : describe.skip)(`a book store: ${name}`, () => {
    let database: Database;
    let store: BookStore | undefined;
    const openStore = async (seed: Seed): Promise<BookStore> => store = await database.open(seed);
    beforeEach(async () => {
      database = await create();
    });
    afterEach(async () => {
      try {
        await store?.close();
      } finally {
        store = undefined;
        await database.remove();
      }
    });

    it(`a book store: ${name} lists the seed newest first, whatever its order, up to the limit`, async () => {
      const store = await openStore(THREE);
      assertEquals(idsOf(await store.list({ limit: 3 })), ["beloved", "emma", "dune"]);
      assertEquals(idsOf(await store.list({ limit: 2 })), ["beloved", "emma"]);
      assertEquals((await store.list({ limit: 1 }))[0], THREE.books[1]);
    });

    it(`a book store: ${name} lists only books created strictly before`, async () => {
      const store = await openStore(THREE);
      const listBefore = async (time: string) => idsOf(await store.list({ before: new Date(time), limit: 10 }));
      assertEquals(await listBefore("2023-03-01T00:00:00.002Z"), ["beloved", "emma", "dune"]);
      assertEquals(await listBefore("2023-03-01T00:00:00.001Z"), ["emma", "dune"]);
      assertEquals(await listBefore("2023-03-01T00:00:00.000Z"), ["emma", "dune"]);
      assertEquals(await listBefore("2023-01-01T00:00:00.000Z"), []);
      assertEquals(await store.list({ before: new Date(-8.64e15), limit: 10 }), []);
      assertEquals((await store.list({ before: new Date(8.64e15), limit: 10 })).length, 3);
    });

    it(`a book store: ${name} lists nothing if there are no books, and still responds to a ping`, async () => {
      const store = await openStore(EMPTY);
      assertEquals(await store.ping(), undefined);
      assertEquals(await store.list({ limit: 10 }), []);
      assertEquals(await store.list({ limit: 10, top: true }), []);
      assertEquals(await store.listWindow({ offset: 0, limit: 10 }), { books: [], total: 0 });
      assertEquals(await store.listWindow({ offset: 1, limit: 10 }), { books: [], total: 0 });
    });

    it(`a book store: ${name} lists only the top books, to which new books do not belong`, async () => {
      const store = await openStore(THREE);
      await store.create({ title: "Emma", authorId: "jane-austen" });
      assertEquals(idsOf(await store.list({ limit: 10, top: true })), ["beloved", "dune"]);
      assertEquals(idsOf(await store.list({ limit: 1, top: true })), ["beloved"]);
      const before = new Date("2023-03-01T00:00:00.001Z");
      assertEquals(idsOf(await store.list({ before, limit: 10, top: true })), ["dune"]);
      assertEquals((await store.list({ limit: 10, top: false })).length, 4);
      await store.delete("beloved");
      assertEquals(idsOf(await store.list({ limit: 10, top: true })), ["dune"]);
    });

    it(`a book store: ${name} lists only the books of some authors, also of thousands and of hostile ids`, async () => {
      const store = await openStore(THREE);
      const all = await store.list({ limit: 10 });
      const wanted = new Set(all.slice(1, 3).map(({ authorId }) => authorId));
      const others = Array.from({ length: 3000 }, (_, n) => `${n}`);
      const authorIds = [...wanted, "'; DROP TABLE books", "\0", "\ud800", ...others];
      const expected = all.filter(({ authorId }) => wanted.has(authorId));
      assertEquals(await store.list({ limit: 10, authorIds }), expected);
      assertEquals(await store.list({ limit: 1, authorIds }), expected.slice(0, 1));
      const before = new Date(expected[0]?.createdAt ?? 0);
      assertEquals(await store.list({ limit: 10, before, authorIds }), expected.slice(1));
      assertEquals(await store.list({ limit: 10, authorIds: [] }), []);
    });

    it(`a book store: ${name} lists a window with the total number of books`, async () => {
      const store = await openStore(THREE);
      const window = async (offset: number, limit: number) => {
        const { books, total } = await store.listWindow({ offset, limit });
        return [idsOf(books), total];
      };
      assertEquals(await window(0, 10), [["beloved", "emma", "dune"], 3]);
      assertEquals(await window(0, 2), [["beloved", "emma"], 3]);
      assertEquals(await window(1, 1), [["emma"], 3]);
      assertEquals(await window(2, 5), [["dune"], 3]);
      assertEquals(await window(3, 5), [[], 3]);
      assertEquals(await window(Number.MAX_SAFE_INTEGER, 5), [[], 3]);
      await store.delete("emma");
      assertEquals(await window(1, 10), [["dune"], 2]);
      assertEquals((await store.listWindow({ offset: 1, limit: 1 })).books[0], THREE.books[2]);
    });

    it(`a book store: ${name} gets authors by id, each once, and omits unknown ones`, async () => {
      const store = await openStore(THREE);
      const get = async (...ids: readonly string[]): Promise<readonly (readonly [string, Author])[]> => (
        [...await store.getAuthors(ids)].toSorted(([a], [b]) => a < b ? 1 : -1)
      );
      assertEquals(await get("jane-austen"), [["jane-austen", AUSTEN]]);
      assertEquals(await get("frank-herbert", "toni-morrison", "jane-austen", "frank-herbert"), [
        ["jane-austen", AUSTEN],
        ["frank-herbert", HERBERT],
      ]);
      assertEquals(await get("toni-morrison"), []);
      assertEquals(await get(), []);
    });

    it(`a book store: ${name} gets the known authors among hostile ids and among thousands of ids`, async () => {
      const store = await openStore(THREE);
      const many = Array.from({ length: 5_000 }, (_, index) => `author-${index}`);
      const quoting = ['"', "\\", ",", "{", "}", "null", "NULL", '","jane-austen', "\n", "x".repeat(1e5)];
      assertEquals([...(await store.getAuthors([...HOSTILE_IDS, ...quoting, ...many])).keys()], []);
      const found = await store.getAuthors([...HOSTILE_IDS, ...quoting, "jane-austen", ...many, ...HOSTILE_IDS]);
      assertEquals([...found.values()], [AUSTEN]);
    });

    it(`a book store: ${name} gets a book by its id, or undefined if there is none`, async () => {
      const store = await openStore(THREE);
      assertEquals(await store.get("emma"), THREE.books[0]);
      for (const id of [...HOSTILE_IDS, "x".repeat(1e5)]) assertEquals(await store.get(id), undefined);
    });

    it(`a book store: ${name} creates a book with a new id and the current time`, async () => {
      const store = await openStore(EMPTY);
      const earliest = Date.now();
      const created = await store.create({ title: "Emma", authorId: "jane-austen" });
      assertMatch(created.id, UUID);
      assertMatch(created.createdAt, TIMESTAMP);
      const createdAt = Date.parse(created.createdAt);
      assert(earliest <= createdAt && createdAt <= Date.now());
      assertEquals(created, { ...created, title: "Emma", authorId: "jane-austen" });
      assertEquals(await store.get(created.id), created);
      assertEquals(await store.list({ limit: 10 }), [created]);
    });

    it(`a book store: ${name} stores any well-formed text unchanged`, async () => {
      const store = await openStore(EMPTY);
      const quoting = ["'; DROP TABLE books; --", "\\'; --", "\\\\'", "\\u0027", "E'", "$$", "$1", '"', '\\"}', "%_\\"];
      for (const text of ["吾輩は猫である", "😀", ...quoting, "a\nb", " ", "1e3"]) {
        const created = await store.create({ title: text, authorId: text }, text);
        const { title, authorId } = await store.get(created.id) ?? {};
        assertEquals([title, authorId], [text, text]);
        assertEquals(await store.create({ title: text, authorId: text }, text), created);
      }
    });

    it(`a book store: ${name} gives each of many books created at once a later time than the previous one`, async () => {
      const store = await openStore(THREE);
      const created = await Promise.all(
        Array.from({ length: 200 }, (_, index) => store.create({ title: `Volume ${index}`, authorId: "x" })),
      );
      assertEquals(new Set(created.map(({ createdAt }) => createdAt)).size, 200);
      const listed = await store.list({ limit: 200 });
      assertEquals(listed, created.toSorted(newestFirst));
    });

    it(`a book store: ${name} gives a new book a later time than a seed in the future, and than a deleted book`, async () => {
      const store = await openStore(FUTURE);
      const first = await store.create({ title: "First", authorId: "x" });
      assertEquals(first.createdAt, "2999-01-01T00:00:00.001Z");
      assertEquals(await store.delete(first.id), true);
      assertEquals(await store.delete("1"), true);
      const second = await store.create({ title: "Second", authorId: "x" });
      assert(second.createdAt > first.createdAt);
    });

    it(`a book store: ${name} returns the first book for a key that was used, even if that book has been deleted`, async () => {
      const store = await openStore(THREE);
      const first = await store.create({ title: "Emma", authorId: "jane-austen" }, "key");
      assertEquals(await store.create({ title: "Emma", authorId: "jane-austen" }, "key"), first);
      assertEquals(await store.create({ title: "Dune", authorId: "frank-herbert" }, "key"), first);
      assertEquals(idsOf(await store.list({ limit: 10 })), [first.id, "beloved", "emma", "dune"]);
      await store.delete(first.id);
      assertEquals(await store.create({ title: "Emma", authorId: "jane-austen" }, "key"), first);
      assertEquals((await store.list({ limit: 10 })).length, 3);
    });

    it(`a book store: ${name} creates a book for each key, and for each creation without one`, async () => {
      const store = await openStore(EMPTY);
      for (const key of ["a", "A", "a ", '"a"', undefined, undefined, "x".repeat(255)]) {
        await store.create({ title: "Emma", authorId: "jane-austen" }, key);
      }
      assertEquals((await store.list({ limit: 10 })).length, 7);
    });

    it(`a book store: ${name} creates one book for a key that is used many times at once, among other creations`, async () => {
      const store = await openStore(EMPTY);
      const create = (index: number) =>
        store.create({ title: "Emma", authorId: "x" }, index % 2 === 0 ? "key" : `key ${index}`);
      const created = await Promise.all(Array.from({ length: 60 }, (_, index) => create(index)));
      assertEquals(new Set(created.filter((_, index) => index % 2 === 0).map(({ id }) => id)).size, 1);
      const books = new Map(created.map((book) => [book.id, book]));
      assertEquals(await store.list({ limit: 100 }), [...books.values()].toSorted(newestFirst));
    });

    it(`a book store: ${name} deletes a book once, and nothing for an unknown id`, async () => {
      const store = await openStore(THREE);
      for (const id of [...HOSTILE_IDS, "x".repeat(1e5)]) assertEquals(await store.delete(id), false);
      assertEquals(await store.delete("emma"), true);
      assertEquals(await store.delete("emma"), false);
      assertEquals(await store.get("emma"), undefined);
      assertEquals(idsOf(await store.list({ limit: 10 })), ["beloved", "dune"]);
    });
  });
}

for (const { name, permitted, create } of SHARED_KINDS) {
  (permitted ? describe : describe.skip)(`a database of books: ${name}`, () => {
    let database: SharedDatabase;
    beforeEach(async () => {
      database = await create();
    });
    afterEach(() => database.remove());

    /** Opens a store, calls `use`, and closes the store. */
    async function withStore<Result>(seed: Seed, use: (store: BookStore) => Promise<Result>): Promise<Result> {
      const store = await database.open(seed);
      try {
        return await use(store);
      } finally {
        await store.close();
      }
    }

    it(`a database of books: ${name} is seeded only once, also after all books have been deleted`, async () => {
      await withStore(THREE, (store) => store.delete("emma"));
      assertEquals(idsOf(await withStore(seed, (store) => store.list({ limit: 10 }))), ["beloved", "dune"]);
      await withStore(THREE, async (store) => {
        for (const { id } of THREE.books) await store.delete(id);
      });
      assertEquals(await withStore(THREE, (store) => store.list({ limit: 10 })), []);
    });

    it(`a database of books: ${name} does not reuse the time of a deleted book when another store opens it`, async () => {
      await withStore(FUTURE, (store) => store.delete("1"));
      const { createdAt } = await withStore(EMPTY, (store) => store.create({ title: "Later still", authorId: "x" }));
      assertEquals(createdAt, "2999-01-01T00:00:00.001Z");
    });

    it(`a database of books: ${name} can be seeded after a seed has failed`, async () => {
      await assertRejects(() => database.open({ ...THREE, books: [...THREE.books, ...THREE.books] }));
      assertEquals((await withStore(THREE, (store) => store.list({ limit: 10 }))).length, 3);
    });

    it(`a database of books: ${name} remembers a key for a day, in every store`, async () => {
      await withStore(EMPTY, (one) =>
        withStore(EMPTY, async (other) => {
          const first = await one.create({ title: "Emma", authorId: "x" }, "key");
          const age = (milliseconds: number) =>
            database.exec(`UPDATE idempotency_keys SET created_at = ${Date.parse(first.createdAt) - milliseconds}`);
          const repeat = async () => (await other.create({ title: "Emma", authorId: "x" }, "key")).id;
          await age(KEY_LIFETIME - 60_000);
          await one.create({ title: "Dune", authorId: "x" });
          assertEquals(await repeat(), first.id);
          await age(KEY_LIFETIME + 60_000);
          const second = await repeat();
          assert(second !== first.id);
          assertEquals(await repeat(), second);
          assertEquals(idsOf(await one.list({ limit: 1 })), [second]);
        }));
    });

    it(`a database of books: ${name} creates one book for a key that several stores receive at once`, async () => {
      const stores = await Promise.all(Array.from({ length: 4 }, () => database.open(EMPTY)));
      try {
        const keys = Array.from({ length: 80 }, (_, index) => `key ${Math.floor(index / 8)}`);
        const created = await Promise.all(
          keys.map((key, index) => stores[index % 4]?.create({ title: key, authorId: "x" }, key)),
        );
        assertEquals(created.map((book) => book?.title), keys);
        const listed = await stores[0]?.list({ limit: 100 }) ?? [];
        assertEquals(idsOf(listed).toSorted(), [...new Set(created.map((book) => book?.id ?? ""))].toSorted());
        assertEquals(listed.length, 10);
      } finally {
        await Promise.all(stores.map((store) => store.close()));
      }
    });

    it(`a database of books: ${name} is migrated from version 1 once, by stores that open it at the same time`, async () => {
      const created = await withStore(THREE, async (store) => {
        await store.delete("emma");
        return await store.create({ title: "Emma", authorId: "jane-austen" });
      });
      await database.exec(database.toVersion1);
      const stores = await Promise.all(Array.from({ length: 5 }, () => database.open(THREE)));
      try {
        for (const store of stores) {
          assertEquals(idsOf(await store.list({ limit: 10 })), [created.id, "beloved", "dune"]);
          assertEquals(idsOf(await store.list({ limit: 10, top: true })), ["beloved", "dune"]);
          assert((await store.create({ title: "Emma", authorId: "x" })).createdAt > created.createdAt);
          await store.delete((await store.list({ limit: 1 }))[0]?.id ?? "");
        }
      } finally {
        await Promise.all(stores.map((store) => store.close()));
      }
    });

    it(`a database of books: ${name} is not changed if it has a later version: the error names both versions`, async () => {
      await withStore(THREE, () => Promise.resolve());
      await database.exec(database.toVersion999);
      const { message } = await assertRejects(() => database.open(THREE), SchemaMismatch);
      assertMatch(message, new RegExp(`version 999.* works with ${SCHEMA_VERSION}`));
    });

    it(`a database of books: ${name} is not changed if its tables belong to another program: the error names the problem`, async () => {
      await database.exec("CREATE TABLE books (isbn TEXT)");
      await assertRejects(() => database.open(THREE), Error, "already exists");
      await database.exec("CREATE TABLE authors (id TEXT)");
      await assertRejects(() => database.open(THREE), Error, "already exists");
      // Nothing was added: the tables can be dropped and the database used.
      await database.exec("DROP TABLE books; DROP TABLE authors");
      assertEquals((await withStore(THREE, (store) => store.list({ limit: 10 }))).length, 3);
    });

    it(`a database of books: ${name} serves while columns are added to its tables`, async () => {
      await withStore(THREE, async (store) => {
        const useAll = async (key: string) => {
          const created = await store.create({ title: "Emma", authorId: "jane-austen" }, key);
          assertEquals(await store.create({ title: "Emma", authorId: "jane-austen" }, key), created);
          assertEquals(await store.get(created.id), created);
          assertEquals(await store.list({ limit: 1 }), [created]);
          assertEquals((await store.list({ limit: 1, top: true })).length, 1);
          assertEquals((await store.listWindow({ offset: 0, limit: 1 })).books, [created]);
          assertEquals((await store.getAuthors(["jane-austen"])).get("jane-austen"), AUSTEN);
          assertEquals(await store.delete(created.id), true);
        };
        await useAll("before");
        for (const table of ["authors", "books", "clock", "idempotency_keys"]) {
          await database.exec(`ALTER TABLE ${table} ADD COLUMN added TEXT`);
        }
        await useAll("after");
      });
    });

    it(`a database of books: ${name} shows a store immediately what another one has done`, async () => {
      await withStore(THREE, (one) =>
        withStore(THREE, async (other) => {
          const created = await one.create({ title: "Emma", authorId: "jane-austen" });
          assertEquals(await other.get(created.id), created);
          assertEquals(await other.list({ limit: 1 }), [created]);
          assertEquals((await other.listWindow({ offset: 0, limit: 1 })).total, 4);
          assertEquals(await other.delete(created.id), true);
          assertEquals(await one.get(created.id), undefined);
          assertEquals(await one.delete(created.id), false);
        }));
    });

    (granted("run") ? it : it.skip)(
      `a database of books: ${name} gives no time twice where several processes create it and write to it`,
      async () => {
        const created = await Promise.all([1, 2, 3].map(() => createBooks(database, 100)));
        const expected = [...seed.books, ...created.flat()].toSorted(newestFirst);
        assertEquals(new Set(expected.map(({ createdAt }) => createdAt)).size, expected.length);
        assertEquals(await withStore(EMPTY, (store) => store.list({ limit: 1000 })), expected);
      },
    );

    (granted("run") ? it : it.skip)("shows new books only ahead of those that a reader has seen", async () => {
      await withStore(seed, async (store) => {
        const views: (readonly string[])[] = [];
        let rounds = 0;
        // On a machine that holds this process up, the books of a round may be there before it looks.
        for (; views.length < 5; rounds++) {
          let writing = true;
          const written = Promise.all([createBooks(database, 200), createBooks(database, 200)]);
          written.catch(() => {}).finally(() => writing = false);
          while (writing) {
            const view = idsOf(await store.list({ limit: 5000 }));
            if (view.length !== views.at(-1)?.length) views.push(view);
            // A synchronous store would otherwise never let the end of the processes be noticed.
            await new Promise((resolve) => setTimeout(resolve));
          }
          await written;
        }
        const all = idsOf(await store.list({ limit: 5000 }));
        assertEquals(all.length, seed.books.length + 400 * rounds);
        for (const view of views) assertEquals(all.slice(-view.length), view);
      });
    });
  });
}

describe("the seed", () => {
  it("the seed has at least 150 books, each with a title, an id for urls, and a time in the past of its own", () => {
    assert(seed.books.length >= 150);
    for (const { id, title, authorId, createdAt } of seed.books) {
      for (const part of [id, authorId]) assertMatch(part, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assert(title !== "" && title === title.trim());
      assertMatch(createdAt, TIMESTAMP);
      assert(Date.parse(createdAt) < Date.now());
    }
    assertEquals(new Set(seed.books.map(({ id }) => id)).size, seed.books.length);
    assertEquals(new Set(seed.books.map(({ createdAt }) => createdAt)).size, seed.books.length);
  });

  it("the seed has a few books of unknown authors, and each author once, with a book", () => {
    const known = new Set(seed.authors.map(({ id }) => id));
    assertEquals(known.size, seed.authors.length);
    const missing = seed.books.filter(({ authorId }) => !known.has(authorId));
    assert(missing.length >= 3 && missing.length <= 10);
    const written = new Set(seed.books.map(({ authorId }) => authorId));
    assertEquals(seed.authors.filter(({ id }) => !written.has(id)), []);
  });
});

function createMemory(): Promise<Database> {
  return Promise.resolve({
    open: (seed) => Promise.resolve(openSqliteStore(":memory:", seed)),
    remove: () => Promise.resolve(),
  });
}

async function createFile(): Promise<SharedDatabase> {
  const directory = await Deno.makeTempDir();
  const file = `${directory}/books.db`;
  return {
    // deno-lint-ignore require-await -- what is thrown is to be a rejection
    open: async (seed) => openSqliteStore(file, seed),
    remove: () => Deno.remove(directory, { recursive: true }),
    env: { BOOKS_DB: file },
    permissions: ["--allow-env=BOOKS_DB", `--allow-read=${file}`, `--allow-write=${file}`],
    toVersion1:
      "DROP TABLE idempotency_keys; DROP INDEX top_books; ALTER TABLE books DROP COLUMN top; PRAGMA user_version = 1",
    toVersion999: "PRAGMA user_version = 999",
    // deno-lint-ignore require-await -- what is thrown is to be a rejection
    exec: async (statements) => {
      const db = new DatabaseSync(file);
      db.exec(statements);
      db.close();
    },
  };
}

async function createPostgres(): Promise<SharedDatabase> {
  const { url, permissions, sql, drop } = await createSchema();
  return {
    open: (seed) => openPostgresStore(url, seed),
    remove: drop,
    env: { DATABASE_URL: url },
    permissions,
    toVersion1: "DROP TABLE idempotency_keys, books_version; DROP INDEX top_books; ALTER TABLE books DROP COLUMN top",
    toVersion999: "UPDATE books_version SET version = 999",
    exec: async (statements) => {
      await sql.unsafe(statements);
    },
  };
}

/** Creates books in a separate process. */
async function createBooks({ env, permissions }: SharedDatabase, count: number): Promise<readonly Book[]> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...permissions, "tests/examples/create_books.ts", String(count)],
    cwd: ROOT,
    env,
    stdin: "null",
  }).output();
  assertEquals(code, 0, new TextDecoder().decode(stderr));
  // The first line names the store.
  return JSON.parse(new TextDecoder().decode(stdout).trim().split("\n").at(-1) ?? "");
}

function idsOf(books: readonly Book[]): readonly string[] {
  return books.map(({ id }) => id);
}

function newestFirst(a: Book, b: Book): number {
  return a.createdAt < b.createdAt ? 1 : -1;
}
