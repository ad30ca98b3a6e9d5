import type { StrictCompiler } from "../core/checked_options.ts";
import type { Endpoint } from "../core/declare/typed_endpoint.ts";
import type { Validator } from "../core/input/validator.ts";
import { findResponse, isJson } from "../core/responses/media_type.ts";
import type { RouteResponses } from "../core/responses/responses.ts";
import { validateSent } from "../core/responses/validate_sent.ts";
import { type StreamedForm, streamForm } from "./multipart.ts";
import { appendPairs, splitPath, writeUrl } from "../core/routing/write_url.ts";
import type { Client, ClientOptions } from "./types.ts";
import { readText } from "./read_text.ts";
import { UnexpectedResponse } from "./unexpected.ts";

/**
 * Creates a client: an object with one function for each endpoint, under the same name. A function sends one request
 * and returns a promise.
 *
 * - The result is `{ status, contentType, headers, body, response }`, told apart by `status`, if the endpoint declares
 *   responses; else the `Response`. `headers` has the declared headers. A script of another origin sees only the
 *   headers that the server lists in `Access-Control-Expose-Headers`.
 * - `contentType` is the declared media type. If a status is declared with a list of responses, it tells them apart: of
 *   `answer.status === 200 && answer.contentType === "text/csv"`, the type of `body` is known.
 * - `body` is the parsed JSON; a string if the declared `contentType` is not JSON; `undefined` for a status that is
 *   declared without a schema, and for HEAD. If it is `undefined`, `response` is unread: read it, or cancel its body.
 * - The promise rejects with an {@linkcode UnexpectedResponse} if the endpoint does not declare the response. Errors of
 *   `fetch` and of an `AbortSignal` are passed on.
 * - A redirect is not followed: headers such as `x-api-key` would go to another origin. `redirect: "follow"` in a call
 *   follows it. Browsers hide a redirect that is not followed: its status is 0, which is not declared.
 * - A path parameter that is empty, or has the segment `.` or `..`, would change the path. A `*` that begins with `/`
 *   could name another origin. Both reject with a `TypeError`.
 *
 * @param endpoints The endpoints by name, such as `import * as api from "./api.ts"`. Values that are not endpoints are
 * left out.
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
 *   // For this example, in place of a server.
 *   fetch: ({ headers }) => new Response(null, { status: headers.has("authorization") ? 204 : 401 }),
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
export function createClient<Api extends object>(
  endpoints: StrictCompiler<Api>,
  options: ClientOptions = {},
): Client<Api> {
  // Without a prototype, so that `__proto__` is a name like any other.
  const client: Record<string, unknown> = Object.create(null);
  for (const [name, endpoint] of Object.entries(endpoints)) {
    if (endpoint?.path && endpoint.method) client[name] = createCall(name, endpoint, options);
  }
  return client as Client<Api>;
}

/** Untyped view of the argument of a call. */
interface Given extends Omit<RequestInit, "body"> {
  readonly params?: Record<string, unknown>;
  readonly query?: object;
  readonly headers?: HeadersInit;
  readonly cookies?: object;
  readonly body?: unknown;
}

