import type { Context } from "../guards/context.ts";
import type { GuardList, InlineGuard } from "../guards/guard_list.ts";
import type { BodyReader } from "../input/body_reader.ts";
import type { PossibleSchemas } from "../input/possible_schemas.ts";
import type { NoSchemas, RequestSchemas } from "../input/request_schemas.ts";
import type { ResultOf } from "../responses/answers.ts";
import type { CheckResponses, DenialsOf } from "../responses/check_responses.ts";
import type { RouteResponses } from "../responses/responses.ts";
import type { RouteDocs } from "./docs.ts";
import type {
  FoldInScope,
  HandlerLocals,
  InputFor,
  InputInScope,
  LocalsBefore,
  ParamsInScope,
  RootScope,
  Scope,
} from "./route_scope.ts";
import type { GuardsKey, RequestKey, Unconditional } from "./scope.ts";
import type { InputAt, PathAt, ResultAt } from "./typed_endpoint.ts";

/**
 * The options of a route, after method and path. In a call of `route.get`, TypeScript infers all type arguments, in the
 * order `request`, `guards`, `resolve`: write the options in this order. Write the type yourself only in a function
 * that takes or returns options.
 *
 * @typeParam Path The pattern, without the prefix of the scope.
 * @typeParam Schemas The schemas.
 * @typeParam Guards The guards. By default, any number of guards of which nothing is known.
 * @typeParam Extra The extra arguments of `app.fetch` that the handler reads.
 * @typeParam Responses The responses; `never` if there are none.
 * @typeParam InScope The scope that the route is declared in. TypeScript infers it.
 *
 * @example A function that declares routes
 * ```ts
 * import { route, type RouteOptions, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 *
 * // Declares a route that clients should stop using.
 * function deprecated<Path extends string>(path: Path, options: RouteOptions<Path>) {
 *   const all: RouteOptions<Path> = { ...options, docs: { ...options.docs, deprecated: true } };
 *   return route.get(path, all);
 * }
 *
 * const oldBook = deprecated("/old/books/:id", { resolve: (c) => new Response(c.raw.params.id) });
 * assertEquals(oldBook.docs?.deprecated, true);
 * const response = await setup({ handlers: [oldBook] }).fetch(new Request("http://localhost/old/books/7"));
 * assertEquals(await response.text(), "7");
 * ```
 */
export type RouteOptions<
  Path extends string = string,
  Schemas extends RequestSchemas = NoSchemas,
  Guards extends readonly unknown[] = readonly InlineGuard<
    LocalsBefore<RootScope>,
    ParamsInScope<RootScope, Path>,
    InputFor<RootScope, Schemas>
  >[],
  Extra extends readonly unknown[] = readonly [],
  Responses extends RouteResponses = never,
  InScope extends Scope = RootScope,
> =
  & OptionsOfRoute<Path, Schemas, Guards, Extra, Responses, InScope>
  & Unconditional<GuardsKey<Guards> | RequestKey<Schemas>>;

/**
 * The options of a route, each of which may be absent. {@linkcode RouteOptions} also says which of them must be there.
 */
export interface OptionsOfRoute<
  Path extends string = string,
  Schemas extends RequestSchemas = NoSchemas,
  Guards extends readonly unknown[] = readonly [],
  Extra extends readonly unknown[] = readonly [],
  Responses extends RouteResponses = never,
  InScope extends Scope = RootScope,
