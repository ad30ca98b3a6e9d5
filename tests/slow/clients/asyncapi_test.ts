/** The documents of `asyncapi`, judged by the official parser. */
import { Parser } from "@asyncapi/parser";
import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint } from "../../../mod.ts";
import { asyncapi, socket } from "../../../src/sockets/mod.ts";
import { granted } from "../../support/granted.ts";

const node = z.object({
  text: z.string(),
  get replies() {
    return z.array(node);
  },
});
const api = {
  room: endpoint.get("/rooms/:id/*", {
    docs: { summary: "Chat in a room" },
    request: { query: z.object({ after: z.string().optional() }), headers: z.object({ "x-client": z.string() }) },
    responses: {
      101: socket({
        client: { say: z.object({ text: z.string().trim() }), leave: z.undefined(), "a/b~c d": z.null() },
        server: { said: node, moved: z.tuple([z.number(), z.number()]), at: z.union([z.string(), z.int()]) },
        window: 8,
      }),
      426: {},
    },
  }),
  live: endpoint.get("/live", { responses: { 101: socket({ client: {}, server: {} }), 426: {} } }),
};

(granted("env", "read") ? describe : describe.skip)("the document of asyncapi()", () => {
  it("is valid, and has each message", async () => {
    const servers = { main: { host: "api.example.com", protocol: "wss", pathname: "/v1" } } as const;
    const described = asyncapi({ info: { title: "Chat", version: "1.0.0" }, endpoints: api, servers });
    const { document, diagnostics } = await new Parser().parse(JSON.stringify(described));
    // That there is a newer version of AsyncAPI is no fault.
    assertEquals(diagnostics.filter(({ code }) => code !== "asyncapi-latest-version"), []);
    const channels = document?.channels().all().map((channel) => [
      channel.address(),
      channel.messages().all().map((message) => message.name()),
    ]);
    assertEquals(channels, [
      ["/rooms/{id}/{rest}", ["say", "leave", "a/b~c d", "said", "moved", "at", "acknowledgement", "heartbeat"]],
      ["/live", ["heartbeat"]],
    ]);
  });
});