/** The function that calls an endpoint. */
function createCall(
  name: string,
  endpoint: Endpoint,
  {
    baseUrl = "http://localhost",
    fetch: send,
    headers: defaults,
    validator,
    maxBodyBytes = DEFAULT_MAX_BODY_BYTES,
    ...unknown
  }: ClientOptions,
): (given?: Given) => Promise<unknown> {
  for (const key in unknown) {
    throw new TypeError(
      `Option "${key}" of createClient is unknown: the options are baseUrl, fetch, headers, maxBodyBytes, validator`,
    );
  }
  if (maxBodyBytes !== Infinity && !(Number.isSafeInteger(maxBodyBytes) && maxBodyBytes >= 0)) {
    throw new TypeError(
      `Option maxBodyBytes of createClient must be a whole number of bytes, or Infinity: received ${maxBodyBytes}`,
    );
  }
  const { path, responses } = endpoint;
  if (/[?#]/.test(`${baseUrl}`)) throw new TypeError('Option baseUrl of createClient must not contain "?" or "#"');
  const start = `${baseUrl}`.replace(/\/+$/, "");
  const parts = splitPath(path);

  return async ({
    params,
    query,
    headers,
    cookies,
    body,
    method = `${endpoint.method}`,
    redirect = "manual",
    ...init
  } = {}) => {
    const url = writeUrl(start, path, parts, params, query);
    const shared = typeof defaults === "function" ? await defaults({ name, endpoint, method, url }) : defaults;
    const written = writeBody(body, endpoint);
    const sent = { headers: written.headers, body: written.body, duplex: "half" };
    const request = new Request(url, { method, redirect, ...sent, ...init } as RequestInit);
    addHeaders(request.headers, written, [shared, headers], cookies);
    init.signal?.throwIfAborted(); // `app.fetch` does not
    const extras = Object.entries(init).filter(([option]) => !REQUEST_OPTIONS.has(option));
    // A second argument only where there is something to pass: `app.fetch` would take it for its environment.
    const call = send ?? fetch;
    const response = await (extras.length === 0 ? call(request) : call(request, Object.fromEntries(extras)));
    return responses ? await readAnswer(request, response, path, responses, { validator, maxBodyBytes }) : response;
  };
}

/** The body of a request, with the headers that describe it. */
interface WrittenBody {
  readonly body: unknown;
  readonly headers?: HeadersInit;
  /** The form whose files are streams, if it is one. */
  readonly form?: StreamedForm;
}

function writeBody(body: unknown, { request: { body: schema, bodyReader } = {} }: Endpoint): WrittenBody {
  if (!schema || body === undefined) return { body };
  if (!bodyReader || bodyReader.format === "json") {
    return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  }
  if (isBodyInit(body)) return { body };
  const form = bodyReader.format === "parts" ? streamForm(body as object) : undefined;
  return form ? { body: form.body, form } : { body: appendPairs(new FormData(), body as object) };
}

/** Adds the headers of a call, and its cookies, to those that a `Request` has of its body. */
function addHeaders(
  headers: Headers,
  { body, form }: WrittenBody,
  given: readonly (object | undefined)[],
  cookies: object | undefined,
): void {
  // A runtime that knows no streams takes one for a text.
  if (form && headers.has("content-type")) {
    throw new TypeError("This runtime sends no stream: give the file as a Blob");
  }
  for (const part of given) {
    for (const [name, value] of appendPairs(new Headers(), part)) {
      // The content type of `FormData` has the boundary, so it is kept.
      if (name !== "content-type" || !(body as FormData | undefined)?.append) headers.set(name, value);
    }
  }
  for (const [name, value] of Object.entries(form?.headers ?? {})) headers.set(name, value);
  const pairs = [...appendPairs(new URLSearchParams(), cookies)].map((pair) => pair.join("="));
  if (/;/.test(`${pairs}`)) throw new TypeError('Cookie must not contain ";"');
  if (pairs[0]) headers.set("cookie", pairs.join("; "));
}

/** What the client makes of a response: the headers and the body that are declared for it. */
async function readAnswer(
  request: Request,
  response: Response,
  path: string,
  responses: RouteResponses,
  { validator, maxBodyBytes }: { readonly validator: Validator | undefined; readonly maxBodyBytes: number },
): Promise<object> {
  const declared = findResponse(responses, response);
  const unexpected = (fault?: string, options?: ErrorOptions) =>
    new UnexpectedResponse(request, response, path, fault, options);
  if (!declared) throw unexpected("");
  const { schema, contentType = schema ? "application/json" : undefined, headers: known = {}, "~stream": stream } =
    declared;
  // Without a prototype, so that `__proto__` is a name like any other.
  const headers: Record<string, string | undefined> = Object.create(null);
  for (const [name, { required }] of Object.entries(known)) {
    headers[name] = response.headers.get(name) ?? undefined;
    if (required && headers[name] === undefined) throw unexpected(`, without the header "${name}"`);
  }
  const parse = async (schema: unknown, received: unknown) => {
    try {
      if (stream || isJson(contentType as string)) received = JSON.parse(received as string);
    } catch {
      throw unexpected(); // without the error: the engine quotes the body in its message
    }
    if (validator) {
      const result = await validateSent(validator, schema, received, { method: request.method, path });
      if (!result.ok) throw unexpected(undefined, { cause: result });
    }
    return received;
  };
  return {
    status: response.status,
    contentType,
    headers,
    body: schema && request.method !== "HEAD"
      ? await (stream?.read({ request, response, unexpected, parse }) ??
        parse(schema, await readText(response, maxBodyBytes, unexpected)))
      : undefined,
    response,
  };
}

/** 64 MiB. */
const DEFAULT_MAX_BODY_BYTES = 67_108_864;

/** The options of `fetch` that a `Request` keeps (Fetch standard, `RequestInit`). */
const REQUEST_OPTIONS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  "attributionReporting",
  "body",
  "cache",
  "credentials",
  "duplex",
  "headers",
  "integrity",
  "keepalive",
  "method",
  "mode",
  "priority",
  "redirect",
  "referrer",
  "referrerPolicy",
  "signal",
  "window",
]);

/**
 * Whether `fetch` takes a body as it is. Any other object is one of fields, also an instance of a class. Classes are told
 * by their names: a polyfill may have its own. The types of old Workers have no names there.
 */
function isBodyInit(body: unknown): boolean {
  return typeof body !== "object" || BODY_INIT.test(Object.prototype.toString.call(body)) ||
    Symbol.asyncIterator in (body as object) ||
    [Blob, FormData, URLSearchParams].some((type) => body instanceof type);
}

const BODY_INIT = /(?:FormData|URLSearchParams|Blob|File|Stream|Buffer|Array|View)\]$/;