> {
  /**
   * Schemas for the parts of the request. A part without one is not validated; a body without one is not read. All
   * parts are validated before the guards run, also after one has failed. A failure does not end the request:
   * `c.input.ok` is `false`, and a guard or the handler decides on the response.
   *
   * A generic function that declares routes takes the output of a schema as its type parameter: `<Out>(params:
   * z.ZodType<Out, { id: string }>)`. A schema whose whole type is a type parameter does not compile: TypeScript cannot
   * tell whether it accepts text.
   *
   * @example Two parts, and one response to invalid input
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const rateBook = route.put("/books/:id/rating", {
   *   request: { params: z.object({ id: z.coerce.number() }), body: z.int().min(1).max(5) },
   *   resolve: ({ input }) =>
   *     input.ok
   *       ? Response.json({ id: input.params.id, rating: input.body })
   *       : Response.json({ failed: input.failed }, { status: 400 }),
   * });
   *
   * const app = setup({ handlers: [rateBook], validator: standardSchema });
   * const put = (id: string, body: string) =>
   *   app.fetch(new Request(`http://localhost/books/${id}/rating`, { method: "PUT", body }));
   * assertEquals(await (await put("7", "5")).json(), { id: 7, rating: 5 });
   * assertEquals(await (await put("seven", "6")).json(), { failed: ["params", "body"] });
   * ```
   */
  readonly request?: Schemas & PossibleSchemas<Schemas, InScope, Path>;
  /**
   * The responses by status, merged over those of the scope. The handler must return one of them, made by `reply`. They
   * must include the responses with which guards deny. TypeScript checks this, and nothing is checked at run time: a
   * body is sent with all its properties. `{}` declares only the responses of the scope. `@fw/core/client` and
   * `@fw/core/openapi` read the responses.
   *
   * @example A status that is not declared does not compile
   * ```ts
   * import { reply, route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const showBook = route.get("/books/:id", {
   *   responses: {
   *     200: { schema: z.object({ title: z.string() }) },
   *     404: { schema: z.object({ code: z.literal("missing") }) },
   *   },
   *   resolve: (c) => {
   *     if (c.raw.params.id === "7") return reply(200, { title: "Emma" });
   *     // @ts-expect-error at `reply(410)`: This status is not declared, or it is declared with a body or with
   *     //   headers: reply(status, body, { headers })
   *     return reply(410);
   *   },
   * });
   *
   * const app = setup({ handlers: [showBook] });
   * const response = await app.fetch(new Request("http://localhost/books/7"));
   * assertEquals(await response.json(), { title: "Emma" });
   * ```
   */
  readonly responses?:
    & Responses
    & CheckResponses<InScope["denied"] | DenialsOf<Guards>, InScope["responses"], Responses>;
  /**
   * Documentation of the route, for tools such as `@fw/core/openapi`. It has no effect on requests. Each key replaces
   * that of the scope.
   *
   * @example A summary in the OpenAPI document
   * ```ts
   * import { route } from "@fw/core";
   * import { openapi } from "@fw/core/openapi";
   * import { assertEquals } from "@std/assert";
   *
   * const listBooks = route.get("/books", {
   *   docs: { summary: "Lists the books", tags: ["books"] },
   *   resolve: () => Response.json([]),
   * });
   *
   * const { paths } = openapi({ info: { title: "Books", version: "1.0.0" }, routes: [listBooks] });
   * assertEquals(paths["/books"]?.get?.summary, "Lists the books");
   * ```
   */
  readonly docs?: RouteDocs | undefined;
  /**
   * Guards: functions that let the request continue or end it with a response. Use them for authentication,
   * authorization and limits. They run in order after validation, whether the input is valid or not, and after the
   * guards of the scope. A guard that {@linkcode beforeBody} marks runs before the body is read.
   *
   * @example Authentication, then authorization
   * ```ts
   * import { allow, type Context, deny, route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const authenticated = (c: Context) => {
   *   const user = c.request.headers.get("authorization")?.replace("Bearer ", "");
   *   return user ? allow({ user }) : deny(new Response(null, { status: 401 }));
   * };
   * // It reads a local, so TypeScript requires a guard before it that adds this local.
   * const isAda = (c: Context<{ user: string }>) =>
   *   c.locals.user === "ada" ? allow() : deny(new Response(null, { status: 403 }));
   *
   * const deleteBook = route.delete("/books/:id", {
   *   guards: [authenticated, isAda],
   *   resolve: () => new Response(null, { status: 204 }),
   * });
   *
   * const app = setup({ handlers: [deleteBook] });
   * const statusFor = async (headers: HeadersInit) =>
   *   (await app.fetch(new Request("http://localhost/books/7", { method: "DELETE", headers }))).status;
   * assertEquals(await statusFor({}), 401);
   * assertEquals(await statusFor({ authorization: "Bearer grace" }), 403);
   * assertEquals(await statusFor({ authorization: "Bearer ada" }), 204);
   * ```
   */
  readonly guards?: GuardList<
    Guards,
    InlineGuard<LocalsBefore<InScope>, ParamsInScope<InScope, Path>, InputInScope<InScope, InputFor<InScope, Schemas>>>,
    FoldInScope<InScope, Path, Guards, InputFor<InScope, Schemas>>
  >;
  /**
   * The handler: makes the response. It receives the context, then the extra arguments of `app.fetch`. It returns any
   * response, or, if the route declares `responses`, one of these. If it throws, `onError` receives the error.
   *
   * @example A handler that reads an extra argument
   * ```ts
   * import { route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * interface Env {
   *   readonly GREETING: string;
   * }
   *
   * const greet = route.get("/hello/:name", {
   *   resolve: (c, env: Env) => new Response(`${env.GREETING}, ${c.raw.params.name}!`),
   * });
   *
   * // Cloudflare Workers pass the environment. TypeScript requires it here, since a handler reads it.
   * const app = setup({ handlers: [greet] });
   * const response = await app.fetch(new Request("http://localhost/hello/Ada"), { GREETING: "Welcome" });
   * assertEquals(await response.text(), "Welcome, Ada!");
   * ```
   */
  readonly resolve: (
    c: Context<
      HandlerLocals<InScope, FoldInScope<InScope, Path, Guards, InputFor<InScope, Schemas>>>,
      ParamsInScope<InScope, Path>,
      FoldInScope<InScope, Path, Guards, InputFor<InScope, Schemas>>["input"]
    >,
    // Keep the spread. Without it TypeScript infers inline guards too late, and `resolve` does not see their locals.
    ...extra: [...Extra]
  ) => ResultOf<InScope["responses"], Responses>;
}

