import type { BodyReader } from "../body_reader.ts";
import type { MatchedRoute } from "../context.ts";
import type { Endpoint } from "../typed_endpoint.ts";
import type { Client, ClientOptions } from "./types.ts";
import type { ValidationResult } from "../validator.ts";
import { UnexpectedResponse } from "./unexpected.ts";

/**
 * Creates a client: an object with one function for each endpoint, under the same name. A function sends one request and
 * returns a promise.
 *
 * - The answer is `{ status, body, response }`, told apart by `status`, if the endpoint declares responses; else the `Response`.
 * - `body` is the parsed JSON; a text if the declared `contentType` is not JSON; `undefined` for a status that is declared
 *   without a schema, and for HEAD. If it is `undefined`, `response` is unread: read it, or cancel its body.
 * - The promise rejects with an {@linkcode UnexpectedResponse} if the endpoint does not declare the response. Errors of `fetch`
 *   and of an `AbortSignal` are passed on.
 * - A redirect is not followed if the endpoint declares responses: it is an answer. `redirect: "follow"` in a call follows it.
 *   Browsers hide a redirect that is not followed: its status is 0, which is not declared.
 * - A path parameter that is empty, or has the segment `.` or `..`, would change the path. It rejects with a `TypeError`.
 *
 * @param endpoints The endpoints by name, such as `import * as api from "./api.ts"`. Values that are not endpoints are left out.
 * @param options Where and how to send requests.
 * @returns The client.
 *
 * @example Headers that depend on the call, and a time limit
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { createClient } from "@fw/core/client";
 * import { assertEquals } from "@std/assert";
 *
 * const api = {
 *   signIn: endpoint.post("/sign-in", { responses: { 204: {} } }),
 *   signOut: endpoint.post("/sign-out", { responses: { 204: {} } }),
 * };
 * const client = createClient(api, {
 *   baseUrl: "https://api.example.com/v1",
 *   headers: ({ name }) => name === "signIn" ? {} : { authorization: "Bearer ada" },
 *   fetch: ({ headers }) => new Response(null, { status: headers.has("authorization") ? 204 : 401 }), // for this example
 * });
 * const { status } = await client.signOut({ signal: AbortSignal.timeout(5000), credentials: "include" });
 * assertEquals(status, 204);
 * ```
 *
 * @example A test that holds a server to what it declares
 * ```ts
 * import { endpoint } from "@fw/core";
 * import { createClient, UnexpectedResponse } from "@fw/core/client";
 * import { standardSchema } from "@fw/core/standard-schema";
 * import { assertRejects } from "@std/assert";
 * import { z } from "zod";
 *
 * const api = { count: endpoint.get("/count", { responses: { 200: { schema: z.object({ books: z.int() }) } } }) };
 * const client = createClient(api, {
 *   fetch: () => Response.json({ books: "three" }), // `app.fetch`
 *   validator: standardSchema,
 * });
 * await assertRejects(() => client.count(), UnexpectedResponse, "another body than declared");
 * ```
 */
export function createClient<Api extends object>(endpoints: Api, options: ClientOptions = {}): Client<Api> {
  // Without a prototype, so that `__proto__` is a name like any other.
  const client: Record<string, unknown> = Object.create(null);
  for (const [name, endpoint] of Object.entries(endpoints)) {
    if (endpoint?.path && endpoint.method) client[name] = (given?: Given) => call(name, endpoint, options, given);
  }
  return client as Client<Api>;
}

/** Untyped view of the argument of a call. */
interface Given extends Omit<RequestInit, "body"> {
  readonly params?: { readonly [name: string]: unknown };
  readonly query?: object;
  readonly cookies?: object;
  readonly body?: unknown;
}

