/** What a client takes and returns. Types only. */

import type { Endpoint, EndpointTypes } from "../core/declare/typed_endpoint.ts";
import type { Validator } from "../core/input/validator.ts";
import type { Answer, SentAs } from "../core/responses/reply_type.ts";
import type { EventStream, LinesBody, ReceivedEvent, StreamBody } from "../core/responses/responses.ts";
import type {
  FromOf,
  ParamsPart,
  StringPart,
  TextFor,
  TextValue,
  UndefinedIfOptional,
} from "../core/input/text_parts.ts";
import type { ParameterNames } from "../core/routing/pattern.ts";
import type { JsonOf } from "../core/responses/json_of.ts";

/** The options of `createClient`. */
export interface ClientOptions {
  /**
   * The beginning of all urls, such as `https://api.example.com/v1` or, in a browser, `location.origin` or `""`. A
   * `URL` stands for its `href`. It must have no `?` and no `#`: `createClient` throws a `TypeError`. By default
   * `http://localhost`, for tests.
   *
   * @example An API below a path
   * ```ts
   * import { endpoint } from "@fw/core";
   * import { createClient } from "@fw/core/client";
   * import { assertEquals } from "@std/assert";
   *
   * const client = createClient({ listBooks: endpoint.get("/books") }, {
   *   baseUrl: "https://api.example.com/v1",
   *   fetch: ({ url }) => new Response(url), // for this example
   * });
   * const response = await client.listBooks();
   * assertEquals(await response.text(), "https://api.example.com/v1/books");
   * ```
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * Sends a request: `app.fetch` in a test, or a function of your own, such as one that retries. By default the global
   * `fetch`. If a call has options that only the `fetch` of a runtime knows, such as `next` of Next.js or `tls` of Bun,
   * they are passed as the second argument, since a `Request` does not keep them.
   *
   * @example A test without a server
   * ```ts
   * import { endpoint, reply, route, setup } from "@fw/core";
   * import { createClient } from "@fw/core/client";
   * import { assertEquals } from "@std/assert";
   *
   * const api = { ping: endpoint.get("/ping", { responses: { 204: {} } }) };
   * const app = setup({ handlers: [route.on(api.ping, { resolve: () => reply(204) })] });
   *
   * const client = createClient(api, { fetch: app.fetch });
   * assertEquals((await client.ping()).status, 204);
   * ```
   */
  readonly fetch?: ((request: Request, init?: RequestInit) => Response | Promise<Response>) | undefined;
  /**
   * The largest body of a response that a call reads, in bytes: a whole number from 0, or `Infinity`. The default is
   * 67,108,864 (64 MiB). A larger one rejects with an `UnexpectedResponse`. Streams of events and of lines have bounds
   * of their own for each item.
   *
   * @example A server that sends too much
   * ```ts
   * import { endpoint } from "@fw/core";
   * import { createClient, UnexpectedResponse } from "@fw/core/client";
   * import { assertRejects } from "@std/assert";
   * import { z } from "zod";
   *
   * const api = { note: endpoint.get("/note", { responses: { 200: { schema: z.string() } } }) };
   * const client = createClient(api, {
   *   fetch: () => Response.json("x".repeat(2000)), // `app.fetch` in a test
   *   maxBodyBytes: 1000,
   * });
   * await assertRejects(() => client.note(), UnexpectedResponse, "with a body of more than 1000 bytes");
   * ```
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Headers of every request, or a function that returns those of one call. Use it for credentials. Headers that are
   * passed to a call replace them. A header whose value is `undefined` is not sent.
   *
   * @example A token that is read for each call
   * ```ts
   * import { endpoint } from "@fw/core";
   * import { createClient } from "@fw/core/client";
   * import { assertEquals } from "@std/assert";
   *
   * const session = { token: "ada" };
   * const client = createClient({ me: endpoint.get("/me") }, {
   *   headers: () => ({ authorization: `Bearer ${session.token}` }),
   *   fetch: ({ headers }) => new Response(headers.get("authorization")), // for this example
   * });
   * const response = await client.me();
   * assertEquals(await response.text(), "Bearer ada");
   * ```
   */
  readonly headers?: HeaderValues | ((call: ClientCall) => HeaderValues | Promise<HeaderValues>) | undefined;
  /**
   * Validates each body against the schema of its response. Use it in tests, to hold a server to what it declares. The
   * schema must accept its own output after it has become JSON: write `z.coerce.date()` instead of `z.date()`. The
   * response still has the body as it was received.
   *
   * @example A server that does not send what it declares
   * ```ts
   * import { endpoint } from "@fw/core";
   * import { createClient, UnexpectedResponse } from "@fw/core/client";
   * import { standardSchema } from "@fw/core/standard-schema";
   * import { assertRejects } from "@std/assert";
   * import { z } from "zod";
   *
   * const api = { count: endpoint.get("/count", { responses: { 200: { schema: z.int() } } }) };
   * const client = createClient(api, {
   *   fetch: () => Response.json("three"), // `app.fetch` in a test
   *   validator: standardSchema,
   * });
   * await assertRejects(() => client.count(), UnexpectedResponse, "another body than declared");
   * ```
   */
  readonly validator?: Validator | undefined;
}

