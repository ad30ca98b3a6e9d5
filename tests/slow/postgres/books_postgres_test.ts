import { assert, assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openPostgresStore } from "../../../examples/books/postgres_store.ts";
import { seed } from "../../../examples/books/seed.ts";
import type { Book, BookStore } from "../../../examples/books/store.ts";
import { Overloaded } from "../../../examples/shared/queue.ts";
import { StoreUnavailable } from "../../../examples/books/store_unavailable.ts";
import { until } from "../../support/until.ts";
import { createSchema, DATABASE_URL, type Schema } from "../../examples/postgres_schema.ts";
import { granted } from "../../support/granted.ts";
import { ROOT, serve, type Served } from "../../examples/serve.ts";
import { openTcpProxy, type TcpProxy } from "../../support/tcp_proxy.ts";

const EXAMPLE = "examples/books.ts";

/** A page, as the list returns it. */
interface Page {
  readonly data: readonly Book[];
  readonly pagination: { readonly nextCursor: string | null };
}

(DATABASE_URL === undefined ? describe.skip : describe)("a book store on PostgreSQL", () => {
  let schema: Schema;
  let store: BookStore;
  beforeEach(async () => {
    schema = await createSchema();
    store = await openPostgresStore(schema.url, seed);
  });
  afterEach(async () => {
    try {
      await store.close();
    } finally {
      await schema.drop();
    }
  });

  it("a book store on PostgreSQL reads a page by an index without sorting, whatever the number of books", async () => {
    await schema.sql`
      INSERT INTO books SELECT 'book-' || time, 'Title', 'x', time, false FROM generate_series(1, 50000) AS time
    `;
    await schema.sql`ANALYZE books`;
    assertMatch(
      await explain({ before: new Date(), limit: 20 }),
      /^Limit\n *-> *Index Scan Backward using books_created_at_key on books\n *Index Cond: .*$/,
    );
    assertMatch(
      await explain({ before: new Date(), limit: 20, top: true }),
      /^Limit\n *-> *Index Scan Backward using top_books on books\n *Index Cond: .*$/,
    );
  });

  /** Returns the plan of the statement that lists a page. */
  async function explain(page: Parameters<BookStore["list"]>[0]): Promise<string> {
    let statement: string | undefined;
    // The connection closes when it has been idle for a second.
    await until(async () => {
      await store.list(page);
      statement = await schema.lastStatement();
      return statement !== undefined;
    });
    const lines = await schema.sql.unsafe(`EXPLAIN (COSTS false) ${statement}`);
    return lines.map((line) => line["QUERY PLAN"]).join("\n");
  }

  it("a book store on PostgreSQL shows books in the order of their times, even if an earlier one commits later", async () => {
    let created: Promise<Book> | undefined;
    const other = await schema.sql.begin(async (sql) => {
      // The state of another process that has stopped just before its commit.
      const [clock] = await sql`UPDATE clock SET last = last + 100 RETURNING last`;
      created = store.create({ title: "Emma", authorId: "jane-austen" });
      await sql`SELECT pg_sleep(0.2)`;
      const [newest] = await store.list({ limit: 1 });
      assertEquals(newest?.createdAt, seed.books.at(-1)?.createdAt);
      return Number(clock?.last);
    });
    assert(Date.parse((await created)?.createdAt ?? "") > other);
  });

  it("a book store on PostgreSQL uses the clock of the database, which never goes back", async () => {
    const [clock] = await schema.sql`UPDATE clock SET last = last + 1e12 RETURNING last`;
    const ahead = Number(clock?.last);
    for (const step of [1, 2, 3]) {
      const { createdAt } = await store.create({ title: "Emma", authorId: "jane-austen" });
      assertEquals(Date.parse(createdAt), ahead + step);
    }
  });

  it("a book store on PostgreSQL rejects a second book with the same time, whoever writes it", async () => {
    const [newest] = await store.list({ limit: 1 });
    const time = Date.parse(newest?.createdAt ?? "");
    await assertRejects(async () => await schema.sql`INSERT INTO books VALUES ('x', 'x', 'x', ${time}, false)`);
    assertEquals((await store.listWindow({ offset: 0, limit: 1 })).total, seed.books.length);
  });

  it("a book store on PostgreSQL keeps working while its connections fail again and again", async () => {
    const listMany = () => Promise.all(Array.from({ length: 20 }, () => store.list({ limit: 1 })));
    for (let round = 0; round < 10; round++) {
      await listMany();
      const interrupted = Promise.allSettled(Array.from({ length: 20 }, () => store.list({ limit: 1000 })));
      await schema.disconnect();
      await interrupted;
      await retry(listMany);
    }
  });

  /** Calls `use` with a store that reaches the database through a proxy. */
  async function throughProxy(use: (far: BookStore, proxy: TcpProxy) => Promise<void>, query = ""): Promise<void> {
    const { proxy, url } = await openProxy(schema, query);
    const far = await openPostgresStore(url, seed);
    try {
      await use(far, proxy);
    } finally {
      await far.close();
      proxy.shut();
    }
  }

  it("a book store on PostgreSQL rejects calls while the database is unreachable, and works again as soon as it is back", async () => {
    await throughProxy(async (far, proxy) => {
      assertEquals((await far.list({ limit: 1 })).length, 1);
      proxy.shut();
      for (let turn = 0; turn < 5; turn++) await assertRejects(() => far.list({ limit: 1 }), StoreUnavailable);
      await assertRejects(() => far.create({ title: "Emma", authorId: "jane-austen" }), StoreUnavailable);
      await proxy.reopen();
      assertEquals((await far.list({ limit: 1 })).length, 1);
      await far.create({ title: "Emma", authorId: "jane-austen" });
    });
  });

  it("a book store on PostgreSQL opens at most two connections for a read and one for a write if a balancer rejects them", async () => {
    await throughProxy(async (far, proxy) => {
      await far.list({ limit: 1 });
      proxy.set("refuse");
      await schema.disconnect();
      const before = proxy.accepted();
      await Promise.all(Array.from({ length: 6 }, () => assertRejects(() => far.list({ limit: 1 }), StoreUnavailable)));
      assert(proxy.accepted() - before <= 12);
      const afterReads = proxy.accepted();
      await assertRejects(() => far.delete("emma"), StoreUnavailable);
      assert(proxy.accepted() - afterReads <= 1);
      proxy.set("forward");
      assertEquals(await far.delete("emma"), true);
    });
  });

  it("a book store on PostgreSQL repeats a read on a new connection if the first one fails", async () => {
    for (let round = 0; round < 5; round++) {
      await Promise.all(Array.from({ length: 5 }, () => store.list({ limit: 1 })));
      await schema.disconnect();
      assertEquals((await Promise.all(Array.from({ length: 5 }, () => store.list({ limit: 1 })))).length, 5);
    }
  });

  it("a book store on PostgreSQL rejects, and changes nothing, if the connection fails while the tables are being created", async () => {
    const other = await createSchema();
    try {
      await schema.sql.begin(async (sql) => {
        await sql`SELECT pg_advisory_xact_lock(hashtext('create the tables of books'))`;
        const refused = assertRejects(() => openPostgresStore(other.url, seed), StoreUnavailable);
        while ((await other.pids()).length === 0) await sql`SELECT pg_sleep(0.01)`;
        await sql`SELECT pg_sleep(0.1)`;
        await other.disconnect();
        await refused;
      });
      const opened = await openPostgresStore(other.url, seed);
      assertEquals((await opened.listWindow({ offset: 0, limit: 1 })).total, seed.books.length);
      await opened.close();
    } finally {
      await other.drop();
    }
  });

  it("a book store on PostgreSQL keeps a connection after its first statement failed, and reconnects after it was idle", async () => {
    const idle = () => until(async () => (await schema.pids()).length === 0);
    await idle();
    await schema.sql`ALTER TABLE books RENAME TO hidden`;
    await assertRejects(() => store.delete("emma"), Error, `relation "books" does not exist`);
    await schema.sql`ALTER TABLE hidden RENAME TO books`;
    await idle();
    assertEquals(await store.delete("emma"), true);
  });

  it("a book store on PostgreSQL reads while more writes than connections wait for the lock on the clock", async () => {
    let created: Promise<readonly Book[]> | undefined;
    await schema.sql.begin(async (sql) => {
      await sql`UPDATE clock SET last = last`;
      created = Promise.all(Array.from({ length: 30 }, () => store.create({ title: "Emma", authorId: "x" })));
      const found = await Promise.all(Array.from({ length: 30 }, () => store.get("emma")));
      assertEquals(new Set(found.map((book) => book?.id)), new Set(["emma"]));
    });
    assertEquals((await created)?.length, 30);
  });

  it("a book store on PostgreSQL acknowledges only what is stored, even if a prepared COMMIT is lost, as behind some poolers", async () => {
    await schema.sql.unsafe(`
      CREATE FUNCTION lose_commit() RETURNS trigger LANGUAGE plpgsql AS $$
        DECLARE lost text;
        BEGIN
          FOR lost IN SELECT name FROM pg_prepared_statements WHERE statement = 'COMMIT'
          LOOP EXECUTE format('DEALLOCATE %I', lost); END LOOP;
          RETURN NULL;
        END
      $$;
      CREATE TRIGGER lose_commit AFTER INSERT ON books FOR EACH ROW EXECUTE FUNCTION lose_commit()
    `);
    for (let turn = 0; turn < 4; turn++) {
      const created = await store.create({ title: "Emma", authorId: "x" }, `key ${turn}`);
      assertEquals(await store.get(created.id), created);
    }
  });

  it("a book store on PostgreSQL stores strings unchanged, whatever backslashes mean to the server", async () => {
    for (const setting of ["on", "off"]) {
      const other = await openPostgresStore(`${schema.url}&standard_conforming_strings=${setting}`, seed);
      try {
        for (const text of ["\\", "\\'", "'", '\\"', '","key":"', "\\'; DROP TABLE books; --"]) {
          const key = setting + text;
          const created = await other.create({ title: text, authorId: text }, key);
          assertEquals([created.title, created.authorId], [text, text]);
          assertEquals(await other.get(created.id), created);
          assertEquals(await other.create({ title: "Emma", authorId: "x" }, key), created);
        }
      } finally {
        await other.close();
      }
    }
  });

  /** Opens a proxy, and the url of the database through it. */
  async function openProxy(to: Schema, query: string): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
    const url = new URL(to.url + query);
    const proxy = await openTcpProxy(Number(url.port || 5432));
    url.host = `127.0.0.1:${proxy.port}`;
    return { proxy, url: url.href };
  }

  for (const [mode, query] of [["with limits", ""], ["without limits, as behind a pooler", "&prepare=false"]]) {
    it(`a book store on PostgreSQL creates books while another instance vanishes after any part of a creation, ${mode}`, async () => {
      let vanished = true;
      const closed: Promise<void>[] = [];
      for (let bytes = 0; vanished; bytes += 100) {
        const { proxy, url } = await openProxy(schema, query ?? "");
        const far = await openPostgresStore(url, seed);
        const cut = proxy.cut(bytes).then(() => true);
        const created = far.create({ title: "Emma", authorId: "x" }, "key").then(() => false, () => true);
        vanished = await Promise.race([cut, created]);
        await store.create({ title: "Emma", authorId: "x" }, "key");
        proxy.shut();
        closed.push(far.close());
      }
      await Promise.all(closed);
    });

    it(`a book store on PostgreSQL opens while another instance vanishes after any part of a migration, ${mode}`, async () => {
      let vanished = true;
      for (let bytes = 0; vanished; bytes += 100 + Math.floor(bytes / 8)) {
        const empty = await createSchema();
        const { proxy, url } = await openProxy(empty, query ?? "");
        const cut = proxy.cut(bytes).then(() => true);
        const opened = openPostgresStore(url, seed).then((far) => far.close()).then(() => false, () => true);
        vanished = await Promise.race([cut, opened]);
        const near = await openPostgresStore(empty.url, seed);
        assertEquals((await near.listWindow({ offset: 0, limit: 1 })).total, seed.books.length);
        await near.close();
        proxy.shut();
        await opened;
        await empty.drop();
      }
    });
  }

  it("a book store on PostgreSQL counts the time before a connection is free: a later call to a database that hangs fails later", async () => {
    const busy = await openPostgresStore(`${schema.url}&max=2&statement_timeout=0`, seed);
    const idle = await openPostgresStore(`${schema.url}&statement_timeout=0`, seed);
    try {
      const failed: string[] = [];
      const list = (name: string, of: BookStore) => of.list({ limit: 1 }).then(() => {}, () => failed.push(name));
      const lists: Promise<unknown>[] = [];
      await schema.sql.begin(async (sql) => {
        await sql`LOCK TABLE books`;
        lists.push(list("first", busy), list("second, after the first", busy));
        await sql`SELECT pg_sleep(1)`;
        lists.push(list("third", idle));
        await sql`SELECT pg_sleep(2)`;
        // Ends the first one.
        await sql`
          SELECT pg_cancel_backend(pid) FROM pg_stat_activity JOIN pg_locks USING (pid)
          WHERE relation = 'books'::regclass AND NOT granted ORDER BY backend_start LIMIT 1
        `;
        await until(() => failed.length === 3);
      });
      await Promise.all(lists);
      assertEquals(failed, ["first", "second, after the first", "third"]);
    } finally {
      await Promise.all([busy.close(), idle.close()]);
    }
  });

  it("a book store on PostgreSQL does not start what cannot end before its deadline, and keeps its connections", async () => {
    const use = async () => {
      await Promise.all([store.list({ limit: 1 }), store.delete("nope")]);
      return String(await schema.pids());
    };
    let kept = false;
    // A connection also closes when it has been idle for a second, as it may be on a slow machine.
    for (let round = 0; round < 5 && !kept; round++) {
      const before = await use();
      for (const deadline of [performance.now() + 1_000, performance.now(), 0]) {
        await assertRejects(() => store.list({ limit: 1 }, deadline), Overloaded);
        await assertRejects(() => store.get("emma", deadline), Overloaded);
        await assertRejects(() => store.getAuthors(["jane-austen"], deadline), Overloaded);
      }
      kept = await use() === before;
    }
    assert(kept);
  });

  it("a book store on PostgreSQL is not ready if a table is missing", async () => {
    await store.ping();
    await schema.sql`DROP TABLE books`;
    await assertRejects(() => store.ping());
  });

  it("a book store on PostgreSQL reports that the url requires TLS and the server does not offer it", async () => {
    const url = new URL(schema.url);
    for (const mode of ["require", "verify-full"]) {
      url.searchParams.set("sslmode", mode);
      await assertRejects(() => openPostgresStore(url.href, seed), StoreUnavailable, "does not support SSL");
    }
    url.searchParams.set("sslmode", "prefer");
    await (await openPostgresStore(url.href, seed)).close();
  });

  it("a book store on PostgreSQL opens at most max connections", async () => {
    await throughProxy(async (far, proxy) => {
      const before = proxy.accepted();
      const lists = Promise.all(Array.from({ length: 50 }, () => far.list({ limit: 100 })));
      const deletions = Promise.all(Array.from({ length: 50 }, () => far.delete("nope")));
      await Promise.all([lists, deletions]);
      // The first connection counts again if it has been idle for too long.
      const opened = proxy.accepted() - before;
      assert(opened === 3 || opened === 4, `${opened} connections`);
    }, "&max=4");
  });

  it("a book store on PostgreSQL cancels statements that take too long", async () => {
    // Long enough for the other statements on a slow machine.
    const other = await openPostgresStore(`${schema.url}&statement_timeout=3000`, seed);
    try {
      await schema.sql.begin(async (sql) => {
        await sql`UPDATE clock SET last = last`;
        await assertRejects(() => other.create({ title: "Emma", authorId: "x" }), StoreUnavailable, "time or space");
      });
      await other.create({ title: "Emma", authorId: "x" });
    } finally {
      await other.close();
    }
  });
});

