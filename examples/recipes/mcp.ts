// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/mcp.ts
//
// An MCP server by the official SDK. Its tools are endpoints of the app that it is part of. A call of a tool goes through
// `app.fetch` with the caller's token, so that the guards decide: a user who calls the tool of an admin gets 403.
//
// npx -y @modelcontextprotocol/inspector --cli http://localhost:8000/mcp --method tools/list
// npx -y @modelcontextprotocol/inspector --cli http://localhost:8000/mcp --header 'authorization: Bearer ada' \
//   --method tools/call --tool-name deleteNote --tool-arg 'params={"id":"1"}'

import {
  allow,
  type App,
  beforeBody,
  type Context,
  deny,
  type Endpoint,
  endpoint,
  reply,
  route,
  setup,
} from "@fw/core";
import { createClient } from "@fw/core/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

const refused = { schema: z.object({ error: z.string() }) };

const api = {
  listNotes: endpoint.get("/notes", {
    docs: { summary: "Lists the notes" },
    responses: { 200: { schema: z.array(z.object({ id: z.string(), text: z.string() })) }, 401: refused },
  }),
  deleteNote: endpoint.delete("/notes/:id", {
    docs: { summary: "Deletes a note. Only admins may." },
    responses: { 204: {}, 401: refused, 403: refused, 404: refused },
  }),
};

const notes = new Map([["1", "Buy milk"], ["2", "Read Emma"]]);

// In place of tokens of your own or of an identity provider: see jwt.ts.
const USERS = new Map([["Bearer ada", { isAdmin: true }], ["Bearer bob", { isAdmin: false }]]);

const authenticated = beforeBody((c: Context) => {
  const user = USERS.get(c.request.headers.get("authorization") ?? "");
  return user === undefined ? deny(reply(401, { error: "Send a token" })) : allow({ user });
});

const adminOnly = (c: Context<{ user: { isAdmin: boolean } }>) =>
  c.locals.user.isAdmin ? allow() : deny(reply(403, { error: "Only admins may" }));

const app: App = setup({
  handlers: [
    route.on(api.listNotes, {
      guards: [authenticated],
      resolve: () => reply(200, [...notes].map(([id, text]) => ({ id, text }))),
    }),
    route.on(api.deleteNote, {
      guards: [authenticated, adminOnly],
      resolve: (c) => notes.delete(c.raw.params.id) ? reply(204) : reply(404, { error: "There is no such note" }),
    }),

    // The clients of MCP speak with this route alone. It needs no token: each tool asks for its own.
    route.on(["GET", "POST", "DELETE"], "/mcp", { resolve: (c) => tools(c.request) }),
  ],
});

const tools = serveTools({
  info: { name: "notes", version: "1.0.0" },
  tools: api,
  fetch: app.fetch,
  headers: ["authorization"],
});

export default app;

export interface ToolOptions {
  /** The name and the version that clients of the server see. */
  readonly info: { readonly name: string; readonly version: string };
  /** The endpoints that are tools, by the name of the tool. Their schemas are those of Zod, their method is one. */
  readonly tools: Readonly<Record<string, Endpoint>>;
  /** Sends a request to the app that has their routes: `app.fetch`. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** The headers of the caller that the requests to the app have, too: those that its guards read. */
  readonly headers: readonly string[];
}

/**
 * Makes an MCP server whose tools are endpoints of an app. A call of a tool is a request to the app with the headers of
 * the caller, so that its guards decide. A response that is not a success is an error of the tool, with its body.
 */
export function serveTools(
  { info, tools, fetch, headers }: ToolOptions,
): (request: Request) => Promise<Response> {
  const described = Object.entries(tools).map(([name, { method, path, request, docs }]) => ({
    name,
    description: docs?.description ?? docs?.summary ?? `${method} ${path}`,
    inputSchema: inputOf(name, path, request),
    endpoint: { method, path, ...request && { request } }, // without responses, the client returns any response
  }));

  const { fetch: handle } = createMcpHandler(({ requestInfo }) => {
    const server = new McpServer(info);
    const ofCaller = headers.map((name) => [name, requestInfo?.headers.get(name) ?? undefined]);
    for (const { name, endpoint, ...config } of described) {
      const client = createClient({ call: endpoint }, { fetch, headers: Object.fromEntries(ofCaller) });
      server.registerTool(name, config, async (input, { mcpReq: { signal } }) => {
        const response = await client.call({ ...input, signal });
        return { isError: !response.ok, content: [{ type: "text", text: await response.text() }] };
      });
    }
    return server;
  });
  return (request) => handle(request);
}

/** The schema of what a tool takes: the parts of the request that its endpoint declares, and the path parameters. */
function inputOf(name: string, path: string, request: Endpoint["request"] = {}) {
  const parts: Record<string, z.ZodType> = {};
  for (const part of ["params", "query", "body"] as const) {
    const schema = request[part];
    if (schema instanceof z.ZodType) parts[part] = schema;
    else if (schema !== undefined) throw new TypeError(`The ${part} of tool ${name} must have a schema of Zod`);
  }
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = ""]) => [name, z.string()] as const);
  if (names.length > 0) parts.params ??= z.object(Object.fromEntries(names));
  return z.object(parts);
}
