import type { RateLimitStore } from "@fw/core/rate-limit";
import { rateLimitStore } from "@fw/core/memory";
import type { SessionStore } from "@fw/core/session";
import { sessionStore, sessionTable } from "@fw/core/sqlite";
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
  db.exec(tables("INTEGER PRIMARY KEY AUTOINCREMENT") + sessionTable());
  return createStore((sql, ...values) => db.prepare(sql).all(...values), {
    sessions: sessionStore(db),
    limits: rateLimitStore({ most: 100_000 }),
  }, now);
}

export function createStore(
  run: Run,
  stores: { readonly sessions: SessionStore; readonly limits: RateLimitStore },
  now: () => number = Date.now,
) {
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
    async addPicture(owner: string, { id, title, type }: Omit<Picture, "createdAt">): Promise<Picture | undefined> {
      const sql = `INSERT INTO pictures (id, owner, title, type, "createdAt")
        SELECT CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS TEXT)
        WHERE (SELECT count(*) FROM pictures WHERE owner = ?) < ? RETURNING *`;
      const values = [id, owner, title, type, new Date(now()).toISOString(), owner, MAX_PICTURES];
      return picture.optional().parse((await run(sql, ...values))[0]);
    },
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
