// npx -y deno@2.9.6 serve --host 127.0.0.1 examples/recipes/mcp.ts
//
// An MCP server by the official SDK. Its tools are endpoints of the app that it is part of. A call of a tool goes through
// `app.fetch` with the caller's token, so that the guards decide: a user who calls the tool of an admin gets 403.
//
// npx -y @modelcontextprotocol/inspector --cli http://localhost:8000/mcp --method tools/list
// npx -y @modelcontextprotocol/inspector --cli http://localhost:8000/mcp --header 'authorization: Bearer ada' \
//   --method tools/call --tool-name deleteNote --tool-arg 'params={"id":"1"}'

import { allow, type App, beforeBody, type Context, deny, endpoint, reply, route, setup } from "@fw/core";
import { type Tool, tools } from "@fw/core/tools";
import {
  createMcpHandler,
  fromJsonSchema,
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  McpServer,
  originValidationResponse,
} from "@modelcontextprotocol/server";
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

/** The hosts that this server is called by: in production, its own. */
const HOSTS = localhostAllowedHostnames();

/** A page of another site must not reach a server on this machine by a name of its own (DNS rebinding). */
const knownHost = (c: Context) => {
  const rejected = hostHeaderValidationResponse(c.request, HOSTS) ?? originValidationResponse(c.request, HOSTS);
  return rejected ? deny(rejected) : allow();
};

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
    route.on(["GET", "POST", "DELETE"], "/mcp", { guards: [knownHost], resolve: (c) => mcp(c.request) }),
  ],
});

const mcp = serveTools(
  { name: "notes", version: "1.0.0" },
  tools(api, { fetch: app.fetch, only: ["listNotes", "deleteNote"] }),
  ["authorization"],
);

export default app;

/**
 * Makes an MCP server of tools. A response that is not a success is an error of the tool, with its body.
 *
 * @param info The name and the version that clients of the server see.
 * @param offered The tools.
 * @param forwarded The headers of the caller that the requests to the app have, too: those that its guards read.
 */
export function serveTools(
  info: { readonly name: string; readonly version: string },
  offered: readonly Tool[],
  forwarded: readonly string[],
): (request: Request) => Promise<Response> {
  const described = offered.map(({ name, description, annotations, call, ...schemas }) => ({
    name,
    config: {
      description,
      annotations,
      inputSchema: fromJsonSchema<object>(schemas.inputSchema),
      ...schemas.outputSchema && { outputSchema: fromJsonSchema(schemas.outputSchema) },
    },
    call,
  }));
  const { fetch } = createMcpHandler(({ requestInfo }) => {
    const server = new McpServer(info);
    const headers = new Headers();
    for (const name of forwarded) {
      const value = requestInfo?.headers.get(name);
      if (value) headers.set(name, value);
    }
    for (const { name, config, call } of described) {
      server.registerTool(name, config, async (args, { mcpReq: { signal } }) => {
        const { isError, body } = await call(args, { headers, signal });
        return {
          isError,
          content: [{ type: "text", text: typeof body === "string" ? body : JSON.stringify(body) ?? "" }],
          ...config.outputSchema && !isError && { structuredContent: body },
        };
      });
    }
    return server;
  });
  return (request) => fetch(request);
}
