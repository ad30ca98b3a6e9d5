import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint } from "../../../mod.ts";
import { asyncapi, socket } from "../../../src/sockets/mod.ts";

const info = { title: "Chat", version: "1.0.0" };
const node = z.object({
  text: z.string(),
  get replies() {
    return z.array(node);
  },
});
const api = {
  room: endpoint.get("/rooms/:id/*", {
    docs: { summary: "Chat in a room" },
    request: { query: z.object({ after: z.string().optional() }) },
    responses: {
      101: socket({
        client: { say: z.object({ text: z.string().trim() }), leave: z.undefined(), "a/b": z.null() },
        server: { said: node, moved: z.tuple([z.number(), z.number()]), rest: z.tuple([z.string()], z.number()) },
        window: 8,
      }),
      426: {},
    },
  }),
  live: endpoint.get("/live", {
    responses: { 101: socket({ client: {}, server: {}, description: "What happens" }), 426: {} },
  }),
  list: endpoint.get("/list", { responses: { 200: { schema: z.string() } } }),
};

describe("asyncapi()", () => {
  it("describes the sockets among endpoints", () => {
    const document = asyncapi({ info, endpoints: api, servers: { main: { host: "h", protocol: "wss" } } });
    const number = { type: "number" };
    const heartbeat = {
      name: "heartbeat",
      summary: "Sent when nothing else was, to be ignored",
      payload: { type: "object", maxProperties: 0 },
    };
    const message = (name: string, data: object | undefined, further: object = {}) => ({
      name,
      payload: {
        type: "object",
        required: data === undefined ? ["name"] : ["name", "data"],
        properties: { name: { const: name }, ...data && { data }, ...further },
      },
    });
    const id = { id: { type: "string" } };
    const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };
    assertEquals(document, {
      asyncapi: "3.0.0",
      info,
      servers: { main: { host: "h", protocol: "wss" } },
      defaultContentType: "application/json",
      channels: {
        room: {
          address: "/rooms/{id}/{rest}",
          summary: "Chat in a room",
          description: "The connection becomes a WebSocket",
          messages: {
            "client.say": message("say", text),
            "client.leave": message("leave", undefined),
            "client.a-47-b": message("a/b", { type: "null" }),
            "client.-acknowledgement": {
              name: "acknowledgement",
              summary: "How many messages of the connection the client has read: the server sends 8 ahead",
              payload: { type: "object", required: ["ack"], properties: { ack: { type: "integer", minimum: 1 } } },
            },
            "server.said": message("said", { $ref: "#/components/schemas/said" }, id),
            "server.moved": message("moved", {
              type: "array",
              items: [number, number],
              additionalItems: false,
              minItems: 2,
              maxItems: 2,
            }, id),
            "server.rest": message("rest", {
              type: "array",
              items: [{ type: "string" }],
              additionalItems: number,
              minItems: 1,
            }, id),
            "server.-heartbeat": heartbeat,
          },
          parameters: { id: {}, rest: {} },
          bindings: {
            ws: {
              method: "GET",
              query: { type: "object", properties: { after: { type: "string" } } },
              bindingVersion: "0.1.0",
            },
          },
        },
        live: {
          address: "/live",
          description: "What happens",
          messages: { "server.-heartbeat": heartbeat },
          bindings: { ws: { method: "GET", bindingVersion: "0.1.0" } },
        },
      },
      operations: {
        "room.receive": {
          action: "receive",
          channel: { $ref: "#/channels/room" },
          messages: ["client.say", "client.leave", "client.a-47-b", "client.-acknowledgement"].map((key) => ({
            $ref: `#/channels/room/messages/${key}`,
          })),
        },
        "room.send": {
          action: "send",
          channel: { $ref: "#/channels/room" },
          messages: ["server.said", "server.moved", "server.rest", "server.-heartbeat"].map((key) => ({
            $ref: `#/channels/room/messages/${key}`,
          })),
        },
        "live.receive": { action: "receive", channel: { $ref: "#/channels/live" }, messages: [] },
        "live.send": {
          action: "send",
          channel: { $ref: "#/channels/live" },
          messages: [{ $ref: "#/channels/live/messages/server.-heartbeat" }],
        },
      },
      components: {
        schemas: {
          said: {
            type: "object",
            properties: {
              text: { type: "string" },
              replies: { type: "array", items: { $ref: "#/components/schemas/said" } },
            },
            required: ["text", "replies"],
            additionalProperties: false,
          },
        },
      },
    } as never);
  });

  it("refers to channels of any name", () => {
    for (const name of ["a/b", "a~b", "50%", "__proto__"]) {
      const { channels, operations } = asyncapi({ info, endpoints: { [name]: api.live } });
      const [{ channel }] = Object.values(operations) as unknown as [{ channel: { $ref: string } }];
      assertEquals(Object.keys(channels), [name]);
      const [, , token = ""] = channel.$ref.split("/");
      assertEquals(decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~"), name);
    }
  });

  it("rejects schemas that cannot be described, and wrong options", () => {
    const untyped = asyncapi as (options?: unknown) => unknown;
    const isText = (value: unknown): value is string => typeof value === "string";
    const odd = { odd: endpoint.get("/", { responses: { 101: socket({ client: { say: isText }, server: {} }) } }) };
    assertThrows(
      () => asyncapi({ info, endpoints: odd }),
      TypeError,
      'Schema of the message say of GET "/" must be expressible as JSON Schema',
    );
    const described = asyncapi({ info, endpoints: odd, toJsonSchema: () => ({ type: "string" }) });
    assertEquals(Object.keys(described.channels), ["odd"]);
    assertThrows(() => untyped(), TypeError, "Options of asyncapi must be an object: received undefined");
    assertThrows(
      () => untyped({ info: "Chat", endpoints: api }),
      TypeError,
      "Option info of asyncapi must be an object",
    );
    assertThrows(
      () => untyped({ info, endpoints: [] }),
      TypeError,
      "must be an object of endpoints: received an array",
    );
    assertThrows(() => untyped({ info, endpoint: api }), TypeError, "did you mean endpoints?");
  });
});