/** A call, as the `headers` of {@linkcode ClientOptions} see it. */
export interface ClientCall {
  /** The name of the endpoint in the record. */
  readonly name: string;
  /** The endpoint. */
  readonly endpoint: Endpoint;
  /** The method of the request. */
  readonly method: string;
  /** The url of the request. */
  readonly url: string;
}

/**
 * A client: a function for each endpoint of a record, by name.
 *
 * @typeParam Api The record. A value that is not an endpoint becomes `never`.
 */
// No key is filtered out. So TypeScript computes only the types of the endpoints that are called.
export type Client<Api> = { readonly [Name in keyof Api]: CallOf<Api[Name]> };

/** @internal The function that calls an endpoint. */
export type CallOf<Target> = Target extends { readonly method: infer Method; readonly path: infer Path extends string }
  ? "~types" extends keyof Target
    ? Target extends { readonly "~types"?: EndpointTypes<infer Inputs, infer Answers> } ? CallWith<
        & ParamsPart<ParameterNames<Path>, Inputs>
        & StringPart<"query", Inputs>
        & StringPart<"headers", Inputs>
        & StringPart<"cookies", Inputs>
        & BodyPart<Inputs, Method>,
        "headers" extends keyof Inputs ? FetchInit : CallInit,
        Answers,
        Method
      >
    : never
  : (options?: LooseCall) => Promise<Response>
  : never;

/**
 * The function of an endpoint by its methods. If there are several, a call names one, and the result depends on it.
 *
 * @internal
 */
// Compared as a whole: the method of a route is a union, `"GET" | (readonly string[] & "GET")`.
export type CallWith<Parts, Init, Answers, Method> = [Method] extends ["ALL"]
  ? CallByMethod<Parts, Init, Answers, string>
  : [Method] extends [readonly (infer One extends string)[]] ? CallByMethod<Parts, Init, Answers, One>
  : CallOnce<Parts, Init, CallResult<Answers, Method>>;

/**
 * A function whose argument is optional if it requires nothing. Without a required argument, the compiler's message
 * names the missing parts.
 */
type CallOnce<Parts, Init, Answered> = Record<never, never> extends Parts
  ? (options?: Parts & Init) => Promise<Answered>
  : {
    (this: `Missing argument: { ${RequiredParts<Parts>}: … }`): never;
    (options: Parts & Init): Promise<Answered>;
  };

/** A function whose argument names one of several methods. */
type CallByMethod<Parts, Init, Answers, Methods extends string> = {
  (this: `Missing argument: { ${RequiredParts<Parts> | "method"}: … }`): never;
  <Method extends Methods>(options: { readonly method: Method } & Parts & Init): Promise<CallResult<Answers, Method>>;
};

/** The keys of the parts that an endpoint requires. */
type RequiredParts<Parts> = {
  [Part in keyof Parts & string]-?: Record<never, never> extends Pick<Parts, Part> ? never : Part;
}[keyof Parts & string];

/** @internal The options of `fetch` that a call may be given, except the headers. */
export interface FetchInit extends Omit<RequestInit, "body" | "headers" | "method" | "signal"> {
  /**
   * Ends the call. The promise rejects with the reason of the signal. With `fetch: app.fetch`, a call that has been
   * sent ends when the handler does: the signal is that of `c.request`.
   */
  readonly signal?: AbortSignal | null | undefined;
}

/**
 * Options of a call besides the declared input of its endpoint: the options of `fetch`, such as `signal` and
 * `credentials`.
 */
export interface CallInit extends FetchInit {
  /**
   * Headers. They replace the same headers of the client. For an endpoint with a schema for headers, pass the headers
   * of the schema here.
   */
  readonly headers?: HeaderValues | undefined;
}

/** The argument of a call whose types are not known, as of a route without `responses`. */
export interface LooseCall extends FetchInit {
  /** The method, for an endpoint with several. */
  readonly method?: string;
  /** The path parameters. */
  readonly params?: { readonly [name: string]: TextValue };
  /** The query. */
  readonly query?: { readonly [key: string]: TextValue | readonly TextValue[] | undefined };
  /** The headers. */
  readonly headers?: HeaderValues | undefined;
  /** The cookies. Browsers ignore them. */
  readonly cookies?: { readonly [name: string]: TextValue | readonly TextValue[] | undefined };
  /** The body: a value to send as JSON if the endpoint has a schema for it, else a `BodyInit`. */
  readonly body?: unknown;
}

/** Headers. A header whose value is `undefined` is not sent. */
export type HeaderValues = NonNullable<RequestInit["headers"]> | { readonly [name: string]: TextValue | undefined };

/**
 * A response that the endpoint declares. The `status` tells the responses apart.
 *
 * @typeParam Status The status.
 * @typeParam Body The body, as JSON has it.
 */
