/** What has changed for clients of the books API: since the document in the repository, and from version 1 to 2. */
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { openapi } from "@fw/core/openapi";
import { compatible } from "@fw/core/compatible";
import * as api from "../../examples/books/api.ts";
import committed from "../../examples/books/openapi.json" with { type: "json" };
import { document } from "../../examples/books/write_openapi.ts";

describe("the books API", () => {
  it("breaks no client of the document in the repository", () => {
    const changes = compatible(committed, document);
    assertEquals(changes.filter(({ level }) => level === "breaking"), [], "Accept it by `deno task slow openapi`");
  });

  it("may lose what is deprecated from its day on, and not before", () => {
    const { listBooksV1: _, listPopularBooks: _gone, ...others } = api;
    const later = openapi({ info: document.info, endpoints: others });
    const levels = (today: string) =>
      compatible(document, later, { today }).map(({ level, operation }) => [level, operation]);
    assertEquals(levels("2027-12-31"), [["risky", "GET /v1/books"], ["safe", "GET /v2/books/popular"]]);
    assertEquals(levels("2028-01-01"), [["safe", "GET /v1/books"], ["safe", "GET /v2/books/popular"]]);
    const { getBook: _getBook, ...fewer } = api;
    const gone = openapi({ info: document.info, endpoints: fewer });
    assertEquals(compatible(document, gone).map(({ level, operation }) => [level, operation]), [
      ["breaking", "GET /books/{id}"],
    ]);
  });

  it("has in version 2 another author than in version 1, and lists nothing else otherwise", () => {
    const [v1, v2] = [api.listBooksV1, api.listBooksV2].map((list) => {
      const routes = [{ ...list, path: "/books", docs: { operationId: "list" } }];
      return openapi({ info: document.info, routes });
    });
    const changes = compatible(v1, v2);
    assertEquals(changes.map(({ level, what }) => `${level}: ${what}`), EXPECTED);
  });
});

const EXPECTED: readonly string[] = [
  "breaking: response 200, data[].authorId: is removed",
  "risky: response 200, data[].author: is new, where no other keys were allowed",
];
