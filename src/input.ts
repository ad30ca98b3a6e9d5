/** The input of a request, before and after validation. Types only. */

import type { BodyReader } from "./body_reader.ts";
import type { RawParams } from "./path_params.ts";

/**
 * The input of a request before validation.
 *
 * @typeParam Params The path parameters.
 */
export interface RawInput<Params = RawParams> {
  /** Path parameters, percent-decoded once. A value with a malformed escape is left undecoded. */
  readonly params: Params;
  /** Query values. */
  readonly query: RawQuery;
  /** The headers. Only on a route with a schema for them. */
  readonly headers?: RawHeaders;
  /** The cookies. Only on a route with a schema for them. */
  readonly cookies?: RawCookies;
  /** The parsed JSON body, or what `bodyReader` made of the body; `undefined` without a body schema or with an issue. */
  readonly body: unknown;
}

/**
 * Query values as strings, decoded as `URLSearchParams` decodes them. A key that repeats has an array of its values, in order
 * of appearance. A null-prototype object.
 */
export type RawQuery = { readonly [key: string]: string | readonly string[] | undefined };

/**
 * Header values by name in lower case. The values of a repeated header are joined with `, `. A null-prototype object.
 */
export type RawHeaders = { readonly [name: string]: string | undefined };

/**
 * Cookie values by name, not decoded. A name that repeats has an array of its values, in order of appearance. A null-prototype
 * object.
 */
export type RawCookies = RawQuery;

/** The parts of a request that can have a schema, in the order in which they are validated and reported. */
export type InputPart = "params" | "query" | "headers" | "cookies" | "body";

/** The schemas of a route, one per part, of any library that the validator supports, and the bound of the body. */
export interface RequestSchemas {
  /**
   * Schema for the path parameters. They are texts, percent-decoded, so a schema for a number must convert them.
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
   * Schema for the query. A value is a text; a key that repeats has an array of texts. Keys that the schema does not name are
   * treated as the schema library does, which usually ignores them.
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
   * Schema for the headers. Its keys must be in lower case. The values of a repeated header are one text, joined with `, `
   * (Fetch, "get a header").
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
   * Schema for the cookies. Values are not decoded. A name that repeats has an array of its values, which a schema for a text
   * rejects.
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
   * Schema for the body. With it, the framework reads the body once, as JSON or with `bodyReader`. Without it, the body is not
   * read. A route for GET or HEAD must not have one.
   *
   * Invalid JSON, also an empty body, produces the issue `invalid_json`; the validator is not called for it. The content type
   * is ignored.
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
   * Reads a body that is not JSON: `form` of `@fw/core/form`, or a {@linkcode BodyReader} of your own. The body schema
   * validates the value that it returns. `setup` rejects this option without a body schema.
   *
   * @example An HTML form
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { form } from "@fw/core/form";
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
   * The largest body accepted, in bytes: a whole number from 0, or `Infinity` to remove the bound given to `setup`. A larger
   * body produces the issue `body_too_large`. `setup` rejects this option without a body schema.
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
   *   resolve: ({ input }) => new Response(input.ok ? `${input.body.length} books` : null, { status: input.ok ? 200 : 413 }),
   * });
   *
   * const app = setup({ handlers: [importBooks], validator: standardSchema, maxBodyBytes: 16 * 1024 });
   * const body = JSON.stringify(Array.from({ length: 9000 }, () => "Emma"));
   * const response = await app.fetch(new Request("http://localhost/books/import", { method: "POST", body }));
   * assertEquals(await response.text(), "9000 books");
   * ```
   */
  readonly maxBodyBytes?: number;
}

/**
 * No schemas.
 *
 * @internal
 */
export type NoSchemas = Record<never, never>;

/**
 * The output type of a schema: the output of a Standard Schema, the data of a successful `safeParse`, the type that a type
 * predicate asserts, else `unknown`.
 *
 * @typeParam Schema The type of the schema.
 *
 * @example The output of a type predicate
 * ```ts
 * import type { InferOutput } from "@fw/core";
 *
 * const isYear = (value: unknown): value is number => Number.isInteger(value);
 * const year: InferOutput<typeof isYear> = 1984;
 * ```
 */
