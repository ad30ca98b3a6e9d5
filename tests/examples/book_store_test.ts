import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { seed } from "../../examples/books/seed.ts";
import { openSqliteStore } from "../../examples/books/sqlite_store.ts";
import type { Book, BookStore, Seed } from "../../examples/books/store.ts";
import { granted, ROOT } from "./serve.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const EMPTY: Seed = { authors: [], books: [] };
const THREE: Seed = {
  authors: [{ id: "jane-austen", name: "Jane Austen" }],
  books: [
    { id: "emma", title: "Emma", authorId: "jane-austen", createdAt: "2023-02-01T00:00:00.000Z" },
    { id: "beloved", title: "Beloved", authorId: "toni-morrison", createdAt: "2023-03-01T00:00:00.001Z" },
    { id: "dune", title: "Dune", authorId: "frank-herbert", createdAt: "2023-01-01T00:00:00.000Z" },
  ],
};

/** A kind of store: each is held to the same contract. */
interface Kind {
  readonly name: string;
  readonly permitted: boolean;
  /** Opens a store on a new database. */
  open(seed: Seed): Promise<BookStore>;
  /** Removes the databases. */
  remove(): Promise<void>;
}

const KINDS: readonly Kind[] = [
  {
    name: "SQLite in memory",
    permitted: true,
    open: (seed) => Promise.resolve(openSqliteStore(":memory:", seed)),
    remove: () => Promise.resolve(),
  },
  sqliteFiles(),
];

