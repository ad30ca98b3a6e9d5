/**
 * The stores of `@fw/core/sqlite`, and the books API on SQLite, on a disk that is full. Run by `deno task slow faults`,
 * as only root can mount a disk.
 */
import { assert, assertEquals, assertThrows } from "@std/assert";
import { it } from "@std/testing/bdd";
import { DatabaseSync } from "node:sqlite";
import {
  eventLog,
  eventTable,
  idempotencyStore,
  idempotencyTable,
  rateLimitStore,
  rateLimitTable,
  sessionStore,
  sessionTable,
} from "../../../src/sqlite/mod.ts";
import { serve } from "../../examples/serve.ts";
import { mountDisk } from "./disk.ts";

it("the stores fail on a full disk, lose nothing that they have acknowledged, and are used again when it has room", async () => {
  const disk = await mountDisk(4);
  try {
    using db = new DatabaseSync(`${disk.directory}/stores.db`);
    db.exec("PRAGMA journal_mode = WAL;" + sessionTable() + rateLimitTable() + idempotencyTable() + eventTable());
    const sessions = sessionStore(db);
    const keys = idempotencyStore(db);
    const log = eventLog<string>(db, { keep: 10_000 });
    const times = { begunAt: Date.now(), endsAt: Date.now() + 3_600_000 };
    const limits = { lifetime: 3600, perClient: 10_000 };
    const of = (key: string) => ({ key, client: "ada", request: "order", owner: key });
    const response = "x".repeat(1000);
    /** Calls each store with a name, and says which calls were acknowledged. */
    const use = async (name: string) => {
      const calls: Readonly<Record<string, () => unknown>> = {
        session: () => sessions.add({ digest: name, user: "ada", ...times }, 10_000),
        key: () => keys.reserve(of(name), limits),
        response: () => keys.keep(of(name), response),
        limit: () => rateLimitStore(db).take(name, { quota: 10, window: 3600 }),
        message: () => log.append(name),
      };
      const acknowledged: string[] = [];
      for (const [kind, call] of Object.entries(calls)) {
        try {
          if (await call() !== false) acknowledged.push(kind);
        } catch (error) {
          assert(/disk is full|disk I\/O/.test(String(error)), String(error));
        }
      }
      return acknowledged;
    };
    await Deno.writeFile(`${disk.directory}/filler`, new Uint8Array(256 * 1024));
    const done = new Map<string, readonly string[]>();
    // The row of a limit is short, and longer ones have left room for it.
    for (let number = 1, last = ["any"]; last.some((kind) => kind !== "limit"); number++) {
      last = await use(`${number}`);
      done.set(`${number}`, last);
    }
    assert(done.size > 50, `Full after ${done.size} calls`);
    assertThrows(() => sessions.add({ digest: "late", user: "ada", ...times }, 10_000));
    await disk.free();
    assertEquals((await use("last")).length, 5);

    const messages = new Set<unknown>();
    for await (const [, text] of log.read("0", AbortSignal.timeout(60_000))) {
      messages.add(text);
      if (text === "last") break;
    }
    for (const [name, kinds] of done) {
      if (kinds.includes("session")) assertEquals((await sessions.find(name))?.user, "ada");
      if (kinds.includes("response")) {
        assertEquals(keys.reserve({ ...of(name), owner: "another" }, limits), { state: "done", response });
      }
      if (kinds.includes("message")) assert(messages.has(name), `Lost: ${name}`);
    }
  } finally {
    await disk.remove();
  }
});

it("a full disk receives 503, loses nothing, and is used again when it has room", async () => {
  const disk = await mountDisk(1);
  const file = `${disk.directory}/books.db`;
  const permissions = ["--allow-env=BOOKS_DB", `--allow-read=${file}`, `--allow-write=${file}`];
  try {
    await using served = await serve("examples/books.ts", { permissions, env: { BOOKS_DB: file } });
    const request = async (path: string, options?: RequestInit) => {
      const response = await fetch(served.origin + path, options);
      return { status: response.status, retry: response.headers.get("retry-after"), body: await response.json() };
    };
    const body = JSON.stringify({ title: "x".repeat(500), authorId: "x" });
    const create = () => request("/books", { method: "POST", body });
    const created: string[] = [];
    assertEquals((await create()).status, 201);
    await disk.fill();
    let last = await create();
    for (; last.status === 201; last = await create()) created.push(last.body.id);
    for (let turn = 0; turn < 20; turn++, last = await create()) {
      assertEquals([last.status, last.retry, last.body], [503, "1", { error: "Service unavailable" }]);
    }
    for (const id of created) assertEquals((await request(`/books/${id}`)).status, 200);
    await disk.free();
    assertEquals((await create()).status, 201);
  } finally {
    await disk.remove();
  }
});
