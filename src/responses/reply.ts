import { isResponse } from "../values/assert.ts";

/**
 * A response whose status and body TypeScript knows. {@linkcode reply} makes it. A route that declares `responses` must
 * return one that fits.
 *
 * Its headers can be changed: `response.headers.set("etag", tag)`. A copy made by `new Response` loses the type.
 *
 * If a function returns one of several, write `Reply<Found | Missing>`. `Reply<Found> | Reply<Missing>`, as TypeScript
 * infers it, fits there, but not the reverse.
 *
 * @typeParam Said What it answers: an {@linkcode Answer}, or a union of them.
 *
 * @example A response that TypeScript cannot check
 * ```ts
 * import { type Answer, type Reply, route } from "@fw/core";
 * import { z } from "zod";
 *
 * const greeting = route.get("/greeting", {
 *   responses: { 200: { schema: z.string() } },
 *   resolve: () => new Response('"Hello"') as Reply<Answer<200, string>>,
 * });
 * ```
 */
export interface Reply<out Said extends Answer = Answer> extends Response {
  /** The status. */
  readonly status: Said["status"];
  /**
   * Type-only, absent at run time: what the response answers. TypeScript names it if a route returns another response.
   */
  readonly "~made by reply(status, body)": Said;
}

/**
 * One status with one body. Types only.
 *
 * @typeParam Status The status.
 * @typeParam Body The body before it becomes JSON. Without a schema: a ready `Response`, or `undefined` for no body.
 */
export interface Answer<out Status = number, out Body = unknown> {
  /** The status. */
  readonly status: Status;
  /** The body. */
  readonly body: Body;
}

/**
 * Makes a response without a body.
 *
 * @param status The status, from 200 to 599.
 * @returns The response.
 * @throws A `RangeError` if the status is not from 200 to 599. Deno and Bun let 101 pass.
 */
export function reply<const Status extends BareStatus<Said>, Said extends Answer = Answer<Status, undefined>>(
  status: Status,
): Reply<Said>;
/**
 * Makes a response whose status and body TypeScript knows. The body is sent as JSON. A ready `Response` is returned
 * unchanged.
 *
 * In a route that declares `responses`, TypeScript checks the arguments, and editors complete the statuses and the keys
 * of the body. Elsewhere, as in a guard, the type of the reply has exactly this status and this body.
 *
 * At run time `reply(status, body, init)` is `Response.json(body, { ...init, status })`. Nothing is validated or
 * removed: a property that the schema lacks is sent, too.
 *
 * @param status The status, from 200 to 599.
 * @param body The value to send as JSON. `undefined` for no body: `reply(401, undefined, { headers })`. Or a ready
 * `Response` that has this status.
 * @param init The headers and the status text. Not with a ready `Response`.
 * @returns The response.
 * @throws A `TypeError` if the status allows no body and there is one, if a ready `Response` has another status or
 * comes with `init`, or if the body is not JSON. A `RangeError` if the status is not from 200 to 599.
 *
 * @example A route whose responses are checked
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
 *   resolve: (c) =>
 *     c.raw.params.id === "emma" ? reply(200, { title: "Emma" }) : reply(404, { code: "missing" }),
 * });
 *
 * const app = setup({ handlers: [showBook] });
 * const response = await app.fetch(new Request("http://localhost/books/7"));
 * assertEquals(response.status, 404);
 * assertEquals(await response.json(), { code: "missing" });
 * ```
 *
 * @example A ready response
 * ```ts
 * import { reply, route } from "@fw/core";
 *
 * const signOut = route.post("/sign-out", {
 *   responses: { 303: { description: "To the start page" } },
 *   resolve: (c) => reply(303, Response.redirect(new URL("/", c.request.url), 303)),
 * });
 * ```
 */
export function reply<const Status extends Said["status"], const Body, Said extends Answer = Answer<Status, Body>>(
  status: Status,
  body: BodyIn<Said, Status, Body>,
  init?: Omit<ResponseInit, "status">,
): Reply<Said>;
export function reply(status: number, body?: unknown, init?: Omit<ResponseInit, "status">): Response {
  // Spreading `undefined` doubles the time of a response without a body.
  const options = init === undefined ? { status } : { ...init, status };
  if (body === undefined) return new Response(null, options);
  if (isReady(body)) {
    if (body.status !== status) {
      throw new TypeError(`reply(${status}, response) must have a response of that status: received ${body.status}`);
    }
    if (init === undefined) return body;
    throw new TypeError(`reply(${status}, response) must not have init: set headers in the response`);
  }
  if (isNullBodyStatus(status)) {
    throw new TypeError(`reply(${status}) must not have a body`);
  }
  return Response.json(body, options);
}

/** Whether a body is a ready `Response`. */
function isReady(body: unknown): body is Response {
  // Fast path: most bodies are plain objects or arrays. `Object.getPrototypeOf` takes 20 to 40 ns more on Deno.
  return typeof body === "object" && body !== null && body.constructor !== Object && !Array.isArray(body) &&
    isResponse(body);
}

/**
 * Whether a response with this status must have no body (Fetch, "null body status"). `Response.json` of Bun does not
 * check that.
 */
function isNullBodyStatus(status: number): boolean {
  return status === 204 || status === 304 || status === 205 || status === 101;
}

/**
 * The statuses that may have no body.
 *
 * @internal
 */
export type BareStatus<Said> = Said extends { readonly status: infer Status extends number; readonly body: infer Body }
  ? undefined extends Body ? Status : never
  : never;

/**
 * The body that goes with a status: what the responses declare, or, without declared ones, what is given. Without
 * declared ones, `Said` is what is given. Both directions are compared: a body of a wider type would accept the only
 * answer, too.
 *
 * @internal
 */
export type BodyIn<Said, Status, Body> = [Said, Answer<Status, Body>] extends [Answer<Status, Body>, Said] ? Body
  : Said extends { readonly status: infer Declared; readonly body: infer Expected }
    ? Status extends Declared ? Expected : never
  : never;
