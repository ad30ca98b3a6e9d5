/** The settings in a `DATABASE_URL`. */
export interface PostgresAddress {
  /** The url for the driver, with one host and with our defaults. It contains the password. */
  readonly url: string;
  /** The hosts, in the order in which they are tried. */
  readonly hosts: readonly Host[];
  /** The maximum number of connections of one instance. */
  readonly max: number;
  /** The hosts and the database, without user and password. Safe to log. */
  readonly name: string;
}

/** The address of a server. */
export interface Host {
  /** The name or the IP address. */
  readonly host: string;
  /** The port. */
  readonly port: number;
}

/**
 * Reads the url of a PostgreSQL database: `postgres://user:password@host:5432/database`.
 *
 * Separate several hosts by commas. The query may contain:
 *
 * - `sslmode=require` or `sslmode=verify-full`: encrypts the connections.
 * - `target_session_attrs=primary`: with several hosts, uses only the primary.
 * - `max=10`: the maximum number of connections of one instance, from 2 to 1000.
 * - `prepare=false`: for poolers in transaction mode that break prepared statements.
 * - `statement_timeout=5000`: the time in milliseconds after which the server cancels a statement, `0` for never.
 *   Poolers may reject this setting. So with `prepare=false` it has no default.
 * - `tcp_user_timeout=7000`: the time in milliseconds after which the server ends a connection whose client receives
 *   nothing. Without it, an instance that stops while it receives a long list holds a lock. As above, no default with
 *   `prepare=false`.
 * - `connect_timeout=5`: the time in seconds after which an attempt to connect fails.
 * - any setting of PostgreSQL, such as `application_name=books`.
 *
 * @param url The url, percent-encoded.
 * @returns The settings.
 * @throws `TypeError` if the url is invalid. The message does not contain the url, because it may contain a password.
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
    throw new TypeError("The url of the database must be postgres://user:password@host:5432/database, percent-encoded");
  }

  const { searchParams } = first;
  // The driver parses `max` in a url as an array, not as a number.
  const max = Number(searchParams.get("max") ?? 10);
  if (!Number.isInteger(max) || max < 2 || max > 1000) {
    throw new TypeError("max in the url of the database must be a whole number from 2 to 1000");
  }
  searchParams.delete("max");
  if (!searchParams.has("connect_timeout")) searchParams.set("connect_timeout", "5");
  if (searchParams.get("prepare") !== "false") {
    for (const [name, value] of LIMITS) if (!searchParams.has(name)) searchParams.set(name, value);
  }
  const database = decodeURIComponent(first.pathname.slice(1) || first.username);
  return { url: first.href, hosts, max, name: `${urls.map((parsed) => parsed?.host).join(",")}/${database}` };
}

const URL_OF_HOSTS = /^(?<before>postgres(?:ql)?:\/\/[^/?#]*@)(?<list>[^/?#@]*)(?<after>.*)$/s;

/** The settings of a connection without a pooler, in milliseconds. */
const LIMITS = [["statement_timeout", "5000"], ["tcp_user_timeout", "7000"]] as const;
