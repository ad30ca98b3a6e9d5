/** What a `DATABASE_URL` says. */
export interface PostgresAddress {
  /** The url for the driver: one host, our defaults filled in. It holds the password. */
  readonly url: string;
  /** The hosts, in the order to try them. */
  readonly hosts: readonly Host[];
  /** How many connections one instance may open. */
  readonly max: number;
  /** The hosts and the database, without user and password: fit for a log. */
  readonly name: string;
}

/** Where a server listens. */
export interface Host {
  /** A name or an address. */
  readonly host: string;
  /** The port. */
  readonly port: number;
}

/**
 * Reads the url of a PostgreSQL database: `postgres://user:password@host:5432/database`.
 *
 * Several hosts are separated by commas. The query may hold:
 *
 * - `sslmode=require` or `sslmode=verify-full`: encrypts the connections.
 * - `target_session_attrs=primary`: with several hosts, uses the one that is the primary.
 * - `max=10`: how many connections one instance opens at most, from 2.
 * - `prepare=false`: for a pooler in transaction mode, such as PgBouncer, which breaks prepared statements.
 * - `statement_timeout=5000`: after how many milliseconds the server cancels a statement; `0` for never. Poolers may reject
 *   this setting, so with `prepare=false` it is sent only if the url has it.
 * - `connect_timeout=5`: after how many seconds an attempt to connect fails.
 * - any setting of PostgreSQL, such as `application_name=books`.
 *
 * @param url The url, percent-encoded.
 * @returns What it says.
 * @throws If it is not such a url. The message does not repeat it, as it may hold a password.
 */
export function readPostgresUrl(url: string): PostgresAddress {
  const { before = "", list = "", after = "" } = URL_OF_HOSTS.exec(url)?.groups ?? {};
  const urls = list.split(",").map((host) => URL.parse(before + host + after));
  const hosts = urls.flatMap((parsed) =>
    parsed === null || parsed.hostname === "" || parsed.username === ""
      ? []
      : [{ host: parsed.hostname.replace(/^\[(.*)\]$/, "$1"), port: Number(parsed.port || 5432) }]
  );
  const [first] = urls;
  if (!first || hosts.length < urls.length) {
    throw new TypeError("The database must be named as postgres://user:password@host:5432/database, percent-encoded");
  }

  const { searchParams } = first;
  // The driver reads a `max` in the url as a list of one.
  const max = Number(searchParams.get("max") ?? 10);
  if (!Number.isInteger(max) || max < 2 || max > 1000) {
    throw new TypeError("max in the url of the database must be a whole number from 2 to 1000");
  }
  searchParams.delete("max");
  if (!searchParams.has("connect_timeout")) searchParams.set("connect_timeout", "5");
  if (!searchParams.has("statement_timeout") && searchParams.get("prepare") !== "false") {
    searchParams.set("statement_timeout", "5000");
  }
  const database = decodeURIComponent(first.pathname.slice(1) || first.username);
  return { url: first.href, hosts, max, name: `${urls.map((parsed) => parsed?.host).join(",")}/${database}` };
}

const URL_OF_HOSTS = /^(?<before>postgres(?:ql)?:\/\/[^/?#]*@)(?<list>[^/?#@]*)(?<after>.*)$/s;
