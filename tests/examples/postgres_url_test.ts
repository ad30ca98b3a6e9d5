import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readPostgresUrl } from "../../examples/books/postgres_url.ts";

describe("readPostgresUrl()", () => {
  it("readPostgresUrl() reads host, port and database, with defaults for max and the time-outs", () => {
    const { settings: { password, ...settings }, ...rest } = readPostgresUrl("postgres://ada:secret@db:6432/books");
    assertEquals(typeof password === "function" && password(), "secret");
    assertEquals({ settings, ...rest }, {
      settings: {
        user: "ada",
        database: "books",
        ssl: false,
        connectionTimeoutMillis: 5000,
        options: "-c statement_timeout=5000 -c tcp_user_timeout=7000",
      },
      hosts: [{ host: "db", port: 6432 }],
      primary: false,
      max: 10,
      name: "db:6432/books",
    });
  });

  it("readPostgresUrl() uses port 5432 and the user name as the database by default", () => {
    const { hosts, name } = readPostgresUrl("postgresql://ada@db");
    assertEquals([hosts, name], [[{ host: "db", port: 5432 }], "db/ada"]);
  });

  it("readPostgresUrl() reads several hosts, each with its own port", () => {
    const { settings, hosts, primary, name } = readPostgresUrl(
      "postgres://ada:secret@one:5433,two,[::1]:5434/books?target_session_attrs=primary",
    );
    assertEquals(hosts, [{ host: "one", port: 5433 }, { host: "two", port: 5432 }, { host: "::1", port: 5434 }]);
    assertEquals([name, primary, settings.database], ["one:5433,two,[::1]:5434/books", true, "books"]);
  });

  it("readPostgresUrl() uses the limits in the url", () => {
    const { settings, max } = readPostgresUrl(
      "postgres://ada@db/books?max=4&statement_timeout=100&connect_timeout=1&tcp_user_timeout=9",
    );
    assertEquals(settings.options, "-c statement_timeout=100 -c tcp_user_timeout=9");
    assertEquals([settings.connectionTimeoutMillis, max], [1000, 4]);
  });

  it("readPostgresUrl() leaves the limits of statements and of sockets to the server with prepare=false", () => {
    const read = (query: string) => readPostgresUrl(`postgres://ada@db/books${query}`).settings.options;
    assertEquals(read("?prepare=false"), "");
    assertEquals(read("?prepare=false&statement_timeout=1"), "-c statement_timeout=1");
  });

  it("readPostgresUrl() sends other settings as they are, with white space and backslashes", () => {
    const { settings } = readPostgresUrl("postgres://ada@db/books?prepare=false&search_path=a%20b%5Cc&work_mem=1MB");
    assertEquals(settings.options, String.raw`-c search_path=a\ b\\c -c work_mem=1MB`);
  });

  it("readPostgresUrl() encrypts connections by sslmode, and checks the certificate except with require", () => {
    const read = (mode: string) => readPostgresUrl(`postgres://ada@db/books?sslmode=${mode}`).settings.ssl;
    assertEquals(read("disable"), false);
    assertEquals(read("require"), { rejectUnauthorized: false });
    assertEquals([read("verify-full"), read("misspelt")], [{ rejectUnauthorized: true }, { rejectUnauthorized: true }]);
  });

  it("readPostgresUrl() rejects a max that is not a whole number from 2 to 1000", () => {
    for (const max of ["", "1", "0", "-2", "2.5", "many", "1001", "1e9"]) {
      assertThrows(() => readPostgresUrl(`postgres://ada@db/books?max=${max}`), TypeError, "max");
    }
  });

  it("readPostgresUrl() does not repeat a rejected url in the error message", () => {
    const urls = ["postgres://ada:secret@one,/books", "postgres://ada:secret@one:x,two/books", "ada:secret@db/books"];
    for (const url of [...urls, "postgres://ada:secret@/books", "postgres://:secret@db/books"]) {
      const { message } = assertThrows(() => readPostgresUrl(url), TypeError, "postgres://user:password@host");
      assertEquals(message.includes("secret"), false);
    }
  });

  it("readPostgresUrl() accepts a password with any characters", () => {
    const password = "p@ss,w:o/r?d#%";
    const { settings, name } = readPostgresUrl(`postgres://ada:${encodeURIComponent(password)}@db/books`);
    assertEquals([typeof settings.password === "function" && settings.password(), name], [password, "db/books"]);
  });
});