/**
 * The options of a route that implements an endpoint. In a call of `route.on`, TypeScript infers all type arguments, in
 * the order `guards`, `resolve`: write the options in this order.
 *
 * @typeParam E The endpoint.
 * @typeParam Guards The guards.
 * @typeParam Extra The extra arguments of `app.fetch` that the handler reads.
 * @typeParam InScope The scope that the route is declared in. TypeScript infers it.
 *
 * @example A handler in a file of its own
 * ```ts
 * import { endpoint, type ImplementOptions, route } from "@fw/core";
 *
 * const showBook = endpoint.get("/books/:id");
 *
 * const resolve: ImplementOptions<typeof showBook>["resolve"] = (c) => new Response(c.raw.params.id);
 * const served = route.on(showBook, { resolve });
 * ```
 */
export type ImplementOptions<
  E,
  Guards extends readonly unknown[] = readonly [],
  Extra extends readonly unknown[] = readonly [],
  InScope extends Scope = RootScope,
> = OptionsOfImplementation<E, Guards, Extra, InScope> & Unconditional<GuardsKey<Guards>>;

/**
 * The options of a route that implements an endpoint, each of which may be absent. {@linkcode ImplementOptions} also
 * says which of them must be there.
 */
export interface OptionsOfImplementation<
  E,
  Guards extends readonly unknown[] = readonly [],
  Extra extends readonly unknown[] = readonly [],
  InScope extends Scope = RootScope,