async function call(
  name: string,
  endpoint: Endpoint,
  { baseUrl = "http://localhost", fetch: send = fetch, headers: defaults, validator }: ClientOptions,
  given: Given = {},
): Promise<unknown> {
  const { params = {}, query, headers: own, cookies, body, method = `${endpoint.method}` } = given;
  const { path, request: schemas, responses } = endpoint;
  const search = query ? `${new URLSearchParams(toPairs(query))}` : "";
  const url = baseUrl.replace(/\/$/, "") + fillPath(path, params) + (search && "?" + search);

  const shared = typeof defaults === "function" ? await defaults({ name, endpoint, method, url }) : defaults;
  // A plain object: `Headers` take longer to make, and to read again.
  const headers: Record<string, string> = Object.create(null);
  if (shared || own || cookies) {
    for (const [key, value] of [...new Headers(shared), ...toPairs(own)]) headers[key.toLowerCase()] = value;
    const pairs = toPairs(cookies).map((pair) => pair.join("="));
    if (/;/.test(`${pairs}`)) throw new TypeError('Cookie must not contain ";"');
    if (pairs[0]) headers.cookie = pairs.join("; ");
  }
  const init = {
    redirect: responses && "manual",
    ...given,
    method,
    headers,
    body: schemas?.body && body !== undefined ? encodeBody(body, schemas.bodyReader, headers) : body,
    duplex: "half",
  } as RequestInit;
  given.signal?.throwIfAborted(); // `app.fetch` does not
  const request = new Request(url, init);
  const response = await send(request);
  if (!responses) return response;

  const { status } = response;
  // A browser hides a redirect: its status is 0.
  const declared = status && (responses[status] ?? responses[`${status / 100 | 0}XX` as "2XX"] ?? responses.default);
  if (!declared) throw new UnexpectedResponse(request, response);
  const { schema, contentType = "/json" } = declared;
  let received: unknown;
  if (schema && method !== "HEAD") {
    const text = await response.text();
    let result: Pick<ValidationResult, "ok"> | undefined;
    try {
      received = /[/+]json(;|$)/.test(contentType) ? JSON.parse(text) : text;
    } catch {
      result = { ok: false }; // without the error: the engine quotes the body in its message
    }
    result ??= await validator?.validate(schema, received, "body", endpoint as MatchedRoute);
    if (result && !result.ok) throw new UnexpectedResponse(request, response, { cause: result });
  }
  return { status, body: received, response };
}

/** The path with its parameters filled in. */
function fillPath(path: string, params: { readonly [name: string]: unknown }): string {
  return path.replace(/\/(?::([^/]+)|\*$)/g, (_, name = "*") => {
    const value = `${params[name] ?? ".."}`;
    const isRest = name === "*";
    // Rejected, not encoded: a URL parser resolves `%2e%2e` as well.
    if (/^$|(^|\/)\.\.?(\/|$)/.test(isRest ? "/" + value : value)) {
      throw new TypeError(`Parameter "${name}" of ${path} must not be empty, "." or ".."`);
    }
    const text = encodeURIComponent(value);
    return "/" + (isRest ? text.replace(/%2F/g, "/") : text);
  });
}

/** The body that is sent: JSON. For a `bodyReader`, a plain object becomes a form; the caller has encoded any other value. */
function encodeBody(body: unknown, reader: BodyReader | undefined, headers: Record<string, string>): unknown {
  if (!reader) {
    headers["content-type"] ??= "application/json";
    return JSON.stringify(body);
  }
  let sent = Object(body);
  if ((sent.constructor ?? Object) === Object) {
    sent = new FormData();
    for (const [key, value] of toPairs(Object(body))) sent.append(key, value);
  }
  if (sent instanceof FormData) delete headers["content-type"]; // the platform sets it, with the boundary
  return sent;
}

/**
 * Lists the keys and values of a part as pairs. An array gives one pair for each item. `undefined` gives none. The platform
 * converts numbers and booleans to text.
 */
function toPairs(part: object = {}): [string, string][] {
  if (Symbol.iterator in part) return part as [string, string][];
  const pairs: [string, string][] = [];
  for (const [key, value] of Object.entries(part)) for (const item of [value ?? []].flat()) pairs.push([key, item]);
  return pairs;
}
