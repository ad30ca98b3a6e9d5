import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { endpoint } from "../../../mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { holdToEndpoints, mock } from "../../../src/testing/mod.ts";

const api = {
  showBook: endpoint.get("/book", {
    responses: {
      200: [
        { schema: z.object({ id: z.string() }), examples: { emma: { id: "emma" } } },
        { schema: z.string(), contentType: "text/csv", examples: { table: "id\nemma" } },
      ],
    },
  }),
};

describe("mock() of an endpoint with several media types", () => {
  it("sends the first, the one that is accepted, or the one with the example", async () => {
    const client = createClient(api, { fetch: holdToEndpoints(api, mock(api, { fc })).fetch });
    assertEquals((await client.showBook()).body, { id: "emma" });
    for (const accept of ["text/csv", "text/html, Text/CSV, application/json;q=0.9"]) {
      assertEquals((await client.showBook({ headers: { accept } })).body, "id\nemma");
    }
    const answer = await client.showBook({ headers: { prefer: "example=table" } });
    assertEquals([answer.contentType, answer.body], ["text/csv", "id\nemma"]);
  });

  it("sends a type of a declared range", async () => {
    for (const [range, sent] of [["font/*", "font/woff2"], ["model/*", "application/octet-stream"]] as const) {
      const files = { show: endpoint.get("/", { responses: { 200: { schema: z.string(), contentType: range } } }) };
      const { headers } = await mock(files, { fc }).fetch(new Request("http://localhost/"));
      assertEquals(headers.get("content-type"), sent);
    }
  });
});
