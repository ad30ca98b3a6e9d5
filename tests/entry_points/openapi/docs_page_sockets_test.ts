/** The messages of sockets on the page of an API. The script of the page runs in `tests/slow/browser`. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { z } from "zod";
import { endpoint, route, setup } from "../../../mod.ts";
import { docsPage, openapi } from "../../../src/openapi/mod.ts";
import { asyncapi, socket } from "../../../src/sockets/mod.ts";
import { request } from "../../support/request.ts";
import { info } from "./document_of.ts";

const said = z.object({ text: z.string() }).meta({ id: "Said" });
const api = {
  room: endpoint.get("/rooms/:id", {
    responses: {
      101: socket({
        client: { say: z.object({ text: z.string().describe("<b>What</b> is said") }), leave: z.undefined() },
        server: { said },
        window: 8,
      }),
      426: {},
    },
  }),
  news: endpoint.get("/news/*", {
    responses: { 101: socket({ client: {}, server: { n: z.number().default(7) } }), 426: {} },
  }),
  plain: endpoint.get("/plain", { responses: { 200: { schema: z.string() } } }),
};
const document = openapi({ info, endpoints: api, servers: [{ url: "https://api.example.com" }] });
const sockets = asyncapi({ info: { title: "Rooms", version: "1" }, endpoints: api });

async function responseOf(options?: Parameters<typeof docsPage>[1]): Promise<Response> {
  const app = setup({ handlers: [route.get("/docs", { resolve: docsPage(document, options) })] });
  return await app.fetch(request("/docs"));
}

/** The part of a page that is about an operation. */
function partOf(page: string, operationId: string): string {
  const [, part] = new RegExp(`<details class="operation" id="operation-${operationId}"([^]*?)</section>`).exec(page) ??
    [];
  assert(part !== undefined, operationId);
  return part.split('<details class="operation"')[0] ?? "";
}

describe("docsPage() with sockets", () => {
  it("describes the messages of a socket in both directions, and begins with one to send", async () => {
    const page = await (await responseOf({ sockets })).text();
    const room = partOf(page, "room");
    assertStringIncludes(room, "data-socket");
    for (const name of ["say", "leave", "acknowledgement", "said", "heartbeat"]) {
      assertStringIncludes(room, `<b>${name}</b>`);
    }
    assertStringIncludes(room, "&#60;b&#62;What&#60;/b&#62; is said");
    const options = Array.from(room.matchAll(/<option value="([^"]*)">(\w+)<\/option>/g), ([, text = "", name]) => [
      name,
      JSON.parse(text.replaceAll("&#34;", '"')),
    ]);
    assertEquals(options, [["say", { name: "say", data: { text: "text" } }], ["leave", { name: "leave" }]]);
    assertStringIncludes(room, "data-message");
    // A named schema of the messages alone.
    assertStringIncludes(room, 'href="#schema-Said"');
    assertStringIncludes(page, 'id="schema-Said"');

    const news = partOf(page, "news");
    assertStringIncludes(news, "data-socket");
    assert(!news.includes("data-message"));
    assert(!partOf(page, "plain").includes("data-socket"));
  });

  it("allows sockets to the servers of the document", async () => {
    const policyOf = ({ headers }: Response) =>
      /connect-src[^;]*/.exec(`${headers.get("content-security-policy")}`)?.[0];
    assertEquals(
      policyOf(await responseOf({ sockets })),
      "connect-src 'self' https://api.example.com wss://api.example.com",
    );
    assertEquals(policyOf(await responseOf()), "connect-src 'self' https://api.example.com");
  });

  it("shows no messages without them, or of another path", async () => {
    for (const options of [undefined, {}, { sockets: asyncapi({ info: sockets.info, endpoints: {} }) }]) {
      const page = await (await responseOf(options)).text();
      assert(!page.includes("data-socket>") && !page.includes("The client sends"));
    }
  });

  it("rejects what is not a document of asyncapi", () => {
    const untyped = docsPage as (document: unknown, options?: unknown) => unknown;
    assertThrows(() => untyped(document, { socket: {} }), TypeError, "did you mean sockets?");
    for (const sockets of [null, {}, { channels: {} }, document]) {
      assertThrows(
        () => untyped(document, { sockets }),
        TypeError,
        "Option sockets of docsPage must be what asyncapi returns: received",
      );
    }
  });
});