for (const { name, permitted, open, remove } of KINDS) {
  (permitted ? describe : describe.skip)(`a book store: ${name}`, () => {
    const opened: BookStore[] = [];
    const openStore = async (seed: Seed): Promise<BookStore> => {
      const store = await open(seed);
      opened.push(store);
      return store;
    };
    afterEach(async () => {
      for (const store of opened.splice(0)) await store.close();
      await remove();
    });

    it("lists the seed newest first, whatever the order it was given in", async () => {
      const store = await openStore(THREE);
      assertEquals(idsOf(await store.list({ limit: 10 })), ["beloved", "emma", "dune"]);
      assertEquals((await store.list({ limit: 1 }))[0], THREE.books[1]);
    });

    it("lists at most as many books as the limit says", async () => {
      const store = await openStore(THREE);
      assertEquals(idsOf(await store.list({ limit: 2 })), ["beloved", "emma"]);
      assertEquals(idsOf(await store.list({ limit: 3 })), ["beloved", "emma", "dune"]);
    });

    it("lists only books created strictly before", async () => {
      const store = await openStore(THREE);
      const listBefore = async (time: string) => idsOf(await store.list({ before: new Date(time), limit: 10 }));
      assertEquals(await listBefore("2023-03-01T00:00:00.002Z"), ["beloved", "emma", "dune"]);
      assertEquals(await listBefore("2023-03-01T00:00:00.001Z"), ["emma", "dune"]);
      assertEquals(await listBefore("2023-03-01T00:00:00.000Z"), ["emma", "dune"]);
      assertEquals(await listBefore("2023-01-01T00:00:00.000Z"), []);
    });

    it("lists before any date there is", async () => {
      const store = await openStore(THREE);
      assertEquals((await store.list({ before: new Date(8.64e15), limit: 10 })).length, 3);
      assertEquals((await store.list({ before: new Date(-8.64e15), limit: 10 })).length, 0);
      assertEquals((await store.list({ before: undefined, limit: 10 })).length, 3);
    });

    it("lists nothing where there is nothing", async () => {
      assertEquals(await (await openStore(EMPTY)).list({ limit: 10 }), []);
    });

    it("gets a book by its id, and undefined where there is none", async () => {
      const store = await openStore(THREE);
      assertEquals(await store.get("emma"), THREE.books[0]);
      for (
        const id of ["", "Emma", "emma ", "emm%", "emma\0", "\0", "\ud800", "__proto__", "' OR 1=1 --", "x".repeat(1e5)]
      ) {
        assertEquals(await store.get(id), undefined);
      }
    });

    it("creates a book with an id and a time of its own", async () => {
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

    it("keeps any well-formed text as it is", async () => {
      const store = await openStore(EMPTY);
      for (
        const text of [
          "Les Misérables",
          "吾輩は猫である",
          "😀",
          "'; DROP TABLE books; --",
          '"',
          "a\nb",
          " ",
          "%_\\",
          "1e3",
        ]
      ) {
        const { id } = await store.create({ title: text, authorId: text });
        const { title, authorId } = await store.get(id) ?? {};
        assertEquals([title, authorId], [text, text]);
      }
    });

    it("gives each of many books created at once a later time than the one before", async () => {
      const store = await openStore(THREE);
      const created = await Promise.all(
        Array.from({ length: 200 }, (_, index) => store.create({ title: `Volume ${index}`, authorId: "x" })),
      );
      assertEquals(new Set(created.map(({ createdAt }) => createdAt)).size, 200);
      const listed = await store.list({ limit: 200 });
      assertEquals(listed, created.toSorted(newestFirst));
    });

    it("gives a new book a later time than a seed from the future", async () => {
      const future: Book = { id: "1", title: "Later", authorId: "x", createdAt: "2999-01-01T00:00:00.000Z" };
      const store = await openStore({ authors: [], books: [future] });
      const { createdAt } = await store.create({ title: "Later still", authorId: "x" });
      assertEquals(createdAt, "2999-01-01T00:00:00.001Z");
    });

    it("gives a time to no second book after the first was deleted", async () => {
      const future: Book = { id: "1", title: "Later", authorId: "x", createdAt: "2999-01-01T00:00:00.000Z" };
      const store = await openStore({ authors: [], books: [future] });
      const first = await store.create({ title: "First", authorId: "x" });
      assertEquals(await store.delete(first.id), true);
      assertEquals(await store.delete(future.id), true);
      const second = await store.create({ title: "Second", authorId: "x" });
      assert(second.createdAt > first.createdAt);
    });

    it("deletes a book once", async () => {
      const store = await openStore(THREE);
      assertEquals(await store.delete("emma"), true);
      assertEquals(await store.delete("emma"), false);
      assertEquals(await store.get("emma"), undefined);
      assertEquals(idsOf(await store.list({ limit: 10 })), ["beloved", "dune"]);
    });

    it("deletes nothing for an id that is none", async () => {
      const store = await openStore(THREE);
      for (const id of ["", "emma\0", "\0", "\ud800", "%", "' OR 1=1 --"]) assertEquals(await store.delete(id), false);
      assertEquals((await store.list({ limit: 10 })).length, 3);
    });
  });
}

(granted("read", "write") ? describe : describe.skip)("a book store in a file", () => {
  let directory = "";
  let file = "";
  beforeEach(async () => {
    directory = await Deno.makeTempDir();
    file = `${directory}/books.db`;
  });
  afterEach(() => Deno.remove(directory, { recursive: true }));

  /** Opens the file, uses it and closes it. */
  async function withStore<Result>(seed: Seed, use: (store: BookStore) => Promise<Result>): Promise<Result> {
    const store = openSqliteStore(file, seed);
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  }

  it("has its books after it was closed and opened again", async () => {
    const created = await withStore(EMPTY, (store) => store.create({ title: "Emma", authorId: "jane-austen" }));
    assertEquals(await withStore(EMPTY, (store) => store.list({ limit: 10 })), [created]);
  });

  it("takes its seed only once", async () => {
    await withStore(THREE, (store) => store.delete("emma"));
    assertEquals(idsOf(await withStore(THREE, (store) => store.list({ limit: 10 }))), ["beloved", "dune"]);
    assertEquals(idsOf(await withStore(seed, (store) => store.list({ limit: 10 }))), ["beloved", "dune"]);
  });

  it("is not seeded again after all its books were deleted", async () => {
    await withStore(THREE, async (store) => {
      for (const { id } of THREE.books) await store.delete(id);
    });
    assertEquals(await withStore(THREE, (store) => store.list({ limit: 10 })), []);
  });

  it("gives a time to no second book after the newest was deleted and the file opened again", async () => {
    const future: Book = { id: "1", title: "Later", authorId: "x", createdAt: "2999-01-01T00:00:00.000Z" };
    await withStore({ authors: [], books: [future] }, (store) => store.delete("1"));
    const { createdAt } = await withStore(EMPTY, (store) => store.create({ title: "Later still", authorId: "x" }));
    assert(createdAt > future.createdAt);
  });

  it("is not left half made by a seed that cannot be kept", async () => {
    assertThrows(() => openSqliteStore(file, { authors: [], books: [...THREE.books, ...THREE.books] }));
    assertEquals((await withStore(THREE, (store) => store.list({ limit: 10 }))).length, 3);
  });

  it("shows one store at once what another has done", async () => {
    await withStore(THREE, (one) =>
      withStore(THREE, async (other) => {
        const created = await one.create({ title: "Emma", authorId: "jane-austen" });
        assertEquals(await other.get(created.id), created);
        assertEquals(await other.delete(created.id), true);
        assertEquals(await one.get(created.id), undefined);
      }));
  });

  (granted("run") ? it : it.skip)("gives no time twice where several processes create it and write to it", async () => {
    const creators = Array.from({ length: 3 }, () =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", `--allow-read=${file}`, `--allow-write=${file}`, "tests/examples/create_books.ts", file, "100"],
        cwd: ROOT,
        stdin: "null",
      }).output());
    const outputs = await Promise.all(creators);
    const created = outputs.flatMap(({ code, stdout, stderr }): Book[] => {
      assertEquals(code, 0, new TextDecoder().decode(stderr));
      return JSON.parse(new TextDecoder().decode(stdout));
    });
    assertEquals(new Set(created.map(({ createdAt }) => createdAt)).size, 300);
    assertEquals(await withStore(EMPTY, (store) => store.list({ limit: 1000 })), created.toSorted(newestFirst));
  });
});