export type InferOutput<Schema> = Schema extends
  { readonly "~standard": { readonly types?: { readonly output: infer Value } | undefined } } ? Value
  : Schema extends { safeParse(input: unknown): infer Result }
    ? Extract<Awaited<Result>, { readonly success: true }> extends { readonly data: infer Value } ? Value : unknown
  : Schema extends TypePredicate<infer Value> ? Value
  : unknown;

/**
 * A function that tells whether a value is a `Value`.
 *
 * @internal
 */
export type TypePredicate<Value extends Received, Received = unknown> = (value: Received) => value is Value;

/**
 * The input after validation, if every part that has a schema is valid. At run time only those parts have a key.
 *
 * @typeParam Schemas The schemas of the route.
 */
export interface ValidInput<Schemas> {
  /** Every part that has a schema is valid. */
  readonly ok: true;
  /** The validated path parameters; `undefined` without a schema. */
  readonly params: OutputOf<Schemas, "params">;
  /** The validated query; `undefined` without a schema. */
  readonly query: OutputOf<Schemas, "query">;
  /** The validated headers; `undefined` without a schema. */
  readonly headers: OutputOf<Schemas, "headers">;
  /** The validated cookies; `undefined` without a schema. */
  readonly cookies: OutputOf<Schemas, "cookies">;
  /** The validated body; `undefined` without a schema. */
  readonly body: OutputOf<Schemas, "body">;
}

/**
 * The output type of the schema for one part: `undefined` without a schema, `… | undefined` if the key is optional.
 *
 * @internal
 */
export type OutputOf<Schemas, Name extends InputPart> = Schemas extends { readonly [Key in Name]: infer Schema }
  ? InferOutput<Schema>
  : Name extends keyof Schemas ? InferOutput<Exclude<Schemas[Name], undefined>> | undefined
  : undefined;

/** The input after validation, if at least one part is not valid. No response is sent automatically. */
export interface InvalidInput {
  /** At least one part is not valid. */
  readonly ok: false;
  /** The parts that failed, in the order params, query, headers, cookies, body. */
  readonly failed: readonly InputPart[];
  /** The issues of those parts, in the same order. */
  readonly issues: readonly ValidationIssue[];
  /**
   * The raw values of the parts that failed. For a body that is not JSON it is the text. A body that is too large, or that
   * `bodyReader` rejects, has no value.
   */
  readonly received: { readonly [Name in InputPart]?: unknown };
  /** The schema library's own error per part, if the validator returned one. */
  readonly errors?: { readonly [Name in InputPart]?: unknown };
}

/**
 * The input after validation: the output of the schemas if `ok` is `true`, the issues if it is `false`.
 *
 * @typeParam Schemas The schemas of the route.
 */
export type Input<Schemas> = ValidInput<Schemas> | InvalidInput;

/** The input after validation, for a guard that works with any schemas: the output of a schema is `unknown`. */
export type AnyInput = InvalidInput | {
  /** Every part that has a schema is valid. */
  readonly ok: true;
  /** The validated path parameters. */
  readonly params?: unknown;
  /** The validated query. */
  readonly query?: unknown;
  /** The validated headers. */
  readonly headers?: unknown;
  /** The validated cookies. */
  readonly cookies?: unknown;
  /** The validated body. */
  readonly body?: unknown;
};

/** One problem in one part of the input. */
export interface ValidationIssue {
  /** The part of the request that the issue is about. */
  readonly part: InputPart;
  /** The path to the problem, from the root of the part; empty at the root itself. */
  readonly path: readonly string[];
  /** The message of the schema library or of `bodyReader`; `Invalid JSON` or `Body too large` for an issue of the framework. */
  readonly message: string;
  /**
   * The error code of the schema library, if it has one, or of `bodyReader`; `invalid_json` or `body_too_large` for an issue of
   * the framework.
   */
  readonly code?: string;
}