> {
  /**
   * Documentation of this implementation. Each key replaces the same key of the endpoint.
   *
   * @example A note that only this server makes
   * ```ts
   * import { endpoint, route } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   *
   * const listBooks = endpoint.get("/books", { docs: { summary: "Lists the books", tags: ["books"] } });
   * const served = route.on(listBooks, {
   *   docs: { deprecated: true },
   *   resolve: () => Response.json([]),
   * });
   * assertEquals(served.docs, { summary: "Lists the books", tags: ["books"], deprecated: true });
   * ```
   */
  readonly docs?: RouteDocs | undefined;
  /**
   * Reads the body instead of the endpoint's reader. Use it for a reader that needs something that clients do not have,
   * such as a secret. It must return the same type as the endpoint's reader. Clients and documents do not see it. The
   * endpoint must have a body schema.
   *
   * @example A reader that counts bytes, behind an endpoint that clients share
   * ```ts
   * import { type BodyReader, endpoint, reply, route, setup } from "@fw/core";
   * import { text } from "@fw/core/body";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const addNote = endpoint.post("/notes", {
   *   request: { body: z.string(), bodyReader: text },
   *   responses: { 204: {}, 400: {} },
   * });
   *
   * let bytes = 0;
   * const counting: BodyReader = {
   *   ...text,
   *   async read(request, maxBytes) {
   *     bytes += Number(request.headers.get("content-length"));
   *     return await text.read(request, maxBytes);
   *   },
   * };
   * const served = route.on(addNote, {
   *   bodyReader: counting,
   *   resolve: ({ input }) => reply(input.ok ? 204 : 400),
   * });
   *
   * const app = setup({ handlers: [served], validator: standardSchema });
   * const headers = { "content-length": "4" };
   * await app.fetch(new Request("http://localhost/notes", { method: "POST", body: "Milk", headers }));
   * assertEquals(bytes, 4);
   * ```
   */
  readonly bodyReader?: BodyReader;
  /**
   * Guards. They run in order after validation, whether the input is valid or not, and after the guards of the scope.
   * If they deny with a `reply`, the endpoint must declare this response.
   *
   * @example A guard whose denial the endpoint declares
   * ```ts
   * import { allow, type Context, deny, endpoint, reply, route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const showCart = endpoint.get("/cart", {
   *   responses: { 200: { schema: z.array(z.string()) }, 401: {} },
   * });
   * const authenticated = (c: Context) => c.request.headers.has("authorization") ? allow() : deny(reply(401));
   *
   * const app = setup({
   *   handlers: [
   *     route.on(showCart, { guards: [authenticated], resolve: () => reply(200, ["Emma"]) }),
   *   ],
   * });
   * assertEquals((await app.fetch(new Request("http://localhost/cart"))).status, 401);
   * ```
   */
  readonly guards?: GuardList<
    Guards,
    InlineGuard<LocalsBefore<InScope>, ParamsInScope<InScope, PathAt<E>>, InputInScope<InScope, InputAt<E>>>,
    FoldInScope<InScope, PathAt<E>, Guards, InputAt<E>>
  >;
  /**
   * The handler: makes the response. It receives the context, then the extra arguments of `app.fetch`. It returns any
   * response, or, if the endpoint declares `responses`, one of these. The types of path parameters and input come from
   * the endpoint.
   *
   * @example The handler of an endpoint
   * ```ts
   * import { endpoint, reply, route, setup } from "@fw/core";
   * import { assertEquals } from "@std/assert";
   * import { z } from "zod";
   *
   * const showBook = endpoint.get("/books/:id", {
   *   responses: { 200: { schema: z.object({ id: z.string() }) } },
   * });
   *
   * const app = setup({
   *   handlers: [route.on(showBook, { resolve: (c) => reply(200, { id: c.raw.params.id }) })],
   * });
   * const response = await app.fetch(new Request("http://localhost/books/emma"));
   * assertEquals(await response.json(), { id: "emma" });
   * ```
   */
  readonly resolve: (
    c: Context<
      HandlerLocals<InScope, FoldInScope<InScope, PathAt<E>, Guards, InputAt<E>>>,
      ParamsInScope<InScope, PathAt<E>>,
      FoldInScope<InScope, PathAt<E>, Guards, InputAt<E>>["input"]
    >,
    ...extra: [...Extra]
  ) => ResultAt<E>;
}
