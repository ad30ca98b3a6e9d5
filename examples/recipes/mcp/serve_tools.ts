import type { Endpoint } from "@fw/core";
import { createClient } from "@fw/core/client";
import { createMcpHandler, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

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