(DATABASE_URL !== undefined && granted("read", "run") ? describe : describe.skip)("DATABASE_URL", () => {
  let schema: Schema;
  let instances: readonly Served[] = [];
  beforeEach(async () => {
    schema = await createSchema();
  });
  afterEach(async () => {
    try {
      await Promise.all(instances.map((instance) => instance.stop()));
    } finally {
      instances = [];
      await schema.drop();
    }
  });

  /** Starts instances at the same time. */
  async function serveInstances(count: number): Promise<void> {
    const options = { permissions: schema.permissions, env: { DATABASE_URL: schema.url } };
    instances = await Promise.all(Array.from({ length: count }, () => serve(EXAMPLE, options)));
  }

  function request(instance: number, path: string, options?: RequestInit): Promise<Response> {
    return fetch(`${instances[instance]?.origin}${path}`, options);
  }

  async function post(instance: number, title: string): Promise<Book> {
    const response = await request(instance, "/books", {
      method: "POST",
      body: JSON.stringify({ title, authorId: "jane-austen" }),
    });
    assertEquals(response.status, 201);
    return await response.json();
  }

  it("DATABASE_URL names the database of several instances, which is seeded once even if they start at the same time", async () => {
    await serveInstances(3);
    const newestFirst = seed.books.toReversed();
    for (const instance of instances.keys()) {
      const { data }: Page = await (await request(instance, "/books?limit=100")).json();
      assertEquals(data, newestFirst.slice(0, 100));
    }
  });

  it("DATABASE_URL shows in one instance what another has created or deleted", async () => {
    await serveInstances(2);
    const book = await post(0, "Emma");
    assertEquals(await (await request(1, `/books/${book.id}`)).json(), book);
    assertEquals((await request(1, `/books/${book.id}`, { method: "DELETE" })).status, 204);
    const gone = await request(0, `/books/${book.id}`);
    assertEquals([gone.status, await gone.json()], [404, { error: "Not found" }]);
  });

  it("DATABASE_URL gives books created through both instances different times, and lists each exactly once", async () => {
    await serveInstances(2);
    const created = await Promise.all(Array.from({ length: 200 }, (_, index) => post(index % 2, `Volume ${index}`)));
    const expected = [...seed.books, ...created].toSorted((a, b) => a.createdAt < b.createdAt ? 1 : -1);
    assertEquals(new Set(expected.map(({ createdAt }) => createdAt)).size, expected.length);

    const walked: Book[] = [];
    let query = "?limit=7";
    for (let page = 0;; page++) {
      const { data, pagination }: Page = await (await request(page % 2, `/books${query}`)).json();
      walked.push(...data);
      if (pagination.nextCursor === null) break;
      query = `?limit=7&cursor=${pagination.nextCursor}`;
    }
    assertEquals(walked, expected);
  });

  it("DATABASE_URL keeps the books after all instances have ended", async () => {
    await serveInstances(1);
    const book = await post(0, "Emma");
    for (const instance of instances) await instance.stop();
    await serveInstances(1);
    assertEquals(await (await request(0, `/books/${book.id}`)).json(), book);
  });

  it("DATABASE_URL responds with 404 to an id that PostgreSQL cannot store", async () => {
    await serveInstances(1);
    for (const id of ["%00", "emma%00", "%ED%A0%80", "%E0%A4%A", "%25"]) {
      for (const method of ["GET", "DELETE"]) {
        const response = await request(0, `/books/${id}`, { method });
        assertEquals([response.status, await response.json()], [404, { error: "Not found" }]);
      }
    }
  });

  it("DATABASE_URL responds again after its connections were terminated", async () => {
    await serveInstances(1);
    await Promise.all(Array.from({ length: 20 }, (_, index) => post(0, `Volume ${index}`)));
    await schema.disconnect();
    await retry(() => post(0, "Emma"));
    await post(0, "Persuasion");
  });

  it("DATABASE_URL responds with 500 without details if a table is missing", async () => {
    await serveInstances(1);
    await schema.sql`DROP TABLE books`;
    for (const path of ["/books", "/books/emma", "/v2/books/top"]) {
      const response = await request(0, path);
      assertEquals([response.status, await response.json()], [500, { error: "Internal server error" }]);
    }
    assertStringIncludes(instances[0]?.printed() ?? "", 'relation "books" does not exist');
  });

  it("DATABASE_URL responds with 503 and Retry-After while the database is unreachable, and logs the reason", async () => {
    const url = new URL(schema.url);
    const proxy = await openTcpProxy(Number(url.port || 5432));
    url.host = `127.0.0.1:${proxy.port}`;
    const permissions = ["--allow-env=DATABASE_URL", `--allow-net=${url.host}`];
    instances = [await serve(EXAMPLE, { permissions, env: { DATABASE_URL: url.href } })];
    const post = { method: "POST", body: JSON.stringify({ title: "Emma", authorId: "jane-austen" }) };
    const targets: readonly (readonly [string, RequestInit?])[] = [
      ...["/books", "/v1/books", "/v2/books", "/v2/books/top", "/v2/books/popular"].map((path) => [path] as const),
      ...["/books/emma", "/v2/books/emma", "/ready"].map((path) => [path] as const),
      ["/books", post],
      ["/books/emma", { method: "DELETE" }],
    ];
    assertEquals((await request(0, "/books")).status, 200);
    proxy.shut();
    for (const [path, options] of targets) {
      const response = await request(0, path, options);
      assertEquals([response.status, response.headers.get("retry-after")], [503, "1"]);
      assertEquals(await response.json(), { error: "Service unavailable" });
    }
    await proxy.reopen();
    assertEquals((await request(0, "/books")).status, 200);
    proxy.shut();
    assertStringIncludes(instances[0]?.printed() ?? "", `The database at ${url.host}${url.pathname} is unreachable`);
    assert(!instances[0]?.printed().includes(url.password));
  });

  it("DATABASE_URL may have too much to do: beyond 1,000 waiting requests, others get a 503 that says when to try again", async () => {
    const options = { permissions: schema.permissions, env: { DATABASE_URL: `${schema.url}&max=2` } };
    instances = [await serve(EXAMPLE, options)];
    const show = async () => {
      const response = await request(0, "/books/emma");
      await response.body?.cancel();
      return `${response.status} ${response.headers.get("retry-after")}`;
    };
    const full = () => instances[0]?.printed().includes("Too many tasks are waiting");
    const shown = new Set<string>();
    // Where they take seconds to arrive, the first ones have waited too long. The next round has its connections already.
    for (let round = 0; round < 5 && !full(); round++) {
      let answers: Promise<readonly string[]> | undefined;
      await schema.sql.begin(async (sql) => {
        await sql`LOCK TABLE books`;
        let answered = 0;
        answers = Promise.all(Array.from({ length: 1_011 }, () => show().finally(() => answered++)));
        await until(() => answered >= 10);
      });
      for (const answer of await answers ?? []) shown.add(answer);
    }
    assertEquals(shown, new Set(["200 null", "503 1"]));
    assert(full());
  });

  it("DATABASE_URL is ready as soon as the database responds, and not before", async () => {
    const url = new URL(schema.url);
    const proxy = await openTcpProxy(Number(url.port || 5432));
    url.host = `127.0.0.1:${proxy.port}`;
    const permissions = ["--allow-env=DATABASE_URL", `--allow-net=${url.host}`];
    instances = [await serve(EXAMPLE, { permissions, env: { DATABASE_URL: url.href } })];
    const ready = async () => {
      const response = await request(0, "/ready");
      await response.body?.cancel();
      return `${response.status} ${response.headers.get("retry-after")}`;
    };
    await until(async () => await ready() === "200 null");
    proxy.set("stall");
    assertEquals(await ready(), "503 1");
    proxy.set("forward");
    // Not at once: a slow machine may take longer than the second in which the database must answer.
    await until(async () => await ready() === "200 null");
    proxy.shut();
  });

  it("DATABASE_URL contains every setting: the variables of the driver are not read", async () => {
    const env = { DATABASE_URL: schema.url, PGAPPNAME: "wrong", PGOPTIONS: "wrong", PGTARGETSESSIONATTRS: "standby" };
    const permissions = ["--allow-env", ...schema.permissions.slice(1)];
    instances = [await serve(EXAMPLE, { permissions, env: { ...env, BOOKS_DB: "" } })];
    await post(0, "Emma");
  });
});

