/** What `compatible` finds in AsyncAPI documents: channels, and the messages in both directions. */
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint } from "../../../mod.ts";
import { compatible } from "../../../src/compatible/mod.ts";
import { asyncapi, type MessageSchemas, socket } from "../../../src/sockets/mod.ts";
import { documentWith } from "./compare_documents.ts";

const info = { title: "Chat", version: "1" };
const say = z.object({ text: z.string() });
const said = z.object({ by: z.string(), text: z.string() });

/** A document with a socket at a path. */
function documentOf(client: MessageSchemas, server: MessageSchemas, path = "/rooms/:id"): object {
  const messages = { client: client as { say: z.ZodType }, server: server as { said: z.ZodType } };
  return asyncapi({ info, endpoints: { room: endpoint.get(path, { responses: { 101: socket(messages) } }) } });
}
const before = documentOf({ say }, { said });
const changesOf = (after: object, of = before) => compatible(of, after);
const linesOf = (after: object, of = before) =>
  changesOf(after, of).map(({ level, operation, what }) => `${level}: ${operation} ${what}`);

describe("compatible() of AsyncAPI documents", () => {
  it("finds nothing if they mean the same", () => {
    assertEquals(changesOf(documentOf({ say }, { said }, "/rooms/:room")), []);
  });

  it("finds what the server takes no longer, and what it sends in another way", () => {
    assertEquals(changesOf(documentOf({ say: say.extend({ to: z.string() }) }, { said: said.omit({ by: true }) })), [
      {
        level: "breaking",
        operation: "/rooms/{id}",
        at: "/channels/room/messages/client.say/payload/properties/data/properties/to",
        what: 'message "say", data.to: is new and required',
      },
      {
        level: "breaking",
        operation: "/rooms/{id}",
        at: "/channels/room/messages/server.said/payload/properties/data/properties/by",
        what: 'message "said", data.by: is removed',
      },
    ]);
    assertEquals(
      linesOf(documentOf({ say: say.partial() }, { said: said.extend({ at: z.string() }) })).map((line) =>
        line.split(":", 1)[0]
      ),
      ["safe", "risky"], // other keys of what is sent were excluded
    );
  });

  it("finds messages and channels that are gone, or new", () => {
    assertEquals(linesOf(documentOf({ tell: say }, { told: said })), [
      'breaking: /rooms/{id} message "say": is no longer received',
      'safe: /rooms/{id} message "tell": is new',
      'risky: /rooms/{id} message "said": is no longer sent',
      'safe: /rooms/{id} message "told": is new',
    ]);
    assertEquals(linesOf(documentOf({ say }, { said }, "/r/:id")), [
      "breaking: /rooms/{id} is removed",
      "safe: /r/{id} is new",
    ]);
    assertEquals(linesOf(documentOf({ say }, { said: z.undefined() })).map((line) => line.split(" ", 1)[0]), [
      "breaking:",
    ]);
  });

  it("reads documents of other tools: references, messages without names, operations that list none", () => {
    const documentWith = (type: string) => ({
      asyncapi: "3.0.0",
      info,
      channels: { "a/b": { $ref: "#/components/channels/live" }, quiet: { address: null } },
      operations: {
        take: {
          action: "receive",
          channel: { $ref: "#/channels/a~1b" },
          messages: [{ $ref: "#/components/messages/x" }],
        },
        give: { action: "send", channel: { $ref: "#/channels/a~1b" } },
      },
      components: {
        channels: { live: { address: "live", messages: { x: { $ref: "#/components/messages/x" }, y: {} } } },
        messages: { x: { payload: { type } } },
      },
    });
    assertEquals(changesOf(documentWith("integer"), documentWith("number")), [
      {
        level: "breaking",
        operation: "live",
        at: "/channels/a~1b/messages/x/payload",
        what: 'message "x": number is no longer allowed',
      },
      {
        level: "safe",
        operation: "live",
        at: "/channels/a~1b/messages/x/payload",
        what: 'message "x": number is no longer allowed',
      },
    ]);
    assertEquals(linesOf({ asyncapi: "3.0.0" }, documentWith("number")), [
      "breaking: live is removed",
      "breaking: quiet is removed",
    ]);
  });

  it("rejects other versions, and a document of OpenAPI beside one of AsyncAPI", () => {
    assertThrows(() => compatible({ asyncapi: "2.6.0" }, before), TypeError, "or an AsyncAPI document of version 3.0");
    assertThrows(
      () => compatible(documentWith({}), before),
      TypeError,
      "Arguments of compatible must be two documents of OpenAPI, or two of AsyncAPI: received one each",
    );
  });
});
