import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { transact } from "../shared/transact.ts";
import type { KeptToken } from "./token.ts";

/** A user, as the API shows it. */
export interface User {
  /** A UUID, never given to another user. */
  readonly id: string;
  /** The name. */
  readonly name: string;
  /** The e-mail address, in lower case. No two users have the same. */
  readonly email: string;
  /** When the user was created: ISO 8601 in UTC. */
  readonly createdAt: string;
}

/** What a user may do on the whole platform. */
export type Role = "admin" | "user";

/** A user, as guards know it. */
export interface Account extends User {
  /** What the user may do on the whole platform. */
  readonly role: Role;
}

/** What a user may do in an org. It says nothing about the platform. */
export type OrgRole = "admin" | "member" | "viewer";

/** A user in an org. */
export interface Member extends User {
  /** The org. */
  readonly orgId: string;
  /** What the user may do there. */
  readonly role: OrgRole;
}

/** What a user is created from. */
export interface NewUser {
  /** The name. */
  readonly name: string;
  /** The e-mail address, in lower case. */
  readonly email: string;
  /** The hash of the password. Without one, nobody can sign in as the user. */
  readonly passwordHash?: string | undefined;
}

/** What may be changed of a user. */
export type UserChanges = { readonly [Key in keyof NewUser]?: NewUser[Key] | undefined };

/** What there is instead of a user whose e-mail address another one has. */
export const EMAIL_TAKEN = "email_taken";

/** Where users, orgs and tokens are kept. Ids may be any text at all, as clients send it. */
export interface UserStore {
  /** Whether there is nobody yet. */
  isEmpty(): boolean;
  /** Creates an admin of the platform and an org where there is nobody yet; else does nothing and returns `undefined`. */
  begin(admin: NewUser, orgName: string): { readonly adminId: string; readonly orgId: string } | undefined;
  /** Creates a user. */
  create(user: NewUser): User | typeof EMAIL_TAKEN;
  /** Creates a user in an org that is there. */
  createMember(orgId: string, role: OrgRole, user: NewUser): Member | typeof EMAIL_TAKEN;
  /** Looks a user up. */
  get(id: string): User | undefined;
  /** Changes what is given of a user. A new password ends the user's tokens, but for the one it is changed with. */
  update(id: string, changes: UserChanges, tokenId?: string): User | typeof EMAIL_TAKEN | undefined;
  /** Deletes a user, whose tokens and memberships end with it. Returns whether it was there. */
  delete(id: string): boolean;
  /** Whether there is such an org. */
  hasOrg(orgId: string): boolean;
  /** Whether a user is an admin of an org. */
  isOrgAdmin(orgId: string, userId: string): boolean;
  /** What it takes to sign in with an e-mail address, if that is possible. */
  findLogin(email: string): { readonly userId: string; readonly passwordHash: string } | undefined;
  /** Keeps a token for a user whose password is still the one that was verified. Returns whether it is. */
  addToken(token: KeptToken, login: { readonly userId: string; readonly passwordHash: string }): boolean;
  /** Looks up a token that has not expired, and whose it is. */
  findSession(
    tokenId: string,
  ): { readonly tokenId: string; readonly digest: Uint8Array; readonly user: Account } | undefined;
}

/**
 * Opens a store on SQLite. Several processes may share a file.
 *
 * @param path The file, created if need be, readable by its owner alone; or `:memory:`.
 * @returns The store.
 */