(granted("net", "read", "run") ? describe : describe.skip)("DATABASE_URL, without a database", () => {
  it("DATABASE_URL, without a database, is not read without the permission, so that Deno does not prompt", async () => {
    await assertServes([], { DATABASE_URL: "postgres://user:secret@127.0.0.1:1/books" });
  });

  it("DATABASE_URL, without a database, counts as unset if it is empty", async () => {
    await assertServes(["--allow-env=DATABASE_URL"], { DATABASE_URL: "" });
  });

  it("DATABASE_URL, without a database, cannot be combined with BOOKS_DB", async () => {
    const env = { DATABASE_URL: "postgres://user:secret@127.0.0.1:1/books", BOOKS_DB: "books.db" };
    const printed = await assertFails(["--allow-env=DATABASE_URL,BOOKS_DB"], env);
    assertStringIncludes(printed, "Set DATABASE_URL or BOOKS_DB, not both");
  });

  it("DATABASE_URL, without a database, must be the url of a PostgreSQL database, and is not printed if it is invalid", async () => {
    const urls = [
      "secret",
      "user:secret@127.0.0.1/books",
      "mysql://user:secret@127.0.0.1/books",
      "postgres://user:sec/ret@127.0.0.1/books",
      "postgres://user:secret@127.0.0.1:x/books",
      "postgres://:secret@127.0.0.1/books",
      "postgres://127.0.0.1/secret",
    ];
    for (const url of urls) {
      const printed = await assertFails(["--allow-env=DATABASE_URL", "--allow-net"], { DATABASE_URL: url });
      assertStringIncludes(printed, "postgres://user:password@host:5432/database");
    }
  });

  it("DATABASE_URL, without a database, causes an error at start, without its password, if the database is unreachable", async () => {
    const env = { DATABASE_URL: "postgres://user:secret@127.0.0.1:1/books" };
    assertStringIncludes(
      await assertFails(["--allow-env=DATABASE_URL", "--allow-net=127.0.0.1:1"], env),
      "127.0.0.1:1",
    );
  });

  it("DATABASE_URL, without a database, causes the download of the driver: without it, the driver is not loaded", async () => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", EXAMPLE],
      cwd: ROOT,
      stdin: "null",
    }).output();
    const { modules }: { modules: readonly Module[] } = JSON.parse(new TextDecoder().decode(stdout));
    const imported = modules.flatMap(({ dependencies = [] }) => dependencies.map(({ code }) => code?.specifier));
    assert(imported.some((specifier) => specifier?.includes("zod")));
    assertEquals(imported.filter((specifier) => specifier?.includes("npm:pg")), []);
  });
});

/** A module with its dependencies at run time. */
interface Module {
  readonly dependencies?: readonly { readonly code?: { readonly specifier?: string } }[];
}

/** Asserts that the example serves books. */
async function assertServes(permissions: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  await using served = await serve(EXAMPLE, { permissions, env });
  const response = await fetch(`${served.origin}/books/emma`);
  assertEquals([response.status, (await response.json()).id], [200, "emma"]);
}

/** Asserts that the example fails to start and prints no password. Returns its output. */
async function assertFails(
  permissions: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const { message } = await assertRejects(
    () => serve(EXAMPLE, { permissions, env }),
    Error,
    "ended before it listened",
  );
  assert(!message.includes("secret"), message);
  assert(!message.includes("ret@"), message);
  return message;
}

/** Retries until it works: one call may fail for each of the 10 terminated connections. */
async function retry<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let failures = 1;; failures++) {
    try {
      return await attempt();
    } catch (error) {
      if (failures > 10) throw error;
    }
  }
}
