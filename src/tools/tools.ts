import { endpointsIn } from "../core/declare/check_declared.ts";
import type { Endpoint } from "../core/declare/typed_endpoint.ts";
import { findResponse, isJson } from "../core/responses/media_type.ts";
import { appendPairs, splitPath, writeUrl } from "../core/routing/write_url.ts";
import { isRead } from "../core/routing/method.ts";
import type { JsonSchemaObject } from "../core/schemas/json_schema.ts";
import { isPlain, requireOptions } from "../core/values/assert.ts";
import { describeInput, describeOutput } from "./describe.ts";
import { findMismatch } from "./find_mismatch.ts";
import { toStrict, withoutNulls } from "./strict.ts";
import type { Tool, ToolOptions, ToolsIn } from "./types.ts";

/**
 * Makes a tool of each endpoint of a record, or of those that `only` names.
 *
 * - An endpoint that may write must be named in `only`: without that, the call does not compile, and throws. GET, HEAD
 *   and QUERY need no name.
 * - A call is a request to the app, so guards and rate limits apply. Pass the credentials of the model's user in
 *   `headers` of the options or of the call.
 * - A declared response is a result, whatever its status is.
 *
 * @typeParam Api The record.
 * @param endpoints The endpoints by name, such as `import * as api from "./api.ts"`. Values that are not endpoints are
 * left out, but a value that contains endpoints is an error.
 * @param options Where calls go, and which endpoints are tools.
 * @returns The tools, in the order of the record.
 * @throws If an option is wrong, if `only` does not name an endpoint that may write, or if a tool cannot be made of an
 * endpoint: it streams, it takes a file, it has several methods, or a schema has no JSON Schema. The message names the
 * endpoint.
 *
 * @example A write that models may do, for a person who is signed in
 * ```ts
 * import { allow, type Context, deny, endpoint, reply, route, setup } from "@fw/core";
 * import { tools } from "@fw/core/tools";
 * import { assertEquals } from "@std/assert";
 *
 * const api = {
 *   deleteNote: endpoint.delete("/notes/:id", { responses: { 204: {}, 401: {} } }),
 *   deleteAll: endpoint.delete("/notes", { responses: { 204: {} } }),
 * };
 * const signedIn = (c: Context) => c.request.headers.has("authorization") ? allow() : deny(reply(401));
 * const deleteNote = route.on(api.deleteNote, { guards: [signedIn], resolve: () => reply(204) });
 * const app = setup({ handlers: [deleteNote] });
 *
 * const [tool] = tools(api, { fetch: app.fetch, only: ["deleteNote"] });
 * const args = { params: { id: "7" } };
 * assertEquals((await tool?.call(args))?.status, 401);
 * assertEquals((await tool?.call(args, { headers: { authorization: "Bearer ada" } }))?.status, 204);
 * ```
 */
export function tools<const Api extends object>(
  endpoints: Api,
  options: ToolOptions<Api> & ToolsIn<Api>,
): readonly Tool[] {
  requireOptions(options, "tools", ["fetch"], ["only", "headers", "baseUrl", "toJsonSchema", "strict"]);
  const known = endpointsIn(endpoints, "Endpoints");
  const { only } = options;
  const unknown = only?.find((name) => !known.some(([one]) => one === name));
  if (unknown !== undefined) throw new TypeError(`Option only of tools names "${unknown}", which is not an endpoint`);
  return known.filter(([name]) => !only || only.some((one) => one === name))
    .map(([name, endpoint]) => toolOf(name, endpoint, options));
}

/** Makes a tool of an endpoint. */
function toolOf<Api>(name: string, endpoint: Endpoint, options: ToolOptions<Api>): Tool {
  const { path, docs: { summary, description = summary } = {}, request: { bodyReader } = {}, responses } = endpoint;
  const { fetch, only, headers: defaults, baseUrl = "http://localhost", toJsonSchema, strict = false } = options;
  const owner = `endpoint "${name}"`;
  const json = bodyReader ? bodyReader.contentTypes.find(isJson) : "application/json";
  const [method = "ALL", another] = [endpoint.method].flat();
  if (another || method === "ALL") throw new TypeError(`${owner} must have one method to be a tool`);
  const readOnlyHint = isRead(method);
  if (!readOnlyHint && !only) throw new TypeError(`${owner} may write: name it in \`only\` of tools, or leave it out`);
  const parts = splitPath(path);
  const declared = describeInput(owner, parts, endpoint, toJsonSchema);
  const described = describeOutput(owner, endpoint, toJsonSchema);
  const inputSchema = strict ? toStrict(declared, `arguments of ${owner}`) : declared;
  const outputSchema = strict ? described && toStrict(described, `response of ${owner}`) : described;
  return {
    name,
    description: description ?? `${method} ${path}`,
    inputSchema,
    ...outputSchema && { outputSchema },
    annotations: {
      ...summary && { title: summary },
      readOnlyHint,
      destructiveHint: !readOnlyHint && method !== "POST",
      idempotentHint: method !== "POST" && method !== "PATCH",
    },
    async call(args, { headers: own, signal = null } = {}) {
      // Before anything is built of them: a model must not set headers, for instance.
      const { params, query, body }: Given = checkArguments(
        strict ? withoutNulls(args, declared, declared) : args,
        declared,
        owner,
      );
      const headers = new Headers(defaults);
      new Headers(own).forEach((value, name) => headers.set(name, value));
      const init: RequestInit = { method, headers, redirect: "manual", signal };
      if (!json) {
        if (body !== undefined) init.body = appendPairs(new FormData(), Object(body));
      } else if (body !== undefined) {
        headers.set("content-type", json);
        init.body = JSON.stringify(body);
      }
      signal?.throwIfAborted(); // `app.fetch` does not
      const response = await fetch(
        new Request(writeUrl(`${baseUrl}`.replace(/\/+$/, ""), path, parts, params, query), init),
      );
      const { status } = response;
      const text = await response.text();
      if (responses && !findResponse(responses, response)) {
        throw new Error(
          `${owner} does not declare the status ${status}, or its media type, with which the app responded`,
        );
      }
      const isParsed = text && isJson(`${response.headers.get("content-type")}`);
      return { status, isError: !response.ok, body: isParsed ? JSON.parse(text) : text || undefined };
    },
  };
}

/** Rejects arguments that the schema of the tool does not accept. */
function checkArguments(args: unknown, declared: JsonSchemaObject, owner: string): Given {
  const other = isPlain(args)
    ? Object.keys(args).find((key) => !Object.hasOwn(Object(declared.properties), key))
    : undefined;
  if (other !== undefined) throw new TypeError(`${owner} does not take ${JSON.stringify(other)}`);
  const { path = [], rule, received } = findMismatch(declared, args, declared) ?? {};
  if (rule === undefined) return args as Given;
  const place = path.length === 0 ? `Arguments` : `Argument ${path.join(".")}`;
  throw new TypeError(`${place} of ${owner} must ${rule}: received ${received}`);
}

/** Untyped view of the arguments. */
interface Given {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: object;
  readonly body?: unknown;
}
