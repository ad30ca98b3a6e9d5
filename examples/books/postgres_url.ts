// @ts-types="@types/pg"
import type { ClientConfig } from "pg";

export type PostgresAddress = ReturnType<typeof readPostgresUrl>;

/**
 * Reads the url of a PostgreSQL database. The README of this folder has its form. Errors do not contain the url,
 * because it may contain a password.
 */
export function readPostgresUrl(url: string) {
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

  const parameters = Object.fromEntries(first.searchParams);
  const { max = "10", sslmode = "disable", prepare, connect_timeout = "5", target_session_attrs, ...rest } = parameters;
  if (!/^\d{1,4}$/.test(max) || Number(max) < 2 || Number(max) > 1000) {
    throw new TypeError("max in the url of the database must be a whole number from 2 to 1000");
  }
  const user = decodeURIComponent(first.username);
  const database = decodeURIComponent(first.pathname.slice(1)) || user;
  const settings = Object.entries(prepare === "false" ? rest : { ...LIMITS, ...rest });
  return {
    /** Those of a connection, without its host. */
    settings: {
      user,
      // A function, so that it is not printed, and that the driver looks for no file of passwords.
      password: () => decodeURIComponent(first.password),
      database,
      ssl: !["disable", "allow", "prefer"].includes(sslmode) && { rejectUnauthorized: sslmode !== "require" },
      connectionTimeoutMillis: Number(connect_timeout) * 1000 || 5000,
      // As the command line of the server: a backslash keeps white space within a setting.
      options: settings.map(([name, value]) => `-c ${name}=${value.replace(/[\\\s]/g, "\\$&")}`).join(" "),
    } satisfies ClientConfig,
    /** In the order in which they are tried. */
    hosts,
    /** Whether to use only the primary. */
    primary: target_session_attrs === "primary" || target_session_attrs === "read-write",
    /** The maximum number of connections of one instance. */
    max: Number(max),
    /** The hosts and the database, without user and password. Safe to log. */
    name: `${urls.map((parsed) => parsed?.host).join(",")}/${database}`,
  };
}

const URL_OF_HOSTS = /^(?<before>postgres(?:ql)?:\/\/[^/?#]*@)(?<list>[^/?#@]*)(?<after>.*)$/s;

/** The settings of a connection without a pooler, in milliseconds. */
const LIMITS = { statement_timeout: "5000", tcp_user_timeout: "7000" };