describe("the seed", () => {
  it("has 150 books or more, no two with the same id or time", () => {
    assert(seed.books.length >= 150);
    assertEquals(new Set(seed.books.map(({ id }) => id)).size, seed.books.length);
    assertEquals(new Set(seed.books.map(({ createdAt }) => createdAt)).size, seed.books.length);
  });

  it("lies in the past", () => {
    for (const { createdAt } of seed.books) {
      assertMatch(createdAt, TIMESTAMP);
      assert(Date.parse(createdAt) < Date.now());
    }
  });

  it("has titles, names and ids that are fit for a url", () => {
    for (const { id, title, authorId } of seed.books) {
      assertMatch(id, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assertMatch(authorId, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      assertEquals(title, title.trim());
      assert(title !== "");
    }
    assertEquals(new Set(seed.authors.map(({ id }) => id)).size, seed.authors.length);
  });

  it("has a few books whose authors are missing, and no author without a book", () => {
    const known = new Set(seed.authors.map(({ id }) => id));
    const missing = seed.books.filter(({ authorId }) => !known.has(authorId));
    assert(missing.length >= 3 && missing.length <= 10);
    const written = new Set(seed.books.map(({ authorId }) => authorId));
    assertEquals(seed.authors.filter(({ id }) => !written.has(id)), []);
  });
});

/** Stores in files, each in a directory of its own. */
function sqliteFiles(): Kind {
  const directories: string[] = [];
  return {
    name: "SQLite in a file",
    permitted: granted("read", "write"),
    async open(seed) {
      const directory = await Deno.makeTempDir();
      directories.push(directory);
      return openSqliteStore(`${directory}/books.db`, seed);
    },
    async remove() {
      for (const directory of directories.splice(0)) await Deno.remove(directory, { recursive: true });
    },
  };
}

function idsOf(books: readonly Book[]): readonly string[] {
  return books.map(({ id }) => id);
}

function newestFirst(a: Book, b: Book): number {
  return a.createdAt < b.createdAt ? 1 : -1;
}