export function openStore(path: string): UserStore {
  // SQLite would let everybody read it. The files that it makes beside it have the same mode.
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const db = new DatabaseSync(path);
  // In milliseconds: how long to wait while another process writes.
  db.exec("PRAGMA busy_timeout = 5000");
  transact(db, () => {
    if (db.prepare("PRAGMA user_version").get()?.user_version === 0) db.exec(CREATE_TABLES);
  });

  const anybody = db.prepare("SELECT 1 FROM users LIMIT 1");
  const insertUser = db.prepare(INSERT_USER);
  const insertOrg = db.prepare("INSERT INTO orgs (id, name) VALUES (:id, :name)");
  const insertMember = db.prepare("INSERT INTO members (org_id, user_id, role) VALUES (:orgId, :userId, :role)");
  const getUser = db.prepare("SELECT * FROM users WHERE id = :id");
  const updateUser = db.prepare(UPDATE_USER);
  const endOtherTokens = db.prepare("DELETE FROM tokens WHERE user_id = :userId AND id IS NOT :tokenId");
  const deleteUser = db.prepare("DELETE FROM users WHERE id = :id");
  const getOrg = db.prepare("SELECT 1 FROM orgs WHERE id = :orgId");
  const getOrgRole = db.prepare("SELECT role FROM members WHERE org_id = :orgId AND user_id = :userId");
  const getLogin = db.prepare("SELECT * FROM users WHERE email = :email AND password_hash IS NOT NULL");
  const deleteExpiredTokens = db.prepare("DELETE FROM tokens WHERE expires_at <= :now");
  const insertToken = db.prepare(INSERT_TOKEN);
  const getSession = db.prepare(GET_SESSION);

  /** The database decides whether the e-mail address is free: to look first would be too early. */
  function insert({ name, email, passwordHash }: NewUser, role: Role): User | typeof EMAIL_TAKEN {
    const row = insertUser.get({
      id: crypto.randomUUID(),
      name,
      email,
      passwordHash: passwordHash ?? null,
      role,
      createdAt: Date.now(),
    });
    return row === undefined ? EMAIL_TAKEN : toUser(row);
  }

  return {
    isEmpty: () => anybody.get() === undefined,

    begin(admin, orgName) {
      return transact(db, () => {
        if (anybody.get() !== undefined) return undefined;
        const user = insert(admin, "admin");
        if (user === EMAIL_TAKEN) return undefined;
        const orgId = crypto.randomUUID();
        insertOrg.run({ id: orgId, name: orgName });
        return { adminId: user.id, orgId };
      });
    },

    create: (user) => transact(db, () => insert(user, "user")),

    createMember(orgId, role, user) {
      return transact(db, () => {
        const created = insert(user, "user");
        if (created === EMAIL_TAKEN) return EMAIL_TAKEN;
        insertMember.run({ orgId, userId: created.id, role });
        return { ...created, orgId, role };
      });
    },

    get(id) {
      const row = getUser.get({ id });
      return row && toUser(row);
    },

    update(id, { name, email, passwordHash }, tokenId) {
      return transact(db, () => {
        const row = updateUser.get({
          id,
          name: name ?? null,
          email: email ?? null,
          passwordHash: passwordHash ?? null,
        });
        if (row === undefined) return getUser.get({ id }) && EMAIL_TAKEN;
        if (passwordHash !== undefined) endOtherTokens.run({ userId: id, tokenId: tokenId ?? null });
        return toUser(row);
      });
    },

    delete: (id) => transact(db, () => deleteUser.run({ id }).changes > 0),

    hasOrg: (orgId) => getOrg.get({ orgId }) !== undefined,

    isOrgAdmin: (orgId, userId) => getOrgRole.get({ orgId, userId })?.role === "admin",

    findLogin(email) {
      const row = getLogin.get({ email });
      return row && { userId: String(row.id), passwordHash: String(row.password_hash) };
    },

    addToken({ id, digest, expiresAt }, { userId, passwordHash }) {
      return transact(db, () => {
        deleteExpiredTokens.run({ now: Date.now() });
        const row = { id, digest, expiresAt: expiresAt.getTime(), userId, passwordHash };
        return insertToken.run(row).changes > 0;
      });
    },

    findSession(tokenId) {
      const row = getSession.get({ tokenId, now: Date.now() });
      return row?.digest instanceof Uint8Array ? { tokenId, digest: row.digest, user: toAccount(row) } : undefined;
    },
  };
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

const INSERT_USER = `
  INSERT INTO users (id, name, email, password_hash, role, created_at)
  VALUES (:id, :name, :email, :passwordHash, :role, :createdAt)
  ON CONFLICT (email) DO NOTHING
  RETURNING *
`;

/** Ignores what would take another user's e-mail address. */
const UPDATE_USER = `
  UPDATE OR IGNORE users
  SET name = coalesce(:name, name),
    email = coalesce(:email, email),
    password_hash = coalesce(:passwordHash, password_hash)
  WHERE id = :id
  RETURNING *
`;

/** Verifying takes a while, in which the password may have been changed: a token for the old one must not come of it. */
const INSERT_TOKEN = `
  INSERT INTO tokens (id, user_id, digest, expires_at)
  SELECT :id, id, :digest, :expiresAt FROM users WHERE id = :userId AND password_hash = :passwordHash
`;

const GET_SESSION = `
  SELECT users.*, tokens.digest
  FROM tokens JOIN users ON users.id = tokens.user_id
  WHERE tokens.id = :tokenId AND tokens.expires_at > :now
`;

function toUser({ id, name, email, created_at }: Readonly<Record<string, unknown>>): User {
  return {
    id: String(id),
    name: String(name),
    email: String(email),
    createdAt: new Date(Number(created_at)).toISOString(),
  };
}

function toAccount(row: Readonly<Record<string, unknown>>): Account {
  return { ...toUser(row), role: row.role === "admin" ? "admin" : "user" };
}
