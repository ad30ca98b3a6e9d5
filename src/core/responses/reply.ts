import { isResponse, requireOptions, typeError } from "../values/assert.ts";
import { pairsOf } from "../values/pairs.ts";
import { isJson } from "./media_type.ts";
import { isNullBodyStatus } from "./null_body_status.ts";
import type {
  BodyBeside,
  BodyIn,
  InitIn,
  OwnAnswer,
  OwnAnswerWith,
  SentAlone,
  WithoutBody,
} from "./reply_arguments.ts";
import type { AnyAnswer, AsJson, InferredInit, Reply, ReplyHeaders, ReplyInit } from "./reply_type.ts";

/**
 * Makes a response without a body.
 *
 * @param status The status, from 200 to 599.
 * @returns The response.
 * @throws A `RangeError` if the status is not from 200 to 599. Deno and Bun let 101 pass.
 */
export function reply<
  const Status extends Answers["status"],
  Answers extends AnyAnswer = OwnAnswer<Status, undefined, AsJson>,
>(
  this: WithoutBody<Answers, Status>,
  status: Status,
): Reply<Answers>;
/**
 * Makes a response whose status and body TypeScript knows. The body is sent as JSON. A ready `Response` is returned
 * unchanged.
 *
 * In a route that declares `responses`, TypeScript checks the arguments, and editors complete the statuses and the keys
 * of the body. A key that the schema lacks is an error, also in a nested object or in a variable. Elsewhere, as in a
 * guard, the type of the reply has exactly this status and this body.
 *
 * At run time `reply(status, body)` is `Response.json(body, { status })`. Nothing is validated or removed.
 *
 * @param status The status, from 200 to 599.
 * @param body The value to send as JSON. `undefined` for no body. Or a ready `Response` that has this status.
 * @returns The response.
 * @throws A `TypeError` if the status allows no body and there is one, if a ready `Response` has another status, or if
 * the body is not JSON. A `RangeError` if the status is not from 200 to 599.
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
export function reply<
  const Status extends Answers["status"],
  const Body,
  Answers extends AnyAnswer = OwnAnswer<Status, Body, SentAlone<Body>>,
>(
  status: Status,
  body: BodyIn<Answers, Status, Body, OwnAnswer<Status, Body, SentAlone<Body>>>,
): Reply<Answers>;
/**
 * Makes a response with headers, or of another media type than `application/json`. In a route that declares
 * `responses`, TypeScript checks both: the media type must be the declared one, or one of a list, and required headers
 * must be there.
 *
 * @param status The status, from 200 to 599.
 * @param body The value to send: as JSON, or, if the media type is not JSON, a string to send as it is. `undefined` for
 * no body.
 * @param init The headers, the media type and the status text.
 * @returns The response.
 * @throws A `TypeError` if the status allows no body and there is one, if the body is a ready `Response`, is not JSON,
 * or must be a string and is not, or if the headers have `content-type`. A `RangeError` if the status is not from 200
 * to 599.
 *
 * @example A required header
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const addBook = route.post("/books", {
 *   responses: {
 *     201: { schema: z.object({ id: z.string() }), headers: { location: { required: true }, etag: {} } },
 *   },
 *   resolve: () => reply(201, { id: "emma" }, { headers: { location: "/books/emma" } }),
 * });
 *
 * const app = setup({ handlers: [addBook] });
 * const response = await app.fetch(new Request("http://localhost/books", { method: "POST" }));
 * assertEquals(response.headers.get("location"), "/books/emma");
 * ```
 *
 * @example Another media type
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const robots = route.get("/robots.txt", {
 *   responses: { 200: { schema: z.string(), contentType: "text/plain" } },
 *   resolve: () => reply(200, "User-agent: *", { contentType: "text/plain" }),
 * });
 *
 * const app = setup({ handlers: [robots] });
 * const response = await app.fetch(new Request("http://localhost/robots.txt"));
 * assertEquals(await response.text(), "User-agent: *");
 * ```
 *
 * @example One of several media types
 * ```ts
 * import { reply, route, setup } from "@fw/core";
 * import { assertEquals } from "@std/assert";
 * import { z } from "zod";
 *
 * const showBook = route.get("/book", {
 *   responses: {
 *     200: [{ schema: z.object({ title: z.string() }) }, { schema: z.string(), contentType: "text/csv" }],
 *   },
 *   resolve: ({ request }) =>
 *     request.headers.get("accept") === "text/csv"
 *       ? reply(200, "title\nEmma", { contentType: "text/csv" })
 *       : reply(200, { title: "Emma" }),
 * });
 *
 * const app = setup({ handlers: [showBook] });
 * const response = await app.fetch(new Request("http://localhost/book", { headers: { accept: "text/csv" } }));
 * assertEquals(await response.text(), "title\nEmma");
 * ```
 */
export function reply<
  const Status extends Answers["status"],
  const Body,
  const Init extends InferredInit,
  Answers extends AnyAnswer = OwnAnswerWith<Status, Body, Init>,
