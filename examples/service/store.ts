import type { Answer, Reply } from "@fw/core";
import type { IdempotencyStore, Key } from "@fw/core/idempotency";
import type { RateLimitStore } from "@fw/core/rate-limit";
import { rateLimitStore } from "@fw/core/memory";
import type { SessionStore } from "@fw/core/session";
import { idempotencyStore, idempotencyTable, sessionStore, sessionTable } from "@fw/core/sqlite";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { picture } from "./api.ts";

const account = z.object({ email: z.string(), name: z.string(), passwordHash: z.string() });
export type Account = z.infer<typeof account>;

export type Picture = z.infer<typeof picture>;

/** How many pictures an account may keep. Uploads that arrive at once may exceed it in PostgreSQL. */
const MAX_PICTURES = 100;

export type Store = ReturnType<typeof createStore>;

/** Runs a statement, whose values are `?`, and returns its rows. */
export type Run = (
  sql: string,
  ...values: readonly (string | number)[]
) => readonly unknown[] | Promise<readonly unknown[]>;

/** The response to a picture that was added. */
export type PictureAdded = Reply<Answer<201, Picture>>;

/** What differs from one database to another. */
export interface Engine {
  readonly sessions: SessionStore;
  readonly limits: RateLimitStore;
  readonly keys: IdempotencyStore;
  readonly run: Run;
  /**
   * Runs a statement that adds a picture, and keeps the response to it in the same transaction. Returns `undefined` if
   * nothing was added.
   */
  readonly addOnce: (
    key: Key,
    sql: string,
    ...values: readonly (string | number)[]
  ) => PictureAdded | undefined | Promise<PictureAdded | undefined>;
}

/** The tables, with the type of a number that counts up. */
export const tables = (counter: string) => `
  CREATE TABLE IF NOT EXISTS accounts (email TEXT PRIMARY KEY, name TEXT NOT NULL, "passwordHash" TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS pictures (
    number ${counter}, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL REFERENCES accounts,
    title TEXT NOT NULL, type TEXT NOT NULL, "createdAt" TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS pictures_of_owner ON pictures (owner, number);
`;

/**
 * Opens the store in a file, which is created if need be, and which no other user of the machine may read. With many
 * instances, postgres_store.ts takes its place.
 */
export function openStore(path: string, now: () => number = Date.now): Store {
  if (path !== ":memory:") keepPrivate(path);
  const db = new DatabaseSync(path);
  db.exec("PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000");
  db.exec(tables("INTEGER PRIMARY KEY AUTOINCREMENT") + sessionTable() + idempotencyTable());
  const keys = idempotencyStore(db);
  return createStore({
    sessions: sessionStore(db),
    limits: rateLimitStore({ most: 100_000 }),
    keys,
    run: (sql, ...values) => db.prepare(sql).all(...values),
    // Nothing waits between the first statement and the last one: all requests share the connection.
    addOnce(key, sql, ...values) {
      db.exec("BEGIN IMMEDIATE");
      try {
        const added = picture.optional().parse(db.prepare(sql).get(...values));
        const response = added && key.keepNow(keys, 201, added);
        db.exec("COMMIT");
        return response;
      } catch (error) {
        try {
          db.exec("ROLLBACK");
        } catch { /* a full disk has ended the transaction */ }
        throw error;
      }
    },
  }, now);
}

export function createStore({ run, addOnce, ...stores }: Engine, now: () => number = Date.now) {
  /** The statement that adds a picture, unless the owner may not keep one more, and its values. */
  const addition = (owner: string, { id, title, type }: Omit<Picture, "createdAt">) => {
    const sql = `INSERT INTO pictures (id, owner, title, type, "createdAt")
      SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT)
      WHERE (SELECT count(*) FROM pictures WHERE owner = ?) < ? RETURNING *`;
    return [sql, id, owner, title, type, new Date(now()).toISOString(), owner, MAX_PICTURES] as const;
  };
  return {
    ...stores,

    /** Throws where the database does not respond. */
    ping: async () => void await run("SELECT count(*) FROM accounts WHERE email = ''"),

    async findAccount(email: string): Promise<Account | undefined> {
      return account.optional().parse((await run("SELECT * FROM accounts WHERE email = ?", email))[0]);
    },
    /** Returns `false` if the address has an account. */
    async addAccount({ email, name, passwordHash }: Account): Promise<boolean> {
      const sql = "INSERT INTO accounts VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING email";
      return (await run(sql, email, name, passwordHash)).length === 1;
    },
    /** Replaces the hash of a password, unless it has changed meanwhile. */
    async replaceHash(email: string, old: string, renewed: string): Promise<void> {
      await run('UPDATE accounts SET "passwordHash" = ? WHERE email = ? AND "passwordHash" = ?', renewed, email, old);
    },

    /** Lists pictures, newest first, from a cursor on. `next` is the cursor of the next page. */
    async listPictures(owner: string, limit: number, before = Number.MAX_SAFE_INTEGER) {
      const sql = "SELECT * FROM pictures WHERE owner = ? AND number < ? ORDER BY number DESC LIMIT ?";
      const rows = numbered.parse(await run(sql, owner, before, limit));
      return { data: z.array(picture).parse(rows), next: rows.length < limit ? null : rows.at(-1)?.number ?? null };
    },
    async findPicture(owner: string, id: string): Promise<Picture | undefined> {
      return picture.optional().parse((await run("SELECT * FROM pictures WHERE owner = ? AND id = ?", owner, id))[0]);
    },
    hasPicture: async (id: string) => (await run("SELECT id FROM pictures WHERE id = ?", id)).length === 1,
    /** Returns `undefined` if the owner may not keep one more. */
    async addPicture(owner: string, added: Omit<Picture, "createdAt">): Promise<Picture | undefined> {
      return picture.optional().parse((await run(...addition(owner, added)))[0]);
    },
    /** The same for a request that may be repeated. */
    addPictureOnce: async (owner: string, added: Omit<Picture, "createdAt">, key: Key) =>
      await addOnce(key, ...addition(owner, added)),
    /** Returns `false` if there is none. */
    async deletePicture(owner: string, id: string): Promise<boolean> {
      return (await run("DELETE FROM pictures WHERE owner = ? AND id = ? RETURNING id", owner, id)).length === 1;
    },
  };
}

const numbered = z.array(z.looseObject({ number: z.coerce.number() }));

/** SQLite gives the files `-wal` and `-shm` the mode that the database has when it creates them. */
function keepPrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}
