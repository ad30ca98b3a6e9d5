/** What other entry points make of an endpoint with a socket. */
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import fc from "fast-check";
import { z } from "zod";
import { allow, type Context, deny, endpoint, reply, route, setup } from "../../../mod.ts";
import { openapi } from "../../../src/openapi/mod.ts";
import { accept, handshake, socket, type Sockets } from "../../../src/sockets/mod.ts";
import { standardSchema } from "../../../src/standard_schema/mod.ts";
import { fuzz, holdToEndpoints, mock } from "../../../src/testing/mod.ts";
import { tools } from "../../../src/tools/mod.ts";
import { handshakeOf, memorySockets } from "../../support/sockets/memory_sockets.ts";

const api = {
  chat: endpoint.get("/chat", {
    request: { query: z.object({ token: z.string().optional() }) },
    responses: {
      101: socket({ client: { say: z.string() }, server: { said: z.string() }, description: "A chat" }),
      400: {},
      401: {},
      403: {},
      426: {},
    },
  }),
};
const signedIn = (c: Context) => c.raw.query.token === "ada" ? allow({ user: "ada" }) : deny(reply(401));
const app = setup({
  validator: standardSchema,
  handlers: [
    route.on(api.chat, {
      guards: [signedIn, handshake({ origins: [] })],
      resolve: (c, sockets: Sockets) => accept(c, api.chat, sockets, { receive: { say() {} }, invalid() {} }),
    }),
  ],
});

describe("an endpoint with a socket", () => {
  it("has a response without content in an OpenAPI document", () => {
    for (const version of ["3.1.0", "3.2.0"] as const) {
      const document = openapi({ openapi: version, info: { title: "Chat", version: "1" }, endpoints: api });
      assertEquals(document.paths["/chat"]?.get?.responses["101"], { description: "A chat" });
    }
  });

  it("is held to its declared denials, and its socket passes", async () => {
    const held = holdToEndpoints(api, app);
    const sockets = memorySockets();
    assertEquals((await held.fetch(new Request("http://localhost/chat"), sockets)).status, 401);
    assertEquals((await held.fetch(new Request("http://localhost/chat?token=ada"), sockets)).status, 426);
    assertEquals(held.unseen(), ["GET /chat 101", "GET /chat 400", "GET /chat 403"]);
    assertEquals((await held.fetch(handshakeOf("http://localhost/chat?token=ada"), sockets)).status, 101);
    assertEquals(held.unseen(), ["GET /chat 400", "GET /chat 403"]);
  });

  it("is mocked by the response to a request without a handshake", async () => {
    const mocked = mock(api, { fc });
    assertEquals((await mocked.fetch(handshakeOf("http://localhost/chat"))).status, 426);
    const denied = new Request("http://localhost/chat", { headers: { prefer: "status=401" } });
    assertEquals((await mocked.fetch(denied)).status, 401);
  });

  it("has its faults found, and its socket opened", async () => {
    const faults = await fuzz(() => app, { fc, runs: 20, seed: 1 });
    assertEquals([...faults], []);
    assertEquals(Object.keys(faults.reached ?? {}), ["GET /chat"]);
  });

  it("cannot be a tool", () => {
    assertThrows(() => tools(api, { fetch: () => new Response() }), TypeError, 'endpoint "chat" streams');
  });
});
