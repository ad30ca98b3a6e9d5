/** The schemas that a route may have for the parts of a request, as types and as checks in JavaScript. */

import { requireOptions } from "../values/assert.ts";
import type { BodyReader } from "./body_reader.ts";

/** The schemas of a route, one per part, of any library that the validator supports, and the bound of the body. */
export interface RequestSchemas {
  /**
   * Schema for the path parameters. They are strings, percent-decoded, so a schema for a number must convert them.
   *
   * @example A number in the path
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const showBook = route.get("/books/:id", {
   *   request: { params: z.object({ id: z.coerce.number().int() }) },
   *   resolve: ({ input }) => input.ok ? Response.json(input.params.id) : new Response(null, { status: 404 }),
   * });
   *
   * const app = setup({ handlers: [showBook], validator: standardSchema });
   * assertEquals(await (await app.fetch(new Request("http://localhost/books/7"))).json(), 7);
   * assertEquals((await app.fetch(new Request("http://localhost/books/seven"))).status, 404);
   * ```
   */
  readonly params?: unknown;
  /**
   * Schema for the query. A value is a string; a key that repeats has an array of strings. Keys that the schema does
   * not name are treated as the schema library does, which usually ignores them.
   *
   * @example A number with a default, and a key that may repeat
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const oneOrMany = z.union([z.string().transform((tag) => [tag]), z.array(z.string())]);
   * const listBooks = route.get("/books", {
   *   request: { query: z.object({ limit: z.coerce.number().default(20), tag: oneOrMany.default([]) }) },
   *   resolve: ({ input }) => Response.json(input.ok ? input.query : input.issues),
   * });
   *
   * const app = setup({ handlers: [listBooks], validator: standardSchema });
   * const response = await app.fetch(new Request("http://localhost/books?tag=new&tag=poem"));
   * assertEquals(await response.json(), { limit: 20, tag: ["new", "poem"] });
   * ```
   */
  readonly query?: unknown;
  /**
   * Schema for the headers. Its keys must be in lower case. The values of a repeated header are one string, joined with
   * `, ` (Fetch, "get a header").
   *
   * @example An update that requires `If-Match`
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const updateBook = route.put("/books/:id", {
   *   request: { headers: z.object({ "if-match": z.string() }) },
   *   resolve: ({ input }) => input.ok ? new Response(input.headers["if-match"]) : new Response(null, { status: 428 }),
   * });
   *
   * const app = setup({ handlers: [updateBook], validator: standardSchema });
   * const put = (headers: HeadersInit) =>
   *   app.fetch(new Request("http://localhost/books/7", { method: "PUT", headers }));
   * assertEquals(await (await put({ "If-Match": '"v1"' })).text(), '"v1"');
   * assertEquals((await put({})).status, 428);
   * ```
   */
  readonly headers?: unknown;
  /**
   * Schema for the cookies. Values are not decoded. A name that repeats has an array of its values, which a schema for
   * a string rejects.
   *
   * @example A session cookie
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const showCart = route.get("/cart", {
   *   request: { cookies: z.object({ "__Host-session": z.string().min(1) }) },
   *   resolve: ({ input }) =>
   *     input.ok ? new Response(input.cookies["__Host-session"]) : new Response(null, { status: 401 }),
   * });
   *
   * const app = setup({ handlers: [showCart], validator: standardSchema });
   * const get = (cookie: string) => app.fetch(new Request("http://localhost/cart", { headers: { cookie } }));
   * assertEquals(await (await get("theme=dark; __Host-session=s1")).text(), "s1");
   * assertEquals((await get("theme=dark")).status, 401);
   * ```
   */
  readonly cookies?: unknown;
  /**
   * Schema for the body. With it, the framework reads the body once, as JSON or with `bodyReader`. Without it, the body
   * is not read. A route for GET or HEAD must not have one.
   *
   * Invalid JSON, also an empty body, produces the issue `invalid_json`; the validator is not called for it. A
   * body that the client cuts off produces the issue `incomplete_body`. The content type is ignored.
   *
   * @example A JSON body
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const createBook = route.post("/books", {
   *   request: { body: z.object({ title: z.string() }) },
   *   resolve: ({ input }) =>
   *     input.ok
   *       ? Response.json(input.body.title, { status: 201 })
   *       : Response.json(input.issues.map(({ code }) => code), { status: 400 }),
   * });
   *
   * const app = setup({ handlers: [createBook], validator: standardSchema });
   * const post = (body: string) => app.fetch(new Request("http://localhost/books", { method: "POST", body }));
   * assertEquals(await (await post('{"title":"Emma"}')).json(), "Emma");
   * assertEquals(await (await post("title=Emma")).json(), ["invalid_json"]);
   * ```
   */
  readonly body?: unknown;
  /**
   * Reads a body that is not JSON: `form` of `@fw/core/body`, or a {@linkcode BodyReader} of your own. The body schema
   * validates the value that it returns. With `form`, a schema of a field that accepts neither strings nor files does
   * not compile. `setup` rejects this option without a body schema.
   *
   * @example An HTML form
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { form } from "@fw/core/body";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const signIn = route.post("/sign-in", {
   *   request: { body: z.object({ email: z.email() }), bodyReader: form, maxBodyBytes: 4096 },
   *   resolve: ({ input }) => new Response(input.ok ? input.body.email : "Invalid e-mail"),
   * });
   *
   * const app = setup({ handlers: [signIn], validator: standardSchema });
   * const body = new URLSearchParams({ email: "ada@example.com" });
   * const response = await app.fetch(new Request("http://localhost/sign-in", { method: "POST", body }));
   * assertEquals(await response.text(), "ada@example.com");
   * ```
   */
  readonly bodyReader?: BodyReader;
  /**
   * The largest body accepted, in bytes: a whole number from 0, or `Infinity` to remove the bound given to `setup`. A
   * larger body produces the issue `body_too_large`. `setup` rejects this option without a body schema.
   *
   * Bytes are always counted, whatever `content-length` says. If you rebuild a `Request` with another body, delete its
   * `content-length`.
   *
   * @example A route that accepts more than the others
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const importBooks = route.post("/books/import", {
   *   request: { body: z.array(z.string()), maxBodyBytes: 1024 * 1024 },
   *   resolve: ({ input }) =>
   *     input.ok ? new Response(`${input.body.length} books`) : new Response(null, { status: 413 }),
   * });
   *
   * const app = setup({ handlers: [importBooks], validator: standardSchema, maxBodyBytes: 16 * 1024 });
   * const body = JSON.stringify(Array.from({ length: 9000 }, () => "Emma"));
   * const response = await app.fetch(new Request("http://localhost/books/import", { method: "POST", body }));
   * assertEquals(await response.text(), "9000 books");
   * ```
   */
  readonly maxBodyBytes?: number | undefined;
}

