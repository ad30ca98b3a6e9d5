import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, reply, replyAs, route, setup } from "../../../mod.ts";
import { createClient } from "../../../src/client/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { holdToEndpoints } from "../../../src/testing/mod.ts";
import { request } from "../../support/request.ts";

const api = {
  show: endpoint.get("/show", {
    responses: {
      200: [{ schema: z.string(), contentType: "text/*" }, { schema: z.object({ id: z.int() }) }],
      203: { schema: z.string(), contentType: "*/*" },
    },
  }),
};
const show = route.on(api.show, {
  resolve: ({ request }) => {
    const wanted = request.headers.get("accept") ?? "";
    if (wanted === "text/csv") return reply(200, "id\n1", { contentType: "text/csv; header=present" });
    if (wanted === "text/html") return replyAs("text/html")(200, "<p>1</p>");
    if (wanted === "image/svg+xml") return reply(203, "<svg/>", { contentType: "image/svg+xml" });
    return reply(200, { id: 1 });
  },
});
const app = setup({ handlers: [show], endpoints: api });

describe("a reply for a declared range of media types", () => {
  it("names its own media type, which is sent", async () => {
    const sent = async (accept: string) => {
      const response = await app.fetch(request("/show", { headers: { accept } }));
      return [
        response.status,
        response.headers.get("content-type")?.replace(";charset=utf-8", ""),
        await response.text(),
      ];
    };
    assertEquals(await sent("text/csv"), [200, "text/csv; header=present", "id\n1"]);
    assertEquals(await sent("text/html"), [200, "text/html", "<p>1</p>"]);
    assertEquals(await sent("image/svg+xml"), [203, "image/svg+xml", "<svg/>"]);
    assertEquals(await sent("*"), [200, "application/json", '{"id":1}']);
  });

  it("must name one: a range is no media type", () => {
    for (const range of ["text/*", "*/*"]) {
      assertThrows(
        () => reply(200, "x", { contentType: range }),
        TypeError,
        `reply(200, body) must name the media type of its body: received the range ${range}`,
      );
    }
  });

  it("is what clients, documents and holdToEndpoints understand", async () => {
    const client = createClient(api, { fetch: holdToEndpoints(api, app).fetch });
    for (const accept of ["text/csv", "text/html", "image/svg+xml"]) {
      assertEquals(typeof (await client.show({ headers: { accept } })).body, "string");
    }
    assertEquals((await client.show()).body, { id: 1 });
    const { paths } = openapi({ info: { title: "", version: "" }, endpoints: api });
    assertEquals(Object.keys(paths["/show"]?.get?.responses?.[200]?.content ?? {}), ["text/*", "application/json"]);
  });
});
