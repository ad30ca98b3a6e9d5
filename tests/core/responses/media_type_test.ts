import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, reply, route, setup } from "../../../mod.ts";
import { createClient, UnexpectedResponse } from "../../../src/client/mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { holdToEndpoints, mock } from "../../../src/testing/mod.ts";

const PNG = { headers: { "content-type": "image/PNG; x=y" } };
const CSV = { headers: { "content-type": "text/csv" } };

describe("a response whose media type is a range", () => {
  const api = {
    picture: endpoint.get("/picture", { responses: { 200: { contentType: "image/*" } } }),
    file: endpoint.get("/file", {
      responses: {
        200: [
          { contentType: "*/*" },
          { contentType: "image/*" },
          { contentType: "text/csv", schema: z.string() },
          { schema: z.array(z.string()) },
        ],
      },
    }),
  } as const;

  it("is one of its media types to holdToEndpoints and the client, and the narrowest of several", async () => {
    let sent = new Response("png", PNG);
    const app = setup({
      handlers: [
        route.on(api.picture, { resolve: () => reply(200, sent) }),
        route.get("/file", { resolve: () => sent }),
      ],
    });
    const client = createClient(api, { fetch: holdToEndpoints(api, app).fetch });
    assertEquals((await client.picture()).contentType, "image/*");
    sent = new Response("a", CSV);
    await assertRejects(() => client.picture(), Error, "must be image/*: received text/csv");
    const types: unknown[] = [];
    for (
      const [body, type] of [["a", "text/csv"], ["png", "image/png"], ["[]", "application/json"], [
        "x",
        "audio/ogg",
      ]] as const
    ) {
      sent = new Response(body, { headers: { "content-type": type } });
      types.push((await client.file()).contentType);
    }
    assertEquals(types, ["text/csv", "image/*", "application/json", "*/*"]);
    sent = new Response(new Uint8Array());
    await assertRejects(() => createClient(api, { fetch: app.fetch }).file(), UnexpectedResponse);
  });

  it("is described as a range, and mocked as one of its media types", async () => {
    const { paths } = openapi({ info: { title: "", version: "" }, endpoints: api });
    assertEquals(paths["/picture"]?.get?.responses[200]?.content, {
      "image/*": { schema: { type: "string", format: "binary" } },
    });
    const mocked = mock({ picture: api.picture });
    const response = await mocked.fetch(new Request("http://localhost/picture"));
    assertEquals(response.headers.get("content-type"), "image/png");
  });
});
