import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, reply, route, setup } from "../../../mod.ts";
import { createClient, UnexpectedResponse } from "../../../src/client/mod.ts";
import { events, replyEvents } from "../../../src/events/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";

const api = {
  showBook: endpoint.get("/book", {
    responses: {
      200: [
        { schema: z.object({ id: z.string() }) },
        { schema: z.string(), contentType: "text/csv; header=present", headers: { etag: { required: true } } },
        { contentType: "text/html" },
        events({ done: z.object({ id: z.string() }) }),
      ],
      204: {},
      "4XX": [{ schema: z.object({ error: z.string() }), contentType: "application/problem+json" }],
    },
  }),
};

/** A client of a server that responds with this response. */
const receive = (response: Response) =>
  createClient(api, { fetch: () => response, validator: standardSchema }).showBook();

describe("a client of an endpoint with several media types", () => {
  it("receives the body of the media type that is sent, and says which", async () => {
    for (const type of ["application/json", "Application/JSON", "application/json;charset=utf-8"]) {
      const { status, contentType, body } = await receive(
        new Response('{"id":"1"}', { headers: { "content-type": type } }),
      );
      assertEquals([status, contentType, body], [200, "application/json", { id: "1" }]);
    }
    const csv = await receive(new Response("id", { headers: { "content-type": "text/csv", etag: '"1"' } }));
    assertEquals([csv.contentType, csv.body, csv.headers], ["text/csv; header=present", "id", { etag: '"1"' }]);
    const page = await receive(new Response("<p>", { headers: { "content-type": "text/html" } }));
    assertEquals([page.contentType, page.body, await page.response.text()], ["text/html", undefined, "<p>"]);
    const none = await receive(new Response(null, { status: 204 }));
    assertEquals([none.contentType, none.body], [undefined, undefined]);
    const problem = { status: 404, headers: { "content-type": "application/problem+json" } };
    assertEquals((await receive(new Response('{"error":""}', problem))).contentType, "application/problem+json");
  });

  it("reads a stream that is one of them", async () => {
    const app = setup({
      handlers: [route.on(api.showBook, {
        resolve: () =>
          replyEvents(200, function* (_signal, event) {
            yield event("done", { id: "1" });
          }),
      })],
    });
    const answer = await createClient(api, { fetch: app.fetch }).showBook();
    const read: unknown[] = [];
    if (answer.status === 200 && answer.contentType === "text/event-stream") {
      for await (const { data } of answer.body) {
        read.push(data);
      }
    }
    assertEquals(read, [{ id: "1" }]);
  });

  it("rejects a media type that is not declared, and a body of another", async () => {
    for (
      const [type, body] of [
        ["text/plain", "id"],
        ["text/csvx", "id"],
        ["application/jsonl", "{}"],
        ["", "x"],
        [
          "application/json",
          "id",
        ],
        ["text/csv", "id"],
        ["application/json", "{}"],
      ]
    ) {
      const response = new Response(body, { headers: { "content-type": type ?? "" } });
      await assertRejects(() => receive(response), UnexpectedResponse, "GET http://localhost/book has answered 200");
    }
    await assertRejects(() => receive(new Response(null)), UnexpectedResponse);
    await assertRejects(() => receive(Response.json({ error: "" }, { status: 404 })), UnexpectedResponse);
  });

  it("receives what reply sends", async () => {
    let sent = 0;
    const app = setup({
      handlers: [route.on(api.showBook, {
        resolve: () =>
          sent++ === 0
            ? reply(200, { id: "1" })
            : reply(200, "id", { contentType: "text/csv; header=present", headers: { etag: "1" } }),
      })],
    });
    const client = createClient(api, { fetch: app.fetch });
    assertEquals((await client.showBook()).contentType, "application/json");
    assertEquals((await client.showBook()).contentType, "text/csv; header=present");
  });
});
