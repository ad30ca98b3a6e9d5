import { DatabaseSync } from "node:sqlite";

/** What an instance of Better Auth needs. */
export interface AuthOptions {
  /** The origin that browsers see. Requests to sign in are accepted from its pages only. */
  readonly origin: string;
  /** Signs the cookies: at least 32 random characters, the same for all instances. */
  readonly secret: string;
  /** The file of the database, or `:memory:`. */
  readonly database: string;
  /** The header in which your proxy sends the address of the client, for the rate limit. Nobody else may set it. */
  readonly addressHeader: string;
}

/** Creates an instance of Better Auth with sign-in by e-mail and password, and the tables that it needs. */
export async function createAuth({ origin, secret, database, addressHeader }: AuthOptions) {
  // Imported here, since the library reads the environment on import.
  const { betterAuth } = await import("better-auth");
  const { getMigrations } = await import("better-auth/db/migration");
  const auth = betterAuth({
    baseURL: origin,
    secret,
    database: new DatabaseSync(database),
    emailAndPassword: { enabled: true, minPasswordLength: 10 },
    rateLimit: { enabled: true },
    advanced: { ipAddress: { ipAddressHeaders: [addressHeader] } },
    telemetry: { enabled: false },
  });
  const { runMigrations } = await getMigrations(auth.options);
  await runMigrations();
  return auth;
}