export interface Received<out Status extends number, out Body> {
  /** The status. */
  readonly status: Status;
  /** The declared media type; `undefined` for a response that is declared without a schema and without one. */
  readonly contentType: string | undefined;
  /** The declared headers: here, none. For others, read `response.headers`. */
  readonly headers: Record<never, never>;
  /** The parsed body; `undefined` for a status that is declared without a schema, and for HEAD. */
  readonly body: Body;
  /** The response. Its body has been read, unless `body` is `undefined`. */
  readonly response: Response;
}

/**
 * A response that the endpoint declares with headers.
 *
 * @typeParam Status The status.
 * @typeParam Body The body, as JSON has it.
 * @typeParam Headers The declared headers. A header that is not required may be `undefined`.
 */
export interface ReceivedWith<out Status extends number, out Body, out Headers extends Record<never, never>>
  extends Received<Status, Body> {
  /** The declared headers, by name as declared. A header that is sent several times is one string, joined with `, `. */
  readonly headers: Headers;
}

/**
 * One of several responses that the endpoint declares with the same status. The `contentType` tells them apart.
 *
 * @typeParam Status The status.
 * @typeParam Type The media type, as declared.
 * @typeParam Body The body, as JSON has it.
 * @typeParam Headers The declared headers.
 */
export interface ReceivedAs<
  out Status extends number,
  out Type,
  out Body,
  out Headers extends Record<never, never> = Record<never, never>,
> extends ReceivedWith<Status, Body, Headers> {
  /** The declared media type. */
  readonly contentType: Type & string;
}

/**
 * The body: what the schema accepts. Without a schema, what `fetch` takes, for handlers that read the body themselves.
 */
type BodyPart<Inputs, Method> = Inputs extends { readonly body: infer Input }
  ? Inputs extends { readonly bodyReader: infer Reader } ? ReadBodyPart<FromOf<Input>, Reader>
  : { readonly body: FromOf<Input> }
  : Method extends "GET" | "HEAD" | readonly ("GET" | "HEAD")[] ? unknown
  : { readonly body?: NonNullable<RequestInit["body"]> };

/** The body for a `bodyReader`. It may be left out if the reader is `optional`, and the schema accepts `undefined`. */
type ReadBodyPart<From, Reader> = Reader extends { readonly optional: true }
  ? undefined extends From ? { readonly body?: EncodedFor<Exclude<From, undefined>, Reader> | undefined }
  : { readonly body: EncodedFor<From, Reader> }
  : { readonly body: EncodedFor<From, Reader> };

/**
 * The body for a `bodyReader`, by its format: what the schema accepts for JSON, the fields of a form, or a text. For
 * any other reader it is what `fetch` takes.
 */
type EncodedFor<From, Reader> = Reader extends { readonly format: infer Format }
  ? Format extends "json" | "parts" ? From
  : Format extends "form" ? FormData | { readonly [Key in keyof From]: FieldAt<From, Key> }
  : Format extends "text" ? [Extract<From, string>] extends [never] ? string : Extract<From, string>
  : NonNullable<RequestInit["body"]>
  : NonNullable<RequestInit["body"]>;

/** The values that a call takes for a field of a form. */
type FieldAt<From, Key extends keyof From> = unknown extends From[Key]
  ? TextValue | Blob | readonly (TextValue | Blob)[] | UndefinedIfOptional<From, Key>
  : TextFor<From[Key]>;

/** What a call returns: the declared responses; any response if none are declared. */
type CallResult<Answers, Method> = [Answers] extends [never] ? Response : ReceivedOf<Answers, Method>;

/** The declared responses, as JSON has them. */
type ReceivedOf<Answers, Method> = Answers extends Answer<infer Status, infer Body, SentAs<infer Type, infer Headers>>
  ? "~oneOf" extends keyof Answers["sent"]
    ? ReceivedAs<Status, Type, ReceivedBody<Method, Body>, ReceivedHeaders<Headers>>
  : [keyof Headers] extends [never] ? Received<Status, ReceivedBody<Method, Body>>
  : ReceivedWith<Status, ReceivedBody<Method, Body>, ReceivedHeaders<Headers>>
  : never;

/** The declared headers, as a client receives them. */
type ReceivedHeaders<Headers> = {
  readonly [
    // Not `-?`: without `exactOptionalPropertyTypes`, that would take `undefined` away.
    Name in keyof Headers & string
  ]: Record<never, never> extends Pick<Headers, Name> ? string | undefined : string;
};

/** The body with a method: HEAD has none. */
type ReceivedBody<Method, Body> = Method extends "HEAD" | "head" ? undefined
  : string extends Method ? JsonBody<Body> | undefined
  : JsonBody<Body>;

/** The body as JSON has it. A stream is not one value: its items are JSON. A call reads no socket. */
type JsonBody<Body> = Body extends StreamBody<"socket"> ? never
  : Body extends StreamBody
    ? Body extends LinesBody<infer Item> ? AsyncIterable<JsonOf<Item>> : EventStream<JsonEvents<Body>>
  : JsonOf<Body>;

/** The events as JSON has them. */
type JsonEvents<Body> = {
  readonly [Name in Exclude<keyof Body, "~stream">]-?: ReceivedEvent<Name, JsonOf<Exclude<Body[Name], undefined>>>;
}[Exclude<keyof Body, "~stream">];
