import { closeSync, openSync } from "node:fs";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import type { z } from "zod";
import { transact } from "../shared/transact.ts";
import type { User } from "./responses.ts";
import type { newMember } from "./schemas.ts";
import type { KeptToken } from "./token.ts";

export type { User };

/** The role of a user on the whole platform. */
export type Role = "admin" | "user";

export interface Account extends User {
  readonly role: Role;
}

/** A user in an org. The role grants nothing on the platform. */
export interface Member extends User {
  readonly orgId: string;
  readonly role: OrgRole;
}

type OrgRole = z.output<typeof newMember>["role"];

export interface NewUser extends Pick<User, "name" | "email"> {
  /** A user without one cannot sign in. */
  readonly passwordHash?: string | null;
}

/** Changes to a user. Omitted fields keep their value. */
export type UserChanges = { readonly [Key in keyof NewUser]?: NewUser[Key] | null | undefined };

/** Returned if another user has the e-mail address. */
export const EMAIL_TAKEN = "email_taken";

/** A store of users, orgs and tokens. Ids may be any string. */
export type UserStore = ReturnType<typeof openStore>;

/**
 * Opens a store on SQLite: `:memory:`, or a file, which only its owner can read. Several processes may share a file.
 */
export function openStore(path: string) {
  // SQLite creates files that everybody can read. Its additional files get the mode of this file.
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const db = new DatabaseSync(path);
  // In milliseconds: how long to wait while another process writes.
  db.exec("PRAGMA busy_timeout = 5000");
  /** Runs the work in a transaction: in the current one, if there is one. */
  const atomically = <Result>(work: () => Result) => db.isTransaction ? work() : transact(db, work);
  atomically(() => {
    if (db.prepare("PRAGMA user_version").get()?.user_version === 0) db.exec(CREATE_TABLES);
  });

  const run = (sql: string, values: Values = {}): readonly Row[] => db.prepare(sql).all(values);

  const isEmpty = () => run("SELECT 1 FROM users LIMIT 1").length === 0;

  /** The database checks whether the e-mail address is taken. A separate check before the insert would be a race. */
  function insert({ name, email, passwordHash = null }: NewUser, role: Role): User | typeof EMAIL_TAKEN {
    const sql = `
      INSERT INTO users (id, name, email, password_hash, role, created_at)
      VALUES (:id, :name, :email, :passwordHash, :role, :createdAt)
      ON CONFLICT (email) DO NOTHING
      RETURNING *
    `;
    const [row] = run(sql, { id: crypto.randomUUID(), name, email, passwordHash, role, createdAt: Date.now() });
    return row === undefined ? EMAIL_TAKEN : toUser(row);
  }

  function get(id: string): User | undefined {
    const [row] = run("SELECT * FROM users WHERE id = :id", { id });
    return row && toUser(row);
  }

  return {
    /** Runs several reads and writes as one transaction. The work must not return a promise. */
    transact: atomically,

    isEmpty,

    /**
     * Creates an admin of the platform and an org. If there are users already, does nothing and returns `undefined`.
     */
    begin: (admin: NewUser, orgName: string) =>
      atomically(() => {
        const user = isEmpty() ? insert(admin, "admin") : EMAIL_TAKEN;
        if (user === EMAIL_TAKEN) return undefined;
        const orgId = crypto.randomUUID();
        run("INSERT INTO orgs (id, name) VALUES (:orgId, :orgName)", { orgId, orgName });
        return { adminId: user.id, orgId };
      }),

    create: (user: NewUser) => atomically(() => insert(user, "user")),

    createMember: (orgId: string, role: OrgRole, user: NewUser): Member | typeof EMAIL_TAKEN =>
      atomically(() => {
        const created = insert(user, "user");
        if (created === EMAIL_TAKEN) return EMAIL_TAKEN;
        const sql = "INSERT INTO members (org_id, user_id, role) VALUES (:orgId, :userId, :role)";
        run(sql, { orgId, userId: created.id, role });
        return { ...created, orgId, role };
      }),

    get,

    /** Changes a user. A new password deletes all tokens of the user, except `tokenId`. */
    update: (
      id: string,
      { name = null, email = null, passwordHash = null }: UserChanges,
      tokenId: string | null = null,
    ) =>
      atomically(() => {
        // `OR IGNORE`: another user may have the e-mail address.
        const sql = `
          UPDATE OR IGNORE users
          SET name = coalesce(:name, name),
            email = coalesce(:email, email),
            password_hash = coalesce(:passwordHash, password_hash)
          WHERE id = :id
          RETURNING *
        `;
        const [row] = run(sql, { id, name, email, passwordHash });
        if (row === undefined) return get(id) && EMAIL_TAKEN;
        if (passwordHash !== null) {
          run("DELETE FROM tokens WHERE user_id = :id AND id IS NOT :tokenId", { id, tokenId });
        }
        return toUser(row);
      }),

    /** Deletes a user with its tokens and memberships. Returns whether the user existed. */
    delete: (id: string) => atomically(() => run("DELETE FROM users WHERE id = :id RETURNING id", { id }).length > 0),

    hasOrg: (orgId: string) => run("SELECT 1 FROM orgs WHERE id = :orgId", { orgId }).length > 0,

    isOrgAdmin(orgId: string, userId: string): boolean {
      const sql = "SELECT 1 FROM members WHERE org_id = :orgId AND user_id = :userId AND role = 'admin'";
      return run(sql, { orgId, userId }).length > 0;
    },

    /** Finds the user and the password hash for an e-mail address. `undefined` if nobody can sign in with it. */
    findLogin(email: string): Login | undefined {
      const [row] = run("SELECT * FROM users WHERE email = :email AND password_hash IS NOT NULL", { email });
      return row && { userId: String(row.id), passwordHash: String(row.password_hash) };
    },

    /** Stores a token and a renewed hash, if the hash is still the one that was verified. Returns whether it is. */
    addToken: ({ id, digest, expiresAt }: KeptToken, { userId, passwordHash }: Login, renewed = passwordHash) =>
      atomically(() => {
        run("DELETE FROM tokens WHERE expires_at <= :now", { now: Date.now() });
        // The password may have changed while it was being verified. There must be no token for the old one.
        const [verified] = run(
          "UPDATE users SET password_hash = :renewed WHERE id = :userId AND password_hash = :passwordHash RETURNING id",
          { userId, passwordHash, renewed },
        );
        if (verified === undefined) return false;
        const sql = "INSERT INTO tokens (id, user_id, digest, expires_at) VALUES (:id, :userId, :digest, :expiresAt)";
        run(sql, { id, digest, expiresAt: expiresAt.getTime(), userId });
        return true;
      }),

    /** Finds a token that has not expired, and its user. */
    findSession(tokenId: string) {
      const sql = `
        SELECT users.*, tokens.digest
        FROM tokens JOIN users ON users.id = tokens.user_id
        WHERE tokens.id = :tokenId AND tokens.expires_at > :now
      `;
      const [row] = run(sql, { tokenId, now: Date.now() });
      return row?.digest instanceof Uint8Array ? { tokenId, digest: row.digest, user: toAccount(row) } : undefined;
    },

    /** When the newest token of an account ends: it changes with each sign-in that succeeds. */
    findLastSignIn(email: string): string {
      const sql = "SELECT max(expires_at) AS last FROM tokens JOIN users ON users.id = user_id WHERE email = :email";
      return String(run(sql, { email })[0]?.last);
    },
  };
}

type Values = Readonly<Record<string, SQLInputValue>>;
type Row = Readonly<Record<string, unknown>>;

interface Login {
  readonly userId: string;
  readonly passwordHash: string;
}

/** Times are in milliseconds since 1970, UTC. */
const CREATE_TABLES = `
  CREATE TABLE users (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    role TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE orgs (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL
  ) STRICT;
  CREATE TABLE members (
    org_id TEXT NOT NULL REFERENCES orgs ON DELETE CASCADE,
    user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    role TEXT NOT NULL,
    PRIMARY KEY (org_id, user_id)
  ) STRICT;
  CREATE INDEX members_by_user ON members (user_id);
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    user_id TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    digest BLOB NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX tokens_by_user ON tokens (user_id);
  CREATE INDEX tokens_by_end ON tokens (expires_at);
  PRAGMA user_version = 1;
`;

function toUser({ id, name, email, created_at }: Row): User {
  return {
    id: String(id),
    name: String(name),
    email: String(email),
    createdAt: new Date(Number(created_at)).toISOString(),
  };
}

function toAccount(row: Row): Account {
  return { ...toUser(row), role: row.role === "admin" ? "admin" : "user" };
}
