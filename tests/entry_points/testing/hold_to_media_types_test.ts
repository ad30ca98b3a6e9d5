import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint } from "../../../mod.ts";
import { holdToEndpoints } from "../../../src/testing/mod.ts";

const listed = [
  { schema: z.object({ id: z.string() }) },
  { schema: z.string(), contentType: "text/csv", headers: { etag: { required: true } } },
] as const;
const api = {
  showBook: endpoint.get("/book", { responses: { 200: listed, 404: {} } }),
  showPage: endpoint.get("/page", { responses: { 200: listed } }),
};

/** The app, which sends this response, held to its endpoints. */
const hold = (response: () => Response) => holdToEndpoints(api, { fetch: response });

const csv = (headers: HeadersInit = { etag: "1" }) =>
  new Response("id", { headers: { "content-type": "text/csv; charset=utf-8", ...headers } });

describe("holdToEndpoints() with several media types", () => {
  it("accepts each of them, and lists those that no test has seen", async () => {
    let response = () => Response.json({ id: "1" });
    const { fetch, unseen } = hold(() => response());
    const all = ["GET /book 200 application/json", "GET /book 200 text/csv", "GET /book 404"];
    const page = ["GET /page 200 application/json", "GET /page 200 text/csv"];
    assertEquals(unseen(), [...all, ...page]);
    await fetch(new Request("http://localhost/book"));
    assertEquals(unseen(), [...all.slice(1), ...page]);
    response = () => csv();
    assertEquals(await (await fetch(new Request("http://localhost/book"))).text(), "id");
    assertEquals(unseen(), ["GET /book 404", ...page]);
  });

  it("rejects another media type, and what does not fit the one that is sent", async () => {
    const cases: readonly [Response, string][] = [
      [
        new Response("<p>", { headers: { "content-type": "text/html; charset=utf-8" } }),
        "be declared: the endpoint declares 200 application/json, 200 text/csv, 404: received text/html",
      ],
      [
        new Response(new Uint8Array(1)),
        "be declared: the endpoint declares 200 application/json, 200 text/csv, 404: received no content-type",
      ],
      [csv({}), "have the required header etag"],
      [Response.json({}), "fit its schema"],
      [Response.json({ id: "1", hash: "" }), "not have the key hash"],
    ];
    for (const [response, rule] of cases) {
      await assertRejects(
        () => hold(() => response).fetch(new Request("http://localhost/book")),
        Error,
        `Response 200 of GET /book must ${rule}`,
      );
    }
  });
});