>(
  status: Status,
  body: BodyBeside<Answers, Status, Body, Init, OwnAnswerWith<Status, Body, Init>>,
  init: InitIn<Answers, Status, Init, OwnAnswerWith<Status, Body, Init>>,
): Reply<Answers>;
// `extends never`: with wider types, TypeScript would say at each mistake that the call fits this signature (TS2793).
export function reply<Status extends never, Rest extends never>(status: Status, body?: Rest, init?: Rest): Response {
  return send(status, body, init);
}

/** @internal Makes a response. This is {@linkcode reply} for arguments of any type. */
export function send(status: number, body: unknown, init: ReplyInit | undefined): Response {
  // Spreading `undefined` doubles the time of a response without a body.
  const options = init === undefined ? { status } : optionsOf(status, init);
  if (body === undefined) return new Response(null, options);
  if (isReady(body)) {
    if (body.status !== status) {
      throw new TypeError(`reply(${status}, response) must have a response of that status: received ${body.status}`);
    }
    if (init === undefined) return body;
    throw new TypeError(`reply(${status}, response) must not have init: set headers in the response`);
  }
  // `Response.json` of Bun does not check it.
  if (isNullBodyStatus(status)) {
    throw new TypeError(`reply(${status}) must not have a body`);
  }
  const type = init?.contentType;
  if (type === undefined) return Response.json(body, options);
  if (type.endsWith("/*")) {
    throw new TypeError(`reply(${status}, body) must name the media type of its body: received the range ${type}`);
  }
  const text = isJson(type) ? JSON.stringify(body) : body;
  if (typeof text === "string") return new Response(text, options);
  throw typeError(
    `reply(${status}, body) as ${type} must have ${isJson(type) ? "JSON" : "a string"} as its body`,
    body,
  );
}

/** The options of a `Response`. */
function optionsOf(status: number, init: ReplyInit): ResponseInit {
  for (const key in init) {
    // `requireOptions` takes 50 to 100 ns. It lets inherited keys pass.
    if (key !== "headers" && key !== "contentType" && key !== "statusText") {
      requireOptions(init, "reply", [], OPTIONS, "", OTHERS);
    }
  }
  const { headers, contentType, statusText } = init;
  const options: ResponseInit = { status };
  if (headers === undefined) {
    // Spreading `undefined` takes 10 to 30 ns.
    options.headers = contentType === undefined ? {} : { "content-type": contentType };
  } else if (isReadyObject(headers)) {
    // Most headers need no change. As a list, they would take a third to a half of the time of the response.
    options.headers = contentType === undefined ? headers : { ...headers, "content-type": contentType };
  } else {
    const sent: [string, string][] = contentType === undefined ? [] : [["content-type", contentType]];
    for (const [name, value] of pairsOf<string | number | boolean | undefined>(headers)) {
      if (isContentType(name)) {
        throw new TypeError(`reply(${status}) must have contentType beside headers: received the header "${name}"`);
      }
      if (value !== undefined) sent.push([name, isUrlHeader(name) ? toAscii(`${value}`) : `${value}`]);
    }
    options.headers = sent;
  }
  // An empty status text takes 20 to 40 ns on Bun.
  if (statusText !== undefined) options.statusText = statusText;
  return options;
}

/** Whether headers are an object without an `undefined` and without a content type. */
function isReadyObject(headers: ReplyHeaders): headers is Record<string, string> {
  if (Symbol.iterator in headers) return false;
  // Not `Object.keys`, which takes 20 ns more. Inherited names are not sent either way.
  for (const name in headers) {
    const value = headers[name];
    if (value === undefined || isContentType(name)) return false;
    if (isUrlHeader(name) && !ASCII.test(`${value}`)) return false;
  }
  return true;
}

/** Whether a header is a URL. The length first, as in {@linkcode isContentType}. */
function isUrlHeader(name: string): boolean {
  return (name.length === 8 || name.length === 16) && /^(?:content-)?location$/i.test(name);
}

/**
 * Percent-encodes what a URL in a header cannot have: beyond Latin-1, `Headers` would throw, and other bytes than ASCII
 * are read as another path.
 */
function toAscii(url: string): string {
  // The first pattern matches lone surrogates, which cannot be encoded.
  return url.replace(/\p{Surrogate}/gu, "\ufffd").replace(/[^ -~]+/g, encodeURIComponent);
}

const ASCII = /^[ -~]*$/;

const OPTIONS = ["headers", "contentType", "statusText"];

/** What a `ResponseInit` or a declared response has besides. It is ignored. */
const OTHERS = /^(?:status|schema|description)$/;

/** Whether a header is `content-type`. The length first: the pattern takes 10 to 20 ns, for each header. */
function isContentType(name: string): boolean {
  return name.length === 12 && /^content-type$/i.test(name);
}

/** Whether a body is a ready `Response`. */
function isReady(body: unknown): body is Response {
  // Fast path: most bodies are plain objects or arrays. `Object.getPrototypeOf` takes 20 to 40 ns more on Deno.
  return typeof body === "object" && body !== null && body.constructor !== Object && !Array.isArray(body) &&
    isResponse(body);
}
