import { closeSync, openSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { transact } from "../shared/transact.ts";
import type { KeptToken } from "./token.ts";

/** A user, as the API sends it. */
export interface User {
  /** A UUID. It is never reused. */
  readonly id: string;
  readonly name: string;
  /** In lower case. It is unique. */
  readonly email: string;
  /** As ISO 8601 in UTC. */
  readonly createdAt: string;
}

/** The role of a user on the whole platform. */
export type Role = "admin" | "user";

/** A user with its role, for guards. */
export interface Account extends User {
  readonly role: Role;
}

/** The role of a user in an org. It grants nothing on the platform. */
export type OrgRole = "admin" | "member" | "viewer";

/** A user in an org. */
export interface Member extends User {
  readonly orgId: string;
  readonly role: OrgRole;
}

/** The data of a new user. */
export interface NewUser extends Pick<User, "name" | "email"> {
  /** A user without one cannot sign in. */
  readonly passwordHash?: string | undefined;
}

/** Changes to a user. Omitted fields keep their value. */
export type UserChanges = { readonly [Key in keyof NewUser]?: NewUser[Key] | undefined };

/** Returned if another user has the e-mail address. */
export const EMAIL_TAKEN = "email_taken";

/** A store of users, orgs and tokens. Ids may be any string. */
export type UserStore = ReturnType<typeof openStore>;

/**
 * Opens a store on SQLite. Several processes may share a file.
 *
 * @param path The file, or `:memory:`. A new file is readable only by its owner.
 * @returns The store.
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
  const renewHash = db.prepare(RENEW_HASH);
  const deleteExpiredTokens = db.prepare("DELETE FROM tokens WHERE expires_at <= :now");
  const insertToken = db.prepare(INSERT_TOKEN);
  const getSession = db.prepare(GET_SESSION);

  /** The database checks whether the e-mail address is taken. A separate check before the insert would be a race. */
  function insert({ name, email, passwordHash }: NewUser, role: Role): User | typeof EMAIL_TAKEN {
    const id = crypto.randomUUID();
    const row = insertUser.get({ id, name, email, passwordHash: passwordHash ?? null, role, createdAt: Date.now() });
    return row === undefined ? EMAIL_TAKEN : toUser(row);
  }

  return {
    /** Runs several reads and writes as one transaction. The work must not return a promise. */
    transact: atomically,

    isEmpty: () => anybody.get() === undefined,

    /** Creates an admin of the platform and an org. If there are users already, does nothing and returns `undefined`. */
    begin: (admin: NewUser, orgName: string) =>
      atomically(() => {
        if (anybody.get() !== undefined) return undefined;
        const user = insert(admin, "admin");
        if (user === EMAIL_TAKEN) return undefined;
        const orgId = crypto.randomUUID();
        insertOrg.run({ id: orgId, name: orgName });
        return { adminId: user.id, orgId };
      }),

    create: (user: NewUser) => atomically(() => insert(user, "user")),

    /** Creates a user in an existing org. */
    createMember: (orgId: string, role: OrgRole, user: NewUser): Member | typeof EMAIL_TAKEN =>
      atomically(() => {
        const created = insert(user, "user");
        if (created === EMAIL_TAKEN) return EMAIL_TAKEN;
        insertMember.run({ orgId, userId: created.id, role });
        return { ...created, orgId, role };
      }),

    get(id: string): User | undefined {
      const row = getUser.get({ id });
      return row && toUser(row);
    },

    /** Changes a user. A new password deletes all tokens of the user, except `tokenId`. */
    update: (id: string, { name, email, passwordHash }: UserChanges, tokenId?: string) =>
      atomically(() => {
        const changes = { name: name ?? null, email: email ?? null, passwordHash: passwordHash ?? null };
        const row = updateUser.get({ id, ...changes });
        if (row === undefined) return getUser.get({ id }) && EMAIL_TAKEN;
        if (passwordHash !== undefined) endOtherTokens.run({ userId: id, tokenId: tokenId ?? null });
        return toUser(row);
      }),

    /** Deletes a user with its tokens and memberships. Returns whether the user existed. */
    delete: (id: string) => atomically(() => deleteUser.run({ id }).changes > 0),

    hasOrg: (orgId: string) => getOrg.get({ orgId }) !== undefined,

    isOrgAdmin: (orgId: string, userId: string) => getOrgRole.get({ orgId, userId })?.role === "admin",

    /** Finds the user and the password hash for an e-mail address. `undefined` if nobody can sign in with it. */
    findLogin(email: string): Login | undefined {
      const row = getLogin.get({ email });
      return row && { userId: String(row.id), passwordHash: String(row.password_hash) };
    },

    /** Stores a token and a renewed hash, if the hash is still the one that was verified. Returns whether it is. */
    addToken: ({ id, digest, expiresAt }: KeptToken, { userId, passwordHash }: Login, renewed = passwordHash) =>
      atomically(() => {
        deleteExpiredTokens.run({ now: Date.now() });
        if (renewHash.run({ userId, passwordHash, renewed }).changes === 0) return false;
        insertToken.run({ id, digest, expiresAt: expiresAt.getTime(), userId });
        return true;
      }),

    /** Finds a token that has not expired, and its user. */
    findSession(tokenId: string) {
      const row = getSession.get({ tokenId, now: Date.now() });
      return row?.digest instanceof Uint8Array ? { tokenId, digest: row.digest, user: toAccount(row) } : undefined;
    },
  };
}

/** A user who can sign in. */
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

const INSERT_USER = `
  INSERT INTO users (id, name, email, password_hash, role, created_at)
  VALUES (:id, :name, :email, :passwordHash, :role, :createdAt)
  ON CONFLICT (email) DO NOTHING
  RETURNING *
`;

/** Ignores a change to an e-mail address that another user has. */
const UPDATE_USER = `
  UPDATE OR IGNORE users
  SET name = coalesce(:name, name),
    email = coalesce(:email, email),
    password_hash = coalesce(:passwordHash, password_hash)
  WHERE id = :id
  RETURNING *
`;

/** The password may change while it is being verified. There must be no token for the old one. */
const RENEW_HASH = "UPDATE users SET password_hash = :renewed WHERE id = :userId AND password_hash = :passwordHash";

const INSERT_TOKEN = "INSERT INTO tokens (id, user_id, digest, expires_at) VALUES (:id, :userId, :digest, :expiresAt)";

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
