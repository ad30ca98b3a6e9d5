import { sessionStore, sessionTable } from "@fw/core/sqlite";
import { chmodSync, closeSync, existsSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { z } from "zod";
import { picture } from "./api.ts";

const account = z.object({ email: z.string(), name: z.string(), passwordHash: z.string() });
export type Account = z.infer<typeof account>;

export type Picture = z.infer<typeof picture>;

/** How many pictures an account may keep. */
const MAX_PICTURES = 100;

export type Store = ReturnType<typeof openStore>;

/**
 * Opens the store in a file, which is created if need be, and which no other user of the machine may read. With many
 * instances, a database that they share takes its place, and its methods return promises.
 */
export function openStore(path: string, now: () => number = Date.now) {
  if (path !== ":memory:") keepPrivate(path);
  const db = new DatabaseSync(path);
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA busy_timeout = 5000;
    CREATE TABLE IF NOT EXISTS accounts (email TEXT PRIMARY KEY, name TEXT NOT NULL, passwordHash TEXT NOT NULL) STRICT;
    CREATE TABLE IF NOT EXISTS pictures (
      number INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, owner TEXT NOT NULL REFERENCES accounts,
      title TEXT NOT NULL, type TEXT NOT NULL, createdAt TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS pictures_of_owner ON pictures (owner, number);
    ${sessionTable()}
  `);
  const run = (sql: string, ...values: readonly (string | number)[]) => db.prepare(sql).all(...values);

  return {
    sessions: sessionStore(db),

    /** Throws where the database does not respond. */
    ping: () => void run("SELECT count(*) FROM accounts WHERE email = ''"),

    findAccount(email: string): Account | undefined {
      return account.optional().parse(run("SELECT * FROM accounts WHERE email = ?", email)[0]);
    },
    /** Returns `false` if the address has an account. */
    addAccount({ email, name, passwordHash }: Account): boolean {
      const sql = "INSERT INTO accounts VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING email";
      return run(sql, email, name, passwordHash).length === 1;
    },
    /** Replaces the hash of a password, unless it has changed meanwhile. */
    replaceHash(email: string, old: string, renewed: string): void {
      run("UPDATE accounts SET passwordHash = ? WHERE email = ? AND passwordHash = ?", renewed, email, old);
    },

    /** Lists pictures, newest first, from a cursor on. `next` is the cursor of the next page. */
    listPictures(owner: string, limit: number, before = Number.MAX_SAFE_INTEGER) {
      const sql = "SELECT * FROM pictures WHERE owner = ? AND number < ? ORDER BY number DESC LIMIT ?";
      const rows = run(sql, owner, before, limit);
      return { data: z.array(picture).parse(rows), next: rows.length < limit ? null : Number(rows.at(-1)?.number) };
    },
    findPicture(owner: string, id: string): Picture | undefined {
      return picture.optional().parse(run("SELECT * FROM pictures WHERE owner = ? AND id = ?", owner, id)[0]);
    },
    /** Whether anybody has it. */
    hasPicture: (id: string) => run("SELECT id FROM pictures WHERE id = ?", id).length === 1,
    /** Returns `undefined` if the owner may not keep one more. */
    addPicture(owner: string, { id, title, type }: Omit<Picture, "createdAt">): Picture | undefined {
      const sql = `INSERT INTO pictures (id, owner, title, type, createdAt) SELECT ?, ?, ?, ?, ?
        WHERE (SELECT count(*) FROM pictures WHERE owner = ?) < ? RETURNING *`;
      const values = [id, owner, title, type, new Date(now()).toISOString(), owner, MAX_PICTURES];
      return picture.optional().parse(run(sql, ...values)[0]);
    },
    /** Returns `false` if there is none. */
    deletePicture(owner: string, id: string): boolean {
      return run("DELETE FROM pictures WHERE owner = ? AND id = ? RETURNING id", owner, id).length === 1;
    },
  };
}

/** SQLite gives the files `-wal` and `-shm` the mode that the database has when it creates them. */
function keepPrivate(path: string): void {
  closeSync(openSync(path, "a", 0o600));
  for (const file of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(file)) chmodSync(file, 0o600);
  }
}