/**
 * The schemas that a scope may have. A scope can contain routes with and without a body, so it has no schema for the
 * body.
 */
export interface ScopeSchemas extends Omit<RequestSchemas, "body" | "bodyReader" | "maxBodyBytes"> {
  /** Not in a scope. */
  readonly body?: NoBodyInScope;
  /** Not in a scope. */
  readonly bodyReader?: never;
  /** Not in a scope. */
  readonly maxBodyBytes?: never;
}

/** @internal The message for a body in a scope. */
export type NoBodyInScope = "A scope has no body: declare it on each route";

/** No schemas: the default of a route without `request`. */
export type NoSchemas = Record<never, never>;

/** The parts of a request that can have a schema, in the order in which they are validated and reported. */
export type InputPart = "params" | "query" | "headers" | "cookies" | "body";

/** @internal The schemas of a route whose body schema is a `Body`. */
export interface SchemasWith<Body> extends RequestSchemas {
  /** As in `RequestSchemas`, or the message for a schema that must not be there. */
  readonly body?: Body;
}

/** @internal The type of the body schema that a route for these methods may have. */
export type BodyFor<Methods> =
  [Extract<Methods extends readonly unknown[] ? Methods[number] : Methods, "GET" | "HEAD">] extends [never] ? unknown
    : NoBodyToRead;

/** @internal The message for a body schema of a route for GET or HEAD. */
export type NoBodyToRead =
  "A GET or HEAD request has no body: declare the route for POST, PUT or PATCH, or validate the query";

/** All parts, in the order of {@linkcode InputPart}. */
export const PARTS: readonly InputPart[] = ["params", "query", "headers", "cookies", "body"];

/**
 * Rejects the `request` option of a route or an endpoint if it is not an object, has an unknown key, a schema or
 * `bodyReader` that is `undefined`, or a body schema for GET or HEAD.
 *
 * @param request The option.
 * @param method The method, or the methods.
 * @param owner The route or the endpoint, as messages name it: `route GET "/"`.
 * @throws If the option has an unknown key, a schema that is `undefined`, or a body that requests cannot have.
 */
export function requireRequest(
  request: RequestSchemas | undefined,
  method: string | readonly string[],
  owner: string,
): void {
  if (request === undefined) return;
  requireOptions(request, `request of ${owner}`, [...PARTS, "bodyReader"], ["maxBodyBytes"]);
  if (request.body !== undefined && [method].flat().some((name) => name === "GET" || name === "HEAD")) {
    throw new TypeError(
      `Option "body" of request of ${owner}: a GET or HEAD request has no body, so use POST, PUT or PATCH, or validate the query`,
    );
  }
}

/**
 * Rejects the `request` option of a scope if it is not an object, has an unknown key, a schema that is `undefined`, or
 * a body: the routes of a scope read bodies of different kinds, and some read none.
 *
 * @param request The option.
 * @param owner The scope, as messages name it.
 * @throws If the option is rejected. The message names the key.
 */
export function requireRequestOfScope(request: RequestSchemas | undefined, owner: string): void {
  if (request === undefined) return;
  const [body] = ["body", "bodyReader", "maxBodyBytes"].filter((key) => key in request);
  if (body !== undefined) {
    throw new TypeError(`Option "${body}" of request of ${owner}: a scope has no body, declare it on each route`);
  }
  requireOptions(request, `request of ${owner}`, PARTS.slice(0, -1), []);
}
