import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readPostgresUrl } from "../../examples/books/postgres_url.ts";

describe("readPostgresUrl()", () => {
  it("readPostgresUrl() reads host, port and database, with defaults for max and the time-outs", () => {
    assertEquals(readPostgresUrl("postgres://ada:secret@db:6432/books"), {
      url: "postgres://ada:secret@db:6432/books?connect_timeout=5&statement_timeout=5000&tcp_user_timeout=7000",
      hosts: [{ host: "db", port: 6432 }],
      max: 10,
      name: "db:6432/books",
    });
  });

  it("readPostgresUrl() uses port 5432 and the user name as the database by default", () => {
    const { hosts, name } = readPostgresUrl("postgresql://ada@db");
    assertEquals([hosts, name], [[{ host: "db", port: 5432 }], "db/ada"]);
  });

  it("readPostgresUrl() reads several hosts, each with its own port", () => {
    const { url, hosts, name } = readPostgresUrl(
      "postgres://ada:secret@one:5433,two,[::1]:5434/books?target_session_attrs=primary",
    );
    assertEquals(hosts, [{ host: "one", port: 5433 }, { host: "two", port: 5432 }, { host: "::1", port: 5434 }]);
    assertEquals(name, "one:5433,two,[::1]:5434/books");
    assertEquals(
      url,
      "postgres://ada:secret@one:5433/books?target_session_attrs=primary&connect_timeout=5&statement_timeout=5000&tcp_user_timeout=7000",
    );
  });

  it("readPostgresUrl() uses the limits in the url", () => {
    const { url, max } = readPostgresUrl(
      "postgres://ada@db/books?max=4&statement_timeout=100&connect_timeout=1&tcp_user_timeout=9",
    );
    assertEquals([url, max], ["postgres://ada@db/books?statement_timeout=100&connect_timeout=1&tcp_user_timeout=9", 4]);
  });

  it("readPostgresUrl() leaves the limits of statements and of sockets to the server with prepare=false", () => {
    const read = (query: string) => new URL(readPostgresUrl(`postgres://ada@db/books${query}`).url).searchParams;
    assertEquals([...read("?prepare=false")], [["prepare", "false"], ["connect_timeout", "5"]]);
    assertEquals(read("?prepare=false&statement_timeout=1").get("statement_timeout"), "1");
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
    const { url, name } = readPostgresUrl(`postgres://ada:${encodeURIComponent(password)}@db/books`);
    assertEquals([decodeURIComponent(new URL(url).password), name], [password, "db/books"]);
  });
});
