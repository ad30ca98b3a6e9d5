import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  Client,
  StreamableHTTPClientTransport,
  type StreamableHTTPClientTransportOptions,
} from "@modelcontextprotocol/client";
import { endpoint } from "@fw/core";
import { tools } from "@fw/core/tools";
import { z } from "zod";
import { serveTools } from "../../../examples/recipes/mcp.ts";
import { describeServed } from "../describe_served.ts";

/** Connects the official client. */
async function connect(url: URL, options?: StreamableHTTPClientTransportOptions): Promise<Client> {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url, options));
  return client;
}

describeServed("examples/recipes/mcp.ts", (served) => {
  /** Calls a tool. */
  async function call(authorization: string, name: string, input: Record<string, unknown> = {}) {
    const client = await connect(new URL("/mcp", served.origin), { requestInit: { headers: { authorization } } });
    try {
      const { isError, content } = await client.callTool({ name, arguments: input });
      const [item] = content;
      return [isError ?? false, item?.type === "text" ? item.text : item];
    } finally {
      await client.close();
    }
  }

  it("the recipe mcp lists the chosen endpoints as tools, with their schemas", async () => {
    const client = await connect(new URL("/mcp", served.origin));
    const { tools } = await client.listTools();
    await client.close();
    assertEquals(tools.map(({ name, description }) => [name, description]), [
      ["listNotes", "Lists the notes"],
      ["deleteNote", "Deletes a note. Only admins may."],
    ]);
    const [, { inputSchema } = { inputSchema: undefined }] = tools;
    assertEquals(inputSchema?.required, ["params"]);
  });

  it("the recipe mcp lets the guards of the app decide by the caller's token", async () => {
    const input = { params: { id: "1" } };
    assertEquals(await call("Bearer bob", "listNotes"), [
      false,
      '[{"id":"1","text":"Buy milk"},{"id":"2","text":"Read Emma"}]',
    ]);
    assertEquals(await call("Bearer eve", "listNotes"), [true, '{"error":"Send a token"}']);
    assertEquals(await call("Bearer bob", "deleteNote", input), [true, '{"error":"Only admins may"}']);
    assertEquals(await call("Bearer ada", "deleteNote", input), [false, ""]);
    assertEquals(await call("Bearer ada", "deleteNote", input), [true, '{"error":"There is no such note"}']);
  });

  it("the recipe mcp rejects pages of other sites", async () => {
    for (const headers of [{ origin: "https://evil.example" }, { host: "evil.example" }]) {
      const request = new Request(new URL("/mcp", served.origin), { method: "POST", headers });
      assertEquals((await (await import("../../../examples/recipes/mcp.ts")).default.fetch(request)).status, 403);
    }
  });
});

describe("serveTools()", () => {
  it("passes only the named headers of the caller on", async () => {
    const received: string[][] = [];
    const fetch = ({ headers }: Request) => {
      received.push([...headers.keys()]);
      return Response.json({ pong: true });
    };
    const ping = endpoint.get("/ping", { responses: { 200: { schema: z.object({ pong: z.boolean() }) } } });
    const handle = serveTools({ name: "x", version: "1" }, tools({ ping }, { fetch }), ["authorization", "x-absent"]);
    const client = await connect(new URL("http://localhost/mcp"), {
      fetch: (url, init) => handle(new Request(url, init)),
      requestInit: { headers: { authorization: "Bearer ada", cookie: "session=1", "x-other": "1" } },
    });
    const { content, structuredContent } = await client.callTool({ name: "ping" });
    await client.close();
    assertEquals(content, [{ type: "text", text: '{"pong":true}' }]);
    assertEquals(structuredContent, { pong: true });
    assertEquals(received, [["authorization"]]);
  });
});
