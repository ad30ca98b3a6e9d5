import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readPostgresUrl } from "../../examples/books/postgres_url.ts";

describe("readPostgresUrl()", () => {
  it("reads host, port and database, with 10 connections, and bounds for connects and statements", () => {
    assertEquals(readPostgresUrl("postgres://ada:secret@db:6432/books"), {
      url: "postgres://ada:secret@db:6432/books?connect_timeout=5&statement_timeout=5000",
      hosts: [{ host: "db", port: 6432 }],
      max: 10,
      name: "db:6432/books",
    });
  });

  it("takes port 5432, and the user's name for the database, unless it is told otherwise", () => {
    const { hosts, name } = readPostgresUrl("postgresql://ada@db");
    assertEquals([hosts, name], [[{ host: "db", port: 5432 }], "db/ada"]);
  });

  it("reads several hosts, each with a port of its own", () => {
    const { url, hosts, name } = readPostgresUrl(
      "postgres://ada:secret@one:5433,two,[::1]:5434/books?target_session_attrs=primary",
    );
    assertEquals(hosts, [{ host: "one", port: 5433 }, { host: "two", port: 5432 }, { host: "::1", port: 5434 }]);
    assertEquals(name, "one:5433,two,[::1]:5434/books");
    assertEquals(
      url,
      "postgres://ada:secret@one:5433/books?target_session_attrs=primary&connect_timeout=5&statement_timeout=5000",
    );
  });

  it("keeps to the bounds that the url has", () => {
    const { url, max } = readPostgresUrl("postgres://ada@db/books?max=4&statement_timeout=100&connect_timeout=1");
    assertEquals([url, max], ["postgres://ada@db/books?statement_timeout=100&connect_timeout=1", 4]);
  });

  it("sends a pooler no statement_timeout unless the url has one", () => {
    const read = (query: string) => new URL(readPostgresUrl(`postgres://ada@db/books${query}`).url).searchParams;
    assertEquals([...read("?prepare=false")], [["prepare", "false"], ["connect_timeout", "5"]]);
    assertEquals(read("?prepare=false&statement_timeout=1").get("statement_timeout"), "1");
  });

  it("rejects a max that is no whole number from 2, since reads and writes need one each", () => {
    for (const max of ["", "1", "0", "-2", "2.5", "many", "1001", "1e9"]) {
      assertThrows(() => readPostgresUrl(`postgres://ada@db/books?max=${max}`), TypeError, "max");
    }
  });

  it("does not repeat a url that it rejects", () => {
    const urls = ["postgres://ada:secret@one,/books", "postgres://ada:secret@one:x,two/books", "ada:secret@db/books"];
    for (const url of [...urls, "postgres://ada:secret@/books", "postgres://:secret@db/books"]) {
      const { message } = assertThrows(() => readPostgresUrl(url), TypeError, "postgres://user:password@host");
      assertEquals(message.includes("secret"), false);
    }
  });

  it("leaves a password with any character as it is", () => {
    const password = "p@ss,w:o/r?d#%";
    const { url, name } = readPostgresUrl(`postgres://ada:${encodeURIComponent(password)}@db/books`);
    assertEquals([decodeURIComponent(new URL(url).password), name], [password, "db/books"]);
  });
});
